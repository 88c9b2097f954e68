// The mails about dates that changed: to families, to the office, to who teaches.
import { weekdayOf, weekdays } from '../../contract/platform/days.ts';
import { oneLine } from '../../contract/platform/rules.ts';
import { describeDay, endOf, shortDay, type Slot } from '../../contract/classes/slots.ts';
import {
  type Addressed,
  factsOf,
  letter,
  type Text,
  toCalendar,
  toPage,
  unlinkedLines,
} from '../mail/common.ts';

export interface Met extends Slot {
  place: string;
}

interface NewDates {
  classId: string;
  name: string;
  changes: Change[];
  tell: string;
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

/** The same for who teaches, a sentence for each meeting. */
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

/** An instructor changed a class that families have booked: one line for the office. */
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
