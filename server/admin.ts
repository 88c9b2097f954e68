// `npm run admin -- someone@example.com`: the first admin of a new installation. Later ones are
// promoted in Manage Users. `npm run admin -- --remove-second-factor someone@example.com`: for an
// owner who cannot pass two-step sign-in.
import { readConfig } from './config.ts';
import { connect, type Database } from './db/connection.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { confirmationLink } from './features/identity/confirmation.ts';
import { createGuesses } from './features/identity/guesses.ts';
import { removeSecondFactor } from './features/identity/secondfactor.ts';
import { makeFirstAdmin } from './features/people/users.ts';
import { createMail } from './outside/mail.ts';

const removal = '--remove-second-factor';
const given = process.argv.slice(2);
const removes = given[0] === removal;
const [address, ...more] = removes ? given.slice(1) : given;
const email = address?.trim().toLowerCase();
if (!email || email.startsWith('-') || more.length > 0) {
  console.error(
    `Usage: npm run admin -- someone@example.com\n       npm run admin -- ${removal} someone@example.com`,
  );
  process.exit(2);
}
const config = readConfig();
const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir });
const database = connect(config.databaseUrl ?? embedded?.url ?? '');
try {
  const { says, done } = await (removes
    ? withoutSecondFactor(database, email)
    : firstAdmin(database, email));
  console.log(says);
  if (!done) process.exitCode = 1;
} finally {
  await database.close();
  await embedded?.stop();
}

async function firstAdmin(database: Database, email: string) {
  const { says, done, unconfirmed } = await makeFirstAdmin(database, email);
  if (!unconfirmed || config.smtpUrl) return { says, done };
  // Without a mail server there is no mail to open. Only the operator reads this terminal.
  const link = await confirmationLink(config, unconfirmed);
  return {
    done,
    says: `${says}\n\nNo mail server is set up here. This link confirms the address, once:\n${link}`,
  };
}

async function withoutSecondFactor(database: Database, email: string) {
  const mail = createMail({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    contact: config.contactEmail,
    publicUrl: config.publicUrl,
    pool: database.pool,
  });
  const guesses = createGuesses(database, { secret: config.secret, enabled: config.rateLimit });
  try {
    return await removeSecondFactor({ database, config, guesses, mail }, email);
  } finally {
    mail.close();
  }
}
