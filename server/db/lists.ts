// SQL for all lists: pages, searches and counts whose cost does not grow with the table.
import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import { counted } from '../../contract/call.ts';
import { sql, type Db } from './connection.ts';

type Total = RawBuilder<number>;

/** One more than `counted` means "more": a user does not open the last page of so many. */
const upTo = (matching: RawBuilder<unknown>): Total =>
  sql`(select count(*)::int from (${matching} limit ${counted + 1}) found)`;

export const countUpTo = (db: Db, matching: RawBuilder<unknown>) => read(db, upTo(matching));

/**
 * Totals kept by triggers (migration 0002): the whole table, or the rows with one of these keys.
 */
export const tally = (kind: string, key?: string): Total =>
  sql`(select coalesce(sum(n), 0)::int from tally
    where kind = ${kind} and ${key === undefined ? sql`true` : sql`key = ${key}`})`;

async function read(db: Db, total: Total): Promise<number> {
  const { rows } = await sql<{ total: number }>`select ${total} as total`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The words of a search as they were typed, in lower case. */
export const spelled = (search: string | undefined): string[] =>
  (search ?? '').toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * The words of a search for the index of words: each must be the beginning of a word of the row. A
 * number of one or two digits must be a whole word: "6" is an age, not the beginning of 60. None if
 * nothing searchable is left.
 */
export const wordsOf = (search: string | undefined) =>
  spelled(search).map((word) => (/^\d{1,2}$/.test(word) ? word : `${word}:*`));

/** The tables with an indexed column of words. */
type Searched = 'class' | 'user' | 'payment' | 'audit';

type Rows = RawBuilder<Record<string, unknown>>;
export type Condition = RawBuilder<boolean>;

/** Rows that have all of these words (see wordsOf). */
export const has = (table: Searched, words: string[]): Condition =>
  words.length > 0
    ? sql`${sql.table(table)}.words @@ words_wanted(${words.join(' & ')})`
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
  /** The rows before the page. */
  offset: number;
  /** The total without a search, where it is kept. Otherwise matches are counted up to a limit. */
  all?: Total | undefined;
}

/**
 * The rows of a page and the total, in one statement. The page is cut first, so joins touch only its
 * rows: in `select`, the name of the table means the page.
 */
export async function listing<D, T extends keyof D, Row>(
  db: Db,
  list: List,
  select: (page: Pick<Db, 'selectFrom'>) => SelectQueryBuilder<D, T, Row>,
): Promise<{ rows: Row[]; total: number }> {
  const { page, total } = await plan(db, list);
  const cut = db
    .with('counted', () => sql<{ total: number }>`(select ${total} as total)`)
    .with(
      (name) => name(list.table).materialized(),
      () => sql`(${page})`,
    );
  const statement = select(cut as Pick<Db, 'selectFrom'>).select(
    sql<number>`(select total from counted)`.as('total'),
  );
  const rows = await statement.execute();
  const [first] = rows as unknown as { total: number }[];
  if (!first && list.offset > 0) return { rows: [], total: await read(db, total) };
  return { rows, total: first?.total ?? 0 };
}

/** A word is common if more than one row of the list in so many has it. */
const oneIn = 20;

/**
 * The page and the total, as SQL. Common words: scan in sort order and stop after one page. Rare
 * words: take all matches from the index, then sort. The planner would choose by an estimate, and a
 * wrong choice takes seconds among a million rows. So we sample a large table first, and write each
 * query so that only one plan is possible.
 */
async function plan(
  db: Db,
  { table, search, where, page, all }: List,
): Promise<{ page: Rows; total: Total }> {
  const named: Rows = sql.table(table);
  const words = wordsOf(search);
  if (words.length === 0 && all) return { page: page(named, where(sql`true`)), total: all };
  const checked = sql<boolean>`(${has(table, words)}) is true`; // no index can answer this: each row is checked
  const oneByOne = where(checked);
  const seen = await sample(db, { table, words, all: where(sql`true`), matching: oneByOne });
  const isCommon = (hits = 0) => hits * oneIn > (seen?.rows ?? Infinity);
  const guess = seen ? seen.matching * seen.share : 0;
  const count = (matching: Condition) => upTo(sql`select from ${named} where ${matching}`);

  if (words.length === 0 || (isCommon(seen?.matching) && guess > 2 * counted)) {
    // With so many matches counting is pointless.
    const total = guess > 10 * counted ? sql<number>`${counted + 1}::int` : count(oneByOne);
    return { page: page(named, oneByOne), total };
  }
  // The index reads all rows of a word before it combines words: filter common words after the rare
  // ones.
  const rare = words.filter((_, place) => !isCommon(seen?.ofEach[place]));
  const found = where(sql`(${has(table, rare.length > 0 ? rare : words)} and ${checked})`);
  // The offset keeps the sort order out of the subquery: find all matches, then sort.
  const rows: Rows = sql`(select * from ${named} where ${found} offset 0) ${named}`;
  return { page: page(rows, sql`true`), total: count(found) };
}

/** How much of a table is sampled: fifty pages from all over it. */
const bytes = 50 * 8192;

/** A table of this size is read whole in a few milliseconds, and not sampled. */
const smallBytes = 4 * 1024 * 1024;

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

/** Null for a small table. A wrong sample makes a search slow, never wrong: it is kept a while. */
async function sample(
  db: Db,
  {
    table,
    words,
    all,
    matching,
  }: { table: Searched; words: string[]; all: Condition; matching: Condition },
): Promise<Sample | null> {
  const relation = sql.lit(`"${table}"`);
  const measured = sql<{ bytes: number }>`select pg_relation_size(${relation}) as bytes`;
  const [size] = await keptRows(db, measured);
  if (!size || size.bytes <= smallBytes) return null;
  const count = (condition: Condition) => sql`(count(*) filter (where ${condition}))::int`;
  const each = sql.join([sql`0`, ...words.map((word) => count(has(table, [word])))]);
  const [seen] = await keptRows(
    db,
    sql<Sample>`
      select count(*)::int as rows, ${count(matching)} as matching, (array[${each}])[2:] as of_each,
        ${size.bytes / bytes}::float as share
      from ${sql.table(table)} tablesample system (${(100 * bytes) / size.bytes}::real) where ${all}`,
  );
  return seen ?? null;
}

const keptMs = 60_000;
const keptAtMost = 1_000;
type Kept = Map<string, { rows: Promise<unknown[]>; until: number }>;
const kept = new WeakMap<object, Kept>();

/** The rows of a statement, read at most once a minute. */
function keptRows<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row[]> {
  const { sql: text, parameters } = statement.compile(db);
  const key = JSON.stringify([text, parameters]);
  const ofDb: Kept = kept.get(db) ?? new Map();
  kept.set(db, ofDb);
  const known = ofDb.get(key);
  if (known && known.until > Date.now()) return known.rows as Promise<Row[]>;
  if (ofDb.size >= keptAtMost) ofDb.clear();
  const rows = statement.execute(db).then((result) => result.rows);
  ofDb.set(key, { rows, until: Date.now() + keptMs });
  rows.catch(() => ofDb.delete(key)); // the next caller asks again
  return rows;
}
