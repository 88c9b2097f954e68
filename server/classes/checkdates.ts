// POST /meetings/check: what is in the way of these dates. A warning: the constraints decide.
import type { Services } from '../platform/services.ts';
import { checkDates } from '../../contract/classes/meetings.ts';
import { type Db, query } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { asRows, clashesOf, during, type Wanted } from './conflicts.ts';
import { examine, storedMeetings } from './examine.ts';
import { familiesOf } from './families.ts';

export function checkingDates({ on, db }: Services): void {
  on(checkDates, async ({ classId, seat, meetings }, { who }) => {
    const klass = classId ? await ownClass(db, who, classId) : null;
    const instructorId = klass?.instructorId ?? (who.role === 'instructor' ? who.id : null);
    const id = klass?.id ?? null;
    const rows = meetings
      ? (await examine(db, who, { subject: { id, instructorId }, meetings })).rows
      : (await stored(db, id)).map((row) => Object.assign(row, { changed: false }));
    const wanted = rows.filter(({ cancelled }) => !cancelled);
    const [clashes, closures, tooSmall, families, clashing] = await Promise.all([
      clashesOf(db, who, { classId: id, wanted }),
      closuresOn(db, wanted),
      placesBelow(db, wanted, seat ?? klass?.capacity ?? 0),
      id ? familiesOf(db, [id]) : [],
      id
        ? clashingFamilies(
            db,
            id,
            wanted.filter(({ changed }) => changed),
          )
        : 0,
    ]);
    return { clashes, closures, tooSmall, families: families.length, clashing };
  });
}

async function ownClass(db: Db, who: Caller, id: string) {
  const found = await db
    .selectFrom('class')
    .select(['id', 'instructorId', 'capacity'])
    .where('id', '=', id)
    .$if(who.role !== 'admin', (query) => query.where('instructorId', '=', who.id))
    .executeTakeFirst();
  return found ?? fail('NOT_FOUND');
}

/** The meetings of a class that have not ended. */
const stored = async (db: Db, classId: string | null) =>
  (classId ? await storedMeetings(db, classId) : [])
    .filter(({ ended }) => !ended)
    .map((row) => Object.assign(row, { cancelled: row.state === 'cancelled' }));

async function closuresOn(db: Db, wanted: readonly Wanted[]) {
  return query<{ day: string; name: string }>(db)`
    select distinct w.day::text as day, closure.name from ${asRows(wanted)}
    join closure on w.day between closure.first_day and closure.last_day order by 1, 2`;
}

async function placesBelow(db: Db, wanted: readonly Wanted[], seat: number) {
  return query<{ place: string; capacity: number }>(db)`
    select name as place, capacity from place
    where capacity < ${seat} and id = any (${wanted.map((row) => row.placeId)}::uuid[])
    order by lower(name)`;
}

/** Payers for whose participant another class meets at one of these times. */
async function clashingFamilies(db: Db, classId: string, moved: readonly Wanted[]) {
  if (moved.length === 0) return 0;
  const rows = await query<{ count: number }>(db)`
    with moved as materialized (select ${during} as during from ${asRows(moved)})
    select count(distinct enrolment.student_id)::int as count from enrolment
    join enrolment other on other.participant_id = enrolment.participant_id and ${activeEnrolment('other')}
      and other.class_id <> enrolment.class_id
    join meeting on meeting.class_id = other.class_id and meeting.state = 'on'
    join moved on moved.during && meeting.during
    where enrolment.class_id = ${classId} and ${activeEnrolment()}`;
  return rows[0]?.count ?? 0;
}
