// The roster of a meeting: who is expected, who came.
import type { Services } from '../platform/services.ts';
import { standing } from '../../contract/rollcall/marks.ts';
import {
  getRoster,
  type Mark,
  type Roster,
  type RosterMeeting,
  type RosterPerson,
} from '../../contract/rollcall/rollcall.ts';
import { isDeletedAddress } from '../../contract/platform/rules.ts';
import { type Db, instant, query, sql } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import type { Condition } from '../platform/db/lists.ts';
import { today } from '../platform/db/zone.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { auditOnceADay } from '../people/audit.ts';
import { inTime, meetingFacts, meetingTables } from '../classes/dates.ts';
import type { OpenCare } from '../people/care.ts';
import { came, careEnds, careIsOpen, careOpens, expectedAt, mayCall } from './scope.ts';

const hour = 3_600_000;

export function roster({ on, db, openCare }: Services & { openCare: OpenCare }): void {
  on(getRoster, async ({ id, meeting, care }, { who }) => {
    const found = await findClass(db, who, id);
    const meetings = await meetingsFor(db, who, id);
    if (!found.own && meetings.length === 0) fail('NOT_FOUND');
    // Without dates it is the one that is open now: yesterday's is not marked by mistake.
    const open = meetings.filter(({ endsAt }) => found.dated || Date.parse(endsAt) > +found.now);
    const chosen = meeting ? meetings.find(({ _id }) => _id === meeting) : nearest(open, found.now);
    if (meeting && !chosen) fail('NOT_FOUND');
    const { rows: people } = await (chosen ? atMeeting(id, chosen._id) : now(id)).execute(db);
    const answer = await rosterOf(db, found, { meetings, chosen, people });
    if (found.own && !found.dated && open.length === 0) answer.mayOpen = true;
    if (care === 'true' && (who.role === 'admin' || chosen?.careIsOpen)) {
      // A reader who cannot be written to the log reads nothing.
      await auditOnceADay(db, {
        actorId: who.id,
        action: 'allergies and contacts read',
        subject: id,
      });
      const expected = new Map(people.flatMap((row) => (row.expected ? [[row.id, row]] : [])));
      const only = mayReadCare(who, answer.meetingId);
      const facts = await openCare(db, { ids: [...expected.keys()], only });
      for (const person of answer.people) {
        const care = facts.get(person.participantId);
        const reach = expected.get(person.participantId)?.reach;
        if (care) person.care = care;
        if (reach && !isDeletedAddress(reach) && !care?.contacts.length) person.reach = reach;
      }
    }
    // Asked after reading: the caller may have lost the class, or the meeting, meanwhile.
    const still = await query(db)`
      select from class left join meeting on meeting.id = ${answer.meetingId}
      where class.id = ${id} and ${mayCall(who)}`;
    return still.length > 0 ? answer : fail('NOT_FOUND');
  });
}

interface Found {
  id: string;
  name: string;
  now: Date;
  /** The caller teaches the class, or is an admin. Otherwise a substitute, or a stranger. */
  own: boolean;
  /** Proposed dates too. */
  dated: boolean;
}

async function findClass(db: Db, who: Caller, id: string): Promise<Found> {
  const rows = await query<Found>(db)`
    select class.id, class.name, now() as now,
      (class.instructor_id = ${who.id} or ${who.role === 'admin'}) as own,
      ends_at is not null as dated
    from class where id = ${id}`;
  return rows[0] ?? fail('NOT_FOUND');
}

interface Called extends RosterMeeting {
  careOpens: Date;
  careEnds: Date;
  careIsOpen: boolean;
}

const meetingsFor = (db: Db, who: Caller, classId: string) =>
  query<Called>(db)`
    select ${meetingFacts}, case meeting.state when 'called' then 'on' else meeting.state end as state,
      exists (select from mark where meeting_id = meeting.id) as taken,
      ${careOpens} as care_opens, ${careEnds} as care_ends, ${careIsOpen} as care_is_open
    from ${meetingTables}
    where meeting.class_id = ${classId} and meeting.state <> 'proposed' and ${mayCall(who)} ${inTime}`;

/** The one under way, or the nearest in time: after a class its coach may still mark. */
function nearest(meetings: readonly Called[], now: Date): Called | undefined {
  const on = meetings.filter(({ state }) => state === 'on');
  const away = ({ startsAt, endsAt }: RosterMeeting) =>
    Math.max(0, Date.parse(startsAt) - now.getTime(), now.getTime() - Date.parse(endsAt));
  return on.toSorted((a, b) => away(a) - away(b))[0] ?? meetings.at(-1);
}

