// Care facts as they are sent, and in words.
import type { Care, CareFacts, CarePerson } from './care.ts';

/** The document without what the server adds to it. */
export const documentOf = ({ state: _state, confirmedAt: _at, ...care }: CareFacts): Care => care;

const personInWords = ({ name, relation, phone }: CarePerson) =>
  [name, relation, phone].filter(Boolean).join(', ');

/** A line per fact that is given. */
export function careInWords(facts: CareFacts): string[] {
  const said = [
    ['Allergies', facts.allergies],
    ['Health', facts.health],
    ['Medicine', facts.medicine],
    ['Note', facts.note],
    ...facts.contacts.map((person) => ['To call', personInWords(person)]),
    ...facts.pickup.map((person) => ['May pick up', personInWords(person)]),
    ['After class', facts.mayGoAlone ? 'may leave alone' : 'waits to be picked up'],
  ];
  return said.filter(([, words]) => words).map((parts) => parts.join(': '));
}
