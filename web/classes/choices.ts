// For whom a class can be booked: each of the family, with the reason why not, and clashes.
import type { OwnMeeting } from '../../contract/classes/calendar.ts';
import { type AgeRange, agesInWords, isForChildren } from '../../contract/people/ages.ts';
import type { CartItem } from '../../contract/checkout/cart.ts';
import type { Clash } from '../../contract/platform/clash.ts';
import type { ClassDetail } from '../../contract/classes/classes.ts';
import { addDays } from '../../contract/platform/days.ts';
import type { Participant } from '../../contract/people/family.ts';
import type { Enrolment } from '../../contract/checkout/payments.ts';

export interface Choice {
  id: string;
  name: string;
  self: boolean;
  /** On the first day of the class; null when the birth date is unknown. */
  age: number | null;
  reason: string | null;
  ages: string;
  clashes: Clash[];
  /** Their care facts were confirmed more than a year ago. */
  careIsOld: boolean;
}

interface Known {
  people: readonly Participant[];
  item: ClassDetail;
  cart: readonly Pick<CartItem, 'classId' | 'participantId'>[];
  enrolments: readonly Pick<Enrolment, 'classId' | 'participantId'>[];
  meetings: readonly OwnMeeting[];
  today: string;
  replaces?: Pick<CartItem, 'participantId'> | undefined;
}

/** Children first: most classes are booked for them. */
export function choicesOf(known: Known): Choice[] {
  const { people, item, cart, enrolments, meetings, today, replaces } = known;
  const has = (rows: Known['cart'], id: string) =>
    rows.some(({ classId, participantId }) => classId === item._id && participantId === id);
  const { minAge = null, maxAge = null, firstDay } = item;
  return people
    .map((person): Choice => {
      const age = person.born ? ageOn(person.born, firstDay ?? today) : null;
      const reason = has(enrolments, person._id)
        ? 'Enrolled already'
        : person._id === replaces?.participantId
          ? 'Chosen now'
          : has(cart, person._id)
            ? 'In your cart already'
            : (age === null && person.self && replaces && isForChildren(item.maxAge)) ||
                (age !== null && !isInRange(age, { minAge, maxAge }))
              ? `Only for ${agesInWords({ minAge, maxAge })}`
              : null;
      return {
        id: person._id,
        name: person.name,
        self: person.self,
        age,
        reason,
        ages: age === null ? agesInWords({ minAge, maxAge }) : '',
        clashes: reason ? [] : clashesOf(person._id, item, meetings),
        careIsOld: person.care === 'old',
      };
    })
    .toSorted((a, b) => Number(a.self) - Number(b.self));
}

export const ageOn = (born: string, day: string) =>
  Number(day.slice(0, 4)) - Number(born.slice(0, 4)) - (day.slice(5) < born.slice(5) ? 1 : 0);

export const isInRange = (age: number, { minAge, maxAge }: AgeRange) =>
  age >= (minAge ?? 0) && age <= (maxAge ?? Infinity);

/** A warning only, so it is enough to compare the clock of the same day. */
function clashesOf(id: string, item: ClassDetail, meetings: readonly OwnMeeting[]): Clash[] {
  const own = meetings.filter(
    (meeting) =>
      meeting.state === 'on' &&
      meeting.classId !== item._id &&
      meeting.for?.some((person) => person.id === id),
  );
  return (item.meetings ?? [])
    .filter(({ state }) => state !== 'cancelled')
    .flatMap(({ day, starts, ends }) =>
      own
        .filter((other) => other.day === day && other.starts < ends && starts < other.ends)
        .map(({ name }) => ({ day, starts, kind: 'participant' as const, with: name })),
    );
}

/** The days of the class from today, in ranges that one call takes; the first three of them. */
export function rangesOf(
  item: Pick<ClassDetail, 'firstDay' | 'lastDay'>,
  today: string,
  days: number,
) {
  const { firstDay, lastDay } = item;
  if (!firstDay || !lastDay || lastDay < today) return [];
  const start = firstDay > today ? firstDay : today;
  return [0, 1, 2]
    .map((nth) => addDays(start, nth * days))
    .filter((from) => from <= lastDay)
    .map((from) => {
      const to = addDays(from, days - 1);
      return { from, to: to < lastDay ? to : lastDay };
    });
}
