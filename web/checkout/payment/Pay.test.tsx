// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changeCartItem, getCart } from '../../../contract/checkout/cart.ts';
import { openBasket, payBasket, quoteBasket } from '../../../contract/checkout/checkout.ts';
import { getClass } from '../../../contract/classes/classes.ts';
import { listParticipants, type Participant } from '../../../contract/people/family.ts';
import { extendHold, listEnrolments } from '../../../contract/checkout/payments.ts';
import { aCartItem, aClass } from '../../testing/samples.ts';
import { answers, answersBy, refuses } from '../../testing/screen.tsx';
import { money } from '../../platform/ui/money.ts';
import {
  archery,
  newStripe,
  opened,
  pay,
  press,
  quoted,
  swimming,
  tennis,
} from '../../testing/till.tsx';

vi.mock('@stripe/react-stripe-js', () => import('../../testing/till.tsx'));
vi.mock('@stripe/stripe-js/dist/pure.mjs', () => import('../../testing/till.tsx'));
beforeEach(newStripe);

const card = (amount: number) => screen.findByRole('button', { name: `Pay ${money(amount)}` });

describe('the payment', () => {
  it('of one seat shows its class, and asks for the price seen', async () => {
    const { posted } = pay([archery], [], { item: { _id: 'b1', price: 99 } });
    await card(129);
    expect(screen.getByRole('heading', { name: 'Archery Basics' })).toBeTruthy();
    expect(await screen.findByText('Sat 10:00')).toBeTruthy();
    expect(screen.getByText(/^Held until \d\d:\d\d$/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Give me more time' })).toBeNull();
    expect(posted()[0]).toMatchObject({
      path: '/api/checkout',
      body: { items: ['b1'], totalCents: 9_900 },
    });
  });

  it('of a price that changed goes on with the new one', async () => {
    const changed = refuses(openBasket, 'TOTAL_CHANGED', undefined, { totalCents: 12_900 });
    const { answerNow, posted } = pay([archery], [changed]);
    await screen.findByRole('heading', { name: 'The price has changed' });
    answerNow(answers(openBasket, opened(archery)));
    await press('Continue with $129.00');
    await card(129);
    expect(posted().at(-1)?.body).toEqual({ items: ['b1'], totalCents: 12_900 });
  });

  it('of several seats shows each with its reasons', async () => {
    const { posted } = pay([tennis, swimming]);
    await card(171);
    expect(screen.getByText('for Mia')).toBeTruthy();
    expect(screen.getByText('Sibling discount')).toBeTruthy();
    expect(screen.getByText(/^You save/).textContent).toBe('You save $9.00');
    expect(screen.getByRole('heading', { name: '2 seats' })).toBeTruthy();
    expect(posted()[0]?.body).toEqual({ items: ['i1', 'i2'], totalCents: 17_100 });
  });

  it('names what cannot be had, and offers the rest', async () => {
    const yoga = { ...archery, cartItemId: 'i3', name: 'Yoga' };
    pay(
      [tennis, swimming, yoga],
      [
        answersBy(quoteBasket, (asked) =>
          asked.get('items') === 'i2' ? quoted(swimming) : quoted(tennis, swimming, yoga),
        ),
        refuses(openBasket, 'BASKET_REFUSED', undefined, {
          lines: [
            { cartItemId: 'i1', code: 'SOLD_OUT' },
            { cartItemId: 'i3', code: 'ALREADY_ENROLLED' },
          ],
        }),
      ],
    );
    expect(await screen.findByText('No seat is left in Tennis for Mia.')).toBeTruthy();
    expect(screen.getByText('You have a seat in Yoga already.')).toBeTruthy();
    const rest = await screen.findByRole('link', { name: 'Pay the rest: $81.00' });
    expect(rest.getAttribute('href')).toBe('/dashboard/payment?items=i2');
  });

  it('says what is still held when a class is denied meanwhile', async () => {
    const expiresAt = new Date(Date.now() + 170_000).toISOString();
    const soonOver = answers(openBasket, { ...opened(tennis, swimming), expiresAt });
    const { answerNow } = pay([tennis, swimming], [soonOver, refuses(extendHold, 'CLASS_CLOSED')]);
    await card(171);
    const lines = [{ cartItemId: 'i1', code: 'CLOSED' as const }];
    answerNow(refuses(openBasket, 'BASKET_REFUSED', undefined, { lines }));
    await press('Give me more time');
    expect(await screen.findByText('Tennis for Mia is no longer offered.')).toBeTruthy();
    expect(
      screen.getByText(/^Swimming for Leo is still held for you until \d\d:\d\d\./),
    ).toBeTruthy();
  });

  it('of nothing needs no card, but a confirmed address', async () => {
    const free = { ...opened(tennis), clientSecret: null, totalCents: 0 };
    const { answerNow, posted, where } = pay(
      [tennis],
      [answers(openBasket, free), refuses(payBasket, 'EMAIL_NOT_CONFIRMED')],
    );
    await press('Confirm, nothing to pay');
    await screen.findByText(/^Please confirm your address first.* Nothing was charged\.$/);
    expect(screen.queryByRole('form')).toBeNull();
    answerNow(answers(payBasket, { insertResult: { insertedId: 'p1' }, status: 'succeeded' }));
    await press('Confirm, nothing to pay');
    await waitFor(() => expect(where()).toBe('/dashboard/myselectedclasses'));
    expect(posted().at(-1)?.path).toBe('/api/checkout/pay/x');
  });
});

const type = async (code: string) => {
  const details = (await screen.findByText('Have a code?')).closest('details');
  if (details) details.open = true;
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: code } });
  await press('Apply');
};

