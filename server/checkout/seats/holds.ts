// Holds: a seat reserved for one participant while a student pays. States:
//   held → releasing → released, held | releasing → consumed
// A hold is loose or in one basket (payments/basket.ts), which has the money. A hold in a basket is
// not freed. Claiming: claim.ts. Releasing: release.ts. Paying: payments/settle.ts. Every function
// is one statement. Callers that need locks lock the basket, then its holds, then the classes.
import { extendHold } from '../../../contract/checkout/payments.ts';
import { limits } from '../../../contract/platform/limits.ts';
import {
  type Database,
  type Db,
  type RowOf,
  execute,
  query,
  queryOne,
  sql,
} from '../../platform/db/connection.ts';
import { closedClass, isLive, liveHold } from '../../platform/db/states.ts';
import { backOff, leaseOf } from '../../platform/db/lease.ts';
import { fail } from '../../platform/http/fail.ts';
import type { On } from '../../platform/http/on.ts';

export type HoldState = 'held' | 'releasing' | 'released' | 'consumed';

export interface Hold extends RowOf<
  'hold',
  | 'id'
  | 'studentId'
  | 'participantId'
  | 'classId'
  | 'listCents'
  | 'discountCents'
  | 'basketId'
  | 'slot'
  | 'expiresAt'
> {
  state: HoldState;
  cartItemId: RowOf<'hold', 'itemId'>['itemId'];
}

const columns = sql.raw(
  'id, student_id, participant_id, class_id, item_id as cart_item_id, list_cents, discount_cents, basket_id, slot, state, expires_at',
);

export function holdRoutes({ on, db }: { on: On; db: Database['db'] }): void {
  on(extendHold, async ({ id }, { who }) => {
    // All seats of its basket are held longer. A third request changes nothing and returns the
    // current end: that of the seat that ends first.
    const hold = await queryOne<
      Pick<Hold, 'expiresAt' | 'state'> & { over: boolean; denied: boolean }
    >(db)`
      with together as (
        select id, expires_at, extensions from hold
        where (id = ${id} or basket_id = (select basket_id from hold own where own.id = ${id}))
          and student_id = ${who.id} and state = 'held' and expires_at > now()
        order by id for update
      ), longer as (
        update hold set extensions = hold.extensions + 1, expires_at = least(hold.expires_at + make_interval(mins => ${limits.holdMinutes}),
          (select closes_at from class where class.id = hold.class_id))
        from together where hold.id = together.id and together.extensions < 2
          and not exists (select from class where class.id = hold.class_id and ${closedClass})
        returning hold.id, hold.expires_at
      )
      select coalesce((
          select min(coalesce(longer.expires_at, together.expires_at)) from together left join longer using (id)
        ), expires_at) as expires_at, state, expires_at <= now() as over, ${closedClass} as denied
      from hold join class on class.id = hold.class_id where hold.id = ${id} and student_id = ${who.id}`;
    if (!hold) fail('NOT_FOUND');
    if (hold.denied && hold.state === 'released') fail('CLASS_CLOSED');
    // The payment is not cancelled yet, so we do not know whether the card is charged.
    if (hold.denied && isLive(hold))
      fail('CLASS_CLOSED', { message: 'This class is no longer offered.' });
    if (hold.state !== 'held' || hold.over) fail('HOLD_EXPIRED');
    return { expiresAt: hold.expiresAt.toISOString() };
  });
}

export const readHold = (db: Db, id: string) =>
  queryOne<Hold>(db)`select ${columns} from hold where id = ${id}`;

/** The seats of a basket, in the order in which they are paid for. */
export const readHolds = (db: Db, basketId: string) =>
  query<Hold>(db)`select ${columns} from hold where basket_id = ${basketId} order by slot, id`;

/** Locks a hold that is in no basket. */
export const lockHold = (db: Db, id: string) =>
  queryOne<Hold>(db)`select ${columns} from hold where id = ${id} for update`;

/** Locks the holds of a basket, always in the same order. */
export const lockHolds = (db: Db, basketId: string) =>
  query<Hold>(db)`select ${columns} from hold where basket_id = ${basketId} order by id for update`;

/**
 * Locks the holds of a basket, or given ones, and the other live holds of their participants in
 * their classes, also those of other payers.
 */
export const lockRivals = (
  db: Db,
  { basketId, ids }: { basketId: string; ids: readonly string[] },
) =>
  query<Hold>(db)`
    with own as (
      select id, participant_id, class_id from hold where basket_id = ${basketId}
      union select id, participant_id, class_id from hold where id = any (${ids}::uuid[])
    )
    select ${columns} from hold where id = any (array(
      select id from own
      union select other.id from own join hold other on other.participant_id = own.participant_id
        and other.class_id = own.class_id and ${liveHold('other')}))
    order by id for update`;

