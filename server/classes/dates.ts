// Reads meetings in the order of time.
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
  startsAt: sql<Date>`lower(meeting.during)`,
  endsAt: sql<Date>`upper(meeting.during)`,
};
const { day, starts, startsAt, endsAt } = meetingColumns;

export const selectMeetings = (db: Db) =>
  db
    .selectFrom('meeting')
    .innerJoin('class', 'class.id', 'meeting.classId')
    .innerJoin('user as teacher', 'teacher.id', 'meeting.instructorId')
    .leftJoin('place', 'place.id', 'meeting.placeId')
    .select(['meeting.id', 'meeting.classId', 'meeting.minutes', 'meeting.placeId'])
    .select(['meeting.instructorId', 'meeting.state', 'meeting.told'])
    .select(['teacher.name as instructor', 'place.name as place'])
    .select([day.as('day'), starts.as('starts'), ends.as('ends'), academyZone.as('zone')])
    .select([startsAt.as('startsAt'), endsAt.as('endsAt')])
    .where('meeting.state', '<>', 'called')
    .orderBy('meeting.day')
    .orderBy('meeting.starts')
    .orderBy('meeting.id');

type Row = Awaited<ReturnType<ReturnType<typeof selectMeetings>['executeTakeFirstOrThrow']>>;

export const presentMeeting = <R extends Row>({ id, place, state, startsAt, endsAt, ...row }: R) =>
  Object.assign(row, {
    _id: id,
    place: place ?? '',
    state: state as MeetingState,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
  });

/** The caller has checked that the reader may see the class. */
export async function meetingsOf(db: Db, classId: string): Promise<ClassMeeting[]> {
  const rows = await selectMeetings(db)
    .select('place.address')
    .where('meeting.classId', '=', classId)
    .execute();
  return rows.map((row) => {
    const { placeId, address, ...meeting } = presentMeeting(row);
    return Object.assign(meeting, { ...(placeId && { placeId }), ...(address && { address }) });
  });
}
