// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import {
  getReceipt,
  type Receipt as Paid,
  type ReceiptLine,
} from '../../contract/checkout/payments.ts';
import { settings } from '../../contract/platform/settings.ts';
import { aReceipt, aRefund, someSettings } from '../testing/samples.ts';
import { answers, email, show } from '../testing/screen.tsx';
import { Receipt } from './Receipt.tsx';

const open = async (receipt: Partial<Paid>) => {
  show(
    <Routes>
      <Route path="/receipt/:id" element={<Receipt />} />
    </Routes>,
    {
      at: '/receipt/x',
      replies: [answers(getReceipt, { ...aReceipt, ...receipt }), answers(settings, someSettings)],
    },
  );
  await screen.findByText('Total paid');
};
const paidAfter = () => {
  const row = screen.queryByRole('row', { name: /^Paid after refunds/ });
  return row && within(row).getByRole('cell').textContent;
};

it('says what is still paid after refunds, to the cent', async () => {
  await open({
    price: 0.6,
    refunds: [
      { ...aRefund, amount: 0.1 },
      { ...aRefund, _id: 'r2', amount: 0.2, state: 'sent' },
    ],
  });
  expect(paidAfter()).toBe('$0.30');
  expect(screen.getByRole('table', { name: 'Refunds' }).textContent).toContain('−$0.10');
});

it('counts a refund that the bank has returned as still paid', async () => {
  await open({ refunds: [aRefund, { ...aRefund, _id: 'r2', amount: 20, state: 'failed' }] });
  expect(paidAfter()).toBe('$124.00');
});

const line = (_id: string, more: Partial<ReceiptLine> = {}): ReceiptLine => ({
  _id,
  itemId: _id,
  name: `Class ${_id}`,
  instructor: 'Casey Morgan',
  schedule: 'Mon · 09:00–10:00',
  place: 'Hall 1',
  price: 20,
  amount: 20,
  state: 'enrolled',
  ...more,
});
const lines = [line('1'), line('2', { participant: 'Mia' })];
const openOf = (of: string) =>
  show(
    <Routes>
      <Route path="/:id" element={<Receipt />} />
    </Routes>,
    {
      at: '/x',
      replies: [
        answers(settings, someSettings),
        answers(getReceipt, {
          email: of,
          date: '2026-11-18T10:00:00.000Z',
          price: 40,
          lines,
          refunds: [
            { _id: 'r', lineId: '1', amount: 5, state: 'sent', date: '2026-11-18T11:00:00.000Z' },
          ],
        } as unknown as Paid),
      ],
    },
  );

it('says which seat is for oneself where one is for a child', async () => {
  openOf(email);
  expect(await screen.findByText('for Mia')).toBeTruthy();
  expect(screen.getByText('for you')).toBeTruthy();
  expect(screen.getByRole('rowheader', { name: /^Class 1 for you On its way/ })).toBeTruthy();
});

it("does not say so to an admin who opens a family's receipt", async () => {
  openOf('family@rally.test');
  expect(await screen.findByText('for Mia')).toBeTruthy();
  expect(screen.queryByText(/for you/)).toBeNull();
});

it.each([
  ['the only seat', [line('a', { state: 'ended' })]],
  ['one of several seats', [line('a', { state: 'ended' }), line('b')]],
])('says that %s is no longer booked', async (_which, lines) => {
  await open({ lines });
  expect(screen.getAllByText('No longer booked')).toHaveLength(1);
});
