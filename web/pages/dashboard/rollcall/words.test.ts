import { expect, it } from 'vitest';
import { noCare } from '../../../../contract/care.ts';
import { badgeOf } from './words.ts';

const care = { ...noCare, state: 'filled' as const, confirmedAt: null };

it('never cuts an allergy: its last words may say where the medicine is', () => {
  const allergies = `Peanuts and other nuts. ${'Very strong. '.repeat(30)}The pen is in the front pocket.`;
  expect(badgeOf({ ...care, allergies })).toEqual({ text: allergies, severe: true });
});

it('shortens what is not urgent', () => {
  const badge = badgeOf({ ...care, note: `Likes to be ${'called '.repeat(20)}Mimi` });
  expect([badge?.severe, badge?.text.length]).toEqual([false, 60]);
});
