// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { Navigate, Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { type CartItem, listCart } from '../../../../contract/cart.ts';
import { answers, email, show } from '../../../testing/screen.tsx';
import { FindItem } from './FindItem.tsx';

const item: CartItem = {
  _id: 'b1',
  itemId: 'c1',
  name: 'Archery Basics',
  img: '/media/class/archery-basics.webp',
  price: 129,
  seenPrice: 129,
  email,
  seat: 0,
  state: 'sold-out',
};

it.each([
  ['b1', 'sold-out', 'Archery Basics is sold out'],
  ['b1', 'closed', 'Archery Basics is not on sale'],
  ['b2', 'sold-out', 'This class is not in your cart any more'],
] as const)('opened for %s with an item that is %s', async (wanted, state, title) => {
  show(
    <Routes>
      <Route path="/" element={<Navigate to={`/pay?item=${wanted}`} />} />
      <Route path="/pay" element={<FindItem email={email} />} />
    </Routes>,
    { replies: [answers(listCart, [{ ...item, state }])] },
  );
  expect(await screen.findByText(title)).toBeTruthy();
});
