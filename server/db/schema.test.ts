import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { databaseUrl } from '../testing/postgres.ts';
import { writeSchema } from '../testing/schema.ts';

it('has the row types of the migrated database (if not: npm run db:types)', async () => {
  const file = join(tmpdir(), `rally-schema-${process.pid}.ts`);
  await writeSchema(databaseUrl(inject('postgres'), inject('template')), file);
  const generated = await readFile(file, 'utf8');
  await rm(file);
  expect(await readFile(join(import.meta.dirname, 'schema.ts'), 'utf8')).toBe(generated);
});
