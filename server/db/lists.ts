// What every list needs of SQL: patterns from a person's words, and counts that stay cheap as tables grow.
import type { Expression } from 'kysely';
import { raw, type Sql } from './connection.ts';

/** Searches are counted up to this; nobody turns to the last page of more. */
const counted = 10_000;

export async function countUpTo(sql: Sql, matching: { limit(rows: number): Expression<unknown> }): Promise<number> {
  const { rows } = await raw<{
    total: number;
  }>`select count(*)::int as total from (${matching.limit(counted)}) found`.execute(sql);
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
