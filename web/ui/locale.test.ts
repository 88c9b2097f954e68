import { expect, it, onTestFinished } from 'vitest';
import { amount, number, partsOf, writeIn } from './locale.ts';

/** What `Intl` makes of it: it is used where the academy has chosen a language. */
function byIntl<T>(write: () => T): T {
  writeIn({ locale: 'en-US', currency: 'usd' });
  try {
    return write();
  } finally {
    writeIn({ locale: undefined, currency: 'usd' });
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

it('writes dates without Intl as Intl would', () => {
  // Days apart that go through all weekdays, months and hours.
  for (let day = 0; day < 800; day += 1) {
    const date = new Date(Date.UTC(2026, 0, 1, day % 24, day % 60) + day * 86_400_000);
    const { literal: _between, ...expected } = byIntl(() => partsOf(date));
    expect(partsOf(date)).toEqual(expected);
  }
});

it('writes in the language and currency of the academy', () => {
  onTestFinished(() => writeIn({ locale: undefined, currency: 'usd' }));
  writeIn({ locale: undefined, currency: 'eur' });
  expect(amount(1_250)).toBe('€1,250.00');
  writeIn({ locale: 'de-DE', currency: 'eur' });
  expect([amount(95, { brief: true }), number(1_250)]).toEqual(['95\u00A0€', '1.250']);
  expect(partsOf(new Date(2026, 4, 2, 9, 5))).toMatchObject({ weekday: 'Sa.', month: 'Mai' });
});
