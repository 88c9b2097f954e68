// What every list needs of SQL: a page, what a person searches for, and counts, all of which stay cheap as tables grow.
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

/** The person's words for a text index: each must begin some word of the row. Null when nothing searchable is left. */
export function prefixes(words: string | undefined): string | null {
  const found = (words ?? '').toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return found.length > 0 ? found.map((word) => `${word}:*`).join(' & ') : null;
}

/** The tables with a column of words, and an index of it. */
type Searched = 'class' | 'user' | 'payment' | 'audit';

type Rows = RawBuilder<Record<string, unknown>>;
type Condition = RawBuilder<boolean>;

/** Rows in which each of the person's words begins some word; all of them when nothing is searched for. */
export function has(table: Searched, search: string | undefined): Condition {
  const words = prefixes(search);
  return words === null ? raw`true` : raw`${raw.table(table)}.words @@ to_tsquery('simple', ${words})`;
}

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

/** A search is for something common if more than one row of the list in so many matches, of those on about so many pages from all over the table. */
const common = { oneIn: 20, pages: 50 };

interface List {
  table: Searched;
  search: string | undefined;
  /** All conditions of the list, given the one on the words. */
  where: (words: Condition) => Condition;
  /** The page of the rows with such a condition, in the order of the list. */
  page: (from: Rows, where: Condition) => Rows;
  /** How many there are when nothing is searched for. */
  all: () => Promise<number>;
}

/** The page of a list as SQL, and how many rows the list has; the matches of a search as far as they are counted. */
export async function listing(sql: Sql, list: List): Promise<{ rows: Rows; total: number }> {
  if (prefixes(list.search) !== null) return searching(sql, list);
  return { rows: list.page(raw.table(list.table), list.where(raw`true`)), total: await list.all() };
}

/**
 * A common word is met soon on the way along the order of the list; of others all matches are taken from the index of words and sorted.
 * Which of the two it is the planner only guesses, and a wrong guess takes seconds among a million rows. So some rows are looked at first,
 * and each way is written so that there is no other.
 */
async function searching(sql: Sql, { table, search, where, page }: List): Promise<{ rows: Rows; total: number }> {
  const named: Rows = raw.table(table);
  const byIndex = has(table, search);
  const found = where(byIndex);
  const met = where(raw<boolean>`(${byIndex}) is true`); // the same, but nothing that an index answers: each row is looked at
  const upTo = (condition: Condition) =>
    raw`(select count(*)::int from (select from ${named} where ${condition} limit ${counted + 1}) some_rows)`;
  const percent = raw`(least(100, ${common.pages} * 8192 * 100.0 / greatest(pg_relation_size(${raw.lit(`"${table}"`)}), 1)))`;
  const sampled = raw`
    select count(*) filter (where ${found}) * ${common.oneIn} > count(*) as common
    from ${named} tablesample system ${percent} where ${where(raw`true`)}`;
  const counts = await raw<{ common: boolean; total: number }>`
    select common, case when common then ${upTo(met)} else ${upTo(found)} end as total from (${sampled}) sampled`.execute(
    sql,
  );
  const [{ common: isCommon, total } = { common: false, total: 0 }] = counts.rows;
  if (isCommon && total > counted) return { total, rows: page(named, met) };
  // The offset keeps the order out of it: all that is found, and only then sorted.
  return { total, rows: page(raw`(select * from ${named} where ${found} offset 0) ${named}`, raw`true`) };
}
