// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type CartItem, listCart } from '../../../contract/cart.ts';
import { studentFigures } from '../../../contract/figures.ts';
import { listEnrolments, listPayments } from '../../../contract/payments.ts';
import { aCartItem } from '../../testing/samples.ts';
import { answers, show } from '../../testing/screen.tsx';
import { UserHome } from './UserHome.tsx';

const none = { items: [], total: 0 };
const cartOf = async (...items: CartItem[]) => {
  show(<UserHome />, {
    replies: [
      answers(listCart, items),
      answers(listEnrolments, none),
      answers(listPayments, none),
      answers(studentFigures, { cart: items.length, enrolled: 0, payments: 0, paid: 0 }),
    ],
  });
  return within(await screen.findByRole('region', { name: 'In your cart' }));
};

it('shows no total of a cart in which nothing can be paid for', async () => {
  const cart = await cartOf({ ...aCartItem, state: 'sold-out', price: 135 });
  expect(cart.getByText('Not available now')).toBeTruthy();
  expect(cart.queryByText('$0.00')).toBeNull();
});

it('shows the total of what can be paid for', async () => {
  const cart = await cartOf(
    { ...aCartItem, _id: 'i1', state: 'ok', price: 20 },
    { ...aCartItem, _id: 'i2', state: 'sold-out', price: 135 },
  );
  expect(cart.getAllByText('$20.00')).toHaveLength(2);
  expect(cart.queryByText('Not available now')).toBeNull();
});
