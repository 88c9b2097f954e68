import { describe, expect, it } from 'vitest';
import { cents, dollars, price, seats, slice } from './rules.ts';

const refusal = (value: unknown) => price.safeParse(value).error?.issues[0]?.message;

describe('an amount of money', () => {
  it.each([
    ['19.99', 1_999],
    [19.99, 1_999],
    ['0.07', 7],
    ['1.1', 110],
    [' 25 ', 2_500],
    ['0', 0],
    ['999999999.99', 99_999_999_999],
    [0.29, 29],
    [1.15, 115],
  ])('%s is %s cents', (amount, whole) => {
    expect(cents(amount)).toBe(whole);
    expect(dollars(whole)).toBe(Number(amount));
  });

  it.each([
    '',
    'abc',
    '-1',
    '1.',
    '.5',
    '1.999',
    '1e3',
    '1,50',
    '$5',
    '1 000',
    '0x10',
    '9999999999',
    'x19.99',
    '19.99x',
  ])('%j is none', (text) => expect(cents(text)).toBeNull());
  it.each([Number.NaN, Infinity, -1, 1e21, 0.001])('%d is none', (number) => expect(cents(number)).toBeNull());
});

describe('a price', () => {
  it.each([
    ['0.50', 50],
    ['10000.00', 1_000_000],
    [10_000, 1_000_000],
    [0.5, 50],
  ])('may be %s', (value, whole) => expect(price.parse(value)).toBe(whole));

  it.each(['0.49', '10000.01', 0.49, 10_000.01, '5.001', 'free', '-5'])(
    'may not be %s, and says what it may be',
    (value) =>
      expect(refusal(value)).toBe('must be between 0.50 and 10000.00 dollars, with at most two decimal places'),
  );

  it.each([null, undefined, true, {}, [5], '5'.repeat(21)])('is not %j', (value) =>
    expect(refusal(value)).toBeDefined(),
  );
});

describe('a number of seats', () => {
  it.each([
    [1, 1],
    ['1', 1],
    ['10000', 10_000],
    [10_000, 10_000],
  ])('may be %j', (value, whole) => expect(seats.parse(value)).toBe(whole));

  it.each([0, '0', 10_001, '10001', 1.5, '1.5', -1, '-1', '', 'five', '1e2', null, true])('may not be %j', (value) =>
    expect(seats.safeParse(value).success).toBe(false),
  );
});

describe('a page', () => {
  it('is the first and as large as allowed unless somebody says otherwise', () => {
    expect(slice({})).toEqual({ limit: 100, offset: 0 });
    expect(slice({ page: 3, limit: 24 })).toEqual({ limit: 24, offset: 48 });
  });
});
