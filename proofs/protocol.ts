// The protocol of the checkout as a model that is explored to its end: families who pay for several
// seats in one basket, regroup, lose a class, and get single lines refunded. Every step is one
// transaction of ours or one call to the card provider, never both. A process that dies is a step
// that never comes, or comes later from another process. This is the state and what must be true of it;
// the steps are in protocolsteps.ts. Not for: running our code (model.ts).
//
// Left out: coupons and totals of 0, repeated intents of one basket, refunds that fail at the bank or
// are made in the dashboard, disputes, restored backups, amounts.
import type { Rule } from './explore.ts';

/** A world has classes with a few seats, and families who want them. */
export interface World {
  classes: { seats: number; mayBeDenied: boolean }[];
  families: {
    /** The class of each seat that the family wants. */
    wants: number[];
    /** Baskets that it may make, one after the other. */
    baskets: number;
    /** An admin may end its enrolments one by one, with the money back. */
    mayLeave: boolean;
  }[];
}

/** A seat that a family wants: its live hold, the basket of that hold, and its enrolment. */
export interface Seat {
  hold: 'none' | 'held' | 'releasing';
  /** -1: the hold is loose. */
  basket: number;
  enrolled: boolean;
}

/** The refund of a line: our row, and what the provider knows. */
export interface Refund {
  row: 'none' | 'due' | 'done';
  made: number;
  /** The provider returns the same refund for our key, for a day. */
  keyKnown: boolean;
  /** A worker has listed the refunds of the payment, did not find this one, and goes on. */
  looked: boolean;
}

export interface Line {
  /** `open`: in the metadata of the intent, and nothing is decided. */
  outcome: 'absent' | 'open' | 'enrolled' | 'refused' | 'left';
  refund: Refund;
}

export interface Basket {
  state: 'unmade' | 'open' | 'closing' | 'closed' | 'paid';
  /** `made`: at the provider, its id not stored and its secret not returned. `stored`: can be paid. */
  intent: 'none' | 'made' | 'stored' | 'succeeded' | 'canceled';
  lines: Line[];
}

export interface Family {
  seats: Seat[];
  baskets: Basket[];
}

export interface State {
  denied: boolean[];
  families: Family[];
}

/**
 * `baskets`: two families want both classes with one seat each; one of them tries several times, and a
 * class may be denied. `lines`: two lines of one price, ended singly, and a rival for the freed seat.
 * `siblings`: two seats of one class in a basket. With three baskets `lines` would have tens of
 * millions of states; two are enough to buy again what was refunded.
 */
export const worldsOf = (baskets: number): Record<'baskets' | 'lines' | 'siblings', World> => ({
  baskets: {
    classes: [
      { seats: 1, mayBeDenied: false },
      { seats: 1, mayBeDenied: true },
    ],
    families: [
      { wants: [0, 1], baskets, mayLeave: false },
      { wants: [0, 1], baskets: 1, mayLeave: false },
    ],
  },
  lines: {
    classes: [
      { seats: 1, mayBeDenied: false },
      { seats: 2, mayBeDenied: true },
    ],
    families: [
      { wants: [0, 1], baskets: Math.min(baskets, 2), mayLeave: true },
      { wants: [0], baskets: 1, mayLeave: true },
    ],
  },
  siblings: {
    classes: [{ seats: 2, mayBeDenied: true }],
    families: [
      { wants: [0, 0], baskets, mayLeave: false },
      { wants: [0], baskets: 1, mayLeave: false },
    ],
  },
});

export const noRefund: Refund = { row: 'none', made: 0, keyKnown: false, looked: false };
export const noSeat: Seat = { hold: 'none', basket: -1, enrolled: false };
export const isLive = ({ hold }: Seat) => hold !== 'none';

export function startOf({ classes, families }: World): State {
  return {
    denied: classes.map(() => false),
    families: families.map(({ wants, baskets }) => ({
      seats: wants.map(() => noSeat),
      baskets: Array.from({ length: baskets }, () => ({
        state: 'unmade',
        intent: 'none',
        lines: wants.map(() => ({ outcome: 'absent', refund: noRefund })),
      })),
    })),
  };
}

