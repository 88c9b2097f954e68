// npm run db:reset: deletes the embedded database, so that the next start makes and seeds a new
// one.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../server/platform/config.ts';
import { eraseEmbedded } from '../server/platform/postgres/embedded.ts';

const { dataDir, databaseUrl, production } = readConfig();
try {
  if (production) throw new Error('NODE_ENV is production: nothing was deleted.');
  if (databaseUrl)
    throw new Error(
      'DATABASE_URL is set: this command only deletes the embedded database. Nothing was deleted.',
    );
  const erased = await eraseEmbedded({ dataDir, log: console.log });
  // The card sandbox remembers payments for classes that are gone now.
  for (const end of ['', '-wal', '-shm'])
    rmSync(join(dataDir, `sandbox.sqlite${end}`), { force: true });
  console.log(
    erased ? `Deleted the database in ${dataDir}.` : `There is no database in ${dataDir}.`,
  );
  console.log('The next start makes a new one, with the demo academy in it.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
