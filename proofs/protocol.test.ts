// The protocol of baskets, refunds and settling, explored to its end: `npm run proofs -- protocol`.
// Each control is the protocol with one guard off, and must break the rule that the guard keeps.
import { expect, it } from 'vitest';
import { lengthOf } from '../server/testing/length.ts';
import { explore } from './explore.ts';
import { rulesOf, worldsOf } from './protocol.ts';
import { type Control, controls, protocol } from './protocolsteps.ts';

/** By the baskets that the first family may make. */
const worlds = worldsOf(lengthOf(1));
/** Regrouping needs two. */
const worldsOfTwo = worldsOf(2);
type Name = keyof typeof worlds;

it.each(Object.keys(worlds) as Name[])(
  'the world %s: in no state is a rule broken',
  (name) => {
    const { states, atRest, broken } = explore(protocol(worlds[name]), rulesOf(worlds[name]));
    console.log(`${name}: ${states} states, the server rests in ${atRest} of them`);
    expect(broken).toEqual([]);
    expect(atRest).toBeGreaterThan(0);
  },
  600_000,
);

it.each([
  ['freeFirst', 'baskets', 'no seat is paid for twice'],
  ['regroupFirst', 'baskets', 'no seat is paid for twice'],
  ['byAmount', 'lines', 'a refund on record was made'],
  ['noLook', 'lines', 'no more is refunded than is owed'],
] satisfies [Control, Name, string][])(
  'control %s in the world %s: "%s" is broken',
  (control, name, rule) => {
    const world = worldsOfTwo[name];
    const rules = rulesOf(world).filter((one) => one.name === rule);
    const { states, broken } = explore(protocol(world, control), rules, { first: true });
    const [found] = broken;
    console.log(`${controls[control]}: ${states} states, then ${found?.path.join(' > ')}`);
    expect(found?.rule).toBe(rule);
  },
  600_000,
);
