// npm run restore -- folder: puts a backup in place of the embedded database. What was there before
// is kept next to it.
import { readConfig } from '../server/platform/config.ts';
import { restore } from '../server/platform/postgres/backup.ts';

const { dataDir, databaseUrl } = readConfig();
const from = process.argv[2];
try {
  if (databaseUrl) throw new Error('DATABASE_URL is set: restore that server with its own tools.');
  if (!from) throw new Error('Usage: npm run restore -- folder');
  const before = await restore({ dataDir, from, log: console.log });
  console.log(`Restored ${from}.${before ? ` What was there before is kept in ${before}.` : ''}`);
  console.log('At the next start the reconciler asks the card provider what was paid since.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
