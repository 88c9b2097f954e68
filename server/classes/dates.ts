// Reads meetings in the order of time.
import type { ClassMeeting } from '../../contract/classes/meetings.ts';
import { type Db, instant, query, sql, withoutNulls } from '../platform/db/connection.ts';
import { academyZone } from '../platform/db/zone.ts';

/** A past meeting may be of another zone: its end is as long after its start as the clock then said. */
const ends = sql<string>`to_char(meeting.day + meeting.starts + (upper(meeting.during) at time zone ${academyZone}
  - lower(meeting.during) at time zone ${academyZone}), 'HH24:MI')`;

export const meetingColumns = {
  day: sql<string>`meeting.day::text`,
  starts: sql<string>`to_char(meeting.starts, 'HH24:MI')`,
  ends,
  startsAt: sql<Date>`lower(meeting.during)`,
  endsAt: sql<Date>`upper(meeting.during)`,
};
const { day, starts, startsAt, endsAt } = meetingColumns;

/** What every list says of a meeting, from `meetingTables`. */
export const meetingFacts = sql`meeting.id as _id, meeting.instructor_id, teacher.name as instructor,
  coalesce(place.name, '') as place, ${day} as day, ${starts} as starts, ${ends} as ends,
  ${instant(startsAt)} as starts_at, ${instant(endsAt)} as ends_at`;

/** The facts that a class and a calendar add. */
export const plannedFacts = sql`${meetingFacts}, meeting.class_id, meeting.minutes, meeting.place_id,
  meeting.state, meeting.told, ${academyZone} as zone`;

export const meetingTables = sql`meeting join class on class.id = meeting.class_id
  join "user" teacher on teacher.id = meeting.instructor_id left join place on place.id = meeting.place_id`;

export const inTime = sql`order by meeting.day, meeting.starts, meeting.id`;

/** The caller has checked that the reader may see the class. */
export async function meetingsOf(db: Db, classId: string): Promise<ClassMeeting[]> {
  const rows = await query<ClassMeeting>(db)`
    select ${plannedFacts}, nullif(place.address, '') as address from ${meetingTables}
    where meeting.class_id = ${classId} and meeting.state <> 'called' ${inTime}`;
  return rows.map(withoutNulls);
}
