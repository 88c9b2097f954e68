// Baskets: what one payment pays for. A basket has the intent at the card provider; its holds are
// the seats. States: open → closing → closed, open | closing → paid. Every function but `attach`
// and `loosen` is one statement.
import type { PriceRules, Why } from '../../../contract/checkout/pricing.ts';
import {
  type Db,
  type RowOf,
  execute,
  query,
  queryOne,
  sql,
} from '../../platform/db/connection.ts';
import { activeEnrolment } from '../../platform/db/states.ts';
import { leaseOf } from '../../platform/db/lease.ts';
import { post, reserve, unreserve } from '../ledger.ts';
import { reserveCoupon, returnCoupon } from '../pricing.ts';
import { type Hold, lockHolds } from '../seats/holds.ts';

export type BasketState = 'open' | 'closing' | 'closed' | 'paid';

export interface Basket extends RowOf<
  'basket',
  | 'id'
  | 'studentId'
  | 'totalCents'
  | 'creditCents'
  | 'swapOf'
  | 'swapCents'
  | 'swapBackCents'
  | 'cardCents'
  | 'currency'
  | 'attempt'
  | 'intentId'
> {
  state: BasketState;
}

const columns = sql.raw(
  'id, student_id, total_cents, credit_cents, swap_of, swap_cents, swap_back_cents, card_cents, currency, attempt, intent_id, state',
);

type Which = { id: string } | { intentId: string };
const matches = (which: Which) =>
  'id' in which ? sql`id = ${which.id}` : sql`intent_id = ${which.intentId}`;

export const readBasket = (db: Db, which: Which) =>
  queryOne<Basket>(db)`select ${columns} from basket where ${matches(which)}`;

/** Locks the basket, before its holds. */
export const lockBasket = (db: Db, which: Which) =>
  queryOne<Basket>(db)`select ${columns} from basket where ${matches(which)} for update`;

/** A hold with its discount, and whom the caller priced it for. */
export interface Attached extends Pick<Hold, 'id' | 'participantId'> {
  discount: number;
  why: readonly Why[];
}

/** What a basket is priced by, and what of the family's credit and of a seat that is changed it takes. */
interface Terms extends RowOf<'basket', 'creditCents' | 'swapOf' | 'swapCents' | 'swapBackCents'> {
  rules: PriceRules;
}

/**
 * Makes a basket of loose holds, takes a use of its coupon and reserves the credit. Who takes an offer
 * is its payer. Null: one of the holds is not held any more, is in another basket, or its seat is for somebody else by now, also in the cart; the caller
 * looks again. In a transaction.
 */
export async function attach(
  db: Db,
  studentId: string,
  lines: readonly Attached[],
  { rules, ...money }: Terms,
): Promise<Basket | null> {
  const ids = lines.map(({ id }) => id);
  const loose = await query<RowOf<'hold', 'listCents'>>(db)`
    select list_cents from hold
    join unnest(${ids}::uuid[], ${lines.map(({ participantId }) => participantId)}::uuid[]) as line (hold_id, asked_for)
      on hold_id = id
    where (student_id = ${studentId} or reason = 'offer') and state = 'held' and basket_id is null and expires_at > now()
      and participant_id = asked_for
      and not exists (select from cart_item item where item.id = item_id and item.participant_id <> hold.participant_id)
    order by id for update of hold`;
  if (loose.length < ids.length) return null;
  const list = loose.reduce((sum, { listCents }) => sum + listCents, 0);
  const total = lines.reduce((sum, { discount }) => sum - discount, list);
  const basket = await queryOne<Basket>(db)`
    insert into basket (student_id, total_cents, credit_cents, swap_of, swap_cents, swap_back_cents, rules)
    values (${studentId}, ${total}, ${money.creditCents}, ${money.swapOf}, ${money.swapCents}, ${money.swapBackCents},
      ${JSON.stringify(rules)}::jsonb)
    returning ${columns}`;
  if (!basket) throw new Error('a basket could not be made');
  await execute(db)`
    update hold set basket_id = ${basket.id}, student_id = ${studentId}, discount_cents = line.discount, why = line.why
    from unnest(${ids}::uuid[], ${lines.map(({ discount }) => discount)}::int[],
      ${lines.map(({ why }) => JSON.stringify(why))}::jsonb[]) as line (id, discount, why)
    where hold.id = line.id`;
  if (rules.coupon)
    await reserveCoupon(db, { basketId: basket.id, studentId, couponId: rules.coupon.id });
  await post(db, reserve(basket));
  return basket;
}

