// The mails to admins: what waits for them. Each kind is sent once an hour at most.
import { oneLine } from '../../contract/platform/rules.ts';
import type { Message } from '../mail/mail.ts';
import {
  letter,
  type MailBrand,
  signed,
  type Text,
  toPage,
  unlinkedLines,
} from '../mail/common.ts';

export interface Notice {
  subject: string;
  words: string;
}

const toAccount = ({ publicUrl }: MailBrand) => ({
  link: 'Turn these off',
  before: 'You get this mail once an hour at most.',
  href: `${publicUrl}/dashboard/account#emails`,
});

/** `subject` is the id of the class. No admin has read the names yet. */
export const classesMail: Text<readonly Notice[]> = (academy, person, classes) =>
  letter(
    academy,
    person,
    classes.length === 1 ? 'A class to review' : `${classes.length} classes to review`,
    [
      'Instructors have handed in or changed these classes:',
      ...classes.slice(0, 20).map(({ subject, words }) => ({
        link: 'Review',
        before: `${unlinkedLines(oneLine(words))}.`,
        href: `${academy.publicUrl}/dashboard/manageclasses/${subject}`,
      })),
      classes.length > 20 && `And ${classes.length - 20} more.`,
      toPage(
        academy,
        'Show all classes to review',
        '/dashboard/manageclasses?status=pending',
        'All classes to review:',
      ),
      toAccount(academy),
    ],
  );

/** Things that went wrong: failed refunds, payments without an owner, dead jobs, a full disk. */
export const alarmsMail: Text<readonly Notice[]> = (academy, person, alarms) =>
  letter(
    academy,
    person,
    alarms.length === 1
      ? `Needs attention: ${oneLine(alarms[0]?.words ?? '')}`
      : `${alarms.length} things need attention`,
    [
      'This needs an admin:',
      { seats: alarms.slice(0, 20).map(({ words }) => ({ title: oneLine(words), lines: [] })) },
      alarms.length > 20 && `And ${alarms.length - 20} more.`,
      toPage(academy, 'Open Needs Attention', '/dashboard/attention', 'Needs Attention:'),
    ],
  );

export const testMail = (academy: MailBrand, to: string): Message =>
  signed(academy, {
    to,
    subject: `Mails of ${oneLine(academy.brand)} arrive`,
    parts: [
      'Hello,',
      'You asked for this mail at Admin Home. It arrived, so receipts and reminders will, too.',
      toPage(academy, 'Back to Admin Home', '/dashboard/adminhome'),
    ],
  });
