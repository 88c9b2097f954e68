// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { getReceipt, type Receipt as Paid } from '../../../contract/payments.ts';
import { settings } from '../../../contract/identity.ts';
import { aReceipt, aRefund, someSettings } from '../../testing/samples.ts';
import { answers, show } from '../../testing/screen.tsx';
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

it('says what is still paid after refunds, to the cent, also while they are on their way', async () => {
  await open({
    price: 0.6,
    refunds: [
      { ...aRefund, amount: 0.1 },
      { ...aRefund, _id: 'r2', amount: 0.2, state: 'sent' },
    ],
  });
  expect(paidAfter()).toBe('$0.30');
});

it('counts a refund that the bank has returned as still paid', async () => {
  await open({ refunds: [aRefund, { ...aRefund, _id: 'r2', amount: 20, state: 'failed' }] });
  expect(paidAfter()).toBe('$124.00');
});

it.each([[{}], [{ refunds: [] }]])('has no such line without a refund: %j', async (receipt) => {
  await open(receipt);
  expect(paidAfter()).toBeNull();
});