/** The rules by which a basket was priced, its seats, and the coupon and credit it has reserved. */
export const contentsOf = (db: Db, id: string) =>
  queryOne<Terms & { seats: number; couponId: string | null }>(db)`
    select rules, credit_cents, swap_of, swap_cents, swap_back_cents, (select count(*)::int from hold where basket_id = basket.id) as seats,
      (select discount_id from coupon_use where basket_id = basket.id and ended_at is null) as coupon_id
    from basket where id = ${id}`;

/**
 * False: the basket changed since the intent was requested, or the student no longer looks after a
 * participant. Its secret must not be returned.
 */
export async function keepIntent(
  db: Db,
  basket: Pick<Basket, 'id' | 'attempt'>,
  intentId: string,
): Promise<boolean> {
  const kept = await execute(db)`
    update basket set intent_id = ${intentId}, checked_at = now()
    where id = ${basket.id} and state = 'open' and attempt = ${basket.attempt}
      and (intent_id is null or intent_id = ${intentId})
      and not exists (
        select from hold
        left join enrolment e on e.participant_id = hold.participant_id and e.class_id = hold.class_id and ${activeEnrolment('e')}
        left join guardian g on g.user_id = hold.student_id and g.participant_id = hold.participant_id
        where hold.basket_id = basket.id and (hold.state <> 'held' or e.id is not null or g.user_id is null))`;
  return kept === 1;
}

/**
 * The provider repeats a failure under the old key for a day, longer than a hold lives. The secret of that intent was never
 * returned, so it cannot be paid.
 */
export const raiseAttempt = (db: Db, basket: Pick<Basket, 'id' | 'attempt'>) =>
  execute(db)`
    update basket set attempt = attempt + 1
    where id = ${basket.id} and attempt = ${basket.attempt} and state = 'open' and intent_id is null`;

/** open → closing. Nothing is attached to it any more, and no intent is stored in it. */
export const startClosing = (db: Db, id: string, reason: string) =>
  execute(db)`
    update basket set state = 'closing', reason = ${reason}, closing_since = now(), next_try = now()
    where id = ${id} and state = 'open'`;

/** closing → closed: the holds are loose, and held or releasing as before. In a transaction. */
export async function loosen(
  db: Db,
  basket: Pick<Basket, 'id' | 'studentId' | 'creditCents'>,
): Promise<void> {
  const { id } = basket;
  await lockHolds(db, id);
  await execute(db)`
    update hold set basket_id = null, discount_cents = 0, why = '[]' where basket_id = ${id}`;
  await execute(db)`update basket set state = 'closed', next_try = null where id = ${id}`;
  await returnCoupon(db, id);
  await post(db, unreserve(basket));
}

export const setPaid = (db: Db, { id }: Pick<Basket, 'id'>) =>
  execute(db)`update basket set state = 'paid', next_try = null where id = ${id}`;

/** Leases open intents about which the provider was not asked recently. */
export const takeOpenIntents = (db: Db, olderThanSeconds: number, most: number) =>
  leaseOf(db, {
    table: 'basket',
    where: sql`state in ('open', 'closing') and intent_id is not null`,
    clock: 'checked_at',
    olderThanSeconds,
    most,
    returning: sql`basket.intent_id`,
  });

/**
 * A basket for a payment whose basket was lost when an older backup was restored. Null: another
 * process made it in the meantime.
 */
export const rebuildBasket = (
  db: Db,
  found: Pick<Basket, 'studentId' | 'totalCents' | 'currency'> & { intentId: string },
) =>
  queryOne<Basket>(db)`
    insert into basket (student_id, total_cents, currency, state, intent_id, reason)
    values (${found.studentId}, ${found.totalCents}, ${found.currency}, 'closed', ${found.intentId}, 'rebuilt')
    on conflict (intent_id) do nothing returning ${columns}`;
