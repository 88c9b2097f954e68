// The caller's own account: settings, export of all data, deletion. Name, password and two-step
// sign-in are calls by cookie (signin.ts).
import * as z from 'zod/mini';
import { call, roles } from '../platform/call.ts';
import { CareFacts } from '../people/care.ts';
import { factFields } from '../classes/classes.ts';
import { answer } from '../platform/described.ts';
import { paymentStatuses } from '../checkout/payments.ts';
import { limits } from '../platform/limits.ts';
import { id, text } from '../platform/rules.ts';

const maybe = z.nullable(z.string());
const rows = <Shape extends z.core.$ZodShape>(shape: Shape) => z.array(z.object(shape));

/** Mails that an account may turn off. `digests` are for admins. */
export const optionalMails = ['reminders', 'digests'] as const;

/** `digests` is absent for an account that gets none. */
const Mails = z.object({ reminders: z.boolean(), digests: z.optional(z.boolean()) });

export const Account = z.object({
  /** False: the account was created through Google and has no password. */
  password: z.boolean(),
  google: z.boolean(),
  twoFactor: z.boolean(),
  /** The address is not confirmed yet, so two-step sign-in cannot be turned on. */
  unconfirmed: z.optional(z.literal(true)),
  /** An admin has no admin rights until two-step sign-in is on. */
  adminWaits: z.boolean(),
  /** An admin who is an instructor, too. */
  teaches: z.optional(z.boolean()),
  /** Absent without one. */
  phone: z.optional(z.string()),
  about: z.optional(z.string()),
  enrolments: answer.count,
  /** Which optional mails it gets. */
  mails: Mails,
  sessions: rows({
    _id: answer.id,
    current: z.boolean(),
    since: answer.time,
    seen: answer.time,
    browser: z.string(),
  }),
});
export type Account = z.infer<typeof Account>;

export const getAccount = call({
  method: 'GET',
  path: '/account',
  does: 'How you sign in, and where you are signed in.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: Account,
});

export const endSession = call({
  method: 'DELETE',
  path: '/account/sessions/:id',
  does: 'Signs you out on one device.',
  access: 'signed-in',
  example: { id: 'session' },
  input: z.strictObject({ id }),
  response: z.object({ deletedCount: answer.count }),
  errors: ['NOT_FOUND'],
  perSession: true,
});

/** Empty removes it. */
const phone = text(40).check(
  z.refine(
    (value) => value === '' || /^\+?[\d ()./-]{4,}$/.test(value),
    'must be a phone number such as +351 912 345 678',
  ),
);

export const updateAccount = call({
  method: 'PATCH',
  path: '/account',
  does: 'Changes your phone number or the line about you. Empty removes it.',
  access: 'signed-in',
  example: { phone: '+351 912 345 678', about: 'Plays' },
  input: z
    .strictObject({ phone: z.optional(phone), about: z.optional(text(200)) })
    .check(
      z.refine(
        (given) => given.phone !== undefined || given.about !== undefined,
        'There is nothing to change',
      ),
    ),
  response: z.object({ modifiedCount: answer.count }),
});

export const setMails = call({
  method: 'PATCH',
  path: '/account/mails',
  does: 'Turns optional mails on or off: reminders the day before a class, and digests to admins.',
  access: 'signed-in',
  example: { reminders: false },
  input: z.strictObject({
    reminders: z.optional(z.boolean()),
    digests: z.optional(z.boolean()),
  }),
  response: Mails,
});

