// npm run backup [-- folder]: copies the embedded database, while it runs if it runs. Default: a
// new folder in DATA_DIR/backups.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readConfig } from '../server/platform/config.ts';
import { backup, newBackupFolder } from '../server/platform/postgres/backup.ts';

const { dataDir, databaseUrl } = readConfig();
const to = process.argv[2] ?? newBackupFolder(dataDir);
try {
  if (databaseUrl)
    throw new Error(
      'DATABASE_URL is set: back that server up with its own tools (pg_dump, pg_basebackup).',
    );
  await mkdir(dirname(to), { recursive: true });
  await backup({ dataDir, to, log: console.log });
  console.log(`Backed up to ${to}`);
  console.log(
    'The keys of the care facts (CARE_KEYS, or care-keys in DATA_DIR) are not in it. Keep a copy of them elsewhere: without them the care facts cannot be read.',
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
