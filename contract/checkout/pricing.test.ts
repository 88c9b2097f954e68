import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLong, lengthOf, seed } from '../../server/testing/length.ts';
import { cents as wholeCents } from '../platform/rules.ts';
import { nudgeOf, type PriceLine, type PriceRules, priceOf, smallest } from './pricing.ts';

const numRuns = lengthOf(500);
const holds = <Args extends [unknown, ...unknown[]]>(
  ...property: Parameters<typeof fc.property<Args>>
) => fc.assert(fc.property(...property), { numRuns, seed });

const percent = fc.oneof(
  fc.constantFrom(0, 5, 10, 15, 20, 25, 30, 50, 99, 100),
  fc.integer({ min: 0, max: 100 }),
);
const steps = fc
  .tuple(
    fc.uniqueArray(fc.integer({ min: 2, max: 12 }), { maxLength: 3 }),
    fc.array(percent, { minLength: 3, maxLength: 3 }),
  )
  .map(([ranks, percents]) => {
    const rising = percents.toSorted((one, other) => one - other);
    return ranks
      .toSorted((one, other) => one - other)
      .map((rank, index) => ({ rank, percent: rising[index] ?? 100 }));
  });
const ranked = (id: string) => fc.option(steps.map((all) => ({ id, steps: all })));
const early = fc.array(
  fc.record({
    id: fc.constantFrom('e1', 'e2'),
    percent,
    classId: fc.option(fc.constantFrom('c0', 'c1')),
    sport: fc.option(fc.constantFrom('tennis', 'yoga')),
  }),
  { maxLength: 2 },
);
const cents = fc.oneof(
  fc.constantFrom(50, 333, 999, 1_999, 5_000, 9_999, 12_001, 1_000_000),
  fc.integer({ min: 50, max: 300 }),
  fc.integer({ min: 50, max: 1_000_000 }),
);
const coupon = fc.option(
  fc.oneof(
    percent.map((value) => ({ id: 'k', percent: value })),
    fc.oneof(cents, fc.constantFrom(1, 49, 99_999)).map((value) => ({ id: 'k', cents: value })),
  ),
);
const people = ['p0', 'p1', 'p2', 'p3'];
const classes = ['c0', 'c1', 'c2', 'c3'];
const lines: fc.Arbitrary<PriceLine[]> = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom(...people), fc.constantFrom(...classes)), {
      maxLength: 12,
      selector: String,
    }),
    fc.record({ c0: cents, c1: cents, c2: cents, c3: cents }),
    fc.boolean(),
  )
  .map(([pairs, prices, withOneself]) =>
    pairs.map(([participantId, classId]) => ({
      participantId,
      classId,
      oneself: withOneself && participantId === 'p0',
      sport: classId === 'c0' ? 'tennis' : 'yoga',
      cents: prices[classId as 'c0'],
    })),
  );
const earlier = fc.uniqueArray(
  fc.record({ participantId: fc.constantFrom(...people), classes: fc.integer({ min: 1, max: 3 }) }),
  { selector: ({ participantId }) => participantId, maxLength: 3 },
);
const rules: fc.Arbitrary<PriceRules> = fc.record({
  early,
  classes: ranked('m'),
  siblings: ranked('s'),
  coupon,
  earlier,
});

const keyOf = ({ participantId, classId }: PriceLine) => `${participantId} ${classId}`;
const amounts = (all: readonly PriceLine[], given: PriceRules) =>
  Object.fromEntries(priceOf(all, given).lines.map((line) => [keyOf(line), line.amount]));
/** The lines in an order that the numbers choose. */
const shuffled = (all: readonly PriceLine[], numbers: readonly number[]) =>
  all
    .map((line, index) => ({ line, at: numbers[index % numbers.length] ?? 0 }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ line }) => line);
const orders = fc.array(fc.nat(), { minLength: 12, maxLength: 12 });

