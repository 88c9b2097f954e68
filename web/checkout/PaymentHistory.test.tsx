// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listPayments } from '../../contract/checkout/payments.ts';
import { answers, show } from '../testing/screen.tsx';
import { PaymentHistory } from './PaymentHistory.tsx';

it('is sorted by the button of the specification', async () => {
  const { where } = show(<PaymentHistory />, {
    replies: [answers(listPayments, { items: [], total: 0 })],
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Sort By Old Date' }));
  expect(where()).toContain('sort=asc');
  fireEvent.click(screen.getByRole('button', { name: 'Sort By New Date' }));
  expect(where()).toContain('sort=dsc');
});
