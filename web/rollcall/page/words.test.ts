import { expect, it } from 'vitest';
import { noCare } from '../../../contract/people/care.ts';
import { badgeOf, earlyWords } from './words.ts';

const care = { ...noCare, state: 'filled' as const, confirmedAt: null };

it('never cuts an allergy', () => {
  const allergies = `Peanuts and other nuts. ${'Very strong. '.repeat(30)}The pen is in the front pocket.`;
  expect(badgeOf({ ...care, allergies })).toEqual({ text: allergies, severe: true });
});

it('a meeting that is hours away is asked about', () => {
  const at = '2027-01-04T16:00:00.000Z';
  const asked = ['14:59', '01:00'].map((now) => earlyWords(at, Date.parse(`2027-01-04T${now}Z`)));
  expect(asked).toEqual([null, 'It starts in 15 hours: take it now?']);
});
