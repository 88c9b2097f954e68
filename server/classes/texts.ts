// The mails about classes: to families, to the office, to who teaches.
import { weekdayOf, weekdays } from '../../contract/platform/days.ts';
import { oneLine } from '../../contract/platform/rules.ts';
import { describeDay, endOf, shortDay, type Slot } from '../../contract/classes/slots.ts';
import {
  type MailBrand,
  type Addressed,
  childrenInWords,
  factsOf,
  inWords,
  letter,
  type Text,
  toCalendar,
  toPage,
  unlinkedLines,
} from '../mail/common.ts';

interface Plan {
  schedule: string;
  place: string;
}

const orNone = (words: string) => oneLine(words) || 'not given';

const changed = (from: string, to: string) =>
  from === to ? null : `${orNone(from)} → ${orNone(to)}`;

export const newPlanMail: Text<{ before: Plan; after: Plan & { name: string } }> = (
  academy,
  person,
  { before, after },
) =>
  letter(academy, person, `New time or place of ${oneLine(after.name)}`, [
    `The time or place of ${oneLine(after.name)}, in which you are enrolled, has changed.`,
    factsOf([
      ['Time', changed(before.schedule, after.schedule)],
      ['Place', changed(before.place, after.place)],
    ]),
    toPage(academy, 'Show my classes', '/dashboard/myenrolledclasses', 'Your classes:'),
  ]);

/** A meeting of tomorrow. `child` is null for oneself. */
export interface Tomorrow {
  name: string;
  child: string | null;
  starts: string;
  minutes: number;
  place: string;
  address: string;
  instructor: string;
  bring: string;
}

export const reminderMail: Text<{ day: string; meetings: readonly Tomorrow[] }> = (
  academy,
  person,
  { day, meetings },
) => {
  const when = `${weekdays[weekdayOf(day) - 1]} ${describeDay(day)}`;
  const first = meetings[0];
  const subject =
    meetings.length === 1
      ? `Tomorrow at ${first?.starts}: ${oneLine(first?.name ?? '')}`
      : `Tomorrow: ${meetings.length} classes`;
  return letter(academy, person, subject, [
    `This is what your family has planned for tomorrow, ${when}:`,
    {
      seats: meetings.map((meeting) => ({
        title: `${meeting.starts}–${endOf(meeting.starts, meeting.minutes)} ${oneLine(meeting.name)}${meeting.child ? `, ${childrenInWords(person, [meeting.child])}` : ''}`,
        lines: [
          meeting.place &&
            `Where: ${oneLine(meeting.address ? `${meeting.place}, ${meeting.address}` : meeting.place)}`,
          `Instructor: ${oneLine(meeting.instructor)}`,
          meeting.bring && `Bring: ${oneLine(meeting.bring)}`,
        ].filter(Boolean),
      })),
    },
    toCalendar(academy),
    // It opens a page and changes nothing: mail scanners open every link.
    {
      link: 'Turn these off',
      before: 'You get this mail the day before a class.',
      href: `${academy.publicUrl}/dashboard/account#emails`,
    },
  ]);
};

interface Announced {
  className: string;
  subject: string;
  words: string;
  from: Pick<Addressed, 'name' | 'email'>;
}

export const announcementMail: Text<Announced> = (academy, person, announced) => {
  const { className, words, from } = announced;
  // The mail shows it again above the text.
  const subject = unlinkedLines(oneLine(announced.subject));
  return letter(academy, person, { subject, replyTo: from.email }, [
    `${inWords([from.name])} writes to the families of ${oneLine(className)}:`,
    { quote: unlinkedLines(words) },
    toPage(academy, 'Show my classes', '/dashboard/myenrolledclasses', 'Your classes:'),
    { small: `Your answer to this mail goes to ${inWords([from.name])}.` },
  ]);
};

interface About {
  className: string;
  classId: string;
  /** Not of the class itself, which is on sale already. */
  isChange?: boolean;
  reason: string;
  words: string;
  seats: number;
  changes: readonly string[];
  to: string;
  children: number;
}
type Of<K extends keyof About> = Text<Pick<About, 'className' | K>>;

const toMyClasses = (academy: MailBrand, says = 'Your classes:', button = 'Show my classes') =>
  toPage(academy, button, '/dashboard/myclasses', says);

