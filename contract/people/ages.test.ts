import { expect, it } from 'vitest';
import { agesFromWords, agesInWords } from './ages.ts';

it.each([
  [6, 8, '6–8 years'],
  [8, null, '8 years and older'],
  [null, 12, 'up to 12 years'],
  [7, 7, '7 years'],
  [null, null, ''],
])('%s to %s is %j, and back', (minAge, maxAge, words) => {
  expect(agesInWords({ minAge, maxAge })).toBe(words);
  expect(agesFromWords(words)).toEqual({ minAge, maxAge });
});

it.each([
  ['8 to 12', 8, 12],
  [' 6-8 ', 6, 8],
  ['Ages 6–8', 6, 8],
  ['16+', 16, null],
  ['12 and up', 12, null],
])('%j is read as %s to %s', (words, minAge, maxAge) => {
  expect(agesFromWords(words)).toEqual({ minAge, maxAge });
});

it.each(['Adults', 'All ages', '12–8 years', '6–800 years', 'from grade 3', '130+'])(
  '%j gives no range',
  (words) => expect(agesFromWords(words)).toEqual({ minAge: null, maxAge: null }),
);
