// Holds: a seat reserved for one participant while a student pays. States:
//   held → releasing → released, held | releasing → consumed
// Claiming: claim.ts. Releasing: release.ts. Paying: payments/settle.ts. Every function is one
// statement. Callers that need locks lock the hold before the class.
import { extendHold } from '../../../../contract/payments.ts';
import { limits } from '../../../../contract/limits.ts';
import { type Database, sql, type Db, type RowOf } from '../../../db/connection.ts';
import { lease } from '../../../db/lease.ts';
import { fail } from '../../../http/fail.ts';
import type { On } from '../../../http/on.ts';

export type HoldState = 'held' | 'releasing' | 'released' | 'consumed';

export interface Hold extends RowOf<
  'hold',
  | 'id'
  | 'studentId'
  | 'participantId'
  | 'classId'
  | 'amountCents'
  | 'currency'
  | 'attempt'
  | 'intentId'
  | 'expiresAt'
> {
  state: HoldState;
  cartItemId: RowOf<'hold', 'itemId'>['itemId'];
}

export const isLive = (hold: Pick<Hold, 'state'>) =>
  hold.state === 'held' || hold.state === 'releasing';

const columns = sql.raw(
  'id, student_id, participant_id, class_id, item_id as cart_item_id, amount_cents, currency, state, attempt, intent_id, expires_at',
);

export function holdRoutes({ on, db }: { on: On; db: Database['db'] }): void {
  on(extendHold, async ({ id }, { who }) => {
    // A third request changes nothing and returns the current end.
    const { rows } = await sql<
      Pick<Hold, 'expiresAt' | 'state'> & { over: boolean; denied: boolean }
    >`
      with longer as (
        update hold set expires_at = expires_at + make_interval(mins => ${limits.holdMinutes}), extensions = extensions + 1
        where id = ${id} and student_id = ${who.id} and state = 'held' and expires_at > now() and extensions < 2
          and not exists (select from class where class.id = hold.class_id and class.status = 'denied')
        returning expires_at
      )
      select coalesce((select expires_at from longer), expires_at) as expires_at, state, expires_at <= now() as over,
        class.status = 'denied' as denied
      from hold join class on class.id = hold.class_id where hold.id = ${id} and student_id = ${who.id}`.execute(
      db,
    );
    const hold = rows[0];
    if (!hold) fail('NOT_FOUND');
    if (hold.denied && hold.state === 'released') fail('CLASS_CLOSED');
    // The payment is not cancelled yet, so we do not know whether the card is charged.
    if (hold.denied && isLive(hold))
      fail('CLASS_CLOSED', { message: 'This class is no longer offered.' });
    if (hold.state !== 'held' || hold.over) fail('HOLD_EXPIRED');
    return { expiresAt: hold.expiresAt.toISOString() };
  });
}

