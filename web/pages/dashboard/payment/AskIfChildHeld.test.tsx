// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { BasketLine } from '../../../../contract/lines.ts';
import { aCartItem } from '../../../testing/samples.ts';
import { show } from '../../../testing/screen.tsx';
import { BasketSummary } from './BasketSummary.tsx';
import { Summary } from './Summary.tsx';

const ages = { minAge: 5, maxAge: 8 };
const held = { holdId: 'h', expiresAt: '2030-01-01T00:00:00.000Z', clientSecret: 's' };
const nothing = () => undefined;

it('asks at a held seat whether it is for a child, without a button that changes it', () => {
  show(
    <Summary
      item={{ ...aCartItem, ...ages }}
      intent={{ ...held, itemId: 'c1', name: 'Tennis', price: 20 }}
      seconds={60}
      onClosed={nothing}
    />,
  );
  expect(screen.getByText('This class is for 5–8 years. Is it for a child?')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'your cart' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Choose|Change/ })).toBeNull();
});

it('asks at the lines of a basket that are for oneself only', () => {
  const line = {
    name: 'Tennis',
    price: 20,
    discount: 0,
    amount: 20,
    why: [],
    state: 'ok',
    ...ages,
  };
  const lines = [
    { ...line, item: 'b1' },
    { ...line, item: 'b2', participant: 'Mia' },
  ] as unknown as BasketLine[];
  show(
    <BasketSummary
      basket={{ ...held, basketId: 'k', lines, total: 40, saved: 0, card: 40 }}
      ids={['b1', 'b2']}
      coupon={undefined}
      seconds={60}
      onClosed={nothing}
      onCoupon={nothing}
    />,
  );
  expect(screen.getAllByText('This class is for 5–8 years. Is it for a child?')).toHaveLength(1);
});
