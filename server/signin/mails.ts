// The mails of this room, from their rows at the moment when they are sent.
import { type Db, exists } from '../platform/db/connection.ts';
import type { Message } from '../mail/mail.ts';
import type { MailBrand } from '../mail/common.ts';
import type { Mails, Person, Render } from '../mail/kinds.ts';
import { makeConfirmation, makeLink } from './links.ts';
import * as texts from './texts.ts';

/**
 * Asked once the link is stored: from then on it ends when the account leaves the address. Before, its
 * reader would get a link to an account of another address.
 */
const isStillAt = (db: Db, { id, email }: Person) =>
  exists(db)`select from "user" where id = ${id} and email = ${email}`;

/** A link and a code that prove the address, while it is not proven. */
const confirming =
  (write: typeof texts.welcome): Render<'confirm-address' | 'confirm-again'> =>
  async (_ids, { db, config, person }) => {
    if (person.proven) return null;
    const given = { userId: person.id, key: config.secret };
    const { secret, code } = await makeConfirmation(db, given);
    if (!(await isStillAt(db, person))) return null;
    return write(config, person, { code, link: `${config.publicUrl}/confirm?token=${secret}` });
  };

type Write = (academy: MailBrand, person: Person, done?: texts.Done) => Message;

const plain =
  (write: Write) =>
  async (_ids: { to: string }, { config, person }: Parameters<Render<'sign-up-again'>>[1]) =>
    write(config, person);

const notice =
  (
    write: Write,
  ): Render<'new-device' | 'second-step-on' | 'second-step-off' | 'backup-codes-new'> =>
  async ({ at, browser }, { config, person }) =>
    write(config, person, { at: new Date(at), browser });

export const identityMails = {
  'confirm-address': confirming(texts.welcome),
  'confirm-again': confirming(texts.unconfirmedAgain),
  'sign-up-again': plain(texts.signUpAgain),
  'new-password': async (_ids, { db, config, person }) => {
    const secret = await makeLink(db, { userId: person.id, kind: 'reset' });
    return (await isStillAt(db, person)) ? texts.passwordReset(config, person, secret) : null;
  },
  'account-blocked': plain(texts.blockedMail),
  'account-taken-over': plain(texts.takenOver),
  'google-connected': plain(texts.googleConnected),
  // The name of an account that was not proven may be a stranger's words.
  'password-changed': async ({ at, browser, wasConfirmed }, { config, person }) => {
    const proven = person.proven && wasConfirmed;
    return texts.passwordChanged(config, { ...person, proven }, { at: new Date(at), browser });
  },
  'new-device': notice(texts.newDevice),
  'second-step-on': notice(texts.secondStepOn),
  'second-step-off': notice(texts.secondStepOff),
  'backup-codes-new': notice(texts.backupCodesNew),
  'new-address': async ({ by, email }, { db, config }) => {
    const secret = await makeLink(db, { userId: by, kind: 'address', email });
    const mayAsk = await exists(db)`
      select from "user" where id = ${by} and proven_at is not null and blocked_at is null`;
    if (!mayAsk) return null;
    // A fragment reaches no log.
    return texts.newAddressMail(config, email, `${config.publicUrl}/newaddress#${secret}`);
  },
  'address-taken': plain(texts.addressTakenMail),
  'address-changed': async ({ email }, { config, person }) =>
    texts.addressChangedMail(config, { ...person, email }, person.email),
} satisfies Partial<Mails>;
