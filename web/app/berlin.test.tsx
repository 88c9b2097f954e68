// @vitest-environment happy-dom
// A euro academy in Berlin with German figures.
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { settings } from '../../contract/platform/settings.ts';
import { getReceipt, overrideEnrolment } from '../../contract/checkout/payments.ts';
import { aReceipt, someSettings } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { chipsOf, filtersIn } from '../classes/filters.ts';
import { writeIn } from '../platform/ui/locale.ts';
import { PaymentDetails } from '../checkout/PaymentDetails.tsx';

beforeAll(() => writeIn({ locale: 'de-DE', currency: 'eur', timeZone: 'Europe/Berlin' }));
afterAll(() => writeIn({ locale: undefined, currency: 'usd', timeZone: 'UTC' }));

const payment = (
  <Routes>
    <Route path="/payments/:id" element={<PaymentDetails />} />
  </Routes>
);

it('a refund typed as 120,50 is one of 120.50', async () => {
  const { sent } = show(payment, {
    at: '/payments/x',
    role: 'admin',
    replies: [
      answers(getReceipt, aReceipt),
      answers(settings, { ...someSettings, timeZone: 'Europe/Berlin', currency: 'eur' }),
      answers(overrideEnrolment, { modifiedCount: 1 }),
    ],
  });
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
