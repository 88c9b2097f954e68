// What every list needs of SQL: a page, what a person searches for, and counts, all of which stay
// cheap as tables grow.
import type { RawBuilder } from 'kysely';
import { counted } from '../../contract/call.ts';
import { sql, type Db } from './connection.ts';

/**
 * One more than is counted of a search, to tell that there are more; nobody turns to the last page
 * of so many.
 */
export async function countUpTo(db: Db, matching: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*)::int as total from (${matching} limit ${counted + 1}) found`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * What the database has counted all along (migration 0002): the whole table, or the rows with one
 * of these keys.
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
 * The person's words for the index of words: each must begin some word of the row. None when
 * nothing searchable is left.
 */
export const wordsOf = (search: string | undefined) =>
  ((search ?? '').toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) => `${word}:*`);

/** The tables with a column of words, and an index of it. */
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
  /** All conditions of the list, given the one on the words. */
  where: (words: Condition) => Condition;
  /** The page of the rows with such a condition, in the order of the list. */
  page: (from: Rows, where: Condition) => Rows;
  /** How many there are when nothing is searched for. */
  all: () => Promise<number>;
}

/**
 * The page of a list, as the table that has its rows alone, and how many rows the list has; the
 * matches of a search as far as they are counted. The page is taken aside first: whatever is joined
 * to it is joined to no other rows.
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

/** Common is what more than one row of the list in so many has. */
const oneIn = 20;

/**
 * What is common is met soon on the way along the order of the list; of anything else all matches
 * are taken from the index of words and sorted. Which of the two it is the planner only guesses,
 * and a wrong guess takes seconds among a million rows. So some rows are looked at first, and each
 * way is written so that there is no other.
 */
async function searching(
  db: Db,
  { table, search, where, page }: List,
): Promise<{ rows: Rows; total: number }> {
  const named: Rows = sql.table(table);
  const words = wordsOf(search);
  const oneByOne = sql<boolean>`(${has(table, words)}) is true`; // nothing that an index could answer: each row is looked at
  const seen = await sample(db, { table, words, all: where(sql`true`), matching: where(oneByOne) });
  const isCommon = (hits: number) => hits * oneIn > seen.rows;

  // An index of words reads all that has a word before it drops anything: common words are left to
  // be seen in what the others find.
  const rare = words.filter((_, place) => !isCommon(seen.ofEach[place] ?? 0));
  const found = where(sql`(${has(table, rare.length > 0 ? rare : words)} and ${oneByOne})`);
  const along = isCommon(seen.matching);
  const matching = sql`select from ${named} where ${along ? where(oneByOne) : found}`;
  // So many that nothing is left to count.
  const total =
    along && seen.matching * seen.share > 10 * counted
      ? counted + 1
      : await countUpTo(db, matching);
  if (along && total > counted) return { total, rows: page(named, where(oneByOne)) };
  // The offset keeps the order out of it: all that is found, and only then sorted.
  return {
    total,
    rows: page(sql`(select * from ${named} where ${found} offset 0) ${named}`, sql`true`),
  };
}

/** How much of a table is looked at, from all over it: fifty of PostgreSQL's pages. */
const bytes = 50 * 8192;

interface Sample {
  /** Rows of the list. */
  rows: number;
  /** Of them with all of the words. */
  matching: number;
  /** Of them with each of the words. */
  ofEach: number[];
  /** One row was looked at of so many. */
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
