// @vitest-environment happy-dom
// A euro academy in Berlin with German figures, read from New York.
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { settings } from '../../contract/platform/settings.ts';
import {
  getReceipt,
  listAllPayments,
  overrideEnrolment,
} from '../../contract/checkout/payments.ts';
import { sumPayments } from '../../contract/checkout/sums.ts';
import { aReceipt, someSettings } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { chipsOf, filtersIn } from '../classes/filters.ts';
import { writeIn } from '../platform/ui/locale.ts';
import { PaymentDetails } from '../checkout/PaymentDetails.tsx';
import { Payments } from '../checkout/Payments.tsx';
import { Receipt } from '../checkout/Receipt.tsx';

beforeAll(() => {
  vi.stubEnv('TZ', 'America/New_York');
  writeIn({ locale: 'de-DE', currency: 'eur', timeZone: 'Europe/Berlin' });
});
afterAll(() => {
  vi.unstubAllEnvs();
  writeIn({ locale: undefined, currency: 'usd', timeZone: 'UTC' });
});

// 02:29 of Thursday in Berlin, Wednesday evening in New York.
const paid = { ...aReceipt, date: '2020-11-19T01:29:00.000Z' };

const open = (at: string) =>
  show(
    <Routes>
      <Route path="/list" element={<Payments />} />
      <Route path="/receipt/:id" element={<Receipt />} />
      <Route path="/payments/:id" element={<PaymentDetails />} />
    </Routes>,
    {
      at,
      role: 'admin',
      replies: [
        answers(listAllPayments, { items: [paid], total: 1 }),
        answers(sumPayments, { count: 1, paidCents: 12_900, backCents: 0 }),
        answers(getReceipt, paid),
        answers(settings, { ...someSettings, timeZone: 'Europe/Berlin', currency: 'eur' }),
        answers(overrideEnrolment, { modifiedCount: 1 }),
      ],
    },
  );

it('a payment has one day on its list, its page and its receipt', async () => {
  expect(new Date(paid.date).getDate()).toBe(18);
  for (const at of ['/list', '/receipt/x', '/payments/x']) {
    open(at);
    expect((await screen.findAllByText(/Thu 19 Nov 2020/)).length).toBeGreaterThan(0);
    expect(document.body.textContent).toContain('129,00\u00A0€');
    expect(document.body.textContent).not.toContain('$');
    cleanup();
  }
});

it('a refund typed as 120,50 is one of 120.50', async () => {
  const { sent } = open('/payments/x');
  fireEvent.click(await screen.findByRole('button', { name: /^Refund this class/ }));
  const amount = await screen.findByRole('textbox', { name: 'Amount' });
  expect(amount).toHaveProperty('value', '129,00');
  fireEvent.change(amount, { target: { value: '120,50' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'Reason' }), { target: { value: 'Ill' } });
  fireEvent.click(screen.getByRole('button', { name: 'Refund 120,50\u00A0€' }));
  const posted = () => sent.find(({ method }) => method === 'POST')?.body;
  await waitFor(() => expect(posted()).toMatchObject({ cents: 12_050 }));
});

it('a filter typed as 120,50 is asked for as 120.50', () => {
  const asked = filtersIn(new URLSearchParams('maxPrice=120,50'));
  expect(asked).toEqual({ maxPrice: '120.50' });
  expect(chipsOf(asked, {})).toEqual([{ name: 'maxPrice', words: 'Up to 120,50\u00A0€' }]);
});
