// What every list needs of SQL: patterns from a person's words, and counts that stay cheap as tables grow.
import type { Expression } from 'kysely';
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

/** How far a search looks along the order before it asks the index of words. */
export const near = 1_000;

/**
 * A page of a search. A common word is met soon on the way along the order of the list; a rare one has few rows in the index of words,
 * which can all be sorted. Which of the two it is the planner only guesses, and a wrong guess takes seconds among a million rows: so the
 * first rows of the list are looked through, and only when they do not fill the page the index is asked. Both ways take the rows aside
 * (`materialized`) so that the planner has nothing to guess.
 */
export async function searching<Row>(
  limit: number,
  read: (where: 'near' | 'everywhere') => Promise<Row[]>,
): Promise<Row[]> {
  const rows = await read('near');
  return rows.length === limit ? rows : read('everywhere');
}
