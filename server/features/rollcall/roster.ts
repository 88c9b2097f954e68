// The roster of a meeting: who is expected, who came. Not for: adding marks (marks.ts), lists of
// attendance (attendance.ts).
import { type MarkStatus, standing } from '../../../contract/marks.ts';
import type { MeetingState } from '../../../contract/meetings.ts';
import {
  getRoster,
  type Mark,
  type Roster,
  type RosterMeeting,
  type RosterPerson,
} from '../../../contract/rollcall.ts';
import { type Database, type Db, sql } from '../../db/connection.ts';
import { fail } from '../../http/fail.ts';
import type { Caller, On } from '../../http/on.ts';
import { meetingColumns } from '../classes/dates.ts';
import { approvedFact } from '../classes/reviewed.ts';
import { today } from '../people/participants.ts';
import { came, expectedAt, mayCall } from './scope.ts';

const hour = 3_600_000;

export function roster({ on, db }: { on: On; db: Database['db'] }): void {
  on(getRoster, async ({ id, meeting }, { who }) => {
    const found = await findClass(db, who, id);
    const meetings = await meetingsFor(db, who, id);
    if (!found.own && meetings.length === 0) fail('NOT_FOUND');
    const chosen = meeting
      ? meetings.find(({ _id }) => _id === meeting)
      : nearest(meetings, found.now);
    if (meeting && !chosen) fail('NOT_FOUND');
    return rosterOf(db, found, meetings, chosen ?? null);
  });
}

interface Found {
  id: string;
  name: string;
  now: Date;
  /** The caller teaches the class, or is an admin. Otherwise a substitute, or a stranger. */
  own: boolean;
  /** Proposed dates too. */
  hasDates: boolean;
}

async function findClass(db: Db, who: Caller, id: string): Promise<Found> {
  const { rows } = await sql<Found>`
    select class.id, ${approvedFact('name')} as name, now() as now,
      (class.instructor_id = ${who.id} or ${who.role === 'admin'}) as own,
      exists (select from meeting where class_id = class.id) as has_dates
    from class where id = ${id}`.execute(db);
  return rows[0] ?? fail('NOT_FOUND');
}

async function meetingsFor(db: Db, who: Caller, classId: string): Promise<RosterMeeting[]> {
  const { day, starts, ends, startsAt, endsAt } = meetingColumns;
  const rows = await db
    .selectFrom('meeting')
    .innerJoin('class', 'class.id', 'meeting.classId')
    .innerJoin('user', 'user.id', 'meeting.instructorId')
    .leftJoin('place', 'place.id', 'meeting.placeId')
    .select(['meeting.id', 'meeting.instructorId', 'meeting.zone', 'meeting.state'])
    .select(['user.name as instructor', 'place.name as place'])
    .select([day.as('day'), starts.as('starts'), ends.as('ends')])
    .select([startsAt.as('startsAt'), endsAt.as('endsAt')])
    .select(sql<boolean>`exists (select from mark where meeting_id = meeting.id)`.as('taken'))
    .where('meeting.classId', '=', classId)
    .where('meeting.state', '<>', 'proposed')
    .where(mayCall(who))
    .orderBy('meeting.day')
    .orderBy('meeting.starts')
    .orderBy('meeting.id')
    .execute();
  return rows.map(({ id, place, state, startsAt, endsAt, ...row }) =>
    Object.assign(row, {
      _id: id,
      place: place ?? '',
      state: state as MeetingState,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    }),
  );
}

/** The one under way or the next one; after the last, the last. */
function nearest(meetings: readonly RosterMeeting[], now: Date): RosterMeeting | undefined {
  const on = meetings.filter(({ state }) => state === 'on');
  return on.find(({ endsAt }) => new Date(endsAt) > now) ?? on.at(-1) ?? meetings.at(-1);
}

async function rosterOf(
  db: Db,
  found: Found,
  meetings: RosterMeeting[],
  meeting: RosterMeeting | null,
): Promise<Roster> {
  const people = await peopleOf(db, found.id, meeting);
  const marks = meeting ? await marksOf(db, meeting._id) : [];
  const of = (key: string) => {
    const { mark, differing } = standing(
      marks.filter((one) => one.key === key).map(({ mark }) => mark),
    );
    return { mark, marks: differing };
  };
  const guests = [...new Set(marks.filter(({ isGuest }) => isGuest).map(({ key }) => key))];
  const { now } = found;
  const end = meeting ? new Date(meeting.endsAt) : now;
  return {
    classId: found.id,
    name: found.name,
    meetings,
    meetingId: meeting?._id ?? null,
    people: people.map(({ id, ...person }): RosterPerson =>
      Object.assign(person, { participantId: id }, of(id)),
    ),
    // A guest who is marked absent was a mistake.
    guests: guests
      .map((key) => Object.assign({ guest: key.slice(1) }, of(key)))
      .filter(({ mark }) => mark?.status !== 'absent'),
    careWindow: meeting && windowOf(meeting),
    asOf: now.toISOString(),
    until: new Date(end.getTime() + 24 * hour).toISOString(),
  };
}

