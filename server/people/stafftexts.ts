// The mails about accounts: invitations of staff, a blocked account, a new address.
import type { StaffRole } from '../../contract/people/staff.ts';
import { oneLine } from '../../contract/platform/rules.ts';
import type { Message } from '../mail/mail.ts';
import {
  type Academy,
  accountLetter,
  type Addressed,
  type Greeted,
  signed,
  toPage,
} from '../mail/common.ts';

const duties: Record<StaffRole, string> = {
  instructor: 'an instructor: you add classes of your own and see who comes',
  admin: 'an admin: you approve classes and manage people and payments',
};

export const staffInvitationMail = (
  academy: Academy,
  to: string,
  { from, role, link }: { from: string; role: StaffRole; link: string },
): Message =>
  signed(academy, {
    to,
    subject: `Join ${academy.brand}`,
    parts: [
      'Hello,',
      `${oneLine(from)} invites you to join ${academy.brand} as ${duties[role]}.`,
      'Accept with this link and choose a password. It works once, for 7 days:',
      { button: 'Accept the invitation', href: link },
      { small: 'If you do not know the sender, please ignore this email.' },
    ],
  });

/** To who signed up alone and was made an instructor: what to do first. */
export const instructorMail = (academy: Academy, person: Greeted): Message =>
  accountLetter(academy, person, `You are an instructor at ${academy.brand} now`, [
    `An admin has made you an instructor at ${academy.brand}. Start here:`,
    {
      lines: [
        'Add your first class. Families can book it once an admin has approved it.',
        'Say one line about yourself on the page Account. Visitors read it.',
        'On the day, the page Roll Call has who comes, also without a network.',
      ],
    },
    toPage(academy, 'Add a class', '/dashboard/addaclass'),
  ]);

export const blockedMail = (academy: Academy, person: Greeted): Message =>
  accountLetter(academy, person, 'Your account is blocked', [
    'A new password was asked for. Your account is blocked, so no password can be chosen. Write to us if you think that this is a mistake.',
  ]);

/** To the new address. It has no name: the person who asked may not be the owner of the address. */
export const newAddressMail = (academy: Academy, to: string, link: string): Message =>
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
  academy: Academy,
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
  academy: Academy,
  person: Addressed,
  newEmail: string,
): Message =>
  accountLetter(academy, person, 'Your address was changed', [
    `Your account now has the address ${newEmail}, and every other device was signed out. This address no longer signs in. If it was not you, write to us at once.`,
  ]);
