import { expect, it } from 'vitest';
import { dateOf, momentOf, todayIn } from './dates.ts';

const past = new Date(2020, 10, 17, 9, 5).toISOString();
const now = new Date();
const thisYear = new Date(now.getFullYear(), 8, 1, 0, 0);

it('writes day and time of the reader’s zone, with the year of another year', () => {
  expect(momentOf(past)).toBe('Tue 17 Nov 2020, 09:05');
  expect(dateOf(past)).toBe('Tue 17 Nov 2020');
});

it('leaves out the present year, except where it is always wanted', () => {
  expect(momentOf(thisYear.toISOString())).toMatch(/^\w{3} 1 Sep, 00:00$/);
  expect(dateOf(thisYear.toISOString())).toMatch(/^\w{3} 1 Sep$/);
  expect(dateOf(thisYear.toISOString(), 'always')).toMatch(
    new RegExp(`^\\w{3} 1 Sep ${thisYear.getFullYear()}$`),
  );
});

it('knows the day at the academy', () => {
  const evening = new Date('2026-11-18T23:30:00Z');
  expect(todayIn('Europe/Lisbon', evening)).toBe('2026-11-18');
  expect(todayIn('Europe/Berlin', evening)).toBe('2026-11-19');
});
