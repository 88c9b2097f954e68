// The text of every mail. Not for: sending (server/outside/mail.ts).
import { describeDay, endOf, weekdayOf, weekdays } from '../../contract/days.ts';
import { dollars, hasLink, oneLine, unlinked } from '../../contract/rules.ts';
import type { Message } from '../outside/mail.ts';

interface Paid {
  id: string;
  email: string;
  customer: string;
  itemName: string;
  amountCents: number;
  intentId: string;
  receiptNumber: string;
  date: Date;
}

/** The class that was paid for. */
interface Booked {
  schedule: string;
  place: string;
  instructor: string;
}

export interface Academy {
  brand: string;
  publicUrl: string;
}

/** Leaves out a name that contains a link: old rows can have one, new names cannot. */
export const greeting = (name: string) => (hasLink(name) ? 'Hello,' : `Hello ${unlinked(name)},`);

/** The academy's time zone is not known yet: a day, and no time. */
const day = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeZone: 'UTC',
});

const amount = (cents: number) => `$${dollars(cents).toFixed(2)}`;

/**
 * `calendar` is the file of the class, if it has dates. `child` is whose seat it is, when it is not
 * the payer's own.
 */
export const receiptMail = (
  { brand, publicUrl }: Academy,
  payment: Paid,
  booked: Booked,
  {
    calendar = null,
    child = null,
  }: { calendar?: string | null; child?: { id: string; name: string } | null } = {},
) => ({
  to: payment.email,
  subject: `Your receipt for ${oneLine(payment.itemName)}`,
  text: [
    greeting(payment.customer),
    `Thank you! ${child ? `The seat of ${inWords([child.name])}` : 'Your seat'} in ${oneLine(payment.itemName)} is booked.`,
    [
      booked.schedule && `When: ${oneLine(booked.schedule)}`,
      booked.place && `Where: ${oneLine(booked.place)}`,
      `Instructor: ${oneLine(booked.instructor)}`,
    ]
      .filter(Boolean)
      .join('\n'),
    [
      `Paid: ${amount(payment.amountCents)}`,
      `Date: ${day.format(payment.date)}`,
      `Receipt: ${payment.receiptNumber}`,
      `Transaction: ${payment.intentId}`,
    ].join('\n'),
    ...(calendar
      ? [
          `The dates are attached for your calendar. All your dates:\n${publicUrl}/dashboard/calendar`,
        ]
      : []),
    `The receipt to print:\n${publicUrl}/dashboard/receipt/${payment.id}`,
    brand,
  ].join('\n\n'),
  ...(calendar && { calendar }),
  ...(child && { about: [child.id] }),
});

export const refundMail = ({ brand }: Academy, payment: Paid, reason: string) => ({
  to: payment.email,
  subject: `Refund for ${oneLine(payment.itemName)}`,
  text: [
    greeting(payment.customer),
    `We have refunded ${amount(payment.amountCents)}, the full price of ${oneLine(payment.itemName)}. Reason: ${oneLine(reason)}`,
    `Your bank may need up to ten days to show it.\nReceipt: ${payment.receiptNumber}\nTransaction: ${payment.intentId}`,
    brand,
  ].join('\n\n'),
});

interface Plan {
  name: string;
  schedule: string;
  place: string;
}

/** Tells enrolled students that the time or place of their class changed. */
export const newPlanMail = (
  { brand, publicUrl }: Academy,
  { email, name }: { email: string; name: string },
  { before, after }: { before: Plan; after: Plan },
) => ({
  to: email,
  subject: `New time or place of ${oneLine(after.name)}`,
  text: [
    greeting(name),
    `The time or place of ${oneLine(after.name)}, in which you are enrolled, has changed.`,
    [
      before.schedule !== after.schedule &&
        `Time: ${orNone(before.schedule)} → ${orNone(after.schedule)}`,
      before.place !== after.place && `Place: ${orNone(before.place)} → ${orNone(after.place)}`,
    ]
      .filter(Boolean)
      .join('\n'),
    `Your classes:\n${publicUrl}/dashboard/myenrolledclasses`,
    brand,
  ].join('\n\n'),
});

interface Met {
  day: string;
  starts: string;
  minutes: number;
  place: string;
}

/** What has become of the dates of a class, and why. */
interface NewDates {
  classId: string;
  name: string;
  /**
   * Without `before` a meeting is new, without `after` it is cancelled. `instructor` is somebody who
   * teaches instead.
   */
  changes: { before: Met | null; after: Met | null; instructor: string }[];
  tell: string;
}

