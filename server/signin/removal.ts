// `npm run admin -- --remove-second-factor EMAIL`: for an owner who cannot pass two-step sign-in. A
// thief of the password may have set the factor up, so the password ends, too. The owner chooses a
// new one by mail.
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/db/connection.ts';
import { sql } from '../platform/db/connection.ts';
import { audit } from '../people/audit.ts';
import { secondStepRemoved } from './texts.ts';
import type { Mail } from '../mail/mail.ts';
import type { Guesses } from './guesses.ts';
import { accountOn, endAccess, lockAccount } from './prove.ts';
import { isOn, turnOff } from './secondfactor.ts';

interface Around {
  database: Pick<Database, 'system'>;
  config: Config;
  guesses: Pick<Guesses, 'lift'>;
  mail: Pick<Mail, 'send'>;
}

export async function removeSecondFactor(
  { database, config, guesses, mail }: Around,
  email: string,
): Promise<{ done: boolean; says: string }> {
  const { user, wasOn } = await database.system([], async (db) => {
    const found = await accountOn(db, email);
    const user = found && (await lockAccount(db, found));
    if (!user || !(await isOn(db, user.id))) return { user, wasOn: false };
    await turnOff(db, user.id);
    await sql`update login set password_hash = null where user_id = ${user.id}`.execute(db);
    await endAccess(db, user.id);
    await guesses.lift(db, email);
    const action = 'second factor removed';
    await audit(db, { actorId: null, action, subject: user.id, detail: 'by the operator' });
    return { user, wasOn: true };
  });
  if (!user) return { done: false, says: `No account has the address ${email}.` };
  if (!wasOn)
    return { done: false, says: `Two-step sign-in is off for ${email}. Nothing was changed.` };
  const says =
    `Two-step sign-in of ${email} is removed. Its password and its backup codes no longer work, and every\n` +
    'device is signed out. Its owner chooses a new password with "Forgot password?" on the login page.';
  try {
    await mail.send(secondStepRemoved(config, user));
    return { done: true, says };
  } catch {
    const untold = 'The mail about it could not be sent: please tell the owner.';
    return { done: false, says: `${says}\n${untold}` };
  }
}
