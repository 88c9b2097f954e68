// The cart (specification, sections 2 and 7: bookeds). An item holds no seat and never expires.
// Removing an item that is being paid for cancels its payment first.
import type { Services } from '../platform/services.ts';
import {
  addToCart,
  type CartItem,
  getCart,
  listCart,
  removeFromCart,
} from '../../contract/checkout/cart.ts';
import type { AgeRange } from '../../contract/people/ages.ts';
import { limits } from '../../contract/platform/limits.ts';
import { type Db, type RowOf, execute, query, queryOne, sql } from '../platform/db/connection.ts';
import { activeEnrolment, liveHold, onSale } from '../platform/db/states.ts';
import { own } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { patiently, ProviderError } from '../platform/cards.ts';
import type { GiveUp } from './seats/release.ts';
import type { NoLonger } from '../platform/ends.ts';
import { fitsAge, isGuardian, wrongAge } from '../people/participants.ts';
import { clashesOf } from './clashes.ts';
import type { Wanted } from './payments/look.ts';
import { pricesAlone } from './payments/prices.ts';
import { rulesFor } from './pricing.ts';
import { booked, known } from './spec.ts';

export function cartRoutes({ on, db, write, giveUp }: Services & { giveUp: GiveUp }): void {
  on(getCart, (_, { who }) => cartOf(db, who));

  // Calls of section 7 always send the email. Without it the list is empty.
  on(listCart, async ({ email }, { who }) =>
    email === undefined ? [] : (await cartOf(db, who)).map((item) => booked(item, who)),
  );

  on(addToCart, async ({ itemId: classId, participantId }, { who }) => {
    const wanted = { participantId: participantId ?? who.id, classId };
    const { insertedId, dated } = await write(who, async (db) => own(await add(db, who, wanted)));
    const clashes = await clashesOf(db, who.id, [{ ...wanted, dated }]);
    return { insertedId, ...known({ clashes: clashes(wanted) }) };
  });

  on(removeFromCart, async ({ id }, { who }) => {
    const item = await queryOne<RowOf<'cartItem', 'classId'> & { holdId: string | null }>(db)`
      select item.class_id, hold.id as hold_id from cart_item item
      left join hold on hold.student_id = item.student_id and hold.participant_id = item.participant_id
        and hold.class_id = item.class_id and ${liveHold()}
      where item.id = ${id} and item.student_id = ${who.id}`;
    if (!item) fail('NOT_FOUND');
    if (item.holdId) {
      const given = giveUp({ id: item.holdId }, 'removed from the cart');
      const outcome = await patiently(given).catch((error: unknown) => {
        if (error instanceof ProviderError) return 'silent' as const;
        throw error;
      });
      if (outcome === 'paid') fail('ALREADY_PAID');
      if (outcome === 'processing') fail('PAYMENT_IN_PROGRESS', {}, 5);
      if (outcome === 'silent') fail('PROVIDER_DOWN', {}, 5);
    }
    const deletedCount = await execute(db)`
      delete from cart_item where id = ${id} and student_id = ${who.id}`;
    return { deletedCount };
  });
}

interface CartRow
  extends
    Omit<CartItem, 'cents' | 'seenCents' | 'state' | 'clashes'>,
    RowOf<'cartItem', 'seenPriceCents'>,
    RowOf<'class', 'sport' | 'nowCents'> {
  onSale: boolean;
  dated: boolean;
  held: boolean;
}

