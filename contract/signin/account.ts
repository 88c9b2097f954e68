// The caller's own account: settings, deletion. Its export: export.ts. Name, password and two-step
// sign-in are calls by cookie (signin.ts).
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, changed } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { anyChange, id, text } from '../platform/rules.ts';

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
  sessions: z.array(
    z.object({
      _id: answer.id,
      current: z.boolean(),
      since: answer.time,
      seen: answer.time,
      browser: z.string(),
    }),
  ),
});
export type Account = z.infer<typeof Account>;

export const getAccount = call('GET /account', {
  does: 'How you sign in, and where you are signed in.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: Account,
});

export const endSession = call('DELETE /account/sessions/:id', {
  does: 'Signs you out on one device.',
  access: 'signed-in',
  example: { id: 'session' },
  input: z.strictObject({ id }),
  response: z.object({ deletedCount: answer.count }),
  errors: ['NOT_FOUND'],
});

/** Empty removes it. */
const phone = text(40).check(
  z.refine(
    (value) => value === '' || /^\+?[\d ()./-]{4,}$/.test(value),
    'must be a phone number such as +351 912 345 678',
  ),
);

export const updateAccount = call('PATCH /account', {
  does: 'Changes your phone number or the line about you. Empty removes it.',
  access: 'signed-in',
  example: { phone: '+351 912 345 678', about: 'Plays' },
  input: z
    .strictObject({ phone: z.optional(phone), about: z.optional(text(200)) })
    .check(anyChange),
  response: changed,
});

export const setMails = call('PATCH /account/mails', {
  does: 'Turns optional mails on or off: reminders the day before a class, and digests to admins.',
  access: 'signed-in',
  example: { reminders: false },
  input: z.strictObject({
    reminders: z.optional(z.boolean()),
    digests: z.optional(z.boolean()),
  }),
  response: Mails,
});

export const deleteAccount = call('POST /account/delete', {
  does: 'Deletes your account for good. Refused while you, or a child whom only you look after, have a seat in a class still to come; giveBack gives these seats back without money first. Refused while there is credit; renounce gives it up. Payments are kept for the books, without your name and address.',
  access: 'signed-in',
  example: { email: 'my address' },
  // The password, or the email for an account without a password.
  input: z.strictObject({
    password: z.optional(z.string().check(z.maxLength(128))),
    email: z.optional(text(limits.email).check(z.toLowerCase())),
    giveBack: z.optional(z.literal(true)),
    renounce: z.optional(z.literal(true)),
  }),
  response: z.object({ deletedCount: answer.count }),
  errors: [
    'WRONG_PASSWORD',
    'EMAIL_MISMATCH',
    'LAST_ADMIN',
    'TEACHES_STUDENTS',
    'SEATS_AHEAD',
    'CREDIT_LEFT',
    'PAYMENT_IN_PROGRESS',
    'ALREADY_PAID',
    'PROVIDER_DOWN',
  ],
});
