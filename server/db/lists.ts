// SQL for all lists: pages, searches and counts whose cost does not grow with the table.
import type { RawBuilder } from 'kysely';
import { counted } from '../../contract/call.ts';
import { sql, type Db } from './connection.ts';

/** One more than `counted` means "more": a user does not open the last page of so many. */
export async function countUpTo(db: Db, matching: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*)::int as total from (${matching} limit ${counted + 1}) found`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * Totals kept by triggers (migration 0002): the whole table, or the rows with one of these keys.
 */
export async function tally(db: Db, kind: string, key?: string): Promise<number> {
  const { total } = await db
    .selectFrom('tally')
    .select((row) => row.fn.sum<string | null>('n').as('total'))
    .where('kind', '=', kind)
    .$if(key !== undefined, (query) => query.where('key', '=', key ?? ''))
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

/**
 * The words of a search for the index of words: each must be the beginning of a word of the row.
 * None if nothing searchable is left.
 */
export const wordsOf = (search: string | undefined) =>
  ((search ?? '').toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) => `${word}:*`);

/** The tables with an indexed column of words. */
type Searched = 'class' | 'user' | 'payment' | 'audit';

type Rows = RawBuilder<Record<string, unknown>>;
export type Condition = RawBuilder<boolean>;

/** Rows that have all of these words (see wordsOf). */
export const has = (table: Searched, words: string[]): Condition =>
  words.length > 0
    ? sql`${sql.table(table)}.words @@ to_tsquery('simple', ${words.join(' & ')})`
    : sql`true`;

/** A page of these rows in this order, as SQL. */
export const paged =
  (order: string, { limit, offset }: { limit: number; offset: number }) =>
  (from: Rows, where: Condition): Rows =>
    sql`select * from ${from} where ${where} order by ${sql.raw(order)} limit ${limit} offset ${offset}`;

interface List {
  table: Searched;
  search: string | undefined;
  /** All conditions of the list, given the condition on the words. */
  where: (words: Condition) => Condition;
  /** The page of the rows that match a condition, in the order of the list. */
  page: (from: Rows, where: Condition) => Rows;
  /** The total without a search. */
  all: () => Promise<number>;
}

/**
 * The page of a list, as a table with its rows only, and the total; the matches of a search are
 * counted up to a limit. The page is cut first, so joins touch only its rows.
 */
export async function listing(
  db: Db,
  list: List,
): Promise<{ page: Pick<Db, 'selectFrom'>; total: number }> {
  const { rows, total } = await (wordsOf(list.search).length > 0
    ? searching(db, list)
    : everything(list));
  const page = db.with(
    (name) => name(list.table).materialized(),
    () => sql`(${rows})`,
  );
  return { page, total };
}

const everything = async ({ table, where, page, all }: List) => ({
  rows: page(sql.table(table), where(sql`true`)),
  total: await all(),
});

/** A word is common if more than one row of the list in so many has it. */
const oneIn = 20;

/**
 * Common words: scan in sort order and stop after one page. Rare words: take all matches from the
 * index, then sort. The planner would choose by an estimate, and a wrong choice takes seconds among
 * a million rows. So we sample some rows first, and write each query so that only one plan is
 * possible.
 */
async function searching(
  db: Db,
  { table, search, where, page }: List,
): Promise<{ rows: Rows; total: number }> {
  const named: Rows = sql.table(table);
  const words = wordsOf(search);
  const oneByOne = sql<boolean>`(${has(table, words)}) is true`; // no index can answer this: each row is checked
  const seen = await sample(db, { table, words, all: where(sql`true`), matching: where(oneByOne) });
  const isCommon = (hits: number) => hits * oneIn > seen.rows;

  // The index reads all rows of a word before it combines words: filter common words after the rare
  // ones.
  const rare = words.filter((_, place) => !isCommon(seen.ofEach[place] ?? 0));
  const found = where(sql`(${has(table, rare.length > 0 ? rare : words)} and ${oneByOne})`);
  const along = isCommon(seen.matching);
  const matching = sql`select from ${named} where ${along ? where(oneByOne) : found}`;
  // So many matches that counting is pointless.
  const total =
    along && seen.matching * seen.share > 10 * counted
      ? counted + 1
      : await countUpTo(db, matching);
  if (along && total > counted) return { total, rows: page(named, where(oneByOne)) };
  // The offset keeps the sort order out of the subquery: find all matches, then sort.
  return {
    total,
    rows: page(sql`(select * from ${named} where ${found} offset 0) ${named}`, sql`true`),
  };
}

/** How much of a table is sampled: fifty pages from all over it. */
const bytes = 50 * 8192;

interface Sample {
  /** Sampled rows of the list. */
  rows: number;
  /** Of these, rows with all of the words. */
  matching: number;
  /** Of these, rows with each of the words. */
  ofEach: number[];
  /** One row in so many was sampled. */
  share: number;
}

async function sample(
  db: Db,
  {
    table,
    words,
    all,
    matching,
  }: { table: Searched; words: string[]; all: Condition; matching: Condition },
): Promise<Sample> {
  const count = (condition: Condition) => sql`(count(*) filter (where ${condition}))::int`;
  const size = sql`greatest(pg_relation_size(${sql.lit(`"${table}"`)}), 1)`;
  const { rows } = await sql<Sample>`
    select count(*)::int as rows, ${count(matching)} as matching, array[${sql.join(words.map((word) => count(has(table, [word]))))}] as of_each,
      greatest(1, ${size} / ${bytes}::float) as share
    from ${sql.table(table)} tablesample system (least(100, 100.0 * ${bytes} / ${size})) where ${all}`.execute(
    db,
  );
  return rows[0] ?? { rows: 0, matching: 0, ofEach: [], share: 1 };
}