/** Tells families that meetings of a class were moved, cancelled or added. */
export const newDatesMail = (
  { brand, publicUrl }: Academy,
  { email, name }: { email: string; name: string },
  news: NewDates,
) => ({
  to: email,
  subject: `New dates of ${oneLine(news.name)}`,
  text: [
    greeting(name),
    `The dates of ${oneLine(news.name)}, which you have booked, have changed:`,
    news.changes.map(describeChange).join('\n'),
    news.tell,
    `All dates of the class:\n${publicUrl}/classes/${news.classId}`,
    `These dates do not suit us:\n${publicUrl}/dashboard/myenrolledclasses`,
    brand,
  ].join('\n\n'),
});

function describeChange({ before, after, instructor }: NewDates['changes'][number]): string {
  const substitute = instructor ? `, with ${oneLine(instructor)}` : '';
  if (!after) return `Cancelled: ${before ? describeMeeting(before) : ''}`;
  if (!before) return `New: ${describeMeeting(after)}${substitute}`;
  return `${describeMeeting(before)} → ${describeMeeting(after)}${substitute}`;
}

const describeMeeting = ({ day, starts, minutes, place }: Met) =>
  `${weekdays[weekdayOf(day) - 1]} ${describeDay(day)}, ${starts}–${endOf(starts, minutes)}${place && `, ${oneLine(place)}`}`;

/** Tells an instructor why a class was denied. */
export const deniedMail = (
  { brand, publicUrl }: Academy,
  { email, name }: { email: string; name: string },
  { className, reason }: { className: string; reason: string },
) => ({
  to: email,
  subject: `${oneLine(className)} was not approved`,
  text: [
    greeting(name),
    `Your class ${oneLine(className)} was not approved. The academy says:`,
    reason,
    `Change it and it is looked at again:\n${publicUrl}/dashboard/myclasses`,
    brand,
  ].join('\n\n'),
});

const orNone = (words: string) => oneLine(words) || 'not given';

/** A person as an identity mail addresses them. */
export interface Greeted {
  email: string;
  name: string;
  emailVerified: boolean;
}

/**
 * Leaves out the name of an unconfirmed account: a stranger may have chosen it for the owner of the
 * address.
 */
export const hello = ({ name, emailVerified }: Greeted) =>
  emailVerified ? greeting(name) : 'Hello,';

export const signed = ({ brand, publicUrl }: Academy, ...paragraphs: string[]) =>
  [...paragraphs, `${brand}\n${publicUrl}`].join('\n\n');

export const welcome = (academy: Academy, person: Greeted, link: string): Message => ({
  to: person.email,
  subject: `Welcome to ${academy.brand}`,
  text: signed(
    academy,
    hello(person),
    `Welcome to ${academy.brand}. Please confirm that this is your address; the link works for a day:`,
    link,
    'If you did not sign up, please ignore this email.',
  ),
});

export const signUpAgain = (academy: Academy, person: Greeted): Message => ({
  to: person.email,
  subject: 'Sign-up attempt with your address',
  text: signed(
    academy,
    hello(person),
    `There was an attempt to sign up at ${academy.brand} with this address, which already has an account. If it was you, just sign in; if you do not remember your password, ask for a new one:`,
    `${academy.publicUrl}/login`,
    'If it was not you, there is nothing to do: nothing was changed.',
  ),
});

/**
 * A stranger may have made the account on this address. The link lets the owner of the address take
 * it over.
 */
export const unconfirmedAgain = (academy: Academy, person: Greeted, link: string): Message => ({
  to: person.email,
  subject: 'Please confirm your address',
  text: signed(
    academy,
    hello(person),
    `There was a sign-up at ${academy.brand} with this address, which has an account that is not confirmed yet. If it is yours, confirm it; the page lets you choose a new password. The link works for a day:`,
    link,
    'If you did not sign up, please ignore this email.',
  ),
});

export const passwordReset = (academy: Academy, person: Greeted, token: string): Message => ({
  to: person.email,
  subject: 'Choose a new password',
  text: signed(
    academy,
    hello(person),
    'With this link you can choose a new password. It works once, for one hour:',
    `${academy.publicUrl}/resetpassword?token=${encodeURIComponent(token)}`,
    'If you did not ask for it, there is nothing to do: your password stays as it is.',
  ),
});

