// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openBasket, payBasket, quoteBasket } from '../../../../contract/checkout.ts';
import { settings } from '../../../../contract/identity.ts';
import type { BasketLine } from '../../../../contract/lines.ts';
import { someSettings } from '../../../testing/samples.ts';
import { answers, answersBy, refuses, show } from '../../../testing/screen.tsx';
import { Payment } from './Payment.tsx';

vi.mock('./CardPanel.tsx', () => ({
  CardPanel: ({ intent, onClosed }: { intent: { price: number }; onClosed: () => void }) => (
    <button type="button" onClick={onClosed}>
      Card for {intent.price}
    </button>
  ),
}));

const line = (of: Partial<BasketLine>): BasketLine => ({
  item: 'i1',
  itemId: 'c1',
  name: 'Tennis',
  price: 90,
  discount: 0,
  amount: 90,
  why: [],
  state: 'ok',
  ...of,
});
const tennis = line({ participantId: 'm', participant: 'Mia' });
const swimming = line({
  item: 'i2',
  itemId: 'c2',
  name: 'Swimming',
  participantId: 'l',
  participant: 'Leo',
  discount: 9,
  amount: 81,
  why: [{ text: 'Sibling discount', amount: 9 }],
});
const priceOf = (...lines: BasketLine[]) => {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return { lines, total, saved: 9, card: total };
};
const quoted = (...lines: BasketLine[]) => ({ ...priceOf(...lines), nudges: [] });
const opened = (...lines: BasketLine[]) => ({
  basketId: 'b1',
  holdId: 'h1',
  clientSecret: 'pi_1_secret_x' as string | null,
  expiresAt: new Date(Date.now() + 552_000).toISOString(),
  ...priceOf(...lines),
});
const both = quoted(tennis, swimming);

type Replies = NonNullable<NonNullable<Parameters<typeof show>[1]>['replies']>;
const page = (...replies: Replies) =>
  show(<Payment />, {
    replies: [...replies, answers(settings, someSettings)],
    at: '/dashboard/payment?items=i1,i2',
  });