describe('a code', () => {
  it('that is not known is refused at its field; the seat stays', async () => {
    const { answerNow, where, posted } = pay([archery]);
    await card(129);
    answerNow(refuses(quoteBasket, 'COUPON_UNKNOWN'));
    await type('spring 9');
    expect(await screen.findByText(/This code is not known here/)).toBeTruthy();
    await card(129);
    expect(where()).toBe('/dashboard/payment?item=b1');
    expect(posted()).toHaveLength(1);
  });

  it('that counts is in the address; the card that was typed stays', async () => {
    const { answerNow, where, posted } = pay([archery]);
    fireEvent.click(await screen.findByText('Type a card'));
    const cheaper = { ...archery, cents: 11_900 };
    answerNow(answers(quoteBasket, quoted(cheaper)), answers(openBasket, opened(cheaper)));
    await type('spring-1');
    await waitFor(() => expect(where()).toBe('/dashboard/payment?items=b1&coupon=SPRING-1'));
    expect(await card(119)).toHaveProperty('disabled', false);
    expect(posted().at(-1)?.body).toEqual({
      items: ['b1'],
      totalCents: 11_900,
      coupon: 'SPRING-1',
    });
  });
});

const own = () => screen.findByRole('checkbox', { name: 'Use my credit $12.00' });

const payWith = (spendable: number) => {
  const quote = { ...quoted(archery), creditCents: spendable };
  const cardCents = 12_900 - spendable;
  const basket = { ...opened(archery), creditCents: spendable, cardCents };
  const clientSecret = cardCents > 0 ? basket.clientSecret : null;
  return pay(
    [archery],
    [
      answers(quoteBasket, quote),
      answers(openBasket, { ...basket, clientSecret }),
      answers(payBasket, { insertResult: { insertedId: 'p1' }, status: 'succeeded' }),
    ],
  );
};

describe('credit', () => {
  it('pays first, the card the rest, unless it is switched off', async () => {
    const { posted, answerNow } = payWith(1_200);
    await card(117);
    expect(await own()).toHaveProperty('checked', true);
    expect(posted()[0]?.body).toMatchObject({ totalCents: 12_900, creditCents: 1_200 });
    answerNow(answers(openBasket, opened(archery)));
    fireEvent.click(await own());
    await card(129);
    expect(posted().at(-1)?.body).toEqual({ items: ['b1'], totalCents: 12_900 });
  });

  it('that covers all needs no card', async () => {
    const { posted, where } = payWith(12_900);
    await press('Pay $129.00 by credit');
    await waitFor(() => expect(where()).toBe('/dashboard/myselectedclasses'));
    expect(posted().at(-1)?.path).toBe('/api/checkout/pay/x');
  });

  it('of which there is none is not spoken of', async () => {
    pay([archery]);
    await card(129);
    expect(screen.queryByText(/my credit/)).toBeNull();
  });
});

describe('who goes', () => {
  const ages = { minAge: 5, maxAge: 8 };
  const own = { _id: 'u1', name: 'Sam', self: true } as Participant;
  const unfit = { ...archery, cartItemId: 'x', classId: 'x', name: 'Judo', unfit: true, ...ages };
  const page = (born: string | null) =>
    pay(
      [unfit],
      [
        answers(listParticipants, [
          { ...own, born },
          { ...own, _id: 'p1', name: 'Mia', self: false, born: '2020-01-01' },
        ]),
        answers(getClass, { ...aClass, ...ages, firstDay: '2027-01-05' }),
        answers(listEnrolments, { items: [], total: 0 }),
        answers(changeCartItem, { modifiedCount: 1, clashes: [] }),
      ],
    );

  it('is asked before a seat is held, and may be oneself', async () => {
    const { posted } = page('1990-01-01');
    const me = await screen.findByRole('button', { name: 'It is for me' });
    expect(posted()).toEqual([]);
    fireEvent.click(me);
    await card(129);
  });

  it('may be changed, and opens the payment anew', async () => {
    const { sent, answerNow } = page(null);
    await press('Choose a child');
    expect(screen.queryByRole('button', { name: 'It is for me' })).toBeNull();
    const forMia = { ...tennis, undated: true };
    answerNow(answers(quoteBasket, quoted(forMia)), answers(openBasket, opened(forMia)));
    fireEvent.click(await screen.findByRole('radio', { name: 'Mia' }));
    await press('Change');
    await card(90);
    expect(screen.getByText('Tennis for Mia: No dates yet')).toBeTruthy();
    await screen.findByRole('button', { name: 'Change who it is for: Tennis for Mia' });
    const change = sent.find(({ method }) => method === 'PATCH');
    expect(change).toMatchObject({ path: '/api/cart/x', body: { participantId: 'p1' } });
  });
});

describe('the page without an item', () => {
  const yoga = { ...aCartItem, cartItemId: 'b2', name: 'Yoga' };

  it('pays for the only one that can be paid for', async () => {
    const soldOut = { ...yoga, state: 'sold-out' as const };
    const { where } = pay([], [answers(getCart, [aCartItem, soldOut])]);
    await waitFor(() => expect(where()).toBe('/dashboard/payment?item=b1'));
  });

  it('leads to the cart where several can be paid for', async () => {
    pay([], [answers(getCart, [aCartItem, yoga])]);
    await screen.findByRole('heading', { name: 'Which classes do you want to pay for?' });
    const cart = screen.getByRole('link', { name: 'Go to my cart' });
    expect(cart.getAttribute('href')).toBe('/dashboard/mycart');
  });
});
