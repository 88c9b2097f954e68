// The words over the pages of a list.
import { expect, it } from 'vitest';
import { rangeInWords } from './PageLinks.tsx';

it.each([
  [1, 137, '137', '1–25 of 137 classes'],
  [6, 137, '137', '126–137 of 137 classes'],
  [2, 26, '26', '26 of 26 classes'],
  [400, 10_001, '10,000+', '9,976–10,000 of 10,000+ classes'],
  [3, 26, '26', 'No classes'],
])('page %i of %i rows, %s in words, says: %s', (page, total, totalInWords, words) => {
  expect(rangeInWords(page, 25, total, totalInWords, 'classes')).toBe(words);
});
