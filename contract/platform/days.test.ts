import { expect, it } from 'vitest';
import { addDays, isDay, weekdayOf } from './days.ts';

it('counts days over months, years and leap days', () => {
  expect(addDays('2027-12-31', 1)).toBe('2028-01-01');
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2027-03-01', -1)).toBe('2027-02-28');
});

it('knows the weekday: Monday is 1, Sunday 7', () => {
  expect(['2027-01-04', '2027-01-09', '2027-01-10'].map(weekdayOf)).toEqual([1, 6, 7]);
});

it.each(['2027-02-30', '2027-13-01', '2027-1-1', '', 'tomorrow', '2027-02-29'])(
  '%j is no day',
  (day) => expect(isDay(day)).toBe(false),
);
