// schema.ts has every column of the migrated database. The generator itself (npm run db:types) takes
// seconds to load.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testApp } from '../../testing/app.ts';

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Any other is a string. */
const types: Record<string, string> = {
  bigint: 'Int8',
  boolean: 'boolean',
  bytea: 'Buffer',
  'bytea[]': 'ArrayType<Buffer>',
  date: 'Timestamp',
  integer: 'number',
  jsonb: 'Json',
  smallint: 'number',
  'text[]': 'string[]',
  'timestamp with time zone': 'Timestamp',
  'uuid[]': 'string[]',
};

it('has the rows of the migrated database (npm run db:types)', async () => {
  const { pool } = await testApp();
  const { rows } = await pool.query<Record<'table' | 'column' | 'type', string> & Column>(
    `select relname as table, attname as column, format_type(atttypid, null) as type,
       atthasdef or attidentity <> '' as filled, not attnotnull as "isNull"
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and relname !~ '^kysely'
       and attnum > 0 and not attisdropped`,
  );
  const stored = rows.map(({ table, column, type, filled, isNull }) => {
    const plain = `${types[type] ?? 'string'}${isNull ? ' | null' : ''}`;
    return `${camel(table)}.${camel(column)}: ${filled ? `Generated<${plain}>` : plain}`;
  });
  const text = await readFile(join(import.meta.dirname, 'schema.ts'), 'utf8');
  const written = [...text.matchAll(/^export interface (\w+) \{\n([^}]*)\}/gm)]
    .filter(([, table]) => table !== 'DB')
    .flatMap(([, table = '', columns = '']) =>
      [...columns.matchAll(/^ {2}(.*);$/gm)].map(
        ([, column]) => `${table[0]?.toLowerCase()}${table.slice(1)}.${column}`,
      ),
    );
  expect(written.toSorted()).toEqual(stored.toSorted());
});

interface Column {
  filled: boolean;
  isNull: boolean;
}
