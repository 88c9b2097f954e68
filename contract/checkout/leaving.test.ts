// L5, L6: what goes back, over random baskets that are left seat by seat. `npm run proofs -- leaving`:
// 100,000 of them. Three wrong rules are seen to fail.
import { describe, expect, it } from 'vitest';
import { lengthOf, isLong, seed } from '../../server/testing/length.ts';
import { type LeavingLine, type LeavingTerms, quoteLeaving, ratesAt, unusedOf } from './leaving.ts';
import { type PriceRules, priceOf } from './pricing.ts';

interface Seat extends LeavingLine {
  percent: number;
  moved: number;
  gone: boolean;
}
interface World {
  seats: Seat[];
  rules: PriceRules;
  /** Nothing has begun, and everything goes back. */
  isFull: boolean;
}
type Ended = { back: number; claws: readonly { raise: number; cents: number }[] };
type Rule = (seat: Seat, rest: readonly Seat[], rules: PriceRules) => Ended;

/** The same numbers for the same seed. */
function dice(start: number) {
  let state = start >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (most: number, least = 0) => least + Math.floor(next() * (most - least + 1));
  const one = <T>(of: readonly T[]) => of[upTo(of.length - 1)] as T;
  const some = <T>(of: readonly T[], count = of.length) => {
    const left = [...of];
    return Array.from({ length: count }, () => left.splice(upTo(left.length - 1), 1)[0] as T);
  };
  return { chance: (share: number) => next() < share, upTo, one, some };
}
type Dice = ReturnType<typeof dice>;

function aRule({ upTo, one, some }: Dice, id: string) {
  const ranks = some([2, 3, 4, 5], upTo(2, 1)).toSorted((a, b) => a - b);
  const percents = ranks.map(() => one([5, 10, 15, 20, 25, 30, 50])).toSorted((a, b) => a - b);
  return { id, steps: ranks.map((rank, at) => ({ rank, percent: percents[at] ?? 0 })) };
}

const prices = [50, 333, 999, 1_999, 5_000, 9_000, 9_999, 12_001];

function aWorld(roll: Dice): World {
  const { chance, upTo, one, some } = roll;
  const wanted = Array.from({ length: upTo(3, 1) }, (_, child) =>
    some([0, 1, 2, 3], upTo(3)).map((klass) => ({
      participantId: `p${child}`,
      classId: `c${klass}`,
      cents: chance(0.1) ? upTo(30_000, 50) : one(prices),
    })),
  )
    .flat()
    .slice(0, 6);
  const coupon = one([
    null,
    null,
    null,
    { id: 'k', percent: one([5, 10, 33, 100]) },
    { id: 'k', cents: one([1, 500, 1_999, 99_999]) },
  ]);
  const rules: PriceRules = {
    early: chance(0.3)
      ? [{ id: 'e', percent: one([5, 10, 20]), classId: one([null, 'c0', 'c1']) }]
      : [],
    classes: chance(0.5) ? aRule(roll, 'm') : null,
    siblings: chance(0.6) ? aRule(roll, 's') : null,
    coupon,
    earlier: chance(0.2) ? [{ participantId: 'p0', classes: upTo(2) }] : [],
  };
  const isFull = chance(0.3);
  const seats = priceOf(wanted, rules).lines.map(({ amount, participantId, classId, cents }) => {
    const [of, left, percent] = isFull ? [1, 1, 100] : aMoment(roll);
    const back = !isFull && chance(0.08) ? upTo(amount) : 0;
    const sold = { participantId, classId, cents, worth: amount, back, raise: 0, of, left };
    return Object.assign(sold, { percent, moved: 0, gone: false });
  });
  return { seats, rules, isFull };
}

const aMoment = ({ one, upTo }: Dice): readonly [number, number, number] =>
  one([
    ...[0, 50, 80, 100].map((percent) => [10, upTo(10), percent] as const),
    [1, 1, 100] as const,
    [7, 3, 90] as const,
  ]);

const total = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);
const part = (cents: number, percent: number) => Math.floor((cents * percent + 50) / 100);
const toCome = (cents: number, { of, left }: Seat) =>
  Math.floor((2 * cents * left + of) / (2 * of));

