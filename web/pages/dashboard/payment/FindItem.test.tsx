// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { Navigate, Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { listCart } from '../../../../contract/cart.ts';
import { aCartItem } from '../../../testing/samples.ts';
import { answers, email, show } from '../../../testing/screen.tsx';
import { FindItem } from './FindItem.tsx';

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
    { replies: [answers(listCart, [{ ...aCartItem, seat: 0, state }])] },
  );
  expect(await screen.findByText(title)).toBeTruthy();
});
