// One payment for several seats: what it costs, holding the seats, and a payment of nothing.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, described } from '../platform/described.ts';
import { couponCode } from './discounts.ts';
import { limits } from '../platform/limits.ts';
import { BasketLine } from '../platform/lines.ts';
import { recordedPayment } from './payments.ts';
import { centsUpTo, id } from '../platform/rules.ts';

const items = z.array(id).check(
  z.minLength(1, 'must name at least one item of the cart'),
  z.maxLength(limits.basketLines, `must name at most ${limits.basketLines} items`),
  z.refine((ids) => new Set(ids).size === ids.length, 'must not name an item twice'),
);

/** In a query: one key, separated by commas. */
const listed = described(
  z.pipe(
    z.pipe(
      z.string().check(z.maxLength(500, `must name at most ${limits.basketLines} items`)),
      z.transform((text) => text.split(',')),
    ),
    items,
  ),
  { type: 'string', description: 'Ids of cart items, separated by commas.' },
);

const price = {
  lines: z.array(BasketLine),
  /** What card, credit and a seat that is changed pay together. */
  totalCents: answer.count,
  savedCents: answer.count,
  /** Of a change of class: what of the old seat pays the new one, and what becomes credit. */
  swap: z.optional(z.object({ cents: answer.count, backCents: answer.count })),
};

/** What adding a class for somebody (null: oneself) would give: `percent` of its price, or (0) `cents`. */
const nudge = z.object({
  name: z.nullable(z.string()),
  another: z.boolean(),
  percent: answer.count,
  cents: answer.count,
});

/** The enrolment that is changed for the one class. */
const change = { instead: z.optional(id) };
const noChange = ['ENDED', 'NOT_YOURS_TO_END'] as const;

export const quoteBasket = call('GET /checkout', {
  does: 'What these items of your cart cost together, line by line. Holds nothing.',
  access: 'signed-in',
  example: { items: 'cart item' },
  input: z.strictObject({ items: listed, coupon: z.optional(couponCode), ...change }),
  // creditCents: of the credit of the account, what these items can be paid with.
  response: z.object({ ...price, creditCents: answer.count, nudges: z.array(nudge) }),
  errors: ['NOT_FOUND', 'NOT_IN_CART', 'COUPON_UNKNOWN', 'COUPON_USED_UP', ...noChange],
});

export const openBasket = call('POST /checkout', {
  does: 'Holds the seats of these items for 15 minutes, all or none, and opens one card payment for them. Asked again, it answers the same secret.',
  access: 'signed-in',
  example: { totalCents: 1999, items: ['cart item'] },
  input: z.strictObject({
    items,
    // The total that the user saw.
    totalCents: z.int('must be a number of cents').check(z.minimum(0, 'must not be negative')),
    // Credit that pays a part of it: what the quote says, or none. The card pays nothing or 0.50.
    creditCents: z.optional(centsUpTo(limits.price.maxCents * limits.basketLines)),
    coupon: z.optional(couponCode),
    ...change,
    // What the old seat is worth, as the user saw it: both amounts of `swap`.
    insteadCents: z.optional(centsUpTo(limits.price.maxCents)),
  }),
  response: z.object({
    basketId: answer.id,
    holdId: answer.id,
    clientSecret: z.nullable(z.string()),
    expiresAt: answer.time,
    ...price,
    creditCents: answer.count,
    /** Nothing: no card is needed. */
    cardCents: answer.count,
  }),
  errors: [
    'NOT_FOUND',
    'NOT_IN_CART',
    'BASKET_REFUSED',
    'TOTAL_CHANGED',
    'QUOTE_CHANGED',
    ...noChange,
    'COUPON_UNKNOWN',
    'COUPON_USED_UP',
    'TOO_LITTLE_CREDIT',
    'ALREADY_PAID',
    'PAYMENT_RETURNED',
    'HOLD_EXPIRED',
    'TOO_MANY_HOLDS',
    'PAYMENT_IN_PROGRESS',
    'PROVIDER_DOWN',
  ],
  perMinute: 10,
});

export const payBasket = call('POST /checkout/pay/:id', {
  does: 'Books the seats of a basket for which no card is needed. Where discounts take everything off, your address must be confirmed.',
  access: 'signed-in',
  example: { id: 'free basket' },
  input: z.strictObject({ id }),
  response: recordedPayment,
  errors: ['NOT_FOUND', 'HOLD_EXPIRED', 'PAYMENT_MISMATCH', 'CLASS_CLOSED', 'EMAIL_NOT_CONFIRMED'],
  status: 201,
  repeatable: true,
});
