// The mails about signing up and in: links that prove an address, notices of what was changed, a blocked
// account, a new address.
import { browserOf } from '../../contract/signin/browser.ts';
import type { Message } from '../mail/mail.ts';
import {
  type MailBrand,
  accountLetter,
  type Addressed,
  factsOf,
  type Greeted,
  momentOf,
  signed,
  toPage,
} from '../mail/common.ts';

/** When something was done to an account, and with which browser. */
export interface Done {
  at: Date;
  browser: string;
}

/** What proves an address: six digits for who is logged in, or a link. */
interface Confirmation {
  code: string;
  link: string;
}

const ignored = {
  small:
    'The code works for 15 minutes, the link for a day. If you did not sign up, please ignore this email.',
};

export const welcome = (
  academy: MailBrand,
  person: Greeted,
  { code, link }: Confirmation,
): Message =>
  accountLetter(academy, person, `Welcome to ${academy.brand}`, [
    `Welcome to ${academy.brand}. Please confirm that this is your address. Type ${code} on the page, or open this link:`,
    { button: 'Confirm my address', href: link },
    ignored,
  ]);

export const signUpAgain = (academy: MailBrand, person: Greeted): Message =>
  accountLetter(academy, person, 'Sign-up attempt with your address', [
    `There was an attempt to sign up at ${academy.brand} with this address, which already has an account. If it was you, just sign in; if you do not remember your password, ask for a new one:`,
    toPage(academy, 'Sign in', '/login'),
    { small: 'If it was not you, there is nothing to do: nothing was changed.' },
  ]);

/**
 * A stranger may have made the account on this address. The link lets the owner of the address take
 * it over.
 */
export const unconfirmedAgain = (
  academy: MailBrand,
  person: Greeted,
  { code, link }: Confirmation,
): Message =>
  accountLetter(academy, person, 'Please confirm your address', [
    `There was a sign-up at ${academy.brand} with this address, which has an account that is not confirmed yet. If it is yours, confirm it. If you are logged in, type ${code} on the page; otherwise open this link, which lets you choose a new password:`,
    { button: 'Confirm my address', href: link },
    ignored,
  ]);

export const passwordReset = (academy: MailBrand, person: Greeted, token: string): Message =>
  accountLetter(academy, person, 'Choose a new password', [
    'With this link you can choose a new password. It works once, for one hour:',
    toPage(academy, 'Choose a new password', `/resetpassword?token=${encodeURIComponent(token)}`),
    { small: 'If you did not ask for it, there is nothing to do: your password stays as it is.' },
  ]);

const choosePassword = (academy: MailBrand) =>
  toPage(academy, 'Choose a new password', '/forgotpassword');

/** What was done to the account, and what to do against it. */
const notice =
  (subject: string, words: string, otherwise: string | null = null) =>
  (academy: MailBrand, person: Addressed, done?: Done): Message =>
    accountLetter(academy, person, subject, [
      words,
      done
        ? factsOf([
            ['When', momentOf(academy, done.at)],
            ['Browser', browserOf(done.browser, 'An unknown browser')],
          ])
        : null,
      otherwise,
      choosePassword(academy),
    ]);

export const takenOver = notice(
  'Your address is confirmed',
  'You signed in with Google, which confirmed this address. A password that was chosen for this account before no longer works, and every other device was signed out. You can choose a new password here:',
);

export const googleConnected = notice(
  'A Google account was connected',
  'A Google account with this address was connected to your account: it signs in without your password. If it was not you, choose a new password. This disconnects the Google account and signs out every device:',
);

export const passwordChanged = notice(
  'Your password was changed',
  'Your password was changed, every other device was signed out, and the links of your calendar and open invitations of guardians no longer work.',
  'If it was not you, choose a new one at once:',
);

/** To a confirmed address only. */
export const newDevice = notice(
  'New sign-in to your account',
  'Your account was used with a device that we have not seen before.',
  'If it was you, there is nothing to do. If it was not, choose a new password at once: this signs out every device.',
);

export const secondStepOn = notice(
  'Two-step sign-in is on',
  'From now on signing in needs a code from your authenticator app, and every other device was signed out.',
  'If it was not you, choose a new password at once and write to us, because a new password alone does not turn it off:',
);

export const secondStepOff = notice(
  'Two-step sign-in is off',
  'Signing in needs only your password again.',
  'If it was not you, choose a new password at once:',
);

export const backupCodesNew = notice(
  'You have new backup codes',
  'New backup codes were made for your account. The old ones no longer work.',
  'If it was not you, choose a new password at once:',
);

export const secondStepRemoved = (academy: MailBrand, person: Greeted): Message =>
  accountLetter(academy, person, 'Two-step sign-in was removed', [
    'We removed two-step sign-in from your account. Your password and your backup codes no longer work, and every device was signed out. Please choose a new password:',
    choosePassword(academy),
    'Then you can turn two-step sign-in on again on your account page. If you did not ask us for this, please write to us.',
  ]);

export const blockedMail = (academy: MailBrand, person: Greeted): Message =>
  accountLetter(academy, person, 'Your account is blocked', [
    'A new password was asked for. Your account is blocked, so no password can be chosen. Write to us if you think that this is a mistake.',
  ]);

/** To the new address. It has no name: the person who asked may not be the owner of the address. */
export const newAddressMail = (academy: MailBrand, to: string, link: string): Message =>
  signed(academy, {
    to,
    subject: 'Confirm your new address',
    parts: [
      'Hello,',
      `This address is to become that of an account at ${academy.brand}. Open the link in the browser in which you are logged in; it works for an hour:`,
      { button: 'Confirm the new address', href: link },
      { small: 'If you did not ask for it, please ignore this email.' },
    ],
  });

/** To an address that has an account already, so that the answer of the call tells nothing. */
export const addressTakenMail = (
  academy: MailBrand,
  { email: to }: Pick<Addressed, 'email'>,
): Message =>
  signed(academy, {
    to,
    subject: 'Your address was asked for',
    parts: [
      'Hello,',
      `An account at ${academy.brand} was to get this address, which has an account already. Nothing was changed. If it was you: log in with this address instead.`,
      toPage(academy, 'Log in', '/login'),
    ],
  });

/** To the old address. */
export const addressChangedMail = (
  academy: MailBrand,
  person: Addressed,
  newEmail: string,
): Message =>
  accountLetter(academy, person, 'Your address was changed', [
    `Your account now has the address ${newEmail}, and every other device was signed out. This address no longer signs in. If it was not you, write to us at once.`,
  ]);
