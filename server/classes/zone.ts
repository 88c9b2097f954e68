// What becomes of the meetings to come when the academy's time zone changes.
import { type Db, execute, query, sql } from '../platform/db/connection.ts';
import { academyZone } from '../platform/db/zone.ts';
import { refuseField } from '../platform/http/fail.ts';
import { isConflict } from './conflicts.ts';
import { lockMeetings } from './meetings.ts';

const toCome = sql<boolean>`lower(during) > now()`;

export async function meetingsToCome(db: Db): Promise<number> {
  const rows = await query(db)`select from meeting where ${toCome} and state <> 'cancelled'`;
  return rows.length;
}

/** The new zone is written, and all classes are locked. The trigger of `meeting` computes the instants. */
export async function moveMeetings(db: Db, keep: 'clocks' | 'instants' | undefined) {
  const n = await meetingsToCome(db);
  if (n > 0 && !keep) refuseField('meetings', `is required: ${n} meetings are to come`);
  await lockMeetings(db, toCome);
  const local = sql`(lower(during) at time zone ${academyZone})`;
  const moment = keep === 'instants' ? sql`${local}::date, ${local}::time` : sql`day, starts`;
  await execute(db)`update meeting set (day, starts) = row (${moment}), sequence = sequence + 1,
    changed_at = now() where ${toCome}`;
  return `; ${n} meetings keep their ${keep === 'instants' ? 'instants' : 'clock times'}`;
}

/** A meeting that has begun stays, and a place or an instructor has one at a time. */
export function refuseOverlap(error: unknown): never {
  if (!isConflict(error)) throw error;
  refuseField('timeZone', 'moves a meeting into another one: try again when none is under way');
}
