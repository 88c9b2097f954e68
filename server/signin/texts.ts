// The mails about signing up and in: links that prove an address, and notices of what was changed.
import type { Message } from '../mail/mail.ts';
import {
  type Academy,
  accountLetter,
  type Addressed,
  factsOf,
  type Greeted,
  momentOf,
  toPage,
} from '../mail/common.ts';

/** When something was done to an account, and with which browser. */
export interface Done {
  at: Date;
  browser: string;
}

const doneAt = (academy: Academy, done: Done | undefined) =>
  done
    ? factsOf([
        ['When', momentOf(academy, done.at)],
        ['Browser', browserOf(done.browser)],
      ])
    : null;

/** What a browser calls itself, in two words as far as it can be told. Nothing else of its text. */
export function browserOf(agent: string): string {
  const name = /Edg|OPR|Firefox|Chrome|Safari/.exec(agent)?.[0] ?? 'An unknown browser';
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0];
  const spoken = { Edg: 'Edge', OPR: 'Opera' }[name] ?? name;
  return system ? `${spoken} on ${system}` : spoken;
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

export const welcome = (academy: Academy, person: Greeted, { code, link }: Confirmation): Message =>
  accountLetter(academy, person, `Welcome to ${academy.brand}`, [
    `Welcome to ${academy.brand}. Please confirm that this is your address. Type ${code} on the page, or open this link:`,
    { button: 'Confirm my address', href: link },
    ignored,
  ]);

export const signUpAgain = (academy: Academy, person: Greeted): Message =>
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
  academy: Academy,
  person: Greeted,
  { code, link }: Confirmation,
): Message =>
  accountLetter(academy, person, 'Please confirm your address', [
    `There was a sign-up at ${academy.brand} with this address, which has an account that is not confirmed yet. If it is yours, confirm it. If you are logged in, type ${code} on the page; otherwise open this link, which lets you choose a new password:`,
    { button: 'Confirm my address', href: link },
    ignored,
  ]);

export const passwordReset = (academy: Academy, person: Greeted, token: string): Message =>
  accountLetter(academy, person, 'Choose a new password', [
    'With this link you can choose a new password. It works once, for one hour:',
    toPage(academy, 'Choose a new password', `/resetpassword?token=${encodeURIComponent(token)}`),
    { small: 'If you did not ask for it, there is nothing to do: your password stays as it is.' },
  ]);

const choosePassword = (academy: Academy) =>
  toPage(academy, 'Choose a new password', '/forgotpassword');

export const takenOver = (academy: Academy, person: Greeted): Message =>
  accountLetter(academy, person, 'Your address is confirmed', [
    'You signed in with Google, which confirmed this address. A password that was chosen for this account before no longer works, and every other device was signed out. You can choose a new password here:',
    choosePassword(academy),
  ]);

export const googleConnected = (academy: Academy, person: Greeted): Message =>
  accountLetter(academy, person, 'A Google account was connected', [
    'A Google account with this address was connected to your account: it signs in without your password. If it was not you, choose a new password. This disconnects the Google account and signs out every device:',
    choosePassword(academy),
  ]);

export const passwordChanged = (academy: Academy, person: Greeted, done?: Done): Message =>
  accountLetter(academy, person, 'Your password was changed', [
    'Your password was changed, every other device was signed out, and the links of your calendar and open invitations of guardians no longer work.',
    doneAt(academy, done),
    'If it was not you, choose a new one at once:',
    choosePassword(academy),
  ]);

/** To a confirmed address only. */
export const newDevice = (academy: Academy, person: Addressed, done: Done): Message =>
  accountLetter(academy, person, 'New sign-in to your account', [
    'Your account was used with a device that we have not seen before.',
    doneAt(academy, done),
    'If it was you, there is nothing to do. If it was not, choose a new password at once: this signs out every device.',
    choosePassword(academy),
  ]);

const secondStep =
  (subject: string, words: string, otherwise: string) =>
  (academy: Academy, person: Addressed, done?: Done): Message =>
    accountLetter(academy, person, subject, [
      words,
      doneAt(academy, done),
      `If it was not you, ${otherwise}:`,
      choosePassword(academy),
    ]);

export const secondStepOn = secondStep(
  'Two-step sign-in is on',
  'From now on signing in needs a code from your authenticator app, and every other device was signed out.',
  'choose a new password at once and write to us, because a new password alone does not turn it off',
);

export const secondStepOff = secondStep(
  'Two-step sign-in is off',
  'Signing in needs only your password again.',
  'choose a new password at once',
);

export const backupCodesNew = secondStep(
  'You have new backup codes',
  'New backup codes were made for your account. The old ones no longer work.',
  'choose a new password at once',
);

export const secondStepRemoved = (academy: Academy, person: Greeted): Message =>
  accountLetter(academy, person, 'Two-step sign-in was removed', [
    'We removed two-step sign-in from your account. Your password and your backup codes no longer work, and every device was signed out. Please choose a new password:',
    choosePassword(academy),
    'Then you can turn two-step sign-in on again on your account page. If you did not ask us for this, please write to us.',
  ]);