function end(seat: Seat, seats: readonly Seat[], rules: PriceRules, rule: Rule): number {
  const rest = seats.filter((one) => !one.gone && one !== seat);
  const { back, claws } = rule(seat, rest, rules);
  rest.forEach((one, at) => {
    one.raise = claws[at]?.raise ?? 0;
    one.moved += claws[at]?.cents ?? 0;
  });
  seat.moved -= total(claws.map(({ cents }) => cents));
  seat.back += back;
  seat.raise = 0;
  seat.gone = true;
  return back;
}

const ours: Rule = (seat, rest, rules) => quoteLeaving(seat, rest, rules, seat.percent);

const wrong: Record<'marginal' | 'percentraise' | 'noclamp', Rule> = {
  /** Percent of what the others cost less: exact at 100 % only. */
  marginal: (seat, rest, rules) => {
    const had = total([seat, ...rest].map(({ worth, moved }) => worth + moved));
    const lines = priceOf(rest, rules).lines;
    const want = total(lines.map(({ amount }) => amount));
    const back = part(toCome(Math.max(0, had - want), seat), seat.percent);
    return {
      back: Math.max(0, Math.min(back, seat.worth + seat.moved - seat.back)),
      claws: lines.map(({ amount, worth, moved, raise }) => ({
        raise,
        cents: amount - worth - moved,
      })),
    };
  },
  /** The percent is taken of what others' leaving took, too. */
  percentraise: (seat, rest, rules) => {
    const quote = ours(seat, rest, rules) as ReturnType<typeof quoteLeaving>;
    const less = quote.up - part(quote.up, seat.percent);
    return { ...quote, back: Math.max(0, quote.back - less) };
  },
  /** The others' discount is taken, even if leaving costs money then. */
  noclamp: (seat, rest, rules) => {
    const { own, up } = quoteLeaving(seat, [], rules, seat.percent);
    const now = priceOf(rest, rules).lines.map(({ amount }) => amount);
    const grown = rest.map((one, at) => Math.max(0, (now[at] ?? 0) - one.worth));
    const loss = Math.max(0, total(now) - total(rest.map(({ worth }) => worth)));
    const share = (at: number) =>
      total(grown) > 0 ? Math.round((loss * (grown[at] ?? 0)) / total(grown)) : 0;
    const claws = rest.map((one, at) => ({
      raise: share(at),
      cents: toCome(share(at), one) - toCome(one.raise, one),
    }));
    return { back: own + up - total(claws.map(({ cents }) => cents)), claws };
  },
};

/** How often each rule was broken. */
function play(count: number, rule: Rule) {
  const bad = { negative: 0, belowZero: 0, books: 0, tooMuch: 0, oneByOne: 0, order: 0, later: 0 };
  const roll = dice(seed);
  for (let n = 0; n < count; n++) {
    const world = aWorld(roll);
    const { seats, rules, isFull } = world;
    const paid = total(seats.map(({ worth }) => worth));
    const before = total(seats.map(({ back }) => back));
    const fresh = () => seats.map((seat) => ({ ...seat }));
    const atOnce = total(
      seats.map((seat) => part(Math.max(0, unusedOf(seat) - seat.back), seat.percent)),
    );
    const known = new Map<string, number>();
    for (let order = 0; order < 3; order++) {
      const now = fresh();
      const places = roll.some(now.map((_, place) => place));
      let got = 0;
      places.forEach((place, nth) => {
        const back = end(now[place] as Seat, now, rules, rule);
        got += back;
        if (back < 0) bad.negative++;
        if (now.some((one) => one.back < 0 || one.worth + one.moved < one.back)) bad.belowZero++;
        if (total(now.map(({ worth, moved }) => worth + moved)) !== paid) bad.books++;
        const who = places
          .slice(0, nth + 1)
          .toSorted((one, other) => one - other)
          .join();
        if (isFull && (known.get(who) ?? got) !== got) bad.order++;
        known.set(who, got);
      });
      if (before === 0 && got !== atOnce) bad.oneByOne++;
      const most = total(seats.map(({ worth, back }) => worth - back));
      if (got > most) bad.tooMuch++;
    }
    bad.later += later(roll, fresh(), rules, rule) + before > paid ? 1 : 0;
  }
  return bad;
}

