// Looks for a piece of text in everything that a database holds: every column of every table, our
// own and those of the jobs. For the promises that something is nowhere: a deleted person, a
// password.
import type { TestApp } from './app.ts';

/**
 * Where it was found, as `schema.table: row`, ignoring case; `except` names tables that are looked
 * at elsewhere.
 */
export async function findInDatabase(
  app: Pick<TestApp, 'pool'>,
  text: string,
  { except = [] }: { except?: string[] } = {},
): Promise<string[]> {
  const { rows: tables } = await app.pool.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%'
    order by 1`);
  const found: string[] = [];
  for (const { name } of tables.filter((table) => !except.includes(table.name))) {
    // A whole row as text has every column in it, those of JSON and of search words too. Quotes are
    // doubled there, so we look at the values.
    const { rows } = await app.pool.query<{ row: string }>(
      `select left(to_jsonb(t)::text, 500) as row from ${name} t
       where exists (select from jsonb_each_text(to_jsonb(t)) each where each.value ilike '%' || $1 || '%')`,
      [text.replace(/[\\%_]/g, String.raw`\$&`)],
    );
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}