async function cartOf(db: Db, { id: studentId }: Caller) {
  const rows = await query<CartRow>(db)`
    select item.id as cart_item_id, item.class_id, item.participant_id, class.name, class.img, class.schedule, class.place, class.now_cents, class.sport, class.min_age, class.max_age, item.seen_price_cents,
      case when class.now_cents < class.price_cents then json_build_object('left', class.meetings_left,
        'of', class.meetings, 'fullCents', class.price_cents) end as part,
      class.free as seat, class.status = 'pending' as in_review, ${onSale} as on_sale, class.ends_at is not null as dated,
      coalesce(hold.state = 'held', false) as held, hold.id is not null as paying,
      case when item.participant_id <> item.student_id then participant.name end as participant
    from cart_item item join class on class.id = item.class_id join participant on participant.id = item.participant_id
    left join hold on hold.student_id = item.student_id and hold.participant_id = item.participant_id
          and hold.class_id = item.class_id and ${liveHold()}
    where item.student_id = ${studentId} order by item.created_at, item.id`;
  if (rows.length === 0) return [];
  const clashes = await clashesOf(db, studentId, rows);
  const rules = await rulesFor(db, studentId);
  const prices = pricesAlone(studentId, rows, rules);
  // What was seen is compared with what is shown: both after the discounts.
  const before = rows.map((row) => Object.assign({}, row, { nowCents: row.seenPriceCents }));
  const seen = pricesAlone(studentId, before, rules);
  return rows.map((row, place) => {
    const { [place]: cents = row.nowCents } = prices;
    const { [place]: seenCents = row.seenPriceCents } = seen;
    return Object.assign(row, { cents, seenCents, state: stateOf(row), clashes: clashes(row) });
  });
}

function stateOf({ onSale, seat, held, nowCents, seenPriceCents }: CartRow): CartItem['state'] {
  if (!onSale) return 'closed';
  // The last seat may be held for this student.
  if (seat < 1 && !held) return 'sold-out';
  return nowCents === seenPriceCents ? 'ok' : 'price-changed';
}

/** Of participants who are erased, or of one whom an account no longer looks after. */
export const dropFromCarts: NoLonger = async (db, participantIds, userId) => {
  await execute(db)`delete from cart_item where participant_id = any (${participantIds}::uuid[])
    and (${userId}::uuid is null or student_id = ${userId}::uuid)`;
};

/** One student's additions run one after another. In parallel, fifty-one could each count fifty. */
export const lockCart = (db: Db, studentId: string) =>
  execute(db)`select pg_advisory_xact_lock(hashtextextended(${`cart ${studentId}`}, 0))`;

type OfClass = 'onSale' | 'dated' | 'ended' | 'rightAge';
type OfParticipant = 'enrolled' | 'beingPaid' | 'inCart';
type Facts = AgeRange &
  RowOf<'class', 'free' | 'nowCents'> &
  Record<OfClass | OfParticipant, boolean> & { items: number };

/** Whether a participant may have a class. Locks the class, then the participant. */
export async function examine(db: Db, who: Caller, { participantId, classId }: Wanted) {
  const of = sql`participant_id = participant.id and class_id = class.id`;
  return queryOne<Facts>(db)`
    select ${onSale} as on_sale, class.ends_at is not null as dated, class.status = 'approved' and class.closes_at <= now() as ended, free, now_cents,
      min_age, max_age, ${fitsAge} as right_age,
      exists (select from enrolment where ${of} and ${activeEnrolment()}) as enrolled,
      exists (select from hold where ${of} and ${liveHold()}) as being_paid,
      exists (select from cart_item where ${of} and student_id = ${who.id}) as in_cart,
      (select count(*)::int from cart_item where student_id = ${who.id}) as items
    from class join participant on participant.id = ${participantId} and ${isGuardian(who.id, sql`participant.id`)}
    where class.id = ${classId} for key share of class, participant`;
}

async function add(db: Db, who: Caller, wanted: Wanted) {
  const { participantId, classId } = wanted;
  await lockCart(db, who.id);
  const found = await examine(db, who, wanted);
  if (found?.ended) fail('CLASS_OVER');
  if (!found?.onSale) fail('NOT_FOUND');
  if (found.enrolled) fail('ALREADY_ENROLLED');
  if (found.inCart) fail('ALREADY_IN_CART');
  // Who is in the cart for oneself is asked before the card, by the web app.
  if (!found.rightAge && participantId !== who.id) wrongAge(found);
  if (found.free < 1) fail('SOLD_OUT');
  if (found.items >= limits.cartItems) fail('CART_FULL');
  // Asked again: the care may have ended while this request waited for the lock.
  const added = await queryOne<RowOf<'cartItem', 'id'>>(db)`
    insert into cart_item (student_id, participant_id, class_id, seen_price_cents)
    select ${who.id}, participant.id, ${classId}, ${found.nowCents}
    from participant where id = ${participantId} and ${isGuardian(who.id, sql`participant.id`)}
    returning id`;
  return { insertedId: added?.id ?? fail('NOT_FOUND'), dated: found.dated };
}
