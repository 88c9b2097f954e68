// `npm run admin -- someone@example.com`: the first admin of a new installation. With
// `--remove-second-factor`: for an owner who cannot pass two-step sign-in.
import { email as emailRule } from '../../contract/platform/rules.ts';
import { readConfig } from '../platform/config.ts';
import { connect, type Database } from '../platform/db/connection.ts';
import { startEmbedded } from '../platform/postgres/embedded.ts';
import { inviteFirstAdmin } from '../people/staff.ts';
import { promoteFirst } from '../people/users.ts';
import { createMail } from '../mail/mail.ts';
import { createGuesses } from '../signin/guesses.ts';
import { removeSecondFactor } from '../signin/secondfactor.ts';

const removal = '--remove-second-factor';
const words = process.argv.slice(2);
const removes = words[0] === removal;
const email = emailRule.safeParse(words.at(-1)).data;
if (!email || words.length !== (removes ? 2 : 1)) {
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
  const { says, done, invite } = await database.system([], (db) => promoteFirst(db, email));
  if (!invite) return { says, done };
  // Only the operator reads this terminal, so the link needs no mail.
  const link = await inviteFirstAdmin(database, config, email);
  return {
    done: true,
    says: `${says}\n\nOpen this link and choose a password: it makes you the admin. It works once, for 7 days:\n${link}`,
  };
}

async function withoutSecondFactor(database: Database, email: string) {
  const mail = createMail({ ...config, pool: database.pool });
  const guesses = createGuesses(database, { secret: config.secret, enabled: config.rateLimit });
  try {
    return await removeSecondFactor({ database, config, guesses, mail }, email);
  } finally {
    mail.close();
  }
}
