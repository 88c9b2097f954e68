// With what a meeting conflicts. Two exclusion constraints refuse it.
import type { Clash } from '../../contract/platform/clash.ts';
import { type Db, query, sql, withoutNulls } from '../platform/db/connection.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import type { Slot } from '../../contract/classes/slots.ts';

/** A meeting that should take place. Without a place or an instructor it conflicts with none. */
export interface Wanted extends Slot {
  placeId: string | null;
  instructorId: string | null;
}

/** The instants of a wall-clock time, as the trigger of `meeting` computes them. */
export const during = sql`meeting_during(w.day, w.starts, w.minutes)`;

/** Rows in a statement; `n` is their place in the list. */
export const asRows = (rows: readonly object[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(rows.map((row, n) => Object.assign({ n }, row)))}::jsonb) as w
    (n integer, id uuid, day date, starts time, minutes integer, "placeId" uuid, "instructorId" uuid, state text)`;

// The meetings of other classes in the way of these. Two lookups in the index of each constraint,
// because one condition with OR reads the whole table. OFFSET 0 keeps them lookups: a join would
// compare each date with every meeting of its place.
export async function clashesOf(
  db: Db,
  who: Caller,
  { classId, wanted }: { classId: string | null; wanted: readonly Wanted[] },
): Promise<Clash[]> {
  if (wanted.length === 0) return [];
  const others = (sameAsWanted: ReturnType<typeof sql>) => sql`
    select w.day, w.starts, b.class_id from wanted w cross join lateral (
      select b.class_id from meeting b
      where b.state = 'on' and ${sameAsWanted} and b.during && w.during
        and b.class_id is distinct from ${classId}::uuid offset 0) b`;
  const visible = sql`(${who.role === 'admin'} or class.status = 'approved' or class.instructor_id = ${who.id})`;
  const rows = await query<Clash>(db)`
    with wanted as materialized (select w.*, ${during} as during from ${asRows(wanted)}), found as (
      select 'place' as kind, p.* from (${others(sql`b.place_id = w."placeId"`)}) p
      union select 'instructor', i.* from (${others(sql`b.instructor_id = w."instructorId"`)}) i)
    select found.day::text as day, to_char(found.starts, 'HH24:MI') as starts, kind,
      case when ${visible} then class.name else 'another class' end as "with",
      case when ${visible} then class.id end as class_id
    from found join class on class.id = found.class_id
    order by found.day, found.starts, kind desc, class.id limit 500`;
  return rows.map(withoutNulls);
}

/** 23P01: an exclusion constraint has refused. */
export const isConflict = (error: unknown): error is Error & { constraint: string } =>
  error instanceof Error && 'code' in error && error.code === '23P01';

/** Does the work and refuses with the clashes, asked after its transaction, when a constraint has. */
export async function refusingClashes<T>(
  work: () => Promise<T>,
  ask: () => Promise<Clash[]>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isConflict(error)) throw error;
    const clashes = await ask();
    const place = clashes[0]
      ? clashes.some(({ kind }) => kind === 'place')
      : error.constraint === 'meeting_place_free';
    return fail(place ? 'PLACE_TAKEN' : 'INSTRUCTOR_BUSY', { clashes });
  }
}
