// The mails of this room, from their rows at the moment when they are sent.
import { type Db, sql } from '../platform/db/connection.ts';
import {
  backupCodesNew,
  googleConnected,
  newDevice,
  passwordChanged,
  passwordReset,
  secondStepOff,
  secondStepOn,
  signUpAgain,
  takenOver,
  unconfirmedAgain,
  welcome,
} from './texts.ts';
import type { Mails, Person, Render } from '../mail/kinds.ts';
import {
  addressChangedMail,
  addressTakenMail,
  blockedMail,
  newAddressMail,
} from '../people/stafftexts.ts';
import { makeConfirmation, makeLink } from './links.ts';

/**
 * Asked once the link is stored: from then on it ends when the account leaves the address. Before, its
 * reader would get a link to an account of another address.
 */
async function isStillAt(db: Db, { id, email }: Person): Promise<boolean> {
  const { rows } = await sql`select from "user" where id = ${id} and email = ${email}`.execute(db);
  return rows.length > 0;
}

/** A link and a code that prove the address, while it is not proven. */
const confirming =
  (write: typeof welcome): Render<'confirm-address' | 'confirm-again'> =>
  async (_ids, { db, config, person }) => {
    if (person.proven) return null;
    const given = { userId: person.id, key: config.secret };
    const { secret, code } = await makeConfirmation(db, given);
    if (!(await isStillAt(db, person))) return null;
    return write(config, person, { code, link: `${config.publicUrl}/confirm?token=${secret}` });
  };

const notice =
  (
    write: typeof newDevice,
  ): Render<'new-device' | 'second-step-on' | 'second-step-off' | 'backup-codes-new'> =>
  async ({ at, browser }, { config, person }) =>
    write(config, person, { at: new Date(at), browser });

export const identityMails = {
  'confirm-address': confirming(welcome),
  'confirm-again': confirming(unconfirmedAgain),
  'sign-up-again': async (_ids, { config, person }) => signUpAgain(config, person),
  'new-password': async (_ids, { db, config, person }) => {
    const secret = await makeLink(db, { userId: person.id, kind: 'reset' });
    return (await isStillAt(db, person)) ? passwordReset(config, person, secret) : null;
  },
  'account-blocked': async (_ids, { config, person }) => blockedMail(config, person),
  'account-taken-over': async (_ids, { config, person }) => takenOver(config, person),
  'google-connected': async (_ids, { config, person }) => googleConnected(config, person),
  // The name of an account that was not proven may be a stranger's words.
  'password-changed': async ({ at, browser, wasConfirmed }, { config, person }) => {
    const proven = person.proven && wasConfirmed;
    return passwordChanged(config, { ...person, proven }, { at: new Date(at), browser });
  },
  'new-device': notice(newDevice),
  'second-step-on': notice(secondStepOn),
  'second-step-off': notice(secondStepOff),
  'backup-codes-new': notice(backupCodesNew),
  'new-address': async ({ by, email }, { db, config }) => {
    const { rows } = await sql`
      select from "user" where id = ${by} and proven_at is not null and blocked_at is null`.execute(
      db,
    );
    if (rows.length === 0) return null;
    const secret = await makeLink(db, { userId: by, kind: 'address', email });
    // A fragment reaches no log.
    return newAddressMail(config, email, `${config.publicUrl}/newaddress#${secret}`);
  },
  'address-taken': async (_ids, { config, person }) => addressTakenMail(config, person),
  'address-changed': async ({ email }, { config, person }) =>
    addressChangedMail(config, { ...person, email }, person.email),
} satisfies Partial<Mails>;
