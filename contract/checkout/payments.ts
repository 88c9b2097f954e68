// Payments: the intent that holds a seat, the record of the payment, receipts, enrolments, and the
// admin's lists.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { Clash } from '../platform/clash.ts';
import { classFields } from '../classes/classes.ts';
import { answer, described } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { period } from '../platform/period.ts';
import { centsUpTo, email, id, paging, paragraphs, search, text } from '../platform/rules.ts';

export const paymentStatuses = [
  'pending',
  'succeeded',
  'refund_due',
  'refunded',
  'part_refunded',
  'refund_failed',
  'disputed',
] as const;

/** The Payment entity of the specification. */
const PaymentEntity = z.object({
  _id: answer.id,
  email: answer.email,
  customer: z.string(),
  itemId: classFields._id,
  transactionId: z.string(),
  price: answer.dollars,
  date: answer.time,
  status: z.enum(paymentStatuses),
  itemName: classFields.name,
  /** R-2026-000112 */
  receiptNumber: z.string(),
  seats: z.optional(
    described(z.number(), { type: 'integer', minimum: 2, description: 'When it paid several.' }),
  ),
  refunded: z.optional(
    described(z.number(), {
      type: 'number',
      minimum: 0,
      description:
        'What was returned to the card or is owed to it, when it is a part of the price.',
    }),
  ),
});
export type PaymentEntity = z.infer<typeof PaymentEntity>;

/**
 * `cents` was paid: `cardCents` by card, `creditCents` by credit, the rest by the seat it was changed
 * for. `backCents` went back to the card, or is owed to it; `leftCents` is what the seats still have.
 */
export const Payment = z.object({
  paymentId: answer.id,
  email: answer.email,
  customer: z.string(),
  transactionId: z.string(),
  cents: answer.count,
  cardCents: answer.count,
  creditCents: answer.count,
  backCents: answer.count,
  leftCents: answer.count,
  date: answer.time,
  status: z.enum(paymentStatuses),
  itemName: classFields.name,
  receiptNumber: z.string(),
  seats: answer.count,
});
export type Payment = z.infer<typeof Payment>;

const whose = z.optional(
  described(z.string(), { description: 'Whose seat it is, when it is not your own.' }),
);
const transactionId = z.string().check(z.regex(/^pi_\w{1,250}$/, 'must be the id of a payment'));
const seenPrice = described(z.union([z.number(), text(20, 1)], 'must be an amount such as 19.99'), {
  type: 'number',
  minimum: 0,
  description: "The price that the user saw, in the academy's currency.",
});

export const createIntent = call('POST /create-payment-intent', {
  does: 'Holds a seat for 15 minutes and opens a card payment for it. Asked again, it answers the same secret.',
  access: 'signed-in',
  example: { price: 19.99, itemId: 'cart item' },
  // price is the price that the user saw; itemId (ours) is the cart item or the class.
  input: z.strictObject({ price: seenPrice, itemId: z.optional(id) }),
  response: z.object({
    clientSecret: z.string(),
    holdId: answer.id,
    expiresAt: answer.time,
    itemId: classFields._id,
    name: classFields.name,
    price: classFields.price,
    participant: whose,
    clashes: z.optional(z.array(Clash)),
  }),
  errors: [
    'NOT_FOUND',
    'NOT_IN_CART',
    'BEING_PAID',
    'WRONG_AGE',
    'CLASS_OVER',
    'CLASS_CLOSED',
    'CLASS_IN_REVIEW',
    'SOLD_OUT',
    'PRICE_CHANGED',
    'ITEM_REQUIRED',
    'ALREADY_ENROLLED',
    'ALREADY_PAID',
    'PAYMENT_RETURNED',
    'HOLD_EXPIRED',
    'TOO_MANY_HOLDS',
    'PAYMENT_IN_PROGRESS',
    'PROVIDER_DOWN',
  ],
  perMinute: 10,
});

export const extendHold = call('PATCH /holds/:id', {
  does: 'Gives a held seat another 15 minutes, twice at most.',
  access: 'signed-in',
  example: { id: 'hold' },
  input: z.strictObject({ id }),
  response: z.object({ expiresAt: answer.time }),
  errors: ['NOT_FOUND', 'HOLD_EXPIRED', 'CLASS_CLOSED'],
});

