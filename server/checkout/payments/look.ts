// What a request for a payment finds: whose class it means, and the rows it depends on.
import type { AgeRange } from '../../../contract/people/ages.ts';
import type { Why } from '../../../contract/checkout/pricing.ts';
import { type Db, type RowOf, query, queryOne, sql } from '../../platform/db/connection.ts';
import { activeEnrolment, liveHold, onSale } from '../../platform/db/states.ts';
import { fail } from '../../platform/http/fail.ts';
import { fitsAge, isGuardian } from '../../people/participants.ts';
import type { HoldState } from '../seats/holds.ts';

/** A class for a participant, to be paid for. */
export interface Wanted {
  classId: string;
  participantId: string;
}

export interface Found
  extends Wanted, AgeRange, RowOf<'class', 'name' | 'sport' | 'nowCents' | 'status' | 'free'> {
  onSale: boolean;
  dated: boolean;
  /** The last meeting has begun, or the office said that it is over. */
  ended: boolean;
  /** Null: it is oneself. */
  participant: string | null;
  /** A child must be. Who comes for oneself is asked before the card, by the web app. */
  rightAge: boolean;
  /** The ages do not fit, or are not known in a class for children. */
  unfit: boolean;
  cartItemId: string | null;
  holdId: string | null;
  holdState: HoldState | null;
  holdAmountCents: number | null;
  holdBasketId: string | null;
  holdDiscountCents: number | null;
  holdWhy: Why[] | null;
  holdExpiresAt: Date | null;
  holdOver: boolean | null;
  /** Another guardian has a live hold for the participant. */
  beingPaid: boolean;
  enrolled: boolean;
  liveHolds: number;
  unpaidBaskets: number;
  recentHolds: number;
  /** Seconds until the oldest hold or basket of the last hour is an hour old. */
  nextHour: number;
}

/**
 * `wanted` is the id of a cart item, of a cart item paid since, or of a class. A class that is in
 * the cart for several participants does not say which; one that is not there is for oneself.
 */
export async function resolve(db: Db, studentId: string, wanted: string): Promise<Wanted> {
  const rows = await query<Wanted & { mine: boolean }>(db)`
    select class_id, participant_id, ${isGuardian(studentId, sql`found.participant_id`)} as mine from (
      select 1 as rank, class_id, participant_id from cart_item where id = ${wanted} and student_id = ${studentId}
      union all
      (select 2, class_id, participant_id from hold where item_id = ${wanted} and student_id = ${studentId}
        order by created_at desc limit 1)
      union all
      (select 3, class_id, participant_id from cart_item where class_id = ${wanted} and student_id = ${studentId} limit 2)
    ) found order by rank limit 2`;
  const [first, second] = rows;
  if (!first) return { classId: wanted, participantId: studentId };
  // Two rows of one class are two participants.
  if (first.classId === wanted && second) fail('ITEM_REQUIRED', { message: forWhom });
  if (!first.mine) fail('NOT_IN_CART');
  return { classId: first.classId, participantId: first.participantId };
}

/** The classes of cart items, of cart items that were paid since, or of offers. In the order of `items`. */
export async function resolveAll(
  db: Db,
  studentId: string,
  items: readonly string[],
): Promise<Wanted[]> {
  const rows = await query<Wanted & { mine: boolean }>(db)`
    select found.*, ${isGuardian(studentId, sql`found.participant_id`)} as mine
    from unnest(${items}::uuid[]) with ordinality as wanted (id, place)
    cross join lateral (
      select class_id, participant_id from (
        select 1 as rank, class_id, participant_id, created_at from cart_item where id = wanted.id and student_id = ${studentId}
        union all select 2, class_id, participant_id, created_at from hold where item_id = wanted.id and student_id = ${studentId}
        union all select 3, class_id, participant_id, created_at from hold where id = wanted.id and reason = 'offer'
      ) known order by rank, created_at desc limit 1
    ) found order by wanted.place`;
  if (rows.length < items.length) fail('NOT_FOUND', { field: 'items' });
  if (rows.some(({ mine }) => !mine)) fail('NOT_IN_CART', { field: 'items' });
  return rows;
}

const forWhom = 'This class is in your cart for several people. Say which one with itemId.';

/** One's own hold; or an offer, which any guardian may take while no other one is paying for it. */
const mayPay = (
  studentId: string,
) => sql<boolean>`case when hold.reason = 'cart' then hold.student_id = ${studentId}
  else (hold.student_id = ${studentId} or hold.basket_id is null) and exists (select from wish
    where wish.wait_id = hold.wait_id and wish.class_id = hold.class_id and wish.state = 'offered') end`;

