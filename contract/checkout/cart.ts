// The cart. An item holds no seat; the hold begins with the payment.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { Clash } from '../platform/clash.ts';
import { classFields } from '../classes/classes.ts';
import { answer, described } from '../platform/described.ts';
import { email, id, paragraphs, text } from '../platform/rules.ts';

/**
 * `state` is the current state of the class. A class is closed for
 * good, or only while an admin reviews its changes (`inReview`). `paying`: a seat is held for a payment
 * that has begun. `clashes`: the same participant has another class at that time.
 */
const state = z.enum(['ok', 'price-changed', 'sold-out', 'closed']);

/**
 * `cents` is what it costs now when it is paid alone, `seenCents` what it cost so when it was added.
 * `participant` is null for oneself. `part`: of a class that has begun, and costs what is left of it.
 */
export const CartItem = z.object({
  cartItemId: answer.id,
  classId: answer.id,
  name: classFields.name,
  img: classFields.img,
  seat: classFields.seat,
  cents: answer.count,
  seenCents: answer.count,
  state,
  inReview: z.boolean(),
  paying: z.boolean(),
  participantId: answer.id,
  participant: z.nullable(z.string()),
  schedule: z.string(),
  place: z.string(),
  minAge: z.nullable(answer.count),
  maxAge: z.nullable(answer.count),
  clashes: z.array(Clash),
  part: z.nullable(z.object({ left: answer.count, of: answer.count, fullCents: answer.count })),
});
export type CartItem = z.infer<typeof CartItem>;

export const getCart = call('GET /cart', {
  does: 'Your cart, joined with the classes as they are now.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: z.array(CartItem),
});

/** In the shape of the specification. `listPrice` is the price before discounts, if there are any. */
const Booked = z.object({
  _id: answer.id,
  itemId: classFields._id,
  name: classFields.name,
  img: classFields.img,
  price: answer.dollars,
  listPrice: z.optional(classFields.price),
  email: answer.email,
  seenPrice: classFields.price,
  seat: classFields.seat,
  state,
  inReview: z.optional(z.literal(true)),
  paying: z.optional(z.literal(true)),
  participantId: z.optional(answer.id),
  participant: z.optional(z.string()),
  schedule: z.optional(z.string()),
  place: z.optional(z.string()),
  minAge: z.optional(answer.count),
  maxAge: z.optional(answer.count),
  clashes: z.optional(z.array(Clash)),
});
export type Booked = z.infer<typeof Booked>;

export const listCart = call('GET /bookeds', {
  does: 'Your cart, joined with the classes as they are now.',
  access: 'self',
  example: { email: 'my address' },
  input: z.strictObject({ email: z.optional(email) }),
  response: z.array(Booked),
});

export const addToCart = call('POST /bookeds', {
  does: 'Puts a class into your cart. Name, picture and price are taken from the class, not from you.',
  access: 'self',
  example: { email: 'my address', itemId: 'class on sale' },
  input: z.strictObject({
    itemId: id,
    name: z.optional(paragraphs(200)),
    img: z.optional(text(2_048)),
    price: z.optional(described(z.union([z.number(), text(20)]), { type: 'number', minimum: 0 })),
    email: z.optional(email),
    participantId: z.optional(id),
  }),
  response: z.object({ insertedId: answer.id, clashes: z.optional(z.array(Clash)) }),
  errors: [
    'NOT_FOUND',
    'ALREADY_IN_CART',
    'ALREADY_ENROLLED',
    'CLASS_OVER',
    'WRONG_AGE',
    'SOLD_OUT',
    'CART_FULL',
  ],
  status: 201,
});

const toAnother = {
  access: 'signed-in',
  input: z.strictObject({ id, participantId: id }),
  response: z.object({ modifiedCount: answer.count, clashes: z.array(Clash) }),
} as const;
const cannotHaveIt = ['NOT_FOUND', 'ALREADY_ENROLLED', 'WRONG_AGE', 'BEING_PAID'] as const;
const notClosed = ['ALREADY_PAID', 'PAYMENT_IN_PROGRESS', 'PROVIDER_DOWN'] as const;

export const changeCartItem = call('PATCH /cart/:id', {
  ...toAnother,
  example: { id: 'cart item', participantId: 'child' },
  does: 'Says who comes instead. A seat that is held stays held; its payment is opened anew.',
  errors: [...cannotHaveIt, 'ALREADY_IN_CART', ...notClosed, 'PAYMENT_RETURNED'],
});

export const changeWho = call('PATCH /enrolments/:id', {
  ...toAnother,
  example: { id: 'enrolment', participantId: 'child' },
  does: 'Gives a seat that you have paid for to another person of your family, until its first meeting begins. What was paid stays as it is; the instructor and the guardians are told.',
  errors: [...cannotHaveIt, 'NOT_YOURS_TO_END', 'TOO_LATE'],
});

export const removeFromCart = call('DELETE /booked/:id', {
  does: 'Takes an item out of your cart; a payment under way for it is cancelled first.',
  access: 'signed-in',
  example: { id: 'cart item' },
  input: z.strictObject({ id }),
  response: z.object({ deletedCount: answer.count }),
  errors: ['NOT_FOUND', ...notClosed],
});