export const takenOver = (academy: Academy, person: Greeted): Message => ({
  to: person.email,
  subject: 'Your address is confirmed',
  text: signed(
    academy,
    hello(person),
    'You signed in with Google, which confirmed this address. A password that was chosen for this account before no longer works, and every other device was signed out. You can choose a new password here:',
    `${academy.publicUrl}/forgotpassword`,
  ),
});

export const googleConnected = (academy: Academy, person: Greeted): Message => ({
  to: person.email,
  subject: 'A Google account was connected',
  text: signed(
    academy,
    hello(person),
    'A Google account with this address was connected to your account: it signs in without your password. If it was not you, choose a new password. This disconnects the Google account and signs out every device:',
    `${academy.publicUrl}/forgotpassword`,
  ),
});

export const passwordChanged = (academy: Academy, person: Greeted): Message => ({
  to: person.email,
  subject: 'Your password was changed',
  text: signed(
    academy,
    hello(person),
    'Your password was changed, every other device was signed out, and the links of your calendar and open invitations of guardians no longer work. If it was not you, choose a new one at once:',
    `${academy.publicUrl}/login`,
  ),
});

const secondStep =
  (subject: string, words: string, otherwise: string) =>
  (academy: Academy, { email, name }: Pick<Greeted, 'email' | 'name'>): Message => ({
    to: email,
    subject,
    text: signed(
      academy,
      greeting(name),
      `${words} If it was not you, ${otherwise}:`,
      `${academy.publicUrl}/login`,
    ),
  });

export const secondStepOn = secondStep(
  'Two-step sign-in is on',
  'From now on signing in needs a code from your authenticator app, and every other device was signed out.',
  'choose a new password at once and write to us: a new password alone does not turn it off',
);

export const secondStepOff = secondStep(
  'Two-step sign-in is off',
  'Signing in needs only your password again.',
  'choose a new password at once',
);

export const secondStepRemoved = (academy: Academy, person: Greeted): Message => ({
  to: person.email,
  subject: 'Two-step sign-in was removed',
  text: signed(
    academy,
    hello(person),
    'We removed two-step sign-in from your account. Your password and your backup codes no longer work, and every device was signed out. Please choose a new password:',
    `${academy.publicUrl}/forgotpassword`,
    'Then you can turn two-step sign-in on again on your account page. If you did not ask us for this, please write to us.',
  ),
});

const inWords = (names: readonly string[]) =>
  names.map((name) => (hasLink(name) ? 'a child' : unlinked(name))).join(' and ');

/**
 * An invitation to look after children. It greets no one: whether the address has an account is not
 * said. `about` are the ids of the children and of the sender.
 */
export const invitationMail = (
  academy: Academy,
  to: string,
  {
    from,
    children,
    link,
    about,
  }: { from: Address; children: string[]; link: string; about: string[] },
): Message => ({
  to,
  subject: `Look after ${inWords(children)} together with ${inWords([from.name])}`,
  text: signed(
    academy,
    'Hello,',
    `${inWords([from.name])} (${from.email}) asks you to look after ${inWords(children)} at ${academy.brand}. As a guardian you can book classes, see their dates, and read and change the care facts.`,
    `Sign in or sign up with this address, ${to}. The link works once, for 7 days:`,
    link,
    'If you do not know the sender, please ignore this email.',
  ),
  about,
});

interface Address {
  name: string;
  email: string;
}

/** To each guardian of a child when one was added or removed. `who` is null for a deleted account. */
export const guardianMail = (
  academy: Academy,
  person: Greeted & { you: boolean },
  {
    child,
    who,
    joins,
    about,
  }: { child: string; who: string | null; joins: boolean; about: string[] },
): Message => {
  const subject = person.you ? 'You' : who === null ? 'A guardian' : inWords([who]);
  const verb = person.you ? 'look after' : 'looks after';
  return {
    to: person.email,
    subject: `The guardians of ${inWords([child])} have changed`,
    text: signed(
      academy,
      hello(person),
      `${subject} ${joins ? 'now' : 'no longer'} ${verb} ${inWords([child])} at ${academy.brand}.`,
      `Your family:\n${academy.publicUrl}/dashboard/family`,
    ),
    about,
  };
};

/** To the other guardians of a child that was removed. It has no name: that is erased. */
export const childRemovedMail = (academy: Academy, person: Greeted): Message => ({
  to: person.email,
  subject: 'A child was removed from your family',
  text: signed(
    academy,
    hello(person),
    'The guardian who added a child that you looked after has removed it. Its name, birth date and care facts were erased.',
    `Your family:\n${academy.publicUrl}/dashboard/family`,
  ),
});
