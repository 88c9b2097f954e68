// Leaving: the terms, what a family gets back when it ends one seat, and the calls. The quote is pure,
// in integer cents, half a cent up.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { classFields } from '../classes/classes.ts';
import { answer, changed, described } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { centsUpTo, id, paragraphs } from '../platform/rules.ts';
import { type PriceLine, type PriceRules, priceOf } from './pricing.ts';
import { spread } from './spread.ts';

const wrongPercent = 'must be a percent from 0 to 100';
const percent = z.int(wrongPercent).check(z.minimum(0, wrongPercent), z.maximum(100, wrongPercent));
/** Percent of what was paid for the meetings to come. */
const rates = { card: percent, credit: percent };
const noLess = z.refine<Rates>(({ card, credit }) => credit >= card, {
  path: ['credit'],
  error: 'must not be less than to the card',
});
const wrongDays = 'must be a number of days from 0 to 365';
const steps = z
  .array(
    z
      .strictObject({
        days: z.int(wrongDays).check(z.minimum(0, wrongDays), z.maximum(365, wrongDays)),
        ...rates,
      })
      .check(noLess),
  )
  .check(
    z.minLength(1, 'must have a step'),
    z.maxLength(6, 'must have at most 6 steps'),
    z.superRefine((all, issues) =>
      all.forEach((step, at) => {
        const before = all[at - 1];
        if (!before) return;
        const wrong = (['days', 'card', 'credit'] as const).find((name) =>
          name === 'days' ? step.days >= before.days : step[name] > before[name],
        );
        if (wrong)
          issues.addIssue({ code: 'custom', path: [at, wrong], message: fallsOnly[wrong] });
      }),
    ),
  );
const fallsOnly = {
  days: 'must be fewer days than the step before',
  card: 'must not be more than the step before',
  credit: 'must not be more than the step before',
};

/** A line keeps the terms under which it was sold. */
export const LeavingTerms = z.strictObject({
  /** Within so many days of buying all that is to come goes back (in the EU 14). 0: as the steps say. */
  withdraw: z.union([z.literal(0), z.literal(14)], 'must be 0 or 14'),
  /** A step holds until the end of the day that is `days` before the first meeting. */
  steps,
  begun: z.strictObject(rates).check(noLess),
  /** Percent, with what went back at once, when the seat is sold again. */
  resold: percent,
});
export type LeavingTerms = z.infer<typeof LeavingTerms>;
interface Rates {
  card: number;
  credit: number;
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

type Money = Pick<LeavingLine, 'worth' | 'back' | 'raise' | 'of' | 'left'>;

/** What is paid for the meetings to come, and was not given back. */
export const unusedOf = (line: Money) => toCome(line.worth, line);

/** All that a line has left: of its own worth, and what others' leaving took for it. */
export function leftOf(line: Money) {
  const unused = unusedOf(line);
  return {
    free: Math.max(0, unused - line.back),
    up: Math.max(0, toCome(line.raise, line) - Math.max(0, line.back - unused)),
  };
}

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
  const { free, up } = leftOf(line);
  const own = part(free, percent);
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

const both = { cardCents: answer.count, creditCents: answer.count };
const signed = described(z.number(), { type: 'integer', description: 'In cents.' });

/**
 * `cardCents` or `creditCents` go back, as the family chooses; `next` is from `until` on. `why` adds up to
 * `creditCents`. `step` is the place in the terms; null: the class has begun, or no step holds.
 * `resold`: what follows as credit when the seat is sold again. `withdraw`: the contract can be
 * withdrawn from.
 */
export const Leaving = z.object({
  ...both,
  paidCents: answer.count,
  meetings: answer.count,
  left: answer.count,
  step: z.nullable(answer.count),
  next: z.nullable(z.object({ until: answer.time, ...both })),
  why: z.array(z.object({ text: z.string(), cents: signed })),
  resold: z.object(both),
  withdraw: z.boolean(),
});
export type Leaving = z.infer<typeof Leaving>;

export const quoteSeat = call('GET /enrolments/leaving/:id', {
  does: 'What comes back when you leave a class now, and why. Ends nothing.',
  access: 'signed-in',
  example: { id: 'enrolment' },
  input: z.strictObject({ id }),
  response: Leaving,
  errors: ['NOT_FOUND', 'NOT_YOURS_TO_END', 'ENDED'],
});

export const leaveSeat = call('POST /enrolments/leave/:id', {
  does: 'Ends a seat that you paid for, and gives back what you were shown, to the card or as credit. Left already, nothing changes: modifiedCount is 0.',
  access: 'signed-in',
  example: { id: 'enrolment', backCents: 1999, to: 'card' },
  input: z.strictObject({
    id,
    // What the family saw for its choice. Another amount now is refused.
    backCents: centsUpTo(limits.price.maxCents),
    to: z.enum(['card', 'credit'], 'must be card or credit'),
    resold: z.optional(z.boolean('must be true or false')),
    withdraw: z.optional(z.boolean('must be true or false')),
  }),
  response: z.object({ modifiedCount: answer.count, ...both }),
  errors: [
    'NOT_FOUND',
    'NOT_YOURS_TO_END',
    'ENDED',
    'NOT_REFUNDABLE',
    'QUOTE_CHANGED',
    'NOTHING_BACK',
    'TOO_LATE',
  ],
});

export const askAboutSeat = call('POST /enrolments/ask/:id', {
  does: 'Asks the academy for more than the terms of leaving give. An admin reads it and answers.',
  access: 'signed-in',
  example: { id: 'enrolment', words: 'Mia has broken her arm.' },
  input: z.strictObject({ id, words: paragraphs(limits.objection, 1) }),
  response: changed,
  errors: ['NOT_FOUND', 'ENDED', 'ASKED_ALREADY'],
});

export const getLeavingTerms = call('GET /leaving', {
  does: 'The terms of leaving of the academy, or of a class. `own`: the class has terms of its own.',
  access: 'public',
  input: z.strictObject({ classId: z.optional(id) }),
  response: z.object({ terms: LeavingTerms, own: z.boolean() }),
  errors: ['NOT_FOUND'],
});

export const changeLeavingTerms = call('POST /leaving', {
  does: 'Changes the terms of leaving of the academy, or of a class, for what is sold from now on. Without terms a class has those of the academy.',
  access: 'admin',
  example: {
    terms: {
      withdraw: 0,
      steps: [{ days: 1, card: 100, credit: 100 }],
      begun: { card: 0, credit: 0 },
      resold: 0,
    },
  },
  input: z.strictObject({ terms: z.nullable(LeavingTerms), classId: z.optional(id) }),
  response: changed,
  errors: ['NOT_FOUND'],
});

/** `payCents` is to be paid, or `backCents` becomes credit. Full: the list of the class is open. */
export const Change = z.object({
  classId: answer.id,
  name: classFields.name,
  schedule: classFields.schedule,
  place: classFields.place,
  payCents: answer.count,
  backCents: answer.count,
  full: z.boolean(),
});
export type Change = z.infer<typeof Change>;

export const listChanges = call('GET /enrolments/changes/:id', {
  does: 'The classes of the same sport and for the same age for which a seat can be changed, soonest first, with the difference.',
  access: 'signed-in',
  example: { id: 'enrolment' },
  input: z.strictObject({ id }),
  response: z.array(Change),
  errors: ['NOT_FOUND', 'NOT_YOURS_TO_END', 'ENDED'],
});