/** The answer to a recorded payment. */
export const recordedPayment = z.object({
  insertResult: z.object({ insertedId: answer.id }),
  status: z.enum(paymentStatuses),
  /** When it paid for several seats: what became of each. */
  lines: z.optional(
    z.array(
      z.object({
        itemId: classFields._id,
        participant: whose,
        outcome: z.enum(['enrolled', 'refused']),
      }),
    ),
  ),
});

export const recordPayment = call('POST /payments', {
  does: 'Records a payment that the card provider confirms. Everything but transactionId is rebuilt by the server.',
  access: 'signed-in',
  example: { transactionId: 'intent' },
  input: z.strictObject({
    transactionId,
    email: z.optional(email),
    customer: z.optional(paragraphs(200)),
    itemId: z.optional(id),
    price: z.optional(seenPrice),
    date: z.optional(text(60)),
    status: z.optional(text(20)),
    itemName: z.optional(paragraphs(200)),
  }),
  response: recordedPayment,
  errors: [
    'PAYMENT_UNKNOWN',
    'PAYMENT_NOT_COMPLETED',
    'CLASS_CLOSED',
    'PAYMENT_MISMATCH',
    'PROVIDER_DOWN',
  ],
  status: 201,
  repeatable: true,
});

export const listPayments = call('GET /payments', {
  does: 'Your payments by date: sort=asc or dsc.',
  access: 'self',
  example: { email: 'my address' },
  input: z.strictObject({
    email: z.optional(email),
    sort: z.optional(z.enum(['asc', 'dsc'], 'must be asc or dsc')),
    search,
    ...paging,
  }),
  response: z.array(PaymentEntity),
  paged: true,
});

/**
 * A seat that a payment paid for: `cents` is what was paid of `listCents`, and `why` explains the
 * difference; `backCents` went back, `creditCents` of it as credit, and `leftCents` is what it still has.
 * `participant` is null for who paid, and for a child whom the caller does not look after;
 * `nowFor` is who comes instead. `enrolmentId` is null when the seat could not be sold. `objection`, for
 * an admin: new dates do not suit the family, or it asks for money, in their words, until it is settled.
 */
export const ReceiptLine = z.object({
  lineId: answer.id,
  enrolmentId: z.nullable(answer.id),
  classId: answer.id,
  name: classFields.name,
  participant: z.nullable(z.string()),
  nowFor: z.nullable(z.string()),
  instructor: classFields.instructor,
  schedule: z.string(),
  place: z.string(),
  listCents: answer.count,
  cents: answer.count,
  backCents: answer.count,
  creditCents: answer.count,
  leftCents: answer.count,
  why: z.array(z.object({ text: z.string(), cents: answer.count })),
  state: z.enum(['enrolled', 'ended', 'refused']),
  objection: z.nullable(z.string()),
  objectionAbout: z.enum(['dates', 'money']),
});
export type ReceiptLine = z.infer<typeof ReceiptLine>;

/**
 * Money on its way back to the card, or there. Until `choiceUntil` the family may take it as credit.
 * `lineId` is null where credit was paid out to this card.
 */
export const ReceiptRefund = z.object({
  refundId: answer.id,
  lineId: z.nullable(answer.id),
  cents: answer.count,
  state: z.enum(['due', 'sent', 'succeeded', 'failed', 'credit']),
  choiceUntil: z.nullable(answer.time),
  reason: z.string(),
  date: answer.time,
});
export type ReceiptRefund = z.infer<typeof ReceiptRefund>;

export const Receipt = z.extend(Payment, {
  brand: z.string(),
  refundedAt: z.nullable(answer.time),
  lines: z.array(ReceiptLine),
  /** Oldest first. */
  refunds: z.array(ReceiptRefund),
});
export type Receipt = z.infer<typeof Receipt>;

export const getReceipt = call('GET /payments/:id', {
  does: 'One payment of yours, with all that a receipt needs.',
  access: 'signed-in',
  example: { id: 'payment' },
  input: z.strictObject({ id }),
  response: Receipt,
  errors: ['NOT_FOUND'],
});

/**
 * `paymentId` and `cents` are null when another guardian paid, `participant` is null for oneself, `next`
 * when no meeting is to come. `mayChangeWho`: the caller has paid, and no meeting has begun since.
 * `mayObject`: the dates were changed lately, after the seat was bought. `objected`: the family has
 * said that they do not suit. `asked`: it has asked about leaving, and waits for the answer.
 */