export const approvedMail: Of<'classId' | 'isChange'> = (
  academy,
  person,
  { className, classId, isChange },
) =>
  letter(academy, person, `${isChange ? 'Your change of ' : ''}${oneLine(className)} is approved`, [
    isChange
      ? `Your change of ${oneLine(className)} was approved. Families see it now.`
      : `Your class ${oneLine(className)} was approved. Families can book it now.`,
    toPage(academy, 'Show the class', `/classes/${classId}`, 'As visitors see it:'),
  ]);

export const deniedMail: Of<'reason'> = (academy, person, { className, reason }) =>
  letter(academy, person, `Denied: ${oneLine(className)}`, [
    `Your class ${oneLine(className)} was denied${reason ? ', because:' : '.'}`,
    reason && { quote: unlinkedLines(reason) },
    toMyClasses(academy, 'Change it and it is looked at again:', 'Change the class'),
  ]);

export const refusedMail: Of<'reason'> = (academy, person, { className, reason }) =>
  letter(academy, person, `Your change of ${oneLine(className)} was refused`, [
    `Your change of ${oneLine(className)} was refused. The class stays as it is. The academy says:`,
    { quote: unlinkedLines(reason) },
    toMyClasses(academy),
  ]);

/** To the coach, and to who stands in for one of its meetings. */
export const calledOffMail: Of<'reason'> = (academy, person, { className, reason }) =>
  letter(academy, person, `${oneLine(className)} is cancelled`, [
    `The academy has cancelled ${oneLine(className)}. You do not teach its meetings to come; the families are told.`,
    { quote: unlinkedLines(reason) },
    toMyClasses(academy),
  ]);

/** To the coach: a family deleted its account. It names nobody: who has gone is erased. */
export const givenBackMail: Of<'seats'> = (academy, person, { className, seats }) =>
  letter(
    academy,
    person,
    `${seats === 1 ? 'A seat was' : `${seats} seats were`} given back: ${oneLine(className)}`,
    [
      `A family has deleted its account and gave back ${seats === 1 ? 'a seat' : `${seats} seats`} in ${oneLine(className)}. The roll call no longer has ${seats === 1 ? 'its name' : 'their names'}.`,
      toMyClasses(academy),
    ],
  );

export const feedbackMail: Of<'words'> = (academy, person, { className, words }) =>
  letter(academy, person, `Feedback on ${oneLine(className)}`, [
    `The academy wrote about your class ${oneLine(className)}:`,
    { quote: unlinkedLines(words) },
    toMyClasses(academy),
  ]);

export const changedMail: Of<'changes'> = (academy, person, { className, changes }) =>
  letter(academy, person, `${oneLine(className)} was changed`, [
    `The academy has changed your class ${oneLine(className)}: ${changes.map(oneLine).join(', ')}.`,
    toMyClasses(academy),
  ]);

export const handedOverMail: Of<'to'> = (academy, person, { className, to }) =>
  letter(academy, person, `${oneLine(to)} teaches ${oneLine(className)} from now on`, [
    `The academy has handed ${oneLine(className)} over: ${oneLine(to)} teaches it from now on. Dates and places stay as they are.`,
    toCalendar(academy),
  ]);

export const takenOverMail: Of<'classId' | 'children'> = (
  academy,
  person,
  { className, classId, children },
) =>
  letter(academy, person, `You teach ${oneLine(className)} from now on`, [
    `The academy has handed ${oneLine(className)} over to you. Enrolled: ${children}.`,
    toPage(
      academy,
      'Show who comes',
      `/dashboard/rollcall/${classId}`,
      'Its roll call, with who comes:',
    ),
  ]);

export interface Met extends Slot {
  place: string;
}

interface NewDates {
  classId: string;
  name: string;
  changes: Change[];
  tell: string;
  /** For what is cancelled families get credit. */
  givesBack?: boolean;
}

/** Without `before` a meeting is new, without `after` it is cancelled. */
export interface Change {
  before: Met | null;
  after: Met | null;
  /** Who teaches it instead of `former`; empty: the same as before. */
  instructor: string;
  former: string;
}

const dayIn = (day: string) => `${weekdays[weekdayOf(day) - 1]} ${shortDay(day)}`;

const kindOf = ({ before, after, instructor }: Change) => {
  if (!before || !after) return after ? 'new' : 'cancelled';
  return instructor && describeMeeting(before) === describeMeeting(after) ? 'taught' : 'moved';
};

