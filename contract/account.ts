// Your own account: what there is to set, everything that we hold about you, and leaving for good. Name, password and the second step of
// signing in are the identity provider's (/api/auth).
import * as z from 'zod/mini';
import { call } from './call.ts';
import { paymentStatuses } from './payments.ts';
import { limits, text } from './rules.ts';
import { roles } from './users.ts';

const maybe = z.nullable(z.string());

export const Account = z.object({
  /** False: the account was made by Google and has no password. */
  password: z.boolean(),
  google: z.boolean(),
  twoFactor: z.boolean(),
  /** An admin whose rights wait until two-step sign-in is on. */
  adminWaits: z.boolean(),
  enrolments: z.number(),
  sessions: z.array(
    z.object({ _id: z.string(), current: z.boolean(), since: z.string(), seen: z.string(), browser: z.string() }),
  ),
});
export type Account = z.infer<typeof Account>;

export const getAccount = call({
  method: 'GET',
  path: '/account',
  does: 'How you sign in, and where you are signed in.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: Account,
  errors: [],
});

/** Everything but what would let somebody in: no token, no hash, no secret. */
export const AccountExport = z.object({
  exportedAt: z.string(),
  profile: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    image: maybe,
    role: z.enum(roles),
    twoFactor: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
    registeredAt: maybe,
  }),
  signIns: z.array(z.object({ provider: z.string(), accountId: z.string(), createdAt: z.string() })),
  sessions: z.array(
    z.object({
      id: z.string(),
      ipAddress: maybe,
      userAgent: maybe,
      createdAt: z.string(),
      seenAt: z.string(),
      expiresAt: z.string(),
    }),
  ),
  cart: z.array(z.object({ classId: z.string(), name: z.string(), seenPrice: z.number(), createdAt: z.string() })),
  holds: z.array(
    z.object({
      id: z.string(),
      classId: z.string(),
      state: z.string(),
      price: z.number(),
      transactionId: maybe,
      createdAt: z.string(),
      expiresAt: z.string(),
    }),
  ),
  payments: z.array(
    z.object({
      id: z.string(),
      transactionId: z.string(),
      email: z.string(),
      customer: z.string(),
      classId: z.string(),
      itemName: z.string(),
      price: z.number(),
      currency: z.string(),
      status: z.enum(paymentStatuses),
      date: z.string(),
      refundedAt: maybe,
    }),
  ),
  enrolments: z.array(
    z.object({
      id: z.string(),
      classId: z.string(),
      paymentId: z.string(),
      state: z.string(),
      createdAt: z.string(),
      endedAt: maybe,
    }),
  ),
  refunds: z.array(
    z.object({
      id: z.string(),
      paymentId: z.string(),
      price: z.number(),
      reason: z.string(),
      state: z.string(),
      createdAt: z.string(),
      endedAt: maybe,
    }),
  ),
  classes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      img: z.string(),
      sport: z.string(),
      description: z.string(),
      ages: z.string(),
      schedule: z.string(),
      place: z.string(),
      feedback: z.string(),
      price: z.number(),
      capacity: z.number(),
      sold: z.number(),
      status: z.string(),
      createdAt: z.string(),
      updatedAt: z.string(),
    }),
  ),
  audit: z.array(
    z.object({ at: z.string(), byYou: z.boolean(), action: z.string(), subject: z.string(), detail: z.string() }),
  ),
  letters: z.array(z.object({ subject: z.string(), sentAt: z.string() })),
});
export type AccountExport = z.infer<typeof AccountExport>;

export const exportAccount = call({
  method: 'GET',
  path: '/account/export',
  does: 'Everything that we hold about you.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: AccountExport,
  errors: [],
  perMinute: 5,
});

export const deleteAccount = call({
  method: 'POST',
  path: '/account/delete',
  does: 'Deletes your account for good. Payments are kept for the books, without your name and address.',
  access: 'signed-in',
  // The password; for an account without one, its email typed once more.
  input: z.strictObject({
    password: z.optional(z.string().check(z.maxLength(128))),
    email: z.optional(text(limits.email).check(z.toLowerCase())),
  }),
  response: z.object({ deletedCount: z.number() }),
  errors: [
    'WRONG_PASSWORD',
    'EMAIL_MISMATCH',
    'LAST_ADMIN',
    'TEACHES_STUDENTS',
    'PAYMENT_IN_PROGRESS',
    'ALREADY_PAID',
    'PROVIDER_DOWN',
  ],
  perMinute: 5,
});
