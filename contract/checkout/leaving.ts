// What a family gets back when it ends one seat. Pure, integer cents, half a cent up: the page shows
// what the server books.
import { type PriceLine, type PriceRules, priceOf } from './pricing.ts';
import { spread } from './spread.ts';

interface Rates {
  /** Percent of what was paid for the meetings to come. Credit is never less than the card. */
  card: number;
  credit: number;
}

/** Academy's own. A line keeps the terms under which it was sold. */
export interface LeavingTerms {
  /** Within so many days of buying everything that is to come goes back. 0: as the steps say. */
  withdraw: number;
  /** A step holds until the end of the day that is `days` before the first meeting. */
  steps: (Rates & { days: number })[];
  begun: Rates;
  /** Percent, with what went back at once, when the seat is sold again. */
  resold: number;
}

/** The moments, as numbers, by which the terms are read. */
export interface Moments {
  now: number;
  /** The first of the line's meetings begins. Null: the class has no dates. */
  starts: number | null;
  /** The next of them begins. Null: all have begun. */
  next: number | null;
  /** When each step ends. */
  ends: readonly number[];
  /** When the family can no longer withdraw. */
  withdrawEnds: number;
}

interface RatesNow extends Rates {
  /** Its place in the terms. Null: the class has begun, or no step holds. */
  step: number | null;
  withdraw: boolean;
  /** What changes then: the terms, or a meeting begins. */
  until: number | null;
}

const first = (...moments: (number | null | undefined)[]) => {
  const known = moments.filter((one) => one !== null && one !== undefined);
  return known.length > 0 ? Math.min(...known) : null;
};

/** The first step that holds, until the class has begun. */
export function ratesAt(terms: LeavingTerms, moments: Moments): RatesNow {
  const { now, starts, next, ends, withdrawEnds } = moments;
  const withdraw = terms.withdraw > 0 && now < withdrawEnds;
  const isBefore = starts === null || now < starts;
  const found = terms.steps.findIndex((_, place) => starts === null || now < (ends[place] ?? 0));
  const step = isBefore && found >= 0 ? found : null;
  if (withdraw) return { card: 100, credit: 100, step, withdraw, until: first(withdrawEnds, next) };
  const { card, credit } = (step === null ? null : terms.steps[step]) ?? terms.begun;
  const ending = step === null || starts === null ? null : ends[step];
  return { card, credit, step, withdraw, until: first(ending, next) };
}

/** A seat as it was sold, and what has become of its money. */
export interface LeavingLine extends PriceLine {
  /** Its part of what was paid. */
  worth: number;
  /** Of it, what has left the line. */
  back: number;
  /** By how much others' leaving has raised its price. */
  raise: number;
  /** Meetings to come when it was sold, and those to come now. */
  of: number;
  left: number;
}

export interface LeavingQuote {
  back: number;
  /** Of its own worth for the meetings to come, before the percent and after it. */
  free: number;
  own: number;
  /** What others' leaving took for it. */
  up: number;
  /** For each other line: its raise from now on, and what it takes now (or gives, below 0). */
  claws: { raise: number; cents: number }[];
}

const part = (cents: number, percent: number) => Math.floor((cents * percent + 50) / 100);
const toCome = (cents: number, { of, left }: Pick<LeavingLine, 'of' | 'left'>) =>
  Math.floor((2 * cents * left + of) / (2 * of));
const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);

/** What is paid for the meetings to come, and was not given back. */
export const unusedOf = (line: LeavingLine) => toCome(line.worth, line);

/**
 * `others`: the seats of the same payment that stay. What their discount loses, for their meetings to
 * come, is taken of what goes back; never more than there is, so nobody pays for leaving.
 */
export function quoteLeaving(
  line: LeavingLine,
  others: readonly LeavingLine[],
  rules: PriceRules,
  percent: number,
): LeavingQuote {
  const unused = unusedOf(line);
  const free = Math.max(0, unused - line.back);
  const own = part(free, percent);
  const up = Math.max(0, toCome(line.raise, line) - Math.max(0, line.back - unused));
  const wanted = dearer(others, rules).map((raise, at) => ({
    raise,
    line: others[at] as LeavingLine,
  }));
  const claws = wanted.map(({ raise, line: one }) => ({
    raise,
    cents: toCome(raise, one) - toCome(one.raise, one),
  }));
  const taken = claws.map(({ cents }) => Math.max(0, cents));
  const there = own + up + sum(taken) - sum(claws.map(({ cents }) => cents));
  if (sum(taken) > there) {
    const less = spread(there, taken);
    wanted.forEach(({ line: one }, at) => {
      if (taken[at]) claws[at] = lessClaw(one, less[at] ?? 0);
    });
  }
  return { back: own + up - sum(claws.map(({ cents }) => cents)), free, own, up, claws };
}

/** The smallest raise that is worth so much today. */
function lessClaw(line: LeavingLine, cents: number) {
  const goal = toCome(line.raise, line) + cents;
  const raise = Math.ceil((line.of * (2 * goal - 1)) / (2 * line.left));
  return { raise: Math.max(line.raise, raise), cents };
}

/** By how much each costs more without the seat that ends, of what they lose together. */
function dearer(others: readonly LeavingLine[], rules: PriceRules): number[] {
  const prices = priceOf(others, rules).lines.map(({ amount }) => amount);
  const loss = Math.max(0, sum(prices) - sum(others.map(({ worth }) => worth)));
  if (loss === 0) return others.map(() => 0);
  return spread(
    loss,
    others.map(({ worth }, at) => Math.max(0, (prices[at] ?? 0) - worth)),
  );
}

/** More than what went back at once, once the seat is sold again. */
export const restIfResold = ({ free, own }: LeavingQuote, { resold }: LeavingTerms) =>
  Math.max(0, part(free, resold) - own);