/** When an instructor may read care facts: from 24 hours before a meeting to 12 hours after it. */
const windowOf = ({ startsAt, endsAt }: RosterMeeting) => ({
  from: new Date(Date.parse(startsAt) - 24 * hour).toISOString(),
  until: new Date(Date.parse(endsAt) + 12 * hour).toISOString(),
});

interface PersonRow {
  id: string;
  name: string;
  age: number | null;
  new: boolean;
  attended: number;
  of: number;
}

/**
 * Those whose enrolment was alive at that time, and those who were marked all the same. Without a
 * meeting: those enrolled now.
 */
async function peopleOf(
  db: Db,
  classId: string,
  meeting: RosterMeeting | null,
): Promise<PersonRow[]> {
  const { rows } = await (meeting ? atMeeting(classId, meeting._id) : now(classId)).execute(db);
  return rows;
}

const ageOn = (day: ReturnType<typeof sql>) =>
  sql`extract(year from age(${day}, participant.born))::int`;

const now = (classId: string) => sql<PersonRow>`
  select participant.id, participant.name, ${ageOn(today)} as age, false as new, 0 as attended, 0 as of
  from enrolment e join participant on participant.id = e.participant_id
  where e.class_id = ${classId} and e.state = 'active'
  order by lower(participant.name), participant.id`;

const atMeeting = (classId: string, meetingId: string) => sql<PersonRow>`
  with this as (select * from meeting where id = ${meetingId}), earlier as materialized (
    select meeting.* from meeting, this where meeting.class_id = ${classId} and meeting.id <> this.id
      and lower(meeting.during) < lower(this.during)
  ), here as materialized (
    select e.participant_id from enrolment e join this meeting on ${expectedAt}
    union select participant_id from mark where meeting_id = ${meetingId} and participant_id is not null
  ), known as (
    select distinct e.participant_id from enrolment e join earlier meeting on ${expectedAt} and meeting.state = 'on'
  ), past as (
    select participant_id, count(*)::int as "of", (count(*) filter (where ${came}))::int as attended
    from (select distinct on (mark.meeting_id, mark.participant_id) mark.participant_id, mark.status
      from mark join earlier on earlier.id = mark.meeting_id where mark.participant_id is not null
      order by mark.meeting_id, mark.participant_id, mark.at desc, mark.id desc) newest
    group by participant_id
  )
  select participant.id, participant.name, ${ageOn(sql`this.day`)} as age,
    known.participant_id is null as new, coalesce(past.attended, 0) as attended, coalesce(past.of, 0) as "of"
  from here join participant on participant.id = here.participant_id cross join this
    left join known on known.participant_id = participant.id left join past on past.participant_id = participant.id
  order by lower(participant.name), participant.id`;

interface KeyedMark {
  /** The participant's id, or the guest's words after a slash. */
  key: string;
  isGuest: boolean;
  mark: Mark;
}

/** More marks of one person in one meeting than a roll call ever has. */
const mostMarks = 50;

async function marksOf(db: Db, meetingId: string): Promise<KeyedMark[]> {
  const { rows } = await sql<{
    id: string;
    participantId: string | null;
    guest: string | null;
    status: MarkStatus;
    note: string;
    at: Date;
    by: string;
    byId: string | null;
  }>`
    select id, participant_id, guest, status, note, at, "by", by_id from (
      select mark.id, participant_id, guest, status, note, at, coalesce("user".name, '') as "by", made_by as by_id,
        row_number() over (partition by participant_id, guest order by at desc, mark.id desc) as nth
      from mark left join "user" on "user".id = mark.made_by where meeting_id = ${meetingId}) newest
    where nth <= ${mostMarks} order by at, id`.execute(db);
  return rows.map(({ id, participantId, guest, at, ...mark }) => ({
    key: participantId ?? `/${guest}`,
    isGuest: guest !== null,
    mark: { _id: id, at: at.toISOString(), ...mark },
  }));
}
