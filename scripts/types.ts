// Writes server/platform/db/schema.ts: the row types of the migrated database. A test holds the file
// current. Run with `npm run db:types` after adding a migration.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../server/platform/postgres/embedded.ts';
import { migrate } from '../server/platform/db/migrate.ts';

const root = join(import.meta.dirname, '..');
const dataDir = await mkdtemp(join(tmpdir(), 'rally-types-'));
const database = await startEmbedded({ dataDir });
try {
  await migrate(database.url);
  execFileSync(process.execPath, [
    join(root, 'node_modules/kysely-codegen/dist/cli/bin.js'),
    '--dialect=postgres',
    '--camel-case',
    '--type-only-imports',
    '--default-schema=public',
    '--include-pattern=public.*',
    '--exclude-pattern=public.kysely_*',
    '--numeric-parser=number',
    `--url=${database.url}`,
    `--out-file=${join(root, 'server/platform/db/schema.ts')}`,
  ]);
} finally {
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
