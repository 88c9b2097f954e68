// The lists of attendance: by class, by participant, by meeting, and as a spreadsheet.
import type { Services } from '../platform/services.ts';
import {
  type AttendanceRow,
  exportAttendance,
  listAttendance,
  listRollCalls,
  type RollCall,
} from '../../contract/rollcall/rollcall.ts';
import { slice } from '../../contract/platform/rules.ts';
import { type Db, query, sql } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { all, type Condition, countUpTo } from '../platform/db/lists.ts';
import { today } from '../platform/db/zone.ts';
import { clockIn, csv } from '../platform/http/csv.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { meetingColumns } from '../classes/dates.ts';
import { isGuardian } from '../people/participants.ts';
import { callable, came, expectedAt, mayCall } from './scope.ts';

type Sql = ReturnType<typeof sql>;

export function attendance({ on, db, config }: Services): void {
  on(listAttendance, async (input, { who }) => {
    const where = all([
      await visible(db, who, input),
      input.class && ofClass(input.class),
      input.participant && sql<boolean>`mark.participant_id = ${input.participant}`,
      between(input),
    ]);
    const { rows } = await selectStates(where, slice(input)).execute(db);
    const items = rows.map(present);
    return { items, total: await countUpTo(db, sql`select from (${states(where)}) state`) };
  });

  on(listRollCalls, async (input, { who }) => {
    const where = all([
      sql<boolean>`(meeting.state in ('on', 'called')
        or ${input.cancelled === 'true'} and meeting.state = 'cancelled')`,
      input.class && ofClass(input.class),
      between(input),
      !input.to && sql<boolean>`meeting.day <= ${today}`,
      input.missing === 'true' && missing,
      input.mine === 'true' && sql<boolean>`meeting.instructor_id = ${who.id}`,
    ]);
    const { rows } = await selectRollCalls(callable(who), where, slice(input)).execute(db);
    const from = sql`select from ${callable(who)} where ${where}`;
    return { items: rows.map(presentRollCall), total: await countUpTo(db, from) };
  });

  on(exportAttendance, async (input) => {
    const where = all([input.class && ofClass(input.class), between(input)]);
    const { rows } = await selectStates(where, { limit: 100_000, offset: 0 }).execute(db);
    const head = ['Date', 'Time', 'Class', 'Person', 'Walk-in', 'Status', 'Note', 'By', 'Marked'];
    const clock = clockIn(config.timeZone);
    const lines = rows.map(({ day, starts, className, person, participantId, ...mark }) => {
      const [walkIn, marked] = [participantId ? '' : 'yes', clock(mark.at.toISOString())];
      return [day, starts, className, person, walkIn, mark.status, mark.note, mark.by, marked];
    });
    return csv([head, ...lines]);
  });
}

const ofClass = (id: string) => sql<boolean>`meeting.class_id = ${id}`;

const between = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  all([
    from && sql<boolean>`meeting.day >= ${from}::date`,
    to && sql<boolean>`meeting.day <= ${to}::date`,
  ]);

// A guardian sees all meetings of the participant. Otherwise a class is needed, of which an
// instructor sees the meetings that are theirs. The statement that reads the marks asks again: a
// guardian may be removed in between.
async function visible(
  db: Db,
  who: Caller,
  { class: classId, participant }: { class?: string | undefined; participant?: string | undefined },
): Promise<Condition> {
  const mayRead = (id: Sql) => sql<boolean>`(${who.role === 'admin'} or ${isGuardian(who.id, id)})`;
  const rows = await query<{ guarded: boolean; taught: boolean }>(db)`
    select exists (select from participant where id = ${participant ?? null}::uuid
        and ${mayRead(sql`participant.id`)}) as guarded,
      exists (select from class left join meeting on meeting.class_id = class.id
        where class.id = ${classId ?? null}::uuid and ${mayCall(who)}) as taught`;
  if (rows[0]?.guarded) return mayRead(sql`mark.participant_id`);
  return rows[0]?.taught ? mayCall(who) : fail('NOT_FOUND');
}

/** The mark that counts of each person in each meeting. A guest who is marked absent is none. */
const states = (where: Condition): Sql => sql`
  select * from (
    select distinct on (mark.meeting_id, mark.participant_id, mark.guest) mark.*
    from mark join meeting on meeting.id = mark.meeting_id join class on class.id = meeting.class_id
    where ${where}
    order by mark.meeting_id, mark.participant_id, mark.guest, mark.at desc, mark.id desc) newest
  where guest is null or status <> 'absent'`;

type StateRow = Omit<AttendanceRow, 'startsAt' | 'at'> & { startsAt: Date; at: Date };

const { day, starts, ends, startsAt, endsAt } = meetingColumns;