/** Meetings take place between one leaving and the next. */
function later(roll: Dice, seats: Seat[], rules: PriceRules, rule: Rule): number {
  let got = 0;
  for (const seat of roll.some(seats)) {
    got += end(seat, seats, rules, rule);
    for (const one of seats) if (!one.gone && one.of > 1) one.left = roll.upTo(one.left);
  }
  return got;
}

describe('over random baskets', { timeout: isLong ? 900_000 : 60_000 }, () => {
  it('one by one is all at once, and nobody pays for leaving', () => {
    expect(play(lengthOf(2_000), ours)).toEqual({
      negative: 0,
      belowZero: 0,
      books: 0,
      tooMuch: 0,
      oneByOne: 0,
      order: 0,
      later: 0,
    });
  });

  it.each([
    ['marginal', 'oneByOne'],
    ['marginal', 'belowZero'],
    ['percentraise', 'oneByOne'],
    ['noclamp', 'negative'],
  ] as const)('control %s: %s', (name, broken) => {
    expect(play(2_000, wrong[name])[broken]).toBeGreaterThan(0);
  });
});

const day = 24 * 60;
const terms: LeavingTerms = {
  withdraw: 0,
  steps: [
    { days: 14, card: 100, credit: 100 },
    { days: 3, card: 50, credit: 70 },
  ],
  begun: { card: 80, credit: 100 },
  resold: 100,
};
/** In minutes: the class begins after 20 days at 16:00, then every week. */
const starts = 20 * day + 960;
const at = (now: number, next: number | null = starts) => ({
  now,
  starts,
  next,
  ends: [7 * day, 18 * day],
  withdrawEnds: 15 * day,
});

describe('the terms at a moment', () => {
  it.each([
    ['the first step', 0, 0, 100, 7 * day],
    ['its last minute', 7 * day - 1, 0, 100, 7 * day],
    ['the second', 7 * day, 1, 50, 18 * day],
    ['none holds: as if begun', 18 * day, null, 80, starts],
  ] as const)('%s', (_name, now, step, card, until) => {
    expect(ratesAt(terms, at(now))).toMatchObject({ step, card, until });
  });

  it('begun: until the next meeting, then for ever', () => {
    expect(ratesAt(terms, at(starts, starts + 7 * day))).toMatchObject({
      step: null,
      credit: 100,
      until: starts + 7 * day,
    });
    expect(ratesAt(terms, at(starts + day, null)).until).toBeNull();
  });

  it('without dates the first step holds', () => {
    const none = { ...at(90 * day, null), starts: null, ends: [] };
    expect(ratesAt(terms, none)).toMatchObject({ step: 0, card: 100, until: null });
  });

  it('who may withdraw gets everything, whatever the steps say', () => {
    const eu = { ...terms, withdraw: 14 as const };
    expect(ratesAt(eu, at(8 * day))).toMatchObject({
      card: 100,
      withdraw: true,
      until: 15 * day,
    });
    expect(ratesAt(eu, at(15 * day))).toMatchObject({ card: 50, withdraw: false });
  });
});

const seat = (participantId: string, cents: number, worth: number): LeavingLine => ({
  participantId,
  classId: 'tennis',
  cents,
  worth,
  back: 0,
  raise: 0,
  of: 10,
  left: 5,
});

describe('the example of the terms', () => {
  const siblings = { siblings: { id: 's', steps: [{ rank: 2, percent: 10 }] } };
  const mia = seat('a', 9_000, 9_000);
  const leo = seat('b', 9_000, 8_100);

  it('40.50 of 90.00: five meetings, and Leo is no second child', () => {
    const quote = quoteLeaving(mia, [leo], siblings, 100);
    expect(quote).toMatchObject({ back: 4_050, own: 4_500, claws: [{ raise: 900, cents: 450 }] });
    expect(quoteLeaving(mia, [leo], siblings, 80).back).toBe(3_150);
  });

  it('what Mia left gives Leo back what she lost for him', () => {
    const raised = { ...leo, raise: 900 };
    expect(quoteLeaving(raised, [], siblings, 100).back).toBe(4_500);
  });

  it('below nothing nothing is taken', () => {
    const quote = quoteLeaving({ ...mia, left: 0 }, [leo], siblings, 100);
    expect(quote).toMatchObject({ back: 0, claws: [{ cents: 0 }] });
  });
});
