// Reads meetings by days: the public calendar, the caller's own, and the admin's.
import type { Services } from '../platform/services.ts';
import {
  allMeetings,
  listCalendar,
  listOverlaps,
  myCalendar,
  nextMeeting,
  type OwnMeeting,
  type PlannedMeeting,
} from '../../contract/classes/calendar.ts';
import type { Answer } from '../../contract/platform/call.ts';
import type { Meeting } from '../../contract/classes/meetings.ts';
import { type Db, exists, query, queryOne, sql, withoutNulls } from '../platform/db/connection.ts';
import { activeEnrolment, onSale } from '../platform/db/states.ts';
import { all, type Condition } from '../platform/db/lists.ts';
import { fail } from '../platform/http/fail.ts';
import { isGuardian } from '../people/participants.ts';
import { inTime, meetingTables, plannedFacts } from './dates.ts';
import { type ClassFilter, conditions } from './finding.ts';

/** More than a week of a large academy. */
const most = 1_000;

export function calendar({ on, db }: Services): void {
  // The same for every caller until a class or a seat changes.
  const remembered = { channels: ['classes', 'seats'], forSignedIn: () => true } as const;

  on(
    listCalendar,
    ({ from, to, ...filter }) =>
      planned<Meeting>(
        db,
        all([sql`meeting.state <> 'proposed'`, between(from, to), offered(filter)]),
      ),
    remembered,
  );

  on(
    nextMeeting,
    async ({ after, ...filter }) => {
      const found = await queryOne<{ day: string }>(db)`
        select meeting.day::text as day from ${meetingTables}
        where meeting.state = 'on' and meeting.day > ${after}::date and ${offered(filter)}
        ${inTime} limit 1`;
      return { day: found?.day ?? null };
    },
    remembered,
  );

  on(myCalendar, async ({ from, to, participant = null }, { who }) => {
    if (
      participant &&
      !(await exists(db)`select where ${isGuardian(who.id, sql`${participant}::uuid`)}`)
    )
      fail('NOT_FOUND');
    return markClashes(await ownMeetings(db, who.id, { participant, from, to }), who.id);
  });

  // By days first: they have an index.
  on(
    listOverlaps,
    (_, { who }) =>
      query<Overlap>(db)`
      select distinct on (class.id, enrolment.participant_id) class.id as class_id,
        enrolment.participant_id, booked.name as "with"
      from guardian join enrolment on enrolment.participant_id = guardian.participant_id
          and ${activeEnrolment()}
        join class booked on booked.id = enrolment.class_id
        join meeting taken on taken.class_id = booked.id and taken.state = 'on'
          and upper(taken.during) > now()
        join meeting on meeting.day between taken.day - 1 and taken.day + 1
          and meeting.during && taken.during and meeting.state = 'on'
        join class on class.id = meeting.class_id and class.id <> booked.id and ${onSale}
      where guardian.user_id = ${who.id}
      order by class.id, enrolment.participant_id, taken.day, booked.name`,
  );

  on(allMeetings, ({ from, to, place, instructor }) =>
    planned<PlannedMeeting>(
      db,
      all([between(from, to), place && placedIn(place), instructor && taughtBy(instructor)]),
      sql`, class.status`,
    ),
  );
}

type Overlap = Answer<typeof listOverlaps>[number];

const between = (from: string, to: string) =>
  sql<boolean>`meeting.day between ${from}::date and ${to}::date`;
const placedIn = (place: string) => sql<boolean>`meeting.place_id = ${place}`;
const taughtBy = (instructor: string) => sql<boolean>`meeting.instructor_id = ${instructor}`;

/** Ended classes too: the calendar goes back in time. Place and instructor are those of the meeting. */
const offered = ({ sport, place, instructor, age, level }: ClassFilter) =>
  all([
    sql<boolean>`class.status = 'approved'`,
    conditions({ sport, age, level }),
    place && placedIn(place),
    instructor && taughtBy(instructor),
  ]);

/** With what a calendar shows of the class. */
const planned = <Row>(db: Db, where: Condition, more = sql``) =>
  query<Row>(db)`
    select ${plannedFacts}, class.name, class.sport, case when ${onSale} then class.free else 0 end as seat ${more}
    from ${meetingTables} where meeting.state <> 'called' and ${where} ${inTime} limit ${most}`;

interface Own {
  /** Null: all of them, and what the user teaches. */
  participant: string | null;
  from: string;
  to: string;
}

/**
 * Enrolled people see no proposed dates. Their instructor does. Those of a cancelled class see that its
 * dates are.
 */
async function ownMeetings(db: Db, userId: string, { participant, from, to }: Own) {
  const chosen = sql`(${participant}::uuid is null or guardian.participant_id = ${participant}::uuid)`;
  const people = sql`(
    select json_agg(json_build_object('id', participant.id, 'name', participant.name) order by participant.name, participant.id)
    from enrolment join guardian on guardian.participant_id = enrolment.participant_id and guardian.user_id = ${userId}
      join participant on participant.id = guardian.participant_id
    where enrolment.class_id = meeting.class_id and meeting.state <> 'proposed'
      and (${activeEnrolment()} or enrolment.end_kind = 'academy' and meeting.state = 'cancelled')
      and ${chosen})`;
  const teaches = sql`(${participant}::uuid is null and ${taughtBy(userId)})`;
  const own = sql<boolean>`meeting.id in (
    select meeting.id from guardian join enrolment on enrolment.participant_id = guardian.participant_id
      and ${activeEnrolment()} join meeting on meeting.class_id = enrolment.class_id
    where guardian.user_id = ${userId} and ${between(from, to)} and meeting.state <> 'proposed' and ${chosen}
    union select meeting.id from guardian join enrolment on enrolment.participant_id = guardian.participant_id
      and enrolment.end_kind = 'academy' join meeting on meeting.class_id = enrolment.class_id
    where guardian.user_id = ${userId} and ${between(from, to)} and meeting.state = 'cancelled' and ${chosen}
    union select meeting.id from meeting where ${teaches} and ${between(from, to)})`;
  const rows = await planned<OwnMeeting>(
    db,
    own,
    sql`, ${people} as for, nullif(${teaches}, false) as teaches`,
  );
  return rows.map(withoutNulls);
}

const peopleAt = ({ for: people = [], teaches }: OwnMeeting, userId: string) => [
  ...people.map(({ id }) => id),
  ...(teaches ? [userId] : []),
];

/** Rows are in the order of their start, so that only neighbours are compared. */
function markClashes(rows: OwnMeeting[], userId: string): OwnMeeting[] {
  const on = rows.filter(({ state }) => state === 'on');
  const clashes = new Map<string, NonNullable<OwnMeeting['clashes']>>();
  const add = ({ _id, day, starts }: OwnMeeting, { name, classId }: OwnMeeting) => {
    const clash = { day, starts, kind: 'participant' as const, with: name, classId };
    clashes.set(_id, [...(clashes.get(_id) ?? []), clash]);
  };
  for (const [nth, one] of on.entries()) {
    for (const other of on.slice(nth + 1)) {
      if (other.startsAt >= one.endsAt) break;
      const there = peopleAt(other, userId);
      if (!peopleAt(one, userId).some((id) => there.includes(id))) continue;
      add(one, other);
      add(other, one);
    }
  }
  return rows.map((meeting) => {
    const found = clashes.get(meeting._id);
    return found ? { ...meeting, clashes: found } : meeting;
  });
}
