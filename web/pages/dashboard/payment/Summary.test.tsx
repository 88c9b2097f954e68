// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openBasket, quoteBasket } from '../../../../contract/checkout.ts';
import { settings } from '../../../../contract/identity.ts';
import type { BasketLine } from '../../../../contract/lines.ts';
import { createIntent } from '../../../../contract/payments.ts';
import { aCartItem, someSettings } from '../../../testing/samples.ts';
import { answers, answersBy, refuses, show } from '../../../testing/screen.tsx';
import { Payment } from './Payment.tsx';

vi.mock('./CardPanel.tsx', () => ({
  CardPanel: ({ intent }: { intent: { price: number } }) => <p>Card for {intent.price}</p>,
}));

const { _id, itemId, name, price } = aCartItem;
const expiresAt = new Date(Date.now() + 552_000).toISOString();
const line: BasketLine = {
  item: _id,
  itemId,
  name,
  price,
  discount: 10,
  amount: price - 10,
  why: [{ text: 'Spring coupon', amount: 10 }],
  state: 'ok',
};
const priced = { lines: [line], total: price - 10, saved: 10, card: price - 10 };
const intent = { clientSecret: 'pi_1_secret_x', holdId: 'h1', expiresAt, itemId, name, price };

type Reply = NonNullable<NonNullable<Parameters<typeof show>[1]>['replies']>[number];
const page = (quote: Reply) =>
  show(<Payment />, {
    replies: [
      answers(createIntent, intent),
      quote,
      answers(openBasket, {
        basketId: 'k1',
        clientSecret: 'pi_2_secret_x',
        holdId: 'h1',
        expiresAt,
        ...priced,
      }),
      answers(settings, someSettings),
    ],
    at: { pathname: '/dashboard/payment', search: `?item=${_id}`, state: { item: aCartItem } },
  });

const apply = async (code: string) => {
  const details = (await screen.findByText('Have a code?')).closest('details');
  if (details) details.open = true;
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: code } });
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
};

it('a code that counts leads to the payment of this one seat with its discount', async () => {
  const { sent, where } = page(answersBy(quoteBasket, () => ({ ...priced, nudges: [] })));
  await apply('spring-1');
  expect(await screen.findByText('Spring coupon')).toBeTruthy();
  expect(screen.getByText(`Card for ${price - 10}`)).toBeTruthy();
  expect(where()).toBe(`/dashboard/payment?items=${_id}&coupon=SPRING-1`);
  expect(sent.findLast(({ method }) => method === 'POST')).toMatchObject({
    path: '/api/checkout',
    body: { items: [_id], total: price - 10, coupon: 'SPRING-1' },
  });
});

it('a code that is not known is refused at its field; the seat stays as it is held', async () => {
  const { sent, where } = page(refuses(quoteBasket, 'COUPON_UNKNOWN'));
  await apply('spring-9');
  expect(await screen.findByText(/This code is not known here/)).toBeTruthy();
  expect(screen.getByText(`Card for ${price}`)).toBeTruthy();
  expect(where()).toBe(`/dashboard/payment?item=${_id}`);
  expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('the page has no form but that of the card until a code is asked for', async () => {
  page(refuses(quoteBasket, 'COUPON_UNKNOWN'));
  await screen.findByText('Have a code?');
  expect(document.querySelector('form, input')).toBeNull();
});
