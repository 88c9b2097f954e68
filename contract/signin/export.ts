// Everything that is held about somebody, as they get it: all data except credentials, so no token, no
// hash, no secret.
import * as z from 'zod/mini';
import { factFields } from '../classes/classes.ts';
import { paymentStatuses } from '../checkout/payments.ts';
import { CareFacts } from '../people/care.ts';
import { call, roles } from '../platform/call.ts';
import { answer } from '../platform/described.ts';

const { id, email, time, day, count, dollars } = answer;
const [words, yes] = [z.string(), z.boolean()];
const maybe = z.nullable(words);
const rows = <Shape extends z.core.$ZodShape>(shape: Shape) => z.array(z.object(shape));

const seat = { id, classId: id, participantId: id, state: words, createdAt: time };

export const AccountExport = z.object({
  exportedAt: time,
  profile: z.object({
    id,
    name: words,
    email,
    /** When the address was confirmed. */
    provenAt: maybe,
    image: maybe,
    phone: maybe,
    about: maybe,
    role: z.enum(roles),
    teaches: yes,
    createdAt: time,
    updatedAt: time,
    registeredAt: maybe,
    /** The optional mails that are turned off. */
    mailOff: z.array(words),
    /** When the mail server refused your address. */
    bouncedAt: maybe,
  }),
  signIns: rows({ password: yes, googleSub: maybe, totpOnAt: maybe }),
  sessions: rows({
    id,
    network: maybe,
    browser: maybe,
    madeAt: time,
    seenAt: time,
    expiresAt: time,
  }),
  /** You, and the children you look after. */
  participants: rows({ id, self: yes, name: words, born: maybe, since: time }),
  /** Opened: you may read what you wrote. */
  care: rows({ participantId: id, ...CareFacts.shape }),
  /** Who looks after the children, you included. */
  guardians: rows({ participantId: id, name: words, you: yes, since: time }),
  /** Open invitations to look after a child: sent by you, and to you. */
  invitations: rows({ participantId: id, email, byYou: yes, expiresAt: time }),
  /** Open invitations as staff: sent by you, and to you. */
  staffInvitations: rows({ email, role: words, byYou: yes, createdAt: time, expiresAt: time }),
  cart: rows({ classId: id, participantId: id, name: words, seenPrice: dollars, createdAt: time }),
  holds: rows({ ...seat, price: dollars, transactionId: maybe, expiresAt: time }),
  /** `endedAt`: the payment was given up or refunded, and the use given back. */
  waits: rows({ classId: id, participantId: id, state: words, joinedAt: time, endedAt: maybe }),
  coupons: rows({ code: words, name: words, usedAt: time, endedAt: maybe }),
  payments: rows({
    id,
    transactionId: maybe,
    email,
    customer: words,
    classId: id,
    itemName: words,
    receiptNumber: words,
    price: dollars,
    currency: words,
    status: z.enum(paymentStatuses),
    date: time,
    refundedAt: maybe,
  }),
  paymentLines: rows({
    id,
    paymentId: id,
    classId: id,
    participantId: id,
    itemName: words,
    participant: words,
    price: dollars,
    discount: dollars,
    refunded: dollars,
    outcome: words,
  }),
  enrolments: rows({
    ...seat,
    /** Null when another guardian paid. */
    paymentId: z.nullable(id),
    endedAt: maybe,
    objectedAt: maybe,
    objection: words,
  }),
  refunds: rows({
    id,
    paymentId: id,
    /** Null: credit that was paid out. */
    lineId: maybe,
    price: dollars,
    reason: words,
    state: words,
    createdAt: time,
    endedAt: maybe,
  }),
  credit: rows({ at: time, cents: z.number(), afterCents: count, note: words }),
  classes: rows({
    id,
    ...factFields,
    feedback: words,
    price: dollars,
    capacity: count,
    sold: count,
    status: words,
    createdAt: time,
    updatedAt: time,
  }),
  audit: rows({ at: time, byYou: yes, action: words, subject: words, detail: words }),
  /** Roll calls of yourself and of the children you look after. */
  marks: rows({ id, participantId: id, classId: id, day, status: words, note: words, at: time }),
  feeds: rows({ id, participantId: maybe, createdAt: time, readOn: maybe }),
  pictures: rows({ url: words, kind: words, createdAt: time }),
  letters: rows({ subject: words, sentAt: time }),
  /** Written by you to the families of classes. */
  announcements: rows({ classId: id, subject: words, words, at: time }),
});
export type AccountExport = z.infer<typeof AccountExport>;

export const exportAccount = call('GET /account/export', {
  does: 'Everything that we hold about you.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: AccountExport,
  perMinute: 5,
});
