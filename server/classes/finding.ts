// The conditions of the lists of classes, and the second try of a search that found nothing.
import { type Day, days, daysOf, times } from '../../contract/classes/weekdays.ts';
import { cents } from '../../contract/platform/rules.ts';
import { slips } from '../../contract/platform/slips.ts';
import { type Db, query, sql } from '../platform/db/connection.ts';
import { all, type Condition, has, spelled, wordsOf } from '../platform/db/lists.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import type { listClasses } from '../../contract/classes/classes.ts';

/** Where a class is listed: by its status, or here when its last meeting has ended. */
export type Shelf = 'pending' | 'approved' | 'denied' | 'cancelled' | 'over';

export type ClassFilter = Partial<
  Omit<Parsed<typeof listClasses>, 'status' | 'sort' | 'page' | 'limit'>
> & { status?: Shelf | undefined };

/** Conditions on dates, age and level have no index: they are checked along the sort order. */
export function conditions(
  filter: ClassFilter,
  words = has('class', wordsOf(filter.search)),
): Condition {
  const { status, sport, instructor, minPrice, maxPrice, free, day, time, age, place, level } =
    filter;
  return all([
    // A literal, so that the partial indexes are seen.
    status && sql<boolean>`class.shelf = ${sql.lit(status)}`,
    words,
    sport && sql<boolean>`class.sport = ${sport}`,
    instructor && sql<boolean>`class.instructor_id = ${instructor}`,
    minPrice && sql<boolean>`class.now_cents >= ${cents(minPrice)}`,
    maxPrice && sql<boolean>`class.now_cents <= ${cents(maxPrice)}`,
    // The second condition follows from the first. It lets the planner skip sold-out classes with a
    // partial index (class_popular_free).
    free === 'true' && sql<boolean>`class.free >= 1 and class.sold < class.capacity`,
    (day || time) && meets(day ? daysOf(day) : days, time),
    age !== undefined &&
      sql<boolean>`coalesce(class.min_age, 0) <= ${age} and coalesce(class.max_age, 120) >= ${age}`,
    place && sql<boolean>`class.place_ids @> array[${place}]::uuid[]`,
    level && sql<boolean>`class.level in ('all', ${level})`,
  ]);
}

function meets(wanted: readonly Day[], time: string | undefined): Condition {
  const numbers = wanted.map((day) => days.indexOf(day));
  if (time && /\d/.test(time))
    return sql`exists (select from jsonb_array_elements(class.plan) kind
      where (kind ->> 0)::int - 1 = any(${numbers}::int[]) and kind ->> 1 >= ${`${time.padStart(2, '0')}:00`})`;
  let bits = 0;
  for (const nth of numbers)
    for (const [part, name] of times.entries())
      if (!time || time === name) bits |= 1 << (nth * 3 + part);
  return sql`class.slots & ${bits}::int <> 0`;
}

const candidates = 500;
/** A shorter word is like too many others. */
const shortest = 3;

/** Words that a search can name besides a class and a sport: other names of sports, days and times. */
const others = [
  ...'football jogging athletics stretching biking bicycle pingpong workout hoops'.split(' '),
  ...'monday tuesday wednesday thursday friday saturday sunday weekend'.split(' '),
  ...times,
];

async function knownWords(db: Db): Promise<string[]> {
  const sports = await db.selectFrom('sport').select('name').execute();
  return [...sports.flatMap(({ name }) => spelled(name)), ...others].filter(
    (word) => word.length > shortest,
  );
}

/** The known words that are one slip away, two in a long word: 'fotball' is football. */
const meant = (word: string, known: readonly string[]) =>
  known.filter((other) => other !== word && slips(word, other) <= (word.length > 7 ? 2 : 1));

// The second try of a search that found nothing: each word must be found as before, or be a slip of
// a known word that is found, or, where it is no such slip, be similar to a part of the name. The
// ids of the best, which also pass the other filters.
export async function alike(db: Db, filter: ClassFilter, limit: number): Promise<string[]> {
  const typed = spelled(filter.search);
  const likened = typed.filter((word) => word.length >= shortest && !/^\d+$/.test(word));
  if (likened.length === 0) return [];
  const known = await knownWords(db);
  const each = typed.map((word) => {
    const asTyped = has('class', wordsOf(word));
    if (!likened.includes(word)) return asTyped;
    const right = meant(word, known).map((other) => has('class', wordsOf(other)));
    const like = right.length > 0 ? right : [sql<boolean>`${word} <% lower(class.name)`];
    return sql<boolean>`(${sql.join([asTyped, ...like], sql` or `)})`;
  });
  const likeness = sql.join(
    likened.map((word) => sql`word_similarity(${word}, lower(name))`),
    sql` + `,
  );
  const rows = await query<{ id: string }>(db)`
      select id from (
        select * from class where ${conditions(filter, sql`(${sql.join(each, sql` and `)})`)} limit ${candidates}
      ) class order by ${likeness} desc, sold desc, id limit ${limit}`;
  return rows.map(({ id }) => id);
}
