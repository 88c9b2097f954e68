import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { createDatabase, dropDatabase } from '../../testing/postgres.ts';
import { writeSchema } from '../../testing/schema.ts';

it('has the row types of the migrated database (if not: npm run db:types)', async () => {
  const file = join(tmpdir(), `rally-schema-${process.pid}.ts`);
  // A copy: other tests cannot copy the template while somebody reads it.
  const copy = `rally_schema_${process.pid}`;
  await writeSchema(await createDatabase(inject('postgres'), copy, inject('template')), file);
  await dropDatabase(inject('postgres'), copy);
  const generated = await readFile(file, 'utf8');
  await rm(file);
  expect(await readFile(join(import.meta.dirname, 'schema.ts'), 'utf8')).toBe(generated);
});
