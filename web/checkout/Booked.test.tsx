// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getReceipt, type ReceiptLine } from '../../contract/checkout/payments.ts';
import { aLine, aReceipt } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { Booked } from './Booked.tsx';

const line = (name: string, state: ReceiptLine['state'] = 'enrolled'): ReceiptLine => ({
  ...aLine,
  lineId: name,
  name,
  schedule: 'Mon · 09:00–10:00',
  place: 'Hall 1',
  state,
});
const booked = { paymentId: 'x', name: '3 classes: Judo, Yoga, Tennis' };
const open = (lines: ReceiptLine[]) =>
  show(<Booked />, {
    at: { pathname: '/dashboard/myselectedclasses', search: '', state: { booked } },
    replies: [answers(getReceipt, { ...aReceipt, lines })],
  });

it('names several classes once, each with when and where', async () => {
  open([line('Judo'), line('Yoga'), line('Tennis')]);
  expect(await screen.findByText('You are booked: 3 classes')).toBeTruthy();
  expect(screen.getAllByText('Mon · 09:00–10:00 · Hall 1')).toHaveLength(3);
});

it('does not count a class whose seat could not be sold', async () => {
  open([line('Judo'), line('Yoga'), line('Tennis', 'refused')]);
  expect(await screen.findByText('You are booked: 2 classes')).toBeTruthy();
  expect(screen.getByText('Not booked: its money goes back to the card')).toBeTruthy();
});