async function rosterOf(
  db: Db,
  found: Found,
  { meetings, chosen, people }: { meetings: Called[]; chosen?: Called; people: PersonRow[] },
): Promise<Roster> {
  const byKey = chosen ? await marksOf(db, chosen._id) : new Map<string, Mark[]>();
  const stateOf = (key: string) => {
    const { mark, differing } = standing(byKey.get(key) ?? []);
    return { mark, marks: differing };
  };
  const guests = [...byKey.keys()].filter((key) => key.startsWith('/'));
  const { now } = found;
  return {
    classId: found.id,
    name: found.name,
    meetings,
    meetingId: chosen?._id ?? null,
    people: people.map(({ id, expected: _seat, reach: _address, ...person }): RosterPerson =>
      Object.assign(person, { participantId: id }, stateOf(id)),
    ),
    // A guest who is marked absent was a mistake.
    guests: guests
      .map((key) => Object.assign({ guest: key.slice(1) }, stateOf(key)))
      .filter(({ mark }) => mark?.status !== 'absent'),
    careWindow: chosen
      ? { from: chosen.careOpens.toISOString(), until: chosen.careEnds.toISOString() }
      : null,
    asOf: now.toISOString(),
    until: new Date(+(chosen?.careEnds ?? now) + 12 * hour).toISOString(),
  };
}

// The guard, in the statement that reads care facts: of those who are expected at a meeting that is
// still the caller's, while they are open. An admin reads them at any time.
const mayReadCare = (who: Caller, meetingId: string | null): Condition =>
  who.role === 'admin'
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from meeting join class on class.id = meeting.class_id
        join enrolment e on e.participant_id = care.participant_id and ${expectedAt()}
        where meeting.id = ${meetingId} and ${mayCall(who)} and ${careIsOpen})`;

interface PersonRow extends Pick<RosterPerson, 'name' | 'age' | 'new' | 'attended' | 'of'> {
  id: string;
  expected: boolean;
  reach: string | null;
}

const ageOn = (day: ReturnType<typeof sql>) =>
  sql`extract(year from age(${day}, participant.born))::int`;

// The address of a guardian of `participant`: the payer's if it is still one, otherwise of the one who
// has been it longest. Addresses that are not proven, and those of deleted accounts, come last.
const reachOf = (payer: ReturnType<typeof sql>) => sql`(
  select g.email from told_guardian guardian join "user" g on g.id = guardian.user_id
  where guardian.participant_id = participant.id
  order by g.proven_at is not null desc, g.id = ${payer} desc nulls last, guardian.since, g.id limit 1)`;

const now = (classId: string) => sql<PersonRow>`
  select participant.id, participant.name, ${ageOn(today)} as age, false as new, 0 as attended, 0 as "of",
    true as expected, ${reachOf(sql`e.student_id`)} as reach
  from enrolment e join participant on participant.id = e.participant_id
    join class on class.id = e.class_id
  where e.class_id = ${classId} and ${activeEnrolment('e')} and ends_for(class, e.created_at) > now()
  order by lower(participant.name), participant.id`;

/** Those whose enrolment was alive at that time, and those who were marked all the same. */
const atMeeting = (classId: string, meetingId: string) => sql<PersonRow>`
  with this as (select * from meeting where id = ${meetingId}), earlier as materialized (
    select meeting.* from meeting, this where meeting.class_id = ${classId} and meeting.id <> this.id
      and lower(meeting.during) < lower(this.during)
  ), here as materialized (
    select distinct on (participant_id) participant_id, payer_id from (
      select e.participant_id, e.student_id as payer_id, e.created_at from enrolment e join this meeting on ${expectedAt()}
      union all select participant_id, null, null from mark where meeting_id = ${meetingId} and participant_id is not null) p
    order by participant_id, created_at desc nulls last
  ), known as (
    select distinct e.participant_id from enrolment e join earlier meeting on ${expectedAt()} and meeting.state = 'on'
  ), past as (
    select participant_id, count(*)::int as "of", (count(*) filter (where ${came}))::int as attended
    from (select distinct on (mark.meeting_id, mark.participant_id) mark.participant_id, mark.status
      from mark join earlier on earlier.id = mark.meeting_id where mark.participant_id is not null
      order by mark.meeting_id, mark.participant_id, mark.at desc, mark.id desc) newest
    group by participant_id
  )
  select participant.id, participant.name, ${ageOn(sql`this.day`)} as age,
    known.participant_id is null as new, coalesce(past.attended, 0) as attended, coalesce(past.of, 0) as "of",
    here.payer_id is not null as expected, ${reachOf(sql`here.payer_id`)} as reach
  from here join participant on participant.id = here.participant_id cross join this
    left join known on known.participant_id = participant.id left join past on past.participant_id = participant.id
  order by lower(participant.name), participant.id`;

/** More marks of one person in one meeting than a roll call ever has. */
const mostMarks = 50;

async function marksOf(db: Db, meetingId: string): Promise<Map<string, Mark[]>> {
  const rows = await query<Mark & { key: string }>(db)`
    select id as _id, key, status, note, ${instant(sql`at`)} as at, "by", by_id from (
      select mark.id, coalesce(participant_id::text, '/' || guest) as key, status, note, at,
        coalesce("user".name, '') as "by", made_by as by_id,
        row_number() over (partition by participant_id, guest order by at desc, mark.id desc) as nth
      from mark left join "user" on "user".id = mark.made_by where meeting_id = ${meetingId}) newest
    where nth <= ${mostMarks} order by newest.at, id`;
  return Map.groupBy(rows, ({ key }) => key);
}
