// The mails about classes, but those about changed dates.
import { weekdayOf, weekdays } from '../../contract/platform/days.ts';
import { oneLine } from '../../contract/platform/rules.ts';
import { describeDay, endOf } from '../../contract/classes/slots.ts';
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
  classId: string;
  name: string;
  child: { id: string; name: string } | null;
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
        title: `${meeting.starts}–${endOf(meeting.starts, meeting.minutes)} ${oneLine(meeting.name)}${meeting.child ? `, ${childrenInWords(person, [meeting.child.name])}` : ''}`,
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

/** What an instructor or an admin writes to the families of a class. An answer goes to them. */
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

/** Tells an instructor that a change was refused. The class is on sale as before. */
export const refusedMail: Of<'reason'> = (academy, person, { className, reason }) =>
  letter(academy, person, `Your change of ${oneLine(className)} was refused`, [
    `Your change of ${oneLine(className)} was refused. The class stays as it is. The academy says:`,
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
