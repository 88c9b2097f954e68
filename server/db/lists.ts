// What every list needs of SQL: patterns from a person's words, and counts that stay cheap as tables grow.
import type { Expression, RawBuilder } from 'kysely';
import { counted } from '../../contract/call.ts';
import { raw, type Sql } from './connection.ts';

/** One more than is counted of a search, to tell that there are more; nobody turns to the last page of so many. */
export async function countUpTo(sql: Sql, matching: { limit(rows: number): Expression<unknown> }): Promise<number> {
  const { rows } = await raw<{
    total: number;
  }>`select count(*)::int as total from (${matching.limit(counted + 1)}) found`.execute(sql);
  return rows[0]?.total ?? 0;
}

/** What the database has counted all along (migration 0002): the whole table, or the rows with one of these keys. */
export async function tally(sql: Sql, kind: string, key?: string): Promise<number> {
  const { total } = await sql
    .selectFrom('tally')
    .select((row) => row.fn.sum<string | null>('n').as('total'))
    .where('kind', '=', kind)
    .$if(key !== undefined, (query) => query.where('key', '=', key ?? ''))
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

/** The person's words as a pattern: whatever they type is searched for, not interpreted. */
export const like = (words: string | undefined) => `%${(words ?? '').replace(/[\\%_]/g, String.raw`\$&`)}%`;

/** The person's words for a text index: each must begin some word of the row. Null when nothing searchable is left. */
export function prefixes(words: string | undefined): string | null {
  const found = (words ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return found.length > 0 ? found.map((word) => `${word}:*`).join(' & ') : null;
}

/** The tables with a column of words, and an index of it. */
type Searched = 'class' | 'user' | 'payment' | 'audit';

/** Rows that have these words (see prefixes). */
export const has = (table: Searched, words: string) =>
  raw<boolean>`${raw.table(table)}.words @@ to_tsquery('simple', ${words})`;

type Rows = RawBuilder<Record<string, unknown>>;
type Condition = RawBuilder<boolean>;

/** A page of these rows in this order, as SQL. */
export const paged =
  (order: string, { limit, offset }: { limit: number; offset: number }) =>
  (from: Rows, where: Condition): Rows =>
    raw`select * from ${from} where ${where} order by ${raw.raw(order)} limit ${limit} offset ${offset}`;

/** The table as if it had these rows alone. They are taken aside first: whatever is joined to them is joined to no others. */
export const only = (sql: Sql, table: Searched, rows: Rows): Pick<Sql, 'selectFrom'> =>
  sql.with(
    (name) => name(table).materialized(),
    () => raw`(${rows})`,
  );

/** A word is common if more than so many have it among so many rows. Of others the matches are few enough to be sorted up to this. */
const common = { among: 1_000, above: 50 };
const few = 3_000;

/**
 * How many matches a search has, as far as they are counted, and the page of them. A common word is met soon on the way along the order
 * of the list; a rare one has few rows in the index of words, which can all be sorted. Which of the two it is the planner only guesses,
 * and a wrong guess takes seconds among a million rows. So the matches are counted first, and the number decides the way.
 *
 * @param where all conditions of the list, given the one on the words
 * @param page the page of the rows with such a condition, in the order of the list
 */
export async function searching(
  sql: Sql,
  { table, words }: { table: Searched; words: string },
  where: (words: Condition) => Condition,
  page: (from: Rows, where: Condition) => Rows,
): Promise<{ total: number; rows: Rows }> {
  const named: Rows = raw.table(table);
  const byIndex = has(table, words);
  const found = where(byIndex);
  const met = where(raw<boolean>`(${byIndex}) is true`); // the same, but nothing that an index answers: each row is looked at
  const upTo = (rows: number, condition: Condition) =>
    raw`(select count(*)::int from (select from ${named} where ${condition} limit ${rows + 1}) some_rows)`;
  const counts = await raw<{ common: boolean; matches: number }>`
    select common, case when common then ${upTo(counted, met)} else ${upTo(few, found)} end as matches
    from (select count(*) > ${common.above} as common from (select words from ${named} limit ${common.among}) ${named} where ${byIndex}) sampled`.execute(
    sql,
  );
  const [{ common: isCommon, matches } = { common: false, matches: 0 }] = counts.rows;
  const total = Math.min(matches, counted + 1);
  if (matches > (isCommon ? counted : few)) return { total, rows: page(named, met) };
  // The offset keeps the order out of it: all that is found, and only then sorted.
  return { total, rows: page(raw`(select * from ${named} where ${found} offset 0) ${named}`, raw`true`) };
}
