import { expect, it } from 'vitest';
import { dateOf, momentOf, todayIn } from './dates.ts';

const year = new Date().getUTCFullYear();

it('leaves out the present year, unless it is always wanted', () => {
  const first = `${year}-09-01T00:00:00Z`;
  expect(momentOf('2020-11-17T09:05:00Z')).toBe('Tue 17 Nov 2020, 09:05');
  expect(momentOf(first)).toMatch(/^\w{3} 1 Sep, 00:00$/);
  expect(dateOf(first)).toMatch(/^\w{3} 1 Sep$/);
  expect(dateOf(first, 'always')).toMatch(new RegExp(`^\\w{3} 1 Sep ${year}$`));
});

it('knows the day at the academy', () => {
  const evening = new Date('2026-11-18T23:30:00Z');
  expect(todayIn('Europe/Lisbon', evening)).toBe('2026-11-18');
  expect(todayIn('Europe/Berlin', evening)).toBe('2026-11-19');
});