export const Enrolment = z.object({
  enrolmentId: answer.id,
  classId: classFields._id,
  paymentId: z.nullable(answer.id),
  name: classFields.name,
  email: answer.email,
  cents: z.nullable(answer.count),
  date: answer.time,
  img: classFields.img,
  schedule: classFields.schedule,
  place: classFields.place,
  participantId: answer.id,
  participant: z.nullable(z.string()),
  next: z.nullable(
    z.object({ day: answer.day, starts: answer.clock, place: z.nullable(z.string()) }),
  ),
  mayChangeWho: z.boolean(),
  mayObject: z.boolean(),
  objected: z.boolean(),
  asked: z.boolean(),
});
export type Enrolment = z.infer<typeof Enrolment>;

export const listEnrolments = call('GET /enrolments', {
  does: 'The classes in which you and the children in your care are enrolled, what comes next first.',
  access: 'self',
  example: { email: 'my address' },
  input: z.strictObject({ email: z.optional(email), search, ...paging }),
  response: z.array(Enrolment),
  paged: true,
});

/** The period is in days at the academy. */
export const paymentFilters = {
  search,
  status: z.optional(z.enum(paymentStatuses)),
  ...period,
};

export const listAllPayments = call('GET /allpayments', {
  does: 'Every payment, for the admin.',
  access: 'admin',
  input: z.strictObject({
    ...paging,
    ...paymentFilters,
    sort: z.optional(z.enum(['asc', 'dsc'])),
  }),
  response: z.array(Payment),
  paged: true,
});

export const exportPayments = call('GET /allpayments.csv', {
  does: 'Every payment as a spreadsheet, newest first.',
  access: 'admin',
  input: z.strictObject(paymentFilters),
  response: z.string(),
  media: 'text/csv',
});

export const refundPayment = call('POST /payments/refund/:id', {
  does: 'Refunds a payment in full, all its seats: the enrolments end, the seats are free again.',
  access: 'admin',
  example: { id: 'payment', reason: 'Asked for it' },
  input: z.strictObject({ id, reason: paragraphs(500, 1) }),
  response: z.object({ modifiedCount: answer.count }),
  errors: ['NOT_FOUND', 'NOT_REFUNDABLE'],
});

export const overrideEnrolment = call('POST /enrolments/override/:id', {
  does: 'Returns a part of what was paid for a seat, cents to the card and creditCents as credit, and ends the enrolment or keeps it.',
  access: 'admin',
  example: { id: 'enrolment', cents: 100, end: false, reason: 'Rain' },
  // leftCents: what the admin saw that could still be returned. Another amount now is refused.
  input: z.strictObject({
    id,
    cents: centsUpTo(limits.price.maxCents),
    creditCents: z.optional(centsUpTo(limits.price.maxCents)),
    end: z.boolean('must be true or false'),
    reason: paragraphs(500, 1),
    leftCents: z.optional(centsUpTo(limits.price.maxCents)),
  }),
  response: z.object({ modifiedCount: answer.count }),
  errors: ['NOT_FOUND', 'NOT_REFUNDABLE'],
});

/**
 * A payment, refund, event or job that needs an admin. `userId`, `paymentId` and `intentId` say whom
 * and what it is about, where that is known.
 */
export const Attention = z.object({
  _id: z.string(),
  kind: z.enum(['refund', 'part', 'event', 'intent', 'quarantine', 'dates', 'job', 'coach', 'who']),
  since: answer.time,
  what: z.string(),
  detail: z.string(),
  userId: z.optional(answer.id),
  paymentId: z.optional(answer.id),
  intentId: z.optional(z.string()),
});
export type Attention = z.infer<typeof Attention>;

export const listAttention = call('GET /attention', {
  does: 'What needs an admin: failed refunds, partial refunds made at the card provider, failed events, intents that stay open, unmatched payments, families whom new dates do not suit, classes without a coach, a child that seems to be booked twice, a booked class that a new birth date does not fit, jobs that gave up.',
  access: 'admin',
  input: z.strictObject({}),
  response: z.array(Attention),
});

export const resolveStray = call('POST /attention/resolve/:id', {
  does: 'Closes a payment that belongs to no student or class, with a reason for the audit log. Its money stays where it is.',
  access: 'admin',
  example: { id: 'stray', reason: 'Paid back by hand' },
  input: z.strictObject({ id: transactionId, reason: paragraphs(500, 1) }),
  response: z.object({ modifiedCount: answer.count }),
  errors: ['NOT_FOUND'],
});
