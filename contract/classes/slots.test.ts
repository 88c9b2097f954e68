import { expect, it } from 'vitest';
import { describeDates, overlaps, type Slot, weekly, withoutSingles } from './slots.ts';

const january = { from: '2027-01-04', until: '2027-01-17', starts: '16:00', minutes: 90 };

it.each([
  ['first and last day included', [], ['2027-01-04', '2027-01-10', '2027-01-11', '2027-01-17']],
  ['holidays left out', ['2027-01-10', '2027-01-11'], ['2027-01-04', '2027-01-17']],
])('a weekly class meets on its weekdays, %s', (_, holidays, days) => {
  const except = holidays.map((day) => ({ firstDay: day, lastDay: day }));
  const meetings = weekly({ ...january, weekdays: [1, 7], except });
  expect(meetings.map(({ day }) => day)).toEqual(days);
});

it.each([
  ['2027-01-04', '16:00', '2027-01-04', '16:59', true],
  // Past midnight, in either order.
  ['2027-01-04', '23:30', '2027-01-05', '00:15', true],
  ['2027-01-05', '00:15', '2027-01-04', '23:30', true],
  // One may follow the other without a break.
  ['2027-01-04', '16:00', '2027-01-04', '17:00', false],
  ['2027-01-04', '16:00', '2027-01-05', '16:00', false],
])('an hour from %s %s overlaps one from %s %s: %s', (day, starts, day2, starts2, expected) => {
  const one = { day, starts, minutes: 60 };
  expect(overlaps(one, { day: day2, starts: starts2, minutes: 60 })).toBe(expected);
});

const on = (...weekdays: number[]) => weekly({ ...january, weekdays });
const hours = (starts: string, ...days: string[]) =>
  days.map((day): Slot => ({ day, starts, minutes: 60 }));
const overNewYear = weekly({
  from: '2026-11-17',
  until: '2027-01-14',
  weekdays: [2, 4],
  starts: '16:00',
  minutes: 90,
});
const without = (day: string) => overNewYear.filter((slot) => slot.day !== day);
const twoMore = [
  ...hours('10:00', '2026-12-11'),
  ...hours('09:00', '2026-12-08'),
  ...hours('08:00', '2026-11-26'),
  ...hours('07:00', '2026-12-03'),
];
const all = ' · 17 Nov 2026 – 14 Jan 2027';

it.each([
  ['', []],
  ['Sat · 09:00–10:00 · 9 Jan 2027', hours('09:00', '2027-01-09')],
  ['Fri · 23:30–00:30 · 18 Dec – 25 Dec 2026', hours('23:30', '2026-12-18', '2026-12-25')],
  ['Mon–Fri · 16:00–17:30 · 4 Jan – 15 Jan 2027', on(1, 2, 3, 4, 5)],
  ['Mon, Tue, Thu–Sat · 16:00–17:30 · 4 Jan – 16 Jan 2027', on(1, 2, 4, 5, 6)],
  ['Daily · 16:00–17:30 · 4 Jan – 17 Jan 2027', on(1, 2, 3, 4, 5, 6, 7)],
  // A second week that has begun, and one other time of three.
  [
    'Mon, Wed · 09:00–10:00 · 4 Jan – 11 Jan 2027',
    hours('09:00', '2027-01-04', '2027-01-06', '2027-01-11'),
  ],
  [
    'Mon · 09:00–10:00; Mon 11 Jan · 07:00–08:00 · 4 Jan – 18 Jan 2027',
    [...hours('09:00', '2027-01-04', '2027-01-18'), ...hours('07:00', '2027-01-11')],
  ],
  [`Tue, Thu · 16:00–17:30${all}`, overNewYear],
  [
    `Tue, Thu · 16:00–17:30; Fri 27 Nov · 07:00–08:00${all}`,
    [...without('2026-11-26'), ...hours('07:00', '2026-11-27')],
  ],
  [
    `Tue, Thu · 16:00–17:30; Thu 26 Nov · 08:00–09:00; Thu 3 Dec · 07:00–08:00 and 2 more${all}`,
    [...overNewYear, ...twoMore],
  ],
])('dates are in words as "%s"', (words, slots) => expect(describeDates(slots)).toBe(words));

it.each([
  `Tue, Thu · 16:00–17:30; Thu 26 Nov · 08:00–09:00; Thu 3 Dec · 07:00–08:00 and 2 more${all}`,
  `Tue, Thu · 16:00–17:30; Fri 27 Nov · 16:00–17:30${all}`,
  `Tue, Thu · 16:00–17:30${all}`,
])('a card leaves single meetings out of %s', (words) =>
  expect(withoutSingles(words)).toBe(`Tue, Thu · 16:00–17:30${all}`),
);

it('a card keeps two weekly times', () => {
  const words = 'Mon · 09:00–10:00; Wed · 16:00–17:00 · 4 Jan – 17 Mar 2027';
  expect(withoutSingles(words)).toBe(words);
});
