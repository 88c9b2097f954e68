// SQL for all lists: a page and the total, in one statement.
import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import { counted } from '../../../contract/platform/call.ts';
import { type Db, query, sql } from './connection.ts';

/** One more than `counted` means "more": a user does not open the last page of so many. */
const enough = sql`limit ${counted + 1}`;

export const countUpTo = (db: Db, matching: RawBuilder<unknown>): Promise<number> =>
  countOf(db, sql`${matching} ${enough}`);

async function countOf(db: Db, matching: RawBuilder<unknown>): Promise<number> {
  const rows = await query<{ total: number }>(db)`
    select count(*)::int as total from (${matching}) found`;
  return rows[0]?.total ?? 0;
}

export const spelled = (search: string | undefined): string[] =>
  (search ?? '').toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * The words of a search for the index of words: each must be the beginning of a word of the row. A
 * number of one or two digits must be a whole word: "6" is an age, not the beginning of 60. None if
 * nothing searchable is left.
 */
export const wordsOf = (search: string | undefined) =>
  spelled(search).map((word) => (/^\d{1,2}$/.test(word) ? word : `${word}:*`));

type Searched = 'class' | 'user' | 'payment' | 'audit';

export type Condition = RawBuilder<boolean>;

export const all = (conditions: readonly (Condition | false | '' | undefined)[]): Condition => {
  const given = conditions.filter((condition) => typeof condition === 'object');
  return sql`(${sql.join([sql`true`, ...given], sql` and `)})`;
};

/** Rows that have all of these words (see wordsOf): of a class, or of its instructor's name. */
export const has = (table: Searched, words: string[]): Condition => {
  if (words.length === 0) return sql`true`;
  const own = sql`${sql.table(table)}.words`;
  const all = table === 'class' ? sql`(${own} || ${instructorsWords})` : own;
  return sql`${all} @@ words_wanted(${words.join(' & ')})`;
};

/** Those of the name have the weight a; the others are of the address. */
const instructorsWords = sql`
  (select ts_filter(words, '{a}') from "user" where id = class.instructor_id)`;

interface List {
  table: Searched;
  search: string | undefined;
  where: (words: Condition) => Condition;
  /** What the rows are sorted by, each with `desc` behind it or not. The id comes last. */
  order: readonly string[];
  limit: number;
  offset: number;
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
  const { found, rows: page } = plan(list);
  const cut = db
    .with(
      (name) => name('found').materialized(),
      () => sql`(${found})`,
    )
    .with(
      (name) => name(list.table).materialized(),
      () => sql`(${page})`,
    );
  const total = sql<number>`(select count(*)::int from found)`;
  const rows = await select(cut as Pick<Db, 'selectFrom'>)
    .select(total.as('total'))
    .execute();
  const [first] = rows as unknown as { total: number }[];
  const beyond = !first && list.offset > 0;
  return { rows, total: beyond ? await countOf(db, found) : (first?.total ?? 0) };
}

/** People and classes are few, and Manage Users shows how many there are. */
const isWhole = ({ table }: List) => table === 'user' || table === 'class';

/**
 * The matches of a search are found once, by the index of words, and then sorted: asked for both at
 * once, the planner reads the order index of a word that no row has to its end. Without words the
 * page follows the order index.
 */
function plan(list: List) {
  const { table, search, where, order, limit, offset } = list;
  const named = sql.table(table);
  const words = wordsOf(search);
  const matching = where(has(table, words));
  const cut = sql`limit ${limit} offset ${offset}`;
  if (words.length === 0)
    return {
      found: sql`select from ${named} where ${matching} ${isWhole(list) ? sql`` : enough}`,
      rows: sql`select * from ${named} where ${matching} order by ${sql.raw(order.join(', '))} ${cut}`,
    };
  const keys = order.map((by, nth) => `${by.replace(/ desc$/, '')} as k${nth}`).join(', ');
  const sorted = order.map((by, nth) => `k${nth}${by.endsWith(' desc') ? ' desc' : ''}`).join(', ');
  return {
    found: sql`select ${named}.id as match, ${sql.raw(keys)} from ${named} where ${matching}`,
    rows: sql`select ${named}.* from (select match from found order by ${sql.raw(sorted)} ${cut}) page
      join ${named} on ${named}.id = match`,
  };
}