describe('for every basket and every set of rules', { timeout: isLong ? 900_000 : 30_000 }, () => {
  it('lines are whole cents up to the list price, and add up', () => {
    holds(lines, rules, (wanted, given) => {
      const price = priceOf(wanted, given);
      for (const line of price.lines) {
        const reasons = line.why.reduce((sum, why) => sum + why.cents, 0);
        const whole = Number.isInteger(line.amount) && line.why.every((why) => why.cents > 0);
        expect([line.amount < 0, whole, reasons]).toEqual([false, true, line.discount]);
        if (line.amount + line.discount !== line.cents) throw new Error('does not add up');
      }
      const list = wanted.reduce((sum, line) => sum + line.cents, 0);
      expect(price.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(price.total);
      expect(price.total + price.saved).toBe(list);
    });
  });

  it('the total is nothing, or an amount that a card can pay', () => {
    holds(lines, rules, (wanted, given) => {
      const { total } = priceOf(wanted, given);
      expect(total === 0 || total >= smallest).toBe(true);
    });
  });

  it('a coupon takes off exactly its amount, down to nothing', () => {
    holds(lines, rules, fc.integer({ min: 1, max: 200_000 }), (wanted, given, off) => {
      const before = priceOf(wanted, { ...given, coupon: null }).lines;
      const { total } = priceOf(wanted, { ...given, coupon: { id: 'k', cents: off } });
      const left = Math.max(
        0,
        before.reduce((sum, line) => sum + line.cents - exact(line.why), 0) - off,
      );
      expect(total).toBe(left < smallest ? 0 : left);
    });
  });

  it('the order of the lines is nothing', () => {
    holds(lines, rules, orders, (wanted, given, order) => {
      expect(amounts(shuffled(wanted, order), given)).toEqual(amounts(wanted, given));
    });
  });

  it('one more class never lowers the total', () => {
    holds(lines, rules, (wanted, given) => {
      const { total } = priceOf(wanted, given);
      const fewer = wanted.map((line) => wanted.filter((other) => other !== line));
      expect(Math.max(0, ...fewer.map((rest) => priceOf(rest, given).total))).toBeLessThanOrEqual(
        total,
      );
    });
  });
});

it('no price from 0.50 to 10,000.00 loses a cent on its way', () => {
  let wrong = 0;
  for (let price = 50; price <= 1_000_000; price += isLong ? 1 : 37)
    if (wholeCents(price / 100) !== price || wholeCents((price / 100).toFixed(2)) !== price)
      wrong++;
  expect(wrong).toBe(0);
});

/** What the rules took, without the rest that is not charged. */
const exact = (why: readonly { kind: string; cents: number }[]) =>
  why.reduce((sum, { kind, cents }) => sum + (kind === 'small' ? 0 : cents), 0);

const line = (participantId: string, classId: string, price: number): PriceLine => ({
  participantId,
  classId,
  cents: price,
  sport: 'tennis',
});
const tenPercent = { steps: [{ rank: 2, percent: 10 }] };
const siblings = { siblings: { id: 's', ...tenPercent } };
const severalClasses = { classes: { id: 'm', ...tenPercent } };

describe('in words', () => {
  it('the more expensive child pays in full', () => {
    const priced = priceOf([line('a', 'x', 100), line('b', 'x', 9_000)], siblings).lines;
    expect(priced.map(({ amount }) => amount)).toEqual([90, 9_000]);
  });

  it('parents are no siblings of their children', () => {
    const own = { ...line('a', 'x', 9_000), oneself: true };
    expect(priceOf([own, line('b', 'x', 9_000)], siblings).saved).toBe(0);
  });

  it('what is enrolled already counts as earlier ranks', () => {
    const earlier = [{ participantId: 'a', classes: 1 }];
    const second = priceOf([line('a', 'x', 9_000)], { ...severalClasses, earlier });
    expect(second.total).toBe(8_100);
    const sibling = [line('b', 'x', 5_000), line('a', 'x', 100)];
    expect(priceOf(sibling, { ...siblings, earlier }).total).toBe(4_600);
  });

  it('all four apply, each to what is left, explained in order', () => {
    const wanted = [line('a', 'x', 10_000), line('b', 'x', 10_000), line('b', 'y', 8_000)];
    const { lines: priced, total } = priceOf(wanted, {
      ...siblings,
      ...severalClasses,
      early: [{ id: 'e', percent: 50, classId: 'y' }],
      coupon: { id: 'k', cents: 1_000 },
    });
    expect(priced[2]?.why.map(({ kind }) => kind)).toEqual(['early', 'classes', 'coupon']);
    expect(priced[0]?.why.map(({ kind }) => kind)).toEqual(['siblings', 'coupon']);
    expect(total).toBe(10_000 + 3_600 + 9_000 - 1_000);
  });

  it('a rest of less than 0.50 is not charged, on every line', () => {
    const wanted = [line('a', 'x', 1_000), line('b', 'x', 1_000)];
    const { lines: priced, total } = priceOf(wanted, { coupon: { id: 'k', cents: 1_960 } });
    expect(total).toBe(0);
    expect(priced.map(({ why }) => why.at(-1))).toEqual([
      { rule: null, kind: 'small', cents: 20 },
      { rule: null, kind: 'small', cents: 20 },
    ]);
  });

  it('control: rounding each line would lower a total by a cent', () => {
    const steep = { siblings: { id: 's', steps: [{ rank: 2, percent: 99 }] } };
    const three = ['x', 'y', 'z'].map((name) => line('b', name, 50));
    const before = [...three, line('a', 'x', 100)];
    const after = [...before, line('a', 'y', 50)];
    expect(priceOf(after, steep).total).toBeGreaterThanOrEqual(priceOf(before, steep).total);
    const each = three.reduce(
      (sum, { cents: full }) => sum + Math.floor((full * 99 + 50) / 100),
      0,
    );
    expect(150 + 150 - each).toBeLessThan(150 + 100 - 99);
  });
});

describe('the suggestion', () => {
  const mia = { ...line('a', 'y', 5_000), name: 'Mia' };
  const leo = { ...line('b', 'y', 5_000), name: 'Leo' };
  const wanted = [line('a', 'x', 9_000)];

  it('names the next step of the rule that would save most', () => {
    const ten = { percent: 10, cents: 500 };
    expect(nudgeOf(wanted, severalClasses, [mia, leo])).toEqual({
      name: 'Mia',
      another: true,
      ...ten,
    });
    expect(nudgeOf(wanted, siblings, [mia, leo])).toEqual({ name: 'Leo', another: false, ...ten });
  });

  it('says the amount when the discount falls on another line', () => {
    const dear = { ...mia, cents: 20_000 };
    expect(nudgeOf(wanted, severalClasses, [dear])).toMatchObject({ percent: 0, cents: 900 });
  });

  it('is absent without a rule, and when no step would follow', () => {
    expect(nudgeOf(wanted, {}, [mia, leo])).toBeNull();
    expect(nudgeOf(wanted, siblings, [mia])).toBeNull();
  });
});
