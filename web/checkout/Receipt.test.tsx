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
import { aLine, aReceipt, aRefund, someSettings } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
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
    refunds: [aRefund, { ...aRefund, refundId: 'r2', cents: 20, state: 'sent' }],
  });
  expect(paidAfter()).toBe('$123.80');
  expect(screen.getByRole('table', { name: 'Refunds' }).textContent).toContain('−$5.00');
});

it('counts a refund that the bank has returned as still paid', async () => {
  await open({ refunds: [aRefund, { ...aRefund, refundId: 'r2', cents: 2_000, state: 'failed' }] });
  expect(paidAfter()).toBe('$124.00');
});

const second: ReceiptLine = { ...aLine, lineId: 'l2', name: 'Yoga', participant: 'Mia' };

it('says which seat is for oneself where one is for a child', async () => {
  await open({ lines: [aLine, second], refunds: [{ ...aRefund, state: 'sent' }] });
  expect(screen.getByText('for Mia')).toBeTruthy();
  expect(screen.getByText('for you')).toBeTruthy();
  expect(
    screen.getByRole('rowheader', { name: /^Archery Basics for you On its way/ }),
  ).toBeTruthy();
});

it("does not say so to an admin who opens a family's receipt", async () => {
  await open({ email: 'family@rally.test', lines: [aLine, second] });
  expect(screen.getByText('for Mia')).toBeTruthy();
  expect(screen.queryByText(/for you/)).toBeNull();
});

const ended: ReceiptLine = { ...aLine, state: 'ended' };

it.each([
  ['the only seat', [ended]],
  ['one of several seats', [ended, second]],
])('says that %s is no longer booked', async (_which, lines) => {
  await open({ lines });
  expect(screen.getAllByText('No longer booked')).toHaveLength(1);
});

it('lets its payer choose credit while there is a choice', async () => {
  const choiceUntil = '2027-01-09T10:00:00.000Z';
  await open({
    status: 'refund_due',
    leftCents: 0,
    lines: [{ ...ended, backCents: 12_900, leftCents: 0 }],
    refunds: [{ ...aRefund, cents: 12_900, state: 'due', choiceUntil }],
  });
  expect(screen.getByText(/^Goes to the card on .*9 Jan 2027$/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Keep it as credit' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Send it to my card now' })).toBeTruthy();
});

it('says what credit has paid, and what came back as credit', async () => {
  const line = { ...ended, backCents: 12_900, creditCents: 12_900, leftCents: 0 };
  await open({ cardCents: 11_700, creditCents: 1_200, leftCents: 0, lines: [line] });
  expect(screen.getByText('$117.00 by card · $12.00 by credit')).toBeTruthy();
  expect(screen.getByText('Back as credit')).toBeTruthy();
});

it('says in one sentence that the only seat is refunded', async () => {
  const refundedAt = '2026-11-17T10:00:00.000Z';
  await open({
    status: 'refunded',
    backCents: 12_900,
    leftCents: 0,
    refundedAt,
    lines: [ended],
    refunds: [aRefund],
  });
  expect(screen.getByText(/^Refunded in full on Tue 17 Nov 2026/)).toBeTruthy();
  expect(screen.queryByText('No longer booked')).toBeNull();
  expect(screen.queryByRole('table', { name: 'Refunds' })).toBeNull();
});
