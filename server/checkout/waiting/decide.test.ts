// First come, first served, without a database: random lines and random frees, with wrong variants.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Change, decide, isInLine, type Wish } from './decide.ts';

const aWish = (waitId: string, given: Partial<Wish> = {}): Wish => ({
  waitId,
  state: 'waiting',
  seats: 1,
  kept: 0,
  busy: false,
  patient: true,
  hadTurn: false,
  elsewhere: false,
  gone: false,
  paid: false,
  declined: false,
  ...given,
});
const room = (left: number, given: object = {}) => ({
  closed: false,
  onSale: true,
  left,
  ...given,
});
const told = (changes: readonly Change[]) =>
  changes.map(({ waitId, to, ended, take }) => [waitId, ended ?? to, take]);

describe('seats that are left', () => {
  it('go to the first who wait, and a single stops the line', () => {
    const line = [aWish('a'), aWish('b', { seats: 2 }), aWish('c')];
    expect(told(decide(room(2), line))).toEqual([
      ['a', 'offered', 1],
      ['b', 'gathering', 1],
    ]);
    expect(told(decide(room(4), line))).toEqual([
      ['a', 'offered', 1],
      ['b', 'offered', 2],
      ['c', 'offered', 1],
    ]);
    expect(decide(room(0), line)).toEqual([]);
    expect(decide(room(4, { onSale: false }), line)).toEqual([]);
  });

  it('pass a group that had its time, until all fit', () => {
    const late = aWish('a', { seats: 2, state: 'gathering', patient: false, hadTurn: true });
    expect(told(decide(room(1), [late, aWish('b')]))).toEqual([
      ['a', 'passed', 0],
      ['b', 'offered', 1],
    ]);
    const passed = { ...late, state: 'passed' as const };
    expect(told(decide(room(2), [passed, aWish('b')]))).toEqual([['a', 'offered', 2]]);
  });

  it('wait for what a group still has', () => {
    const leaving = aWish('a', { seats: 2, state: 'gathering', patient: false, busy: true });
    expect(decide(room(1), [leaving, aWish('b')])).toEqual([]);
  });

  it('are not taken off the sale by a group that joins', () => {
    const joining = aWish('a', { seats: 3, state: 'passed' });
    expect(decide(room(2), [joining])).toEqual([]);
    expect(told(decide(room(0), [joining]))).toEqual([['a', 'waiting', 0]]);
  });
});

describe('a wish', () => {
  it.each([
    ['enrolled', { paid: true }],
    ['declined', { declined: true }],
    ['expired', {}],
  ])('that was offered ends as %s', (ended, given) => {
    expect(told(decide(room(0), [aWish('a', { state: 'offered', ...given })]))).toEqual([
      ['a', ended, 0],
    ]);
  });

  it('goes on while one of its seats is kept', () => {
    const half = aWish('a', { state: 'offered', seats: 2, kept: 1, paid: true });
    expect(decide(room(0), [half])).toEqual([]);
  });

  it('comes back when the offer elsewhere has ended', () => {
    const paused = aWish('a', { state: 'paused' });
    expect(decide(room(1), [{ ...paused, elsewhere: true }])).toEqual([]);
    expect(told(decide(room(0), [paused]))).toEqual([['a', 'waiting', 0]]);
    expect(told(decide(room(0), [{ ...paused, hadTurn: true }]))).toEqual([['a', 'passed', 0]]);
  });

  it('ends with its class, its account and its child', () => {
    const line = [aWish('a', { state: 'passed' }), aWish('b', { state: 'offered', kept: 1 })];
    expect(told(decide(room(3, { closed: true, onSale: false }), line))).toEqual([
      ['a', 'closed', 0],
      ['b', 'closed', 0],
    ]);
    expect(told(decide(room(0), [aWish('a', { gone: true })]))).toEqual([['a', 'left', 0]]);
  });
});

const aLine = fc
  .array(
    fc.record({
      seats: fc.integer({ min: 1, max: 4 }),
      state: fc.constantFrom('waiting' as const, 'passed' as const),
    }),
    { maxLength: 8 },
  )
  .map((line) =>
    line.map((wish, n) => aWish(`w${n}`, { ...wish, hadTurn: wish.state === 'passed' })),
  );

/** What is wrong with an answer: more than there is, a jump, a seat that nobody gets. */
function faults(left: number, line: readonly Wish[], changes: readonly Change[]): string[] {
  const taken = changes.reduce((sum, { take }) => sum + take, 0);
  const after = line.map((wish) => {
    const change = changes.find(({ waitId }) => waitId === wish.waitId);
    return { ...wish, state: change?.to ?? wish.state, kept: change?.take ?? 0 };
  });
  const first = after.findIndex(isInLine);
  const jumped = after.some(
    ({ kept }, n) => kept > 0 && first >= 0 && n > first && after[first]?.state === 'waiting',
  );
  const rest = left - taken;
  return [
    ...(rest < 0 ? ['more than there is'] : []),
    ...(jumped ? ['somebody before still waits'] : []),
    ...(rest > 0 && first >= 0 ? ['a free seat, and somebody waits'] : []),
  ];
}

const lines = fc.tuple(fc.integer({ min: 0, max: 10 }), aLine);

it('N19: in any line nobody jumps, and no seat is left over', () => {
  fc.assert(
    fc.property(lines, ([left, line]) => {
      expect(faults(left, line, decide(room(left), line))).toEqual([]);
    }),
  );
});

/** The next that fits is served, whoever is before it. */
const skipping = (left: number, line: readonly Wish[]) => {
  let rest = left;
  return line.flatMap(({ waitId, seats }): Change[] => {
    if (seats > rest) return [];
    rest -= seats;
    return [{ waitId, to: 'offered', take: seats }];
  });
};

it('N19, control: the next that fits jumps', () => {
  const found = fc.check(
    fc.property(lines, ([left, line]) => faults(left, line, skipping(left, line)).length === 0),
  );
  expect(found.failed).toBe(true);
});
