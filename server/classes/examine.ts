// Compares the dates that a class should have with those stored, and refuses what cannot be.
import { type MeetingInput, checkDates } from '../../contract/classes/meetings.ts';
import { limits } from '../../contract/platform/limits.ts';
import { type Db, query, queryOne, type RowOf } from '../platform/db/connection.ts';
import { academyZone, today } from '../platform/db/zone.ts';
import { refuseField, fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { isCoach } from '../people/users.ts';
import { asRows, during, type Wanted, clashesOf } from './conflicts.ts';
import type { Services } from '../platform/services.ts';

export interface Stored extends Wanted {
  id: string;
  instructorId: string;
  state: string;
  ended: boolean;
}

export interface Row extends Wanted {
  was: Stored | null;
  cancelled: boolean;
  changed: boolean;
  moved: boolean;
  /** Somebody else than before teaches it. */
  chosen: boolean;
}

/** The dates of a class as they should be, in the order in which they were sent. */
export interface Run {
  rows: Row[];
  changed: Row[];
  removed: Stored[];
}

/** The class that the dates are of. A new class has no id. */
interface Subject {
  id: string | null;
  instructorId: string | null;
}

export async function storedMeetings(db: Db, classId: string): Promise<Stored[]> {
  return query<Stored>(db)`
    select id, day::text as day, to_char(starts, 'HH24:MI') as starts, minutes, place_id as "placeId",
      instructor_id as "instructorId", state, upper(during) <= now() as ended
    from meeting where class_id = ${classId} and state <> 'called' order by day, starts, id`;
}

export async function examine(
  db: Db,
  who: Caller,
  { subject, meetings }: { subject: Subject; meetings: readonly MeetingInput[] },
): Promise<Run> {
  const stored = subject.id ? await storedMeetings(db, subject.id) : [];
  const rows = meetings.map((meeting, n) => read(meeting, n, { who, subject, stored }));
  const named = new Set<string>();
  rows.forEach(({ was }, n) => {
    if (was && named.has(was.id)) refuse(n, '_id', 'is there twice');
    if (was) named.add(was.id);
  });
  await refuseWrong(db, rows);
  return {
    rows,
    changed: rows.filter(({ changed }) => changed),
    removed: stored.filter(({ id }) => !named.has(id)),
  };
}

const refuse = (n: number, field: keyof MeetingInput, problem: string): never =>
  refuseField(`meetings.${n}.${field}`, problem);

function read(
  meeting: MeetingInput,
  n: number,
  { who, subject, stored }: { who: Caller; subject: Subject; stored: readonly Stored[] },
): Row {
  const { _id, day, starts, minutes, placeId = null, cancelled = false } = meeting;
  const was = stored.find(({ id }) => id === _id) ?? null;
  if (_id && !was) refuse(n, '_id', 'is not a meeting of this class');
  if (!was && cancelled) refuse(n, 'cancelled', 'is for a meeting that exists');
  const teacher = was?.instructorId ?? subject.instructorId;
  const instructorId = meeting.instructorId ?? teacher;
  if (who.role !== 'admin' && instructorId !== teacher)
    refuse(n, 'instructorId', 'is chosen by an admin');
  const isStill = was?.state === 'cancelled' && cancelled;
  const moved =
    !isStill &&
    (was === null || was.day !== day || was.starts !== starts || was.minutes !== minutes);
  const changed =
    !isStill &&
    (moved ||
      was?.placeId !== placeId ||
      was.instructorId !== instructorId ||
      (was.state === 'cancelled') !== cancelled);
  const chosen = instructorId !== teacher;
  const wanted = { day, starts, minutes, placeId, instructorId };
  return { ...wanted, cancelled, was, moved, changed, chosen };
}

interface Judged {
  inGap: boolean;
  past: boolean;
  far: boolean;
  from: number;
  until: number;
  place: 'open' | 'closed' | null;
  teaches: boolean;
}

async function refuseWrong(db: Db, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  // PostgreSQL knows the zone: it silently makes 03:30 of a 02:30 that the clocks jump over.
  const judged = await query<Judged>(db)`
    select lower(r.during) at time zone ${academyZone} <> w.day + w.starts as "inGap",
      lower(r.during) <= now() as past, w.day > ${today} + make_interval(years => ${limits.meeting.years}) as far,
      extract(epoch from lower(r.during))::float8 as "from", extract(epoch from upper(r.during))::float8 as until,
      case when place.closed then 'closed' when place.id is not null then 'open' end as place,
      coalesce(${isCoach}, false) as teaches
    from ${asRows(rows)} cross join lateral (select ${during} as during) r
    left join place on place.id = w."placeId" left join "user" on "user".id = w."instructorId"
    order by n`;
  const going: { n: number; row: Row; from: number; until: number }[] = [];
  for (const [n, row] of rows.entries()) {
    const found = judged[n] as Judged;
    if (row.changed) refuseChange(n, row, found);
    if (!row.cancelled) going.push({ n, row, from: found.from, until: found.until });
  }
  going.sort((a, b) => a.from - b.from);
  for (const [place, one] of going.entries()) {
    const next = going[place + 1];
    if (next && next.from < one.until && (one.row.changed || next.row.changed))
      refuse(Math.max(one.n, next.n), 'starts', 'overlaps another meeting of this class');
  }
}

function refuseChange(n: number, { was, moved, cancelled, ...row }: Row, judged: Judged): void {
  if (was?.ended) refuse(n, 'day', 'is of a meeting that has ended');
  if (cancelled) return;
  if (judged.inGap) refuse(n, 'starts', 'does not exist on that day: the clocks go forward');
  if (moved && judged.past) refuse(n, 'day', 'must be in the future');
  if (judged.far) refuse(n, 'day', `must be within ${limits.meeting.years} years`);
  if (row.placeId && judged.place === null) refuse(n, 'placeId', 'is not a place of the academy');
  if (row.placeId !== (was?.placeId ?? null) && judged.place === 'closed')
    refuse(n, 'placeId', 'is a place that is closed');
  if (row.chosen && !judged.teaches) refuse(n, 'instructorId', 'is not an instructor');
}

export function checkingDates({ on, db }: Services): void {
  on(checkDates, async ({ classId, seat, meetings }, { who }) => {
    const klass = classId ? await ownClass(db, who, classId) : null;
    const instructorId = klass?.instructorId ?? (who.role === 'instructor' ? who.id : null);
    const id = klass?.id ?? null;
    const rows = meetings
      ? (await examine(db, who, { subject: { id, instructorId }, meetings })).rows
      : await stored(db, id);
    const wanted = rows.filter(({ cancelled }) => !cancelled);
    const [clashes, closures, tooSmall] = await Promise.all([
      clashesOf(db, who, { classId: id, wanted }),
      query<{ day: string; name: string }>(db)`
        select distinct w.day::text as day, closure.name from ${asRows(wanted)}
        join closure on w.day between closure.first_day and closure.last_day order by 1, 2`,
      query<{ place: string; capacity: number }>(db)`
        select name as place, capacity from place
        where capacity < ${seat ?? klass?.capacity ?? 0} and id = any (${wanted.map((row) => row.placeId)}::uuid[])
        order by lower(name)`,
    ]);
    return { clashes, closures, tooSmall };
  });
}

export const ownClass = async (db: Db, who: Caller, id: string) =>
  (await queryOne<RowOf<'class', 'id' | 'instructorId' | 'capacity'>>(db)`
    select id, instructor_id, capacity from class
    where id = ${id} and (${who.role === 'admin'} or instructor_id = ${who.id})`) ??
  fail('NOT_FOUND');

const stored = async (db: Db, classId: string | null) =>
  (classId ? await storedMeetings(db, classId) : [])
    .filter(({ ended }) => !ended)
    .map((row) => Object.assign(row, { cancelled: row.state === 'cancelled' }));
