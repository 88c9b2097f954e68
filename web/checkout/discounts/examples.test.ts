import { expect, it } from 'vitest';
import {
  classesExample,
  couponExample,
  earlyExample,
  inWords,
  siblingsExample,
} from './examples.ts';

it('the examples are computed as real prices are', () => {
  expect(siblingsExample([{ rank: 2, percent: 10 }])).toBe(
    'Two children, $90.00 each: $90.00 + $81.00 = $171.00',
  );
  expect(
    classesExample([
      { rank: 2, percent: 5 },
      { rank: 3, percent: 10 },
    ]),
  ).toBe('One child, three classes of $90.00: $90.00 + $85.50 + $81.00 = $256.50');
  expect(earlyExample(20, '')).toBe('A class of $90.00 costs $72.00.');
  expect(couponExample({ percent: 10 })).toBe('Two classes, $171.00 together, cost $153.90.');
  expect(couponExample({ cents: 99_900 })).toBe('Two classes, $171.00 together, cost nothing.');
});

it('a rule is said in words', () => {
  const steps = [
    { rank: 2, percent: 10 },
    { rank: 3, percent: 20 },
  ];
  const rule = { kind: 'siblings', percent: null, cents: null, steps } as const;
  expect(inWords(rule)).toBe('10 % from the second child, 20 % from the third');
  expect(inWords({ ...rule, kind: 'coupon', cents: 500 })).toBe('$5.00 off');
});
