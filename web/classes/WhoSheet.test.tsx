// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getCart } from '../../contract/checkout/cart.ts';
import { noCare, readCare, writeCare } from '../../contract/people/care.ts';
import { type ClassDetail, getClass } from '../../contract/classes/classes.ts';
import { listParticipants, type Participant } from '../../contract/people/family.ts';
import { listEnrolments } from '../../contract/checkout/payments.ts';
import { answers, answersBy, show } from '../testing/screen.tsx';
import { WhoSheet } from './WhoSheet.tsx';

const eva = { name: 'Eva', relation: 'mother', phone: '+351 912 345 678' };

const person = (_id: string, name: string, more: Partial<Participant> = {}) =>
  ({ _id, name, self: false, born: '2018-05-04', care: 'filled', ...more }) as Participant;

/** Mia's care facts are old until `now()`; `changed()` is what another guardian does. */
function aSheet() {
  let [state, confirmedAt]: ['old' | 'filled', string] = ['old', '2025-03-04T10:00:00.000Z'];
  const care = { ...noCare, allergies: 'Peanuts', contacts: [eva] };
  const shown = show(<WhoSheet classId="x" onClose={() => undefined} />, {
    replies: [
      answers(getClass, { _id: 'x', name: 'Judo', seat: 5, minAge: 6, maxAge: 12 } as ClassDetail),
      answersBy(listParticipants, () => [
        person('u1', 'Sam', { self: true, born: null }),
        person('x', 'Mia', { care: state }),
        person('p2', 'Leo'),
      ]),
      answers(getCart, []),
      answers(listEnrolments, { items: [], total: 0 }),
      answersBy(readCare, () => ({ ...care, state, confirmedAt })),
      answers(writeCare, { modifiedCount: 1 }),
    ],
  });
  const now = () => (state = 'filled');
  const changed = () => {
    now();
    confirmedAt = '2026-03-04T10:00:00.000Z';
  };
  const written = () =>
    shown.sent.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, body]);
  return { care, now, changed, written };
}

it('asks whether care facts of a year ago are still right', async () => {
  const { care, now, written } = aSheet();
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Leo' }));
  expect(screen.queryByText('Allergies and contacts: still right?')).toBeNull();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Mia' }));
  const confirm = await screen.findByRole('button', { name: 'Yes, still right: Mia' });
  const row = within(screen.getAllByRole('listitem')[0] as HTMLElement);
  expect(row.getByText('Allergies: Peanuts')).toBeTruthy();
  expect(row.getByText('To call: Eva, mother, +351 912 345 678')).toBeTruthy();
  now();
  fireEvent.click(confirm);
  await waitFor(() =>
    expect(screen.queryByText('Allergies and contacts: still right?')).toBeNull(),
  );
  expect(written()).toEqual([['PATCH', { ...care, seen: '2025-03-04T10:00:00.000Z' }]]);
});

it('does not write over care facts that changed meanwhile', async () => {
  const { changed, written } = aSheet();
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Mia' }));
  const confirm = await screen.findByRole('button', { name: 'Yes, still right: Mia' });
  changed();
  fireEvent.click(confirm);
  await waitFor(() =>
    expect(screen.queryByText('Allergies and contacts: still right?')).toBeNull(),
  );
  expect(written()).toEqual([]);
});

it('says the ages of the class where no birth date is known', async () => {
  aSheet();
  const sam = await screen.findByRole('checkbox', { name: 'Sam (you)' });
  const [mia, , own] = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(own).toContain('This class is for 6–12 years');
  expect(mia).not.toContain('This class');
  expect(sam.hasAttribute('disabled')).toBe(false);
});
