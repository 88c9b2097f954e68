// Reads the meetings of a class.
import type { ClassMeeting, MeetingState } from '../../contract/classes/meetings.ts';
import { type Db, sql } from '../platform/db/connection.ts';
import { academyZone } from '../platform/db/zone.ts';

/** A past meeting may be of another zone: its end is as long after its start as the clock then said. */
const ends = sql<string>`to_char(meeting.day + meeting.starts + (upper(meeting.during) at time zone ${academyZone}
  - lower(meeting.during) at time zone ${academyZone}), 'HH24:MI')`;

export const meetingColumns = {
  day: sql<string>`meeting.day::text`,
  starts: sql<string>`to_char(meeting.starts, 'HH24:MI')`,
  ends,
  zone: academyZone,
  startsAt: sql<Date>`lower(meeting.during)`,
  endsAt: sql<Date>`upper(meeting.during)`,
};

/** In the order of time. The caller has checked that the reader may see the class. */
export async function meetingsOf(db: Db, classId: string): Promise<ClassMeeting[]> {
  const { day, starts, ends, zone, startsAt, endsAt } = meetingColumns;
  const rows = await db
    .selectFrom('meeting')
    .innerJoin('user', 'user.id', 'meeting.instructorId')
    .leftJoin('place', 'place.id', 'meeting.placeId')
    .select(['meeting.id', 'meeting.minutes', 'meeting.placeId', 'meeting.instructorId'])
    .select(['meeting.state', 'meeting.told', 'user.name as instructor'])
    .select(['place.name as place', 'place.address', day.as('day'), starts.as('starts')])
    .select([ends.as('ends'), zone.as('zone'), startsAt.as('startsAt'), endsAt.as('endsAt')])
    .where('meeting.classId', '=', classId)
    .where('meeting.state', '<>', 'called')
    .orderBy('meeting.day')
    .orderBy('meeting.starts')
    .orderBy('meeting.id')
    .execute();
  return rows.map(({ id, place, placeId, address, state, startsAt, endsAt, ...row }) =>
    Object.assign(row, {
      _id: id,
      place: place ?? '',
      ...(placeId && { placeId }),
      ...(address && { address }),
      state: state as MeetingState,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    }),
  );
}