export async function readHold(db: Db, id: string): Promise<Hold | null> {
  const { rows } = await sql<Hold>`select ${columns} from hold where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export async function holdOfIntent(db: Db, intentId: string): Promise<Hold | null> {
  const { rows } =
    await sql<Hold>`select ${columns} from hold where intent_id = ${intentId}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Locks the hold and, on request, the participant's other live holds of that class, whoever pays,
 * always in the same order.
 */
export async function lockHolds(db: Db, hold: Hold, withOthers = false): Promise<Hold[]> {
  const others = withOthers
    ? sql`or (participant_id = ${hold.participantId} and class_id = ${hold.classId} and state in ('held', 'releasing'))`
    : sql``;
  const { rows } = await sql<Hold>`
    select ${columns} from hold where id = ${hold.id} ${others} order by id for update`.execute(db);
  return rows;
}

/**
 * False: the hold changed since the intent was requested, or the student no longer looks after the
 * participant. Its secret must not be returned.
 */
export async function keepIntent(
  db: Db,
  hold: Pick<Hold, 'id' | 'attempt'>,
  intentId: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update hold set intent_id = ${intentId}, checked_at = now()
    where id = ${hold.id} and state = 'held' and attempt = ${hold.attempt}
      and (intent_id is null or intent_id = ${intentId})
      and exists (select from guardian g where g.user_id = hold.student_id and g.participant_id = hold.participant_id)
      and not exists (select from enrolment e where e.participant_id = hold.participant_id and e.class_id = hold.class_id and e.state = 'active')`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/**
 * The provider repeats a failure under the old key for a day, longer than a hold lives. The secret of that intent was never
 * returned, so it cannot be paid.
 */
export async function raiseAttempt(db: Db, hold: Pick<Hold, 'id' | 'attempt'>): Promise<void> {
  await sql`
    update hold set attempt = attempt + 1
    where id = ${hold.id} and attempt = ${hold.attempt} and state = 'held' and intent_id is null`.execute(
    db,
  );
}

/** One hold, all of a class, or all that a student pays for one participant. */
export type HoldChoice =
  | { id: string }
  | { classId: string }
  | Pick<Hold, 'studentId' | 'participantId'>;

const matches = (which: HoldChoice) => {
  if ('id' in which) return sql`id = ${which.id}`;
  if ('classId' in which) return sql`class_id = ${which.classId}`;
  return sql`student_id = ${which.studentId} and participant_id = ${which.participantId}`;
};

/** held → releasing. The seat stays counted until the provider has cancelled the payment. */
export async function startRelease(db: Db, which: HoldChoice, reason: string): Promise<string[]> {
  return markReleasing(
    db,
    sql`select id from hold where ${matches(which)} and state = 'held' order by id for update`,
    reason,
  );
}

/** Expired holds, and holds of a denied class. */
export async function startOverdue(db: Db, most: number): Promise<string[]> {
  const expired = sql`
    select id from hold where state = 'held' and expires_at <= now() order by expires_at limit ${most} for update skip locked`;
  const denied = sql`
    select hold.id from hold join class on class.id = hold.class_id
    where hold.state = 'held' and class.status = 'denied' limit ${most} for update of hold skip locked`;
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
  const { rows } = await sql<RowOf<'hold', 'id'>>`
    with chosen as (${chosen})
    update hold set state = 'releasing', reason = ${reason}, releasing_since = now(), next_try = now()
    from chosen where hold.id = chosen.id and hold.state = 'held' returning hold.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Leases holds whose release is due. */
export async function takeReleasing(db: Db, most: number): Promise<string[]> {
  const rows = await lease<RowOf<'hold', 'id'>>(db, {
    table: 'hold',
    where: sql`state = 'releasing'`,
    clock: 'next_try',
    leaseSeconds: 30,
    most,
    returning: sql`hold.id`,
  });
  return rows.map(({ id }) => id);
}

/** The provider did not cancel: the next attempt is in 5 s to 5 min. */
export async function putOffRelease(db: Db, id: string): Promise<void> {
  await sql`
    update hold set tries = tries + 1, next_try = now() + least(interval '5 minutes', interval '5 seconds' * power(2, least(tries, 10)))
    where id = ${id} and state = 'releasing'`.execute(db);
}

/** Leases open intents about which the provider was not asked recently. */
export async function takeOpenIntents(
  db: Db,
  olderThanSeconds: number,
  most: number,
): Promise<string[]> {
  const rows = await lease<{ intentId: string }>(db, {
    table: 'hold',
    where: sql`state in ('held', 'releasing') and intent_id is not null`,
    clock: 'checked_at',
    olderThanSeconds,
    most,
    returning: sql`hold.intent_id`,
  });
  return rows.map(({ intentId }) => intentId);
}

export async function setState(
  db: Db,
  hold: Pick<Hold, 'id'>,
  state: 'released' | 'consumed',
): Promise<void> {
  await sql`update hold set state = ${state}, next_try = null where id = ${hold.id}`.execute(db);
}

export async function noteDeclines(db: Db, id: string, declines: number): Promise<void> {
  await sql`update hold set declines = greatest(declines, ${declines}) where id = ${id}`.execute(
    db,
  );
}

/**
 * A hold for a payment whose hold was lost when an older backup was restored. It counts no seat and
 * only stores the intent.
 */
export async function rebuildHold(
  db: Db,
  found: Pick<Hold, 'studentId' | 'participantId' | 'classId' | 'amountCents' | 'currency'> & {
    intentId: string;
  },
): Promise<Hold> {
  const { rows } = await sql<Hold>`
    insert into hold (student_id, participant_id, class_id, amount_cents, currency, state, slot, intent_id, reason)
    values (${found.studentId}, ${found.participantId}, ${found.classId}, ${found.amountCents}, ${found.currency}, 'released', 1, ${found.intentId}, 'rebuilt')
    on conflict (intent_id) do update set intent_id = excluded.intent_id
    returning ${columns}`.execute(db);
  const [hold] = rows;
  if (!hold) throw new Error('a hold could not be rebuilt');
  return hold;
}
