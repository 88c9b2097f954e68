// `npm run admin -- someone@example.com`: the first admin of a new installation. Later ones are promoted in Manage Users.
import { readConfig } from './config.ts';
import { connect } from './db/connection.ts';
import { startEmbedded } from './db/embedded.ts';
import { makeFirstAdmin } from './features/users.ts';

const email = process.argv[2]?.trim().toLowerCase();
if (!email) {
  console.error('Usage: npm run admin -- someone@example.com');
  process.exit(2);
}
const config = readConfig();
const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir });
const database = connect(config.databaseUrl ?? embedded?.url ?? '');
try {
  console.log(await makeFirstAdmin(database, email));
} finally {
  await database.close();
  await embedded?.stop();
}
