// Writes server/platform/db/schema.ts: the row types of the migrated database. A test holds the file
// current. Run with `npm run db:types` after adding a migration.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../server/platform/postgres/embedded.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { writeSchema } from '../server/testing/schema.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'rally-types-'));
const database = await startEmbedded({ dataDir });
try {
  await migrate(database.url);
  await writeSchema(database.url, join(import.meta.dirname, '../server/platform/db/schema.ts'));
} finally {
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
