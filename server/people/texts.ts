// The mails about guardians and children, 30 days before something of a family is deleted, and to who
// becomes staff.
import type { StaffRole } from '../../contract/people/staff.ts';
import { oneLine } from '../../contract/platform/rules.ts';
import type { Message } from '../mail/mail.ts';
import {
  type MailBrand,
  accountLetter,
  type Addressed,
  childrenInWords,
  type Greeted,
  inWords,
  signed,
  toPage,
} from '../mail/common.ts';

/**
 * An invitation to look after children. It greets no one: whether the address has an account is not
 * said.
 */
export const invitationMail = (
  academy: MailBrand,
  to: string,
  { from, children, link }: { from: Addressed; children: string[]; link: string },
): Message =>
  signed(academy, {
    to,
    subject: `Look after ${inWords(children)} together with ${inWords([from.name])}`,
    parts: [
      'Hello,',
      `${inWords([from.name])} (${from.email}) asks you to look after ${inWords(children)} at ${academy.brand}. As a guardian you can book classes, see their dates, and read and change the allergies and contacts.`,
      `Sign in or sign up with this address, ${to}. The link works once, for 7 days:`,
      { button: 'Accept the invitation', href: link },
      { small: 'If you do not know the sender, please ignore this email.' },
    ],
  });

const toFamily = (academy: MailBrand) =>
  toPage(academy, 'Show my family', '/dashboard/family', 'Your family:');

/** To each guardian of children when some were added or one removed. `who` is empty for a deleted account. */
export const guardianMail = (
  academy: MailBrand,
  person: Greeted & { you: boolean },
  { children, who, joins }: { children: string[]; who: string[]; joins: boolean },
): Message => {
  const subject = person.you ? 'You' : inWords(who) || 'A guardian';
  const named = childrenInWords(person, children);
  const verb = person.you || who.length > 1 ? 'look after' : 'looks after';
  return accountLetter(academy, person, `The guardians of ${named} have changed`, [
    `${subject} ${joins ? 'now' : 'no longer'} ${verb} ${named} at ${academy.brand}.`,
    toFamily(academy),
  ]);
};

/** To the other guardians of a child that was removed. It has no name: that is erased. */
export const childRemovedMail = (academy: MailBrand, person: Greeted): Message =>
  accountLetter(academy, person, 'A child was removed from your family', [
    'The guardian who added a child that you looked after has removed the child. Name, birth date, allergies and contacts were erased.',
    toFamily(academy),
  ]);

// They do not name the child: the link leads to it.
const toChild = (academy: MailBrand, participantId: string, button: string) =>
  toPage(academy, button, `/dashboard/family/${participantId}`);

export const careEndsMail = (academy: MailBrand, person: Greeted, participantId: string): Message =>
  accountLetter(academy, person, 'Allergies and contacts will be deleted in 30 days', [
    'You gave us allergies and contacts (health, emergency contacts, who may pick up) and have had no class for almost a year. We delete them in 30 days. To keep them for another year, open this page and confirm that they are still right:',
    toChild(academy, participantId, 'Keep the allergies and contacts'),
    { small: 'If you do not need them any more, there is nothing to do.' },
  ]);

/** Of a child who never had a class. */
export const childEndsMail = (
  academy: MailBrand,
  person: Greeted,
  participantId: string,
): Message =>
  accountLetter(academy, person, 'A child in your account will be removed in 30 days', [
    'Your account has a child who was never enrolled in a class, and whose details have not changed for almost two years. We remove the child in 30 days. To prevent this, open this page and save the details again, or book a class:',
    toChild(academy, participantId, 'Keep the child'),
    { small: 'If that is right, there is nothing to do.' },
  ]);

const duties: Record<StaffRole, string> = {
  instructor: 'an instructor: you add classes of your own and see who comes',
  admin: 'an admin: you approve classes and manage people and payments',
};

export const staffInvitationMail = (
  academy: MailBrand,
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
export const instructorMail = (academy: MailBrand, person: Greeted): Message =>
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