const selectStates = (where: Condition, { limit, offset }: ReturnType<typeof slice>) =>
  sql<StateRow>`
    select state.meeting_id, class.id as class_id, class.name as class_name, ${day} as day,
      ${starts} as starts, ${startsAt} as starts_at, state.participant_id,
      coalesce(participant.name, state.guest) as person, state.status, state.note,
      coalesce("user".name, '') as "by", state.at
    from (${states(where)}) state join meeting on meeting.id = state.meeting_id
      join class on class.id = meeting.class_id
      left join participant on participant.id = state.participant_id
      left join "user" on "user".id = state.made_by
    order by meeting.day desc, meeting.starts desc, meeting.id, state.participant_id is null,
      lower(coalesce(participant.name, state.guest)), state.id
    limit ${limit} offset ${offset}`;

const present = ({ startsAt, at, ...row }: StateRow): AttendanceRow =>
  Object.assign(row, { startsAt: startsAt.toISOString(), at: at.toISOString() });

const missing = sql<boolean>`(upper(meeting.during) <= now()
  and not exists (select from mark where mark.meeting_id = meeting.id)
  and exists (select from enrolment e where ${expectedAt()}))`;

/** The two marked meetings of the class before this one: both missed, and the seat is still theirs. */
const missedBefore = sql<boolean>`(
  exists (select from enrolment e where e.class_id = meeting.class_id
    and e.participant_id = newest.participant_id and ${activeEnrolment('e')})
  and 2 = (select count(*) filter (where before.status = 'absent') from (
    select distinct on (lower(m.during), m.id) mark.status
    from mark join meeting m on m.id = mark.meeting_id
    where mark.participant_id = newest.participant_id and m.class_id = meeting.class_id
      and lower(m.during) < lower(meeting.during)
    order by lower(m.during) desc, m.id, mark.at desc, mark.id desc limit 2) before))`;

/** Of those who are expected at `meeting`, who were expected at none before. */
const firstTimers = sql`(select count(*)::int from (
    select distinct e.participant_id, meeting.class_id, meeting.during from enrolment e
    where upper(meeting.during) > now() and ${expectedAt()}) here
  where not exists (select from meeting join enrolment e on ${expectedAt()}
    where meeting.class_id = here.class_id and meeting.state = 'on'
      and lower(meeting.during) < lower(here.during) and e.participant_id = here.participant_id))`;

type RollCallRow = Omit<RollCall, 'startsAt' | 'endsAt'> & Record<'startsAt' | 'endsAt', Date>;

const counted = (condition: Condition) =>
  sql`(count(*) filter (where participant_id is not null and ${condition}))::int`;

const selectRollCalls = (
  meetings: Sql,
  where: Condition,
  { limit, offset }: ReturnType<typeof slice>,
) =>
  sql<RollCallRow>`
    with page as materialized (
      select meeting.* from ${meetings} where ${where}
      order by meeting.day desc, meeting.starts desc, meeting.id limit ${limit} offset ${offset})
    select meeting.id as meeting_id, case meeting.state when 'cancelled' then meeting.state else 'on' end as state,
      meeting.told, class.id as class_id, class.name as class_name,
      teacher.name as instructor, coalesce(place.name, '') as place, ${day} as day, ${starts} as starts,
      ${ends} as ends, ${startsAt} as starts_at, ${endsAt} as ends_at,
      upper(meeting.during) <= now() as over, (teacher.role = 'instructor' or teacher.teaches) as coached,
      ${firstTimers} as first_timers, (
        select count(distinct e.participant_id)::int from enrolment e where ${expectedAt()}) as expected, called.*
    from page meeting join class on class.id = meeting.class_id
      join "user" teacher on teacher.id = meeting.instructor_id left join place on place.id = meeting.place_id
      cross join lateral (
        select ${counted(sql<boolean>`status in ('present', 'left')`)} as present,
          ${counted(sql<boolean>`status = 'late'`)} as late, ${counted(sql<boolean>`status = 'absent'`)} as absent,
          ${counted(sql<boolean>`status = 'excused'`)} as excused,
          (count(*) filter (where guest is not null and ${came}))::int as guests, count(*) > 0 as taken,
          json_agg(json_build_object('guest', guest, 'note', note) order by at, id)
            filter (where guest is not null and ${came}) as walk_ins,
          json_agg(json_build_object('participantId', participant_id, 'name', name) order by lower(name), participant_id)
            filter (where participant_id is not null and status = 'absent' and erased_at is null and ${missedBefore}) as missed_three
        from (select distinct on (mark.participant_id, mark.guest) mark.*, participant.name, participant.erased_at
          from mark left join participant on participant.id = mark.participant_id
          where mark.meeting_id = meeting.id
          order by mark.participant_id, mark.guest, mark.at desc, mark.id desc) newest) called
    order by meeting.day desc, meeting.starts desc, meeting.id`;

const presentRollCall = ({
  startsAt,
  endsAt,
  walkIns,
  missedThree,
  ...row
}: RollCallRow): RollCall =>
  Object.assign(row, {
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    ...(walkIns && { walkIns }),
    ...(missedThree && { missedThree }),
  });