describe('a payment of several seats', () => {
  it('holds them for the quoted total, and shows every line with its reasons', async () => {
    const { sent } = page(
      answers(quoteBasket, both),
      answers(openBasket, opened(tennis, swimming)),
    );
    expect(await screen.findByText('Card for 171')).toBeTruthy();
    expect(screen.getByText('for Mia')).toBeTruthy();
    expect(screen.getByText('Sibling discount')).toBeTruthy();
    expect(screen.getByText('You save $9.00')).toBeTruthy();
    expect(
      screen.getByText('You are paying for 2 seats. We hold them while you pay.'),
    ).toBeTruthy();
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      items: ['i1', 'i2'],
      total: 171,
    });
  });

  it('names every line that cannot be had, and offers the rest', async () => {
    const yoga = line({ item: 'i3', itemId: 'c3', name: 'Yoga' });
    page(
      answersBy(quoteBasket, (asked) =>
        asked.get('items') === 'i2' ? quoted(swimming) : quoted(tennis, swimming, yoga),
      ),
      refuses(openBasket, 'BASKET_REFUSED', undefined, {
        lines: [
          { item: 'i1', code: 'SOLD_OUT' },
          { item: 'i3', code: 'ALREADY_ENROLLED' },
        ],
      }),
    );
    expect(await screen.findByText('No seat is left in Tennis for Mia.')).toBeTruthy();
    expect(screen.getByText('You have a seat in Yoga already.')).toBeTruthy();
    const rest = await screen.findByRole('link', { name: 'Pay the rest: $81.00' });
    expect(rest.getAttribute('href')).toBe('/dashboard/payment?items=i2');
  });

  it('holds nothing when the quote already says that a class is closed', async () => {
    const { sent } = page(answers(quoteBasket, quoted(line({ state: 'closed' }), swimming)));
    expect(await screen.findByText('Tennis is no longer offered.')).toBeTruthy();
    expect(sent.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('says what the total was and is', async () => {
    page(
      answers(quoteBasket, both),
      refuses(openBasket, 'TOTAL_CHANGED', undefined, { price: 180 }),
    );
    expect((await screen.findByRole('alert')).textContent).toContain(
      'It was $171.00 when you saw it; it is $180.00 now.',
    );
    expect(screen.getByRole('button', { name: 'Continue with $180.00' })).toBeTruthy();
  });

  it('shows which seats are still held when a class is denied meanwhile', async () => {
    let isDenied = false;
    page(
      answersBy(quoteBasket, () =>
        isDenied ? quoted({ ...tennis, state: 'closed' }, swimming) : both,
      ),
      answers(openBasket, opened(tennis, swimming)),
    );
    const card = await screen.findByText('Card for 171');
    isDenied = true;
    fireEvent.click(card);
    expect(await screen.findByText('Tennis for Mia is no longer offered.')).toBeTruthy();
    expect(
      await screen.findByText(/^Swimming for Leo is still held for you \(9:1\d\)/),
    ).toBeTruthy();
  });

  it('needs no card when nothing is to be paid', async () => {
    const free = { ...opened(tennis, swimming), clientSecret: null, card: 0, total: 0 };
    const { sent } = page(
      answers(quoteBasket, both),
      answers(openBasket, free),
      answers(payBasket, { insertResult: { insertedId: 'p1' }, status: 'succeeded' }),
    );
    const confirm = await screen.findByRole('button', { name: 'Confirm, nothing to pay' });
    expect(screen.queryByText(/^Card for/)).toBeNull();
    fireEvent.click(confirm);
    await vi.waitFor(() => expect(sent.at(-1)?.path).toBe('/api/checkout/pay/b1'));
  });

  it('offers the mail again to who has not confirmed the address', async () => {
    const seats = opened(tennis, swimming);
    const free = { ...seats, basketId: 'x', clientSecret: null, card: 0, total: 0 };
    page(
      answers(quoteBasket, both),
      answers(openBasket, free),
      refuses(payBasket, 'EMAIL_NOT_CONFIRMED'),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm, nothing to pay' }));
    await screen.findByText(/^Please confirm your address first/);
    expect(screen.getByRole('button', { name: 'Send the mail again' })).toBeTruthy();
  });
});

const type = async (code: string) => {
  const details = (await screen.findByText('Have a code?')).closest('details');
  if (details) details.open = true;
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: code } });
  fireEvent.click(screen.getByRole('button', { name: 'Apply' }));
};

describe('a code', () => {
  it('that is not known is refused at its field; the basket stays', async () => {
    const quote = vi.fn<(asked: URLSearchParams) => typeof both>(() => both);
    page(answersBy(quoteBasket, quote), answers(openBasket, opened(tennis, swimming)));
    await screen.findByText('Card for 171');
    quote.mockImplementation(() => {
      throw new Error('no connection');
    });
    await type('spring 1');
    expect(await screen.findByText(/cannot reach the server/)).toBeTruthy();
    expect(quote.mock.lastCall?.[0].get('coupon')).toBe('SPRING1');
    expect(screen.getByText('Card for 171')).toBeTruthy();
  });

  it('that counts is in the address, and the seats are held again with the new total', async () => {
    const { sent, where } = page(
      answersBy(quoteBasket, (asked) =>
        asked.get('coupon') ? { ...both, total: 161, card: 161 } : both,
      ),
      answers(openBasket, opened(tennis, swimming)),
    );
    await type('spring-1');
    expect(await screen.findByText('SPRING-1')).toBeTruthy();
    expect(where()).toBe('/dashboard/payment?items=i1,i2&coupon=SPRING-1');
    await vi.waitFor(() =>
      expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({
        items: ['i1', 'i2'],
        total: 161,
        coupon: 'SPRING-1',
      }),
    );
  });
});