const holdStates: Seat['hold'][] = ['none', 'held', 'releasing'];
const basketStates: Basket['state'][] = ['unmade', 'open', 'closing', 'closed', 'paid'];
const intents: Basket['intent'][] = ['none', 'made', 'stored', 'succeeded', 'canceled'];
const outcomes: Line['outcome'][] = ['absent', 'open', 'enrolled', 'refused', 'left'];
const refundRows: Refund['row'][] = ['none', 'due', 'done'];

/** One character for each part of a state. */
export function keyOf({ denied, families }: State): string {
  const codes = denied.map(Number);
  for (const { seats, baskets } of families) {
    for (const { hold, basket, enrolled } of seats)
      codes.push((holdStates.indexOf(hold) * 8 + basket + 1) * 2 + Number(enrolled));
    for (const { state, intent, lines } of baskets) {
      codes.push(basketStates.indexOf(state) * 8 + intents.indexOf(intent));
      for (const { outcome, refund } of lines) {
        const { row, made, keyKnown, looked } = refund;
        const known = Number(keyKnown) * 2 + Number(looked);
        codes.push(
          (outcomes.indexOf(outcome) * 3 + refundRows.indexOf(row)) * 16 + made * 4 + known,
        );
      }
    }
  }
  return String.fromCharCode(...codes);
}

/** The classes count live holds and enrolments. */
function taken({ families: all }: World, { families }: State, klass: number): number {
  let count = 0;
  for (const [place, { seats }] of families.entries())
    for (const [line, seat] of seats.entries())
      if (all[place]?.wants[line] === klass) count += Number(isLive(seat)) + Number(seat.enrolled);
  return count;
}
export const freeSeats = (world: World, state: State, klass: number) =>
  (world.classes[klass]?.seats ?? 0) - taken(world, state, klass);

const someLine = (state: State, test: (line: Line, seat: Seat, basket: Basket) => boolean) =>
  state.families.some(({ seats, baskets }) =>
    baskets.some((basket) =>
      basket.lines.some((line, place) => test(line, seats[place] ?? noSeat, basket)),
    ),
  );

/** A seat for which more than one basket passes the test. */
const twice = (state: State, test: (line: Line, basket: Basket) => boolean) =>
  state.families.some(({ seats, baskets }) =>
    seats.some((_, place) => {
      const passed = baskets.filter(({ lines, ...basket }) => {
        const line = lines[place];
        return line !== undefined && test(line, { ...basket, lines });
      });
      return passed.length > 1;
    }),
  );

const isPaidFor = ({ outcome }: Line, { intent }: Basket) =>
  intent === 'succeeded' && (outcome === 'open' || outcome === 'enrolled');

export function rulesOf(world: World): Rule<State>[] {
  const always = (name: string, isBroken: (state: State) => boolean): Rule<State> => ({
    name,
    when: 'always',
    isBroken,
  });
  const atRest = (name: string, isBroken: (state: State) => boolean): Rule<State> => ({
    name,
    when: 'atRest',
    isBroken,
  });
  return [
    always('no class is oversold', (state) =>
      world.classes.some(({ seats }, klass) => taken(world, state, klass) > seats),
    ),
    always('no seat is paid for twice', (state) => twice(state, isPaidFor)),
    always('no seat has two payments that can be paid', (state) =>
      twice(state, ({ outcome }, { intent }) => outcome === 'open' && intent === 'stored'),
    ),
    always('no more is refunded than is owed', (state) =>
      someLine(state, ({ refund }) => refund.made > (refund.row === 'none' ? 0 : 1)),
    ),
    always('a refund on record was made', (state) =>
      someLine(state, ({ refund }) => refund.row === 'done' && refund.made === 0),
    ),
    always('an enrolled line has its seat', (state) =>
      someLine(state, ({ outcome }, { enrolled }) => outcome === 'enrolled' && !enrolled),
    ),
    atRest('every payment is settled', (state) =>
      someLine(state, (_, __, basket) => basket.intent === 'succeeded' && basket.state !== 'paid'),
    ),
    atRest('no intent can be paid', (state) =>
      someLine(state, (_, __, { intent }) => intent === 'stored' || intent === 'made'),
    ),
    atRest('a line without a seat has its money back', (state) =>
      someLine(
        state,
        ({ outcome, refund }) => (outcome === 'refused' || outcome === 'left') && refund.made !== 1,
      ),
    ),
    atRest('no seat stays held', (state) => state.families.some(({ seats }) => seats.some(isLive))),
  ];
}