/**
 * One hold or several, those of a basket or of a class, or all that a student pays for one
 * participant.
 */
export type HoldChoice =
  | { id: string }
  | { ids: readonly string[] }
  | { basketId: string }
  | { classId: string }
  | Pick<Hold, 'studentId' | 'participantId'>;

const matches = (which: HoldChoice) => {
  if ('id' in which) return sql`id = ${which.id}`;
  if ('ids' in which) return sql`id = any (${which.ids}::uuid[])`;
  if ('basketId' in which) return sql`basket_id = ${which.basketId}`;
  if ('classId' in which) return sql`class_id = ${which.classId}`;
  return sql`student_id = ${which.studentId} and participant_id = ${which.participantId}`;
};

/** held → releasing. The seat stays counted until the provider has cancelled the payment. */
export function startRelease(db: Db, which: HoldChoice, reason: string): Promise<string[]> {
  const held = sql`select id from hold where ${matches(which)} and state = 'held' order by id for update`;
  return markReleasing(db, held, reason);
}

/** Expired holds, and holds of a class that was denied or cancelled. */
export async function startOverdue(db: Db, most: number): Promise<string[]> {
  const expired = sql`
    select id from hold where state = 'held' and expires_at <= now() order by expires_at limit ${most} for update skip locked`;
  const denied = sql`
    select hold.id from hold join class on class.id = hold.class_id
    where hold.state = 'held' and ${closedClass} limit ${most} for update of hold skip locked`;
  return [
    ...(await markReleasing(db, expired, 'expired')),
    ...(await markReleasing(db, denied, 'denied')),
  ];
}

async function markReleasing(
  db: Db,
  chosen: ReturnType<typeof sql>,
  reason: string,
): Promise<string[]> {
  const rows = await query<RowOf<'hold', 'id'>>(db)`
    with chosen as (${chosen})
    update hold set state = 'releasing', ended_because = ${reason}, releasing_since = now(), next_try = now()
    from chosen where hold.id = chosen.id and hold.state = 'held' returning hold.id`;
  return rows.map(({ id }) => id);
}

/** The states in which the provider is asked to cancel, until it has. */
const isEnding = { hold: sql`state = 'releasing'`, basket: sql`state = 'closing'` };
type Ending = keyof typeof isEnding;

/** Leases holds to be released, or baskets to be closed. */
export const takeEnding = (db: Db, table: Ending, most: number) =>
  leaseOf(db, {
    table,
    where: isEnding[table],
    clock: 'next_try',
    leaseSeconds: 30,
    most,
    returning: sql.ref(`${table}.id`),
  });

/** The provider did not cancel: the next attempt is in 5 s to 5 min. */
export const putOff = (db: Db, table: Ending, id: string) =>
  execute(db)`
    update ${sql.table(table)} set tries = tries + 1, next_try = ${backOff('tries', '5 minutes')}
    where id = ${id} and ${isEnding[table]}`;

export const free = (db: Db, { id }: Pick<Hold, 'id'>) =>
  execute(db)`update hold set state = 'released', next_try = null where id = ${id}`;

/** Holds that were paid for are in the basket that paid for them. */
export const consume = (db: Db, basketId: string, holds: readonly Pick<Hold, 'id'>[]) =>
  execute(db)`
    update hold set state = 'consumed', basket_id = ${basketId}, next_try = null
    where id = any (${holds.map(({ id }) => id)}::uuid[])`;

/**
 * Holds for a payment whose holds were lost when an older backup was restored, or were freed because
 * the provider did not know the payment. They count no seat. `listCents` is what was paid: a list price
 * is at least 50 cents, and the difference is written as a discount.
 */
export async function rebuildHold(
  db: Db,
  found: Pick<Hold, 'studentId' | 'participantId' | 'classId' | 'listCents'>,
): Promise<Hold> {
  const listCents = Math.max(found.listCents, limits.price.minCents);
  const hold = await queryOne<Hold>(db)`
    insert into hold (student_id, participant_id, class_id, list_cents, discount_cents, state, slot, ended_because)
    values (${found.studentId}, ${found.participantId}, ${found.classId}, ${listCents}, ${listCents - found.listCents},
      'released', 1, 'rebuilt')
    returning ${columns}`;
  if (!hold) throw new Error('a hold could not be rebuilt');
  return hold;
}
