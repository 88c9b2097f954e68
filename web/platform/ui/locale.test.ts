import { expect, it, onTestFinished } from 'vitest';
import { dateOf, momentOf } from './dates.ts';
import { amount, number, writeIn } from './locale.ts';
import { asTyped, decimal } from './money.ts';

const ours = { locale: undefined, currency: 'usd', timeZone: 'UTC' };

/** What `Intl` makes of it: it is used where the academy has chosen a language. */
function byIntl<T>(write: () => T): T {
  writeIn({ ...ours, locale: 'en-US' });
  try {
    return write();
  } finally {
    writeIn(ours);
  }
}

const amounts = [0, 0.01, 0.1, 0.99, 1, 9.5, 19.99, 95, 999.99, 1_000, 1_250.05, 1_234_567.89];

it.each([false, true])('writes dollars without Intl as Intl would, brief: %s', (brief) => {
  const all = () =>
    [...amounts, ...amounts.slice(1).map((each) => -each)].map((each) => amount(each, { brief }));
  expect(all()).toEqual(byIntl(all));
});

it('writes whole numbers without Intl as Intl would', () => {
  for (const value of [0, 7, 999, 1_000, 10_000, 999_999, 1_000_000, 123_456_789])
    expect(number(value)).toBe(byIntl(() => number(value)));
});

it('German figures: euros, and amounts as they are typed', () => {
  onTestFinished(() => writeIn(ours));
  writeIn({ ...ours, currency: 'eur' });
  expect(amount(1_250)).toBe('€1,250.00');
  writeIn({ locale: 'de-DE', currency: 'eur', timeZone: 'Europe/Berlin' });
  expect([amount(95, { brief: true }), number(1_250)]).toEqual(['95\u00A0€', '1.250']);
  expect(asTyped('between 0.50 and 10000.00')).toBe('between 0,50 and 10000,00');
});

it('an academy in Berlin with German figures has English dates', () => {
  onTestFinished(() => writeIn(ours));
  writeIn({ locale: 'de-DE', currency: 'eur', timeZone: 'Europe/Berlin' });
  expect(momentOf('2020-05-01T23:05:00Z')).toBe('Sat 2 May 2020, 01:05');
  expect(dateOf('2020-11-18T22:59:00Z')).toBe('Wed 18 Nov 2020');
});

it.each([
  ['120,50', '120.50'],
  [' 120.5 ', '120.5'],
  ['120,5', '120.5'],
  // The rules refuse these: nobody is charged 1.25 for 1,250.
  ['1,250', '1,250'],
  ['1.250,00', '1.250,00'],
])('an amount typed as %j is sent as %j', (typed, sent) => {
  expect(decimal(typed)).toBe(sent);
});
