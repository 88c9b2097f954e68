// @vitest-environment happy-dom
import { onlineManager, useQuery } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { addToCart } from '../../contract/checkout/cart.ts';
import { type ClassDetail, getClass } from '../../contract/classes/classes.ts';
import { listParticipants, type Participant } from '../../contract/people/family.ts';
import { useMessages } from '../platform/ui/alert.ts';
import { answers, show } from '../testing/screen.tsx';
import { closeSheet, useOpenSheet, useSelectClass } from './forWhom.ts';
import { participants } from './participants.ts';

function Select({ itemId }: { itemId: string }) {
  const { select, busy } = useSelectClass();
  const known = useQuery(participants).data;
  return (
    <button
      type="button"
      disabled={!known}
      aria-busy={busy}
      onClick={() => void select({ itemId, email: '' })}
    >
      {itemId}
    </button>
  );
}

function Shown() {
  const { toasts, dialogs } = useMessages();
  const asked = useOpenSheet()?.classId ?? 'none';
  return (
    <>
      <output>Asked about: {asked}</output>
      {[...toasts, ...dialogs].map(({ id, title }) => (
        <p key={id}>{title}</p>
      ))}
    </>
  );
}

it('asks a parent who was offline about each selected class', async () => {
  onTestFinished(() => {
    onlineManager.setOnline(true);
    closeSheet();
  });
  const family = [
    { _id: 'u1', name: 'Sam', self: true },
    { _id: 'p1', name: 'Mia', self: false },
  ] as Participant[];
  show(
    <>
      <Select itemId="judo" />
      <Select itemId="chess" />
      <Shown />
    </>,
    { replies: [answers(listParticipants, family)] },
  );
  const judo = screen.getByRole<HTMLButtonElement>('button', { name: 'judo' });
  await waitFor(() => expect(judo.disabled).toBe(false));
  act(() => onlineManager.setOnline(false));
  fireEvent.click(judo);
  fireEvent.click(screen.getByRole('button', { name: 'chess' }));
  const said = 'No connection. We will ask who it is for as soon as you are back.';
  await waitFor(() => expect(screen.getAllByText(said)).toHaveLength(2));
  expect(judo.getAttribute('aria-busy')).toBe('true');
  expect(screen.getByText('Asked about: none')).toBeTruthy();

  act(() => onlineManager.setOnline(true));
  expect(await screen.findByText('Asked about: judo')).toBeTruthy();
  expect(judo.getAttribute('aria-busy')).toBe('false');
  act(closeSheet);
  expect(await screen.findByText('Asked about: chess')).toBeTruthy();
  act(closeSheet);
  expect(await screen.findByText('Asked about: none')).toBeTruthy();
});

it.each([
  ['is asked about a class for children', null, 10, 'Asked about: x'],
  ['who has said Myself is not asked', '1990-01-01', 10, 'Class added to your cart succesfully.'],
  ['is not asked without an upper age', null, undefined, 'Class added to your cart succesfully.'],
])('an account without children %s', async (_, born, maxAge, said) => {
  onTestFinished(closeSheet);
  const own = { _id: 'u1', name: 'Sam', self: true, born } as Participant;
  show(
    <>
      <Select itemId="x" />
      <Shown />
    </>,
    {
      replies: [
        answers(listParticipants, [own]),
        answers(getClass, { _id: 'x', ...(maxAge && { maxAge }) } as ClassDetail),
        answers(addToCart, { insertedId: 'b1' }),
      ],
    },
  );
  const select = screen.getByRole<HTMLButtonElement>('button', { name: 'x' });
  await waitFor(() => expect(select.disabled).toBe(false));
  fireEvent.click(select);
  expect(await screen.findByText(said)).toBeTruthy();
});
