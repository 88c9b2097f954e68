// `npm run admin -- someone@example.com`: the first admin of a new installation. Later ones are promoted in Manage Users.
import { readConfig } from './config.ts';
import { connect } from './db/connection.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { confirmationLink } from './features/identity/confirmation.ts';
import { makeFirstAdmin } from './features/people/users.ts';

const email = process.argv[2]?.trim().toLowerCase();
if (!email) {
  console.error('Usage: npm run admin -- someone@example.com');
  process.exit(2);
}
const config = readConfig();
const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir });
const database = connect(config.databaseUrl ?? embedded?.url ?? '');
try {
  const { says, done, unconfirmed } = await makeFirstAdmin(database, email);
  console.log(says);
  if (!done) process.exitCode = 1;
  // Without a mail server there is no mail to open. Only the operator reads this terminal.
  if (unconfirmed && !config.smtpUrl)
    console.log(
      `\nNo mail server is set up here. This link confirms the address, once:\n${await confirmationLink(config, unconfirmed)}`,
    );
} finally {
  await database.close();
  await embedded?.stop();
}