/** In the order of `wanted`. */
export async function look(db: Db, studentId: string, wanted: readonly Wanted[]): Promise<Found[]> {
  const rows = await query<Found>(db)`
    with wanted as (
      select * from unnest(${wanted.map((one) => one.classId)}::uuid[], ${wanted.map((one) => one.participantId)}::uuid[])
        with ordinality as wanted (class_id, participant_id, place)
    ), begun as (
      select created_at from basket
      where student_id = ${studentId} and state <> 'paid' and created_at > now() - interval '1 hour'
    ), recent as (
      select created_at, state, created_at > now() - interval '1 hour' as this_hour from hold
      where student_id = ${studentId} and reason = 'cart' and (created_at > now() - interval '1 hour' or ${liveHold()})
    )
    select class.id as class_id, class.name, class.sport, class.now_cents, class.status, ${onSale} as on_sale, class.free,
      class.ends_at is not null as dated, coalesce(class.closes_at <= now(), false) as ended, class.min_age, class.max_age,
      participant.id as participant_id, case when participant.id <> ${studentId} then participant.name end as participant,
      participant.id = ${studentId} or ${fitsAge} as right_age,
      not ${fitsAge} or (participant.born is null and coalesce(class.max_age, 18) < 18) as unfit,
      item.id as cart_item_id, hold.id as hold_id, hold.state as hold_state, hold.list_cents as hold_amount_cents, hold.basket_id as hold_basket_id,
      hold.discount_cents as hold_discount_cents, hold.why as hold_why, hold.expires_at as hold_expires_at,
      hold.expires_at <= now() as hold_over,
      exists (select from hold other where other.participant_id = participant.id and other.class_id = class.id
        and ${liveHold('other')} and other.student_id <> ${studentId} and (other.reason = 'cart' or other.basket_id is not null)) as being_paid,
      exists (select from enrolment e where e.participant_id = participant.id and e.class_id = class.id and ${activeEnrolment('e')}) as enrolled,
      (select count(*)::int from recent where ${liveHold('recent')}) as live_holds,
      (select count(*)::int from begun) as unpaid_baskets,
      (select count(*)::int from recent where this_hour) as recent_holds,
      (select coalesce(ceil(extract(epoch from min(created_at) + interval '1 hour' - now())), 60)::int
        from (select created_at from recent where this_hour union all select created_at from begun) b) as next_hour
    from wanted join class on class.id = wanted.class_id join participant on participant.id = wanted.participant_id
    left join cart_item item on item.class_id = class.id and item.student_id = ${studentId} and item.participant_id = participant.id
    left join hold on hold.class_id = class.id and hold.participant_id = participant.id and ${liveHold()} and ${mayPay(studentId)}
    order by wanted.place`;
  return rows.length === wanted.length ? rows : fail('NOT_FOUND');
}

/** The classes that the student is paying for. */
export async function namesOfHeld(db: Db, studentId: string): Promise<string[]> {
  const rows = await query<RowOf<'class', 'name'>>(db)`
    select class.name from hold join class on class.id = hold.class_id
    where hold.student_id = ${studentId} and hold.reason = 'cart' and ${liveHold()} order by hold.created_at, hold.id`;
  return rows.map(({ name }) => name);
}

type Attempt = { holdId: string } | (Wanted & { studentId: string; cartItemId: string | null });

/**
 * True when this attempt charged the card without a seat, so it is refunded. The attempt is a hold,
 * or the student's last hold for the participant and class. A payment made before the class was added to the cart
 * again is another attempt.
 */
export async function isReturned(db: Db, attempt: Attempt): Promise<boolean> {
  const matching =
    'studentId' in attempt
      ? sql`student_id = ${attempt.studentId} and participant_id = ${attempt.participantId} and class_id = ${attempt.classId}`
      : sql`id = ${attempt.holdId}`;
  const cartItemId = 'studentId' in attempt ? attempt.cartItemId : null;
  const found = await queryOne(db)`
    select from (select * from hold where ${matching} order by created_at desc limit 1) last
    join payment_line line on line.hold_id = last.id join payment on payment.id = line.payment_id
    where payment.status in ('refund_due', 'refunded', 'part_refunded', 'refund_failed') and (${cartItemId}::uuid is null or last.item_id = ${cartItemId})
      and not exists (select from enrolment e where e.participant_id = last.participant_id and e.class_id = last.class_id and ${activeEnrolment('e')})`;
  return found !== null;
}