/** All data except credentials: no token, no hash, no secret. */
export const AccountExport = z.object({
  exportedAt: answer.time,
  profile: z.object({
    id: answer.id,
    name: z.string(),
    email: answer.email,
    /** When the address was confirmed. */
    provenAt: maybe,
    image: maybe,
    phone: maybe,
    about: maybe,
    role: z.enum(roles),
    teaches: z.boolean(),
    createdAt: answer.time,
    updatedAt: answer.time,
    registeredAt: maybe,
    /** The optional mails that are turned off. */
    mailOff: z.array(z.string()),
    /** When the mail server refused your address. */
    bouncedAt: maybe,
  }),
  signIns: rows({ password: z.boolean(), googleSub: maybe, totpOnAt: maybe }),
  sessions: rows({
    id: answer.id,
    network: maybe,
    browser: maybe,
    madeAt: answer.time,
    seenAt: answer.time,
    expiresAt: answer.time,
  }),
  /** You, and the children you look after. */
  participants: rows({
    id: answer.id,
    self: z.boolean(),
    name: z.string(),
    born: maybe,
    since: answer.time,
  }),
  /** Opened: you may read what you wrote. */
  care: rows({ participantId: answer.id, ...CareFacts.shape }),
  /** Who looks after the children, you included. */
  guardians: rows({
    participantId: answer.id,
    name: z.string(),
    you: z.boolean(),
    since: answer.time,
  }),
  /** Open invitations to look after a child: sent by you, and to you. */
  invitations: rows({
    participantId: answer.id,
    email: answer.email,
    byYou: z.boolean(),
    expiresAt: answer.time,
  }),
  /** Open invitations as staff: sent by you, and to you. */
  staffInvitations: rows({
    email: answer.email,
    role: z.string(),
    byYou: z.boolean(),
    createdAt: answer.time,
    expiresAt: answer.time,
  }),
  cart: rows({
    classId: answer.id,
    participantId: answer.id,
    name: z.string(),
    seenPrice: answer.dollars,
    createdAt: answer.time,
  }),
  holds: rows({
    id: answer.id,
    classId: answer.id,
    participantId: answer.id,
    state: z.string(),
    price: answer.dollars,
    transactionId: maybe,
    createdAt: answer.time,
    expiresAt: answer.time,
  }),
  coupons: rows({
    code: z.string(),
    name: z.string(),
    usedAt: answer.time,
    /** The payment was given up or refunded, and the use given back. */
    endedAt: maybe,
  }),
  payments: rows({
    id: answer.id,
    transactionId: maybe,
    email: answer.email,
    customer: z.string(),
    classId: answer.id,
    itemName: z.string(),
    receiptNumber: z.string(),
    price: answer.dollars,
    currency: z.string(),
    status: z.enum(paymentStatuses),
    date: answer.time,
    refundedAt: maybe,
  }),
  paymentLines: rows({
    id: answer.id,
    paymentId: answer.id,
    classId: answer.id,
    participantId: answer.id,
    itemName: z.string(),
    participant: z.string(),
    price: answer.dollars,
    discount: answer.dollars,
    refunded: answer.dollars,
    outcome: z.string(),
  }),
  enrolments: rows({
    id: answer.id,
    classId: answer.id,
    participantId: answer.id,
    /** Null when another guardian paid. */
    paymentId: z.nullable(answer.id),
    state: z.string(),
    createdAt: answer.time,
    endedAt: maybe,
    objectedAt: maybe,
    objection: z.string(),
  }),
  refunds: rows({
    id: answer.id,
    paymentId: answer.id,
    lineId: answer.id,
    price: answer.dollars,
    reason: z.string(),
    state: z.string(),
    createdAt: answer.time,
    endedAt: maybe,
  }),
  classes: rows({
    id: answer.id,
    ...factFields,
    feedback: z.string(),
    price: answer.dollars,
    capacity: answer.count,
    sold: answer.count,
    status: z.string(),
    createdAt: answer.time,
    updatedAt: answer.time,
  }),
  audit: rows({
    at: answer.time,
    byYou: z.boolean(),
    action: z.string(),
    subject: z.string(),
    detail: z.string(),
  }),
  /** Roll calls of yourself and of the children you look after. */
  marks: rows({
    id: answer.id,
    participantId: answer.id,
    classId: answer.id,
    day: answer.day,
    status: z.string(),
    note: z.string(),
    at: answer.time,
  }),
  feeds: rows({ id: answer.id, participantId: maybe, createdAt: answer.time, readOn: maybe }),
  pictures: rows({ url: z.string(), kind: z.string(), createdAt: answer.time }),
  letters: rows({ subject: z.string(), sentAt: answer.time }),
  /** Written by you to the families of classes. */
  announcements: rows({
    classId: answer.id,
    subject: z.string(),
    words: z.string(),
    at: answer.time,
  }),
});
export type AccountExport = z.infer<typeof AccountExport>;

export const exportAccount = call({
  method: 'GET',
  path: '/account/export',
  does: 'Everything that we hold about you.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: AccountExport,
  perMinute: 5,
});

export const deleteAccount = call({
  method: 'POST',
  path: '/account/delete',
  does: 'Deletes your account for good. Refused while you, or a child whom only you look after, have a seat in a class still to come; giveBack gives these seats back without money first. Payments are kept for the books, without your name and address.',
  access: 'signed-in',
  example: { email: 'my address' },
  // The password, or the email for an account without a password.
  input: z.strictObject({
    password: z.optional(z.string().check(z.maxLength(128))),
    email: z.optional(text(limits.email).check(z.toLowerCase())),
    giveBack: z.optional(z.literal(true)),
  }),
  response: z.object({ deletedCount: answer.count }),
  errors: [
    'WRONG_PASSWORD',
    'EMAIL_MISMATCH',
    'LAST_ADMIN',
    'TEACHES_STUDENTS',
    'SEATS_AHEAD',
    'PAYMENT_IN_PROGRESS',
    'ALREADY_PAID',
    'PROVIDER_DOWN',
  ],
});
