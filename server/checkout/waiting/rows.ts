// Rows of wait and wish that several acts write. The states: waiting/decide.ts.
import type { Jobs } from '../../platform/db/jobs.ts';
import { type Db, execute, query, sql } from '../../platform/db/connection.ts';
import { liveHold } from '../../platform/db/states.ts';

/** One worker at a time in the academy, so that wishes over several classes need no further locks. */
export const lockLists = (db: Db) =>
  execute(db)`select pg_advisory_xact_lock(hashtextextended('waiting', 0))`;

/** The other classes wait while one is offered. Answers them. */
export async function pause(db: Db, classId: string, waitIds: readonly string[]) {
  if (waitIds.length === 0) return [];
  const rows = await query<{ classId: string }>(db)`
    update wish set state = 'paused'
    where wait_id = any (${waitIds}::uuid[]) and class_id <> ${classId} and state in ('waiting', 'passed')
    returning class_id`;
  return rows.map((row) => row.classId);
}

/** Ends waits of which no class is left. */
export const closeWaits = (db: Db, ids: readonly string[]) =>
  execute(db)`
    update wait set ended_at = now(), ended = last.ended
    from (select wait_id, case when bool_or(ended = 'enrolled') then 'enrolled'
        when bool_and(ended = 'left') then 'left' else 'over' end as ended
      from wish where wait_id = any (${ids}::uuid[])
      group by wait_id having bool_and(state = 'ended')) last
    where wait.id = last.wait_id and wait.ended is null`;

interface Seat {
  participantId: string;
  classId: string;
}

const named = (seats: readonly Seat[]) =>
  sql`unnest(${seats.map((seat) => seat.participantId)}::uuid[], ${seats.map((seat) => seat.classId)}::uuid[])
    as seat (participant_id, class_id)`;

/** Locks the waits for these seats, after their classes. Answers their ids. */
export async function lockWaitsFor(db: Db, seats: readonly Seat[]): Promise<string[]> {
  const rows = await query<{ id: string }>(db)`
    select id from wait where id = any (array(
      select wait_id from waiter join ${named(seats)} using (participant_id, class_id) where live))
    order by id for update`;
  return rows.map(({ id }) => id);
}

/**
 * These seats were paid for: nobody waits for them any more, nor in the other classes of the wait. The
 * rest of a group keeps its offer until that ends.
 */
export async function endPaid(
  db: Db,
  jobs: Jobs,
  waitIds: readonly string[],
  seats: readonly Seat[],
): Promise<void> {
  if (waitIds.length === 0 || seats.length === 0) return;
  const ended = await query<{ classId: string }>(db)`
    with seated as (
      select distinct wait_id, class_id from waiter join ${named(seats)} using (participant_id, class_id)
      where live and wait_id = any (${waitIds}::uuid[])
    )
    update wish set state = 'ended', ended_at = now(),
      ended = case when seated.class_id = wish.class_id then 'enrolled' else 'elsewhere' end
    from seated where wish.wait_id = seated.wait_id and wish.state <> 'ended'
      and (seated.class_id <> wish.class_id or not exists (select from hold
        where hold.wait_id = wish.wait_id and hold.class_id = wish.class_id and ${liveHold()}))
    returning wish.class_id`;
  await closeWaits(db, waitIds);
  const classIds = [...new Set(ended.map(({ classId }) => classId))];
  if (classIds.length > 0) await jobs.send(db, 'tend', { classIds });
}
