// The mails of this room, from their rows at the moment when they are sent.
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
} from '../mails/identity.ts';
import type { Mails, Render } from '../mails/kinds.ts';
import {
  addressChangedMail,
  addressTakenMail,
  blockedMail,
  newAddressMail,
} from '../mails/staff.ts';
import { confirmationLink, isResetLink } from './confirmation.ts';
import { newAddressLink } from './newaddress.ts';

/** A link that confirms the address, while it is not confirmed. */
const confirming =
  (write: typeof welcome): Render<'confirm-address' | 'confirm-again'> =>
  async (_ids, { config, person }) =>
    person.emailVerified ? null : write(config, person, await confirmationLink(config, person));

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
  'new-password': async ({ token }, { db, config, person }) =>
    (await isResetLink(db, token)) ? passwordReset(config, person, token) : null,
  'account-blocked': async (_ids, { config, person }) => blockedMail(config, person),
  'account-taken-over': async (_ids, { config, person }) => takenOver(config, person),
  'google-connected': async (_ids, { config, person }) => googleConnected(config, person),
  // The name of an account that was not confirmed may be a stranger's words.
  'password-changed': async ({ at, browser, wasConfirmed }, { config, person }) => {
    const emailVerified = person.emailVerified && wasConfirmed;
    return passwordChanged(config, { ...person, emailVerified }, { at: new Date(at), browser });
  },
  'new-device': notice(newDevice),
  'second-step-on': notice(secondStepOn),
  'second-step-off': notice(secondStepOff),
  'backup-codes-new': notice(backupCodesNew),
  'new-address': async (asked, { db, config }) => {
    const link = await newAddressLink(db, config, asked);
    return link === null ? null : newAddressMail(config, asked.email, link);
  },
  'address-taken': async (_ids, { config, person }) => addressTakenMail(config, person),
  'address-changed': async ({ email }, { config, person }) =>
    addressChangedMail(config, { ...person, email }, person.email),
} satisfies Partial<Mails>;
