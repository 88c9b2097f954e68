// Searches every column of every table, ours and those of the job queue, for texts. For tests that
// a text is stored nowhere: a deleted person, a password.
import type { TestApp } from './app.ts';

/** The matches as `schema.table: row`, ignoring case. `except` names tables to skip. */
export async function findInDatabase(
  app: Pick<TestApp, 'pool'>,
  texts: string | string[],
  { except = [] }: { except?: string[] } = {},
): Promise<string[]> {
  const { rows: tables } = await app.pool.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'
    order by 1`);
  // A row as text contains every column, JSON and search words too. It doubles quotes, so we
  // search the values.
  const each = tables
    .filter(({ name }) => !except.includes(name))
    .map(
      ({ name }) => `select '${name}: ' || left(to_jsonb(t)::text, 500) as row from ${name} t
       where exists (select from jsonb_each_text(to_jsonb(t)) each where each.value ilike any ($1))`,
    );
  const patterns = [texts].flat().map((text) => `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`);
  const { rows } = await app.pool.query<{ row: string }>(each.join(' union all '), [patterns]);
  return rows.map(({ row }) => row);
}
