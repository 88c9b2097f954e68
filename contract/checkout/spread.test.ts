import { expect, it } from 'vitest';
import { spread } from './spread.ts';

it('an amount is spread by weight, to the cent', () => {
  expect(spread(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(spread(4_500, [1_999, 2_501])).toEqual([1_999, 2_501]);
  expect(spread(1, [0, 5])).toEqual([0, 1]);
  expect(spread(0, [0, 0])).toEqual([0, 0]);
});
