// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { CartItem } from '../../../../contract/cart.ts';
import type { ErrorCode } from '../../../../contract/errors.ts';
import { createIntent } from '../../../../contract/payments.ts';
import { email, refusal, show } from '../../../testing/screen.tsx';
import { Refused } from './Refused.tsx';

const item: CartItem = {
  _id: 'b1',
  itemId: 'c1',
  name: 'Archery Basics',
  img: '',
  price: 99,
  seenPrice: 99,
  email,
  seat: 6,
  state: 'ok',
};

function refused(code: ErrorCode, more: { price?: number } = {}) {
  const onAgain = vi.fn<() => void>();
  const onPrice = vi.fn<(price: number) => void>();
  show(<Refused error={refusal(code, more)} item={item} onAgain={onAgain} onPrice={onPrice} />);
  return { onAgain, onPrice, text: screen.getAllByRole('alert').at(-1)?.textContent };
}

const unchanged = 'The payment could not begin';

describe('a refused payment', () => {
  it.each([
    ['SOLD_OUT', 'No seat is left', 'See other classes'],
    ['ALREADY_ENROLLED', 'This class is paid for', 'My enrolled classes'],
    ['ALREADY_PAID', 'This class is paid for', 'My enrolled classes'],
    ['CLASS_CLOSED', 'This class is no longer offered', 'See other classes'],
    ['CLASS_OVER', 'This class has ended', 'See other classes'],
    ['WRONG_AGE', 'This class is for other ages', 'See other classes'],
    ['PAYMENT_RETURNED', 'Your money comes back', 'Payment history'],
    ['NOT_FOUND', 'This class cannot be paid for', 'See other classes'],
    ['NOT_IN_CART', 'This class cannot be paid for', 'See other classes'],
    ['TOO_MANY_HOLDS', 'Three payments are open already', 'Go to my cart'],
  ] as const)('by %s says so and leads on', (code, title, link) => {
    refused(code);
    expect(screen.getByRole('heading').textContent).toBe(title);
    expect(screen.getByRole('link', { name: link })).toBeTruthy();
  });

  it.each([
    ['HOLD_EXPIRED', 'Hold a seat again'],
    ['CLASS_IN_REVIEW', 'Try again'],
    ['BEING_PAID', 'Try again'],
    ['PROVIDER_DOWN', 'Try again'],
    ['PAYMENT_IN_PROGRESS', 'Try again'],
    ['ITEM_REQUIRED', 'Try again'],
    ['INTERNAL', 'Try again'],
  ] as const)('by %s can be tried again', (code, button) => {
    const { onAgain } = refused(code);
    fireEvent.click(screen.getByRole('button', { name: button }));
    expect(onAgain).toHaveBeenCalledTimes(1);
  });

  it('by a new price shows both prices and goes on with the new one', () => {
    const { text, onPrice } = refused('PRICE_CHANGED', { price: 129 });
    expect(text).toContain('$99.00');
    fireEvent.click(screen.getByRole('button', { name: 'Continue with $129.00' }));
    expect(onPrice).toHaveBeenCalledWith(129);
  });

  it('by a new price that the answer does not carry offers the cart only', () => {
    refused('PRICE_CHANGED');
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByRole('link', { name: 'Go to my cart' })).toBeTruthy();
  });

  it('has own words for every declared code but two', () => {
    const plain = createIntent.errors.filter((code) => {
      refused(code);
      return screen.getAllByRole('heading').at(-1)?.textContent === unchanged;
    });
    expect(plain).toEqual(['ITEM_REQUIRED', 'PAYMENT_IN_PROGRESS']);
  });
});