/** What happened, on the locked screen of a phone. Only what is several things is "New dates". */
function subjectOf({ name, changes }: NewDates): string {
  const [first] = changes;
  const kinds = new Set(changes.map((change) => `${kindOf(change)} ${change.instructor}`));
  const { before, after } = first ?? {};
  if (!first || !before || kinds.size > 1) return `New dates of ${oneLine(name)}`;
  const more = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
  const what = `${oneLine(name)}, ${dayIn(before.day)}`;
  if (!after) return `Cancelled: ${what}${more}`;
  if (kindOf(first) === 'taught')
    return `${oneLine(name)} on ${dayIn(before.day)}${more}: ${oneLine(first.instructor)} instead of ${oneLine(first.former)}`;
  const to = [
    after.day !== before.day && dayIn(after.day),
    after.starts !== before.starts && after.starts,
    after.place !== before.place && oneLine(after.place),
  ].filter(Boolean);
  if (to.length === 0) to.push(`until ${endOf(after.starts, after.minutes)}`);
  return `Moved: ${what}${more || ` → ${to.join(', ')}`}`;
}

const at = ({ day, starts }: Met) => `${dayIn(day)}, ${starts}`;

export function changeInWords({ before, after, ...change }: Change): string {
  if (!before || !after)
    return after ? `new: ${at(after)}` : `${before ? at(before) : ''} is cancelled`;
  const to = at(before) === at(after) ? '' : ` → ${at(after)}`;
  if (change.instructor) return `${oneLine(change.instructor)} takes ${at(before)}${to}`;
  return to ? at(before) + to : describeMeeting(after);
}

export const newDatesMail: Text<NewDates> = (academy, person, news) =>
  letter(academy, person, subjectOf(news), [
    `The dates of ${oneLine(news.name)}, which you have booked, have changed:`,
    { lines: news.changes.map(describeChange) },
    { quote: unlinkedLines(news.tell) },
    news.givesBack === true &&
      'Who paid for a date that is cancelled now gets its part of the price as credit.',
    // Not the page of the class: it is not public while a change is checked.
    toCalendar(academy, 'All dates in your calendar:'),
    {
      link: 'These dates do not suit us',
      href: `${academy.publicUrl}/dashboard/myenrolledclasses`,
    },
  ]);

interface Done extends NewDates {
  by: Pick<Addressed, 'name'>;
  told: number;
}

export const officeDatesMail: Text<Done> = (academy, admin, { by, told, ...news }) =>
  letter(academy, admin, subjectOf(news), [
    `${oneLine(by.name)} has changed the dates of ${oneLine(news.name)}. Families told: ${told}.`,
    { lines: news.changes.map(describeChange) },
    { quote: unlinkedLines(news.tell) },
    toPage(academy, 'Show the class', `/dashboard/manageclasses/${news.classId}`, 'The class:'),
  ]);

interface StandIn extends Pick<NewDates, 'classId' | 'name' | 'tell'> {
  meetings: (Met & { id?: string | undefined })[];
  children: number;
}

export const substituteMail: Text<StandIn> = (academy, person, standIn) => {
  const { classId, name, tell, meetings, children } = standIn;
  const [first] = meetings;
  const more = meetings.length > 1 ? ` and ${meetings.length - 1} more` : '';
  const of = first?.id ? `?meeting=${first.id}` : '';
  return letter(academy, person, `You teach ${oneLine(name)} on ${first ? at(first) : ''}${more}`, [
    `The academy asks you to teach ${oneLine(name)}:`,
    { lines: meetings.map(describeMeeting) },
    factsOf([['Children', String(children)]]),
    tell && { quote: unlinkedLines(tell) },
    toPage(academy, 'Open the roll call', `/dashboard/rollcall/${classId}${of}`, 'The roll call:'),
  ]);
};

function describeChange({ before, after, instructor }: Change): string {
  const substitute = instructor ? `, with ${oneLine(instructor)}` : '';
  if (!after) return `Cancelled: ${before ? describeMeeting(before) : ''}`;
  if (!before) return `New: ${describeMeeting(after)}${substitute}`;
  const [from, to] = [describeMeeting(before), describeMeeting(after)];
  return `${from === to ? to : `${from} → ${to}`}${substitute}`;
}

const describeMeeting = ({ day, starts, minutes, place }: Met) =>
  `${weekdays[weekdayOf(day) - 1]} ${describeDay(day)}, ${starts}–${endOf(starts, minutes)}${place && `, ${oneLine(place)}`}`;
