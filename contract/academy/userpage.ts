// The page of a user, as the admin sees it.
import * as z from 'zod/mini';
import { statuses } from '../classes/classes.ts';
import { AuditEntry, ListedUser } from '../people/users.ts';
import { paymentStatuses } from '../checkout/payments.ts';
import { call } from '../platform/call.ts';
import { answer } from '../platform/described.ts';
import { id } from '../platform/rules.ts';

const someone = z.object({ id: answer.id, name: z.string() });

/** The lists have the newest 50, the log the newest 15. */
export const UserPage = z.extend(ListedUser, {
  blockedAt: z.optional(answer.time),
  /** When the mail server refused the address for good. A mail that arrives ends it. */
  bouncedAt: z.optional(answer.time),
  phone: z.optional(z.string()),
  about: z.optional(z.string()),
  since: answer.time,
  creditCents: answer.count,
  seen: z.optional(answer.time),
  signIns: z.object({ password: z.boolean(), google: z.boolean(), twoFactor: z.boolean() }),
  participants: z.array(
    z.object({
      _id: answer.id,
      name: z.string(),
      self: z.boolean(),
      age: z.nullable(answer.count),
      guardians: z.array(someone),
      /** Who looks after another child with this first name and birth date. */
      twins: z.array(someone),
    }),
  ),
  enrolments: z.array(
    z.object({
      _id: answer.id,
      classId: answer.id,
      name: z.string(),
      participant: z.string(),
      date: answer.time,
    }),
  ),
  payments: z.array(
    z.object({
      _id: answer.id,
      itemName: z.string(),
      receiptNumber: z.string(),
      price: answer.dollars,
      refunded: z.optional(answer.dollars),
      status: z.enum(paymentStatuses),
      date: answer.time,
    }),
  ),
  /** That are not over. */
  teaches: z.array(
    z.object({
      _id: answer.id,
      name: z.string(),
      status: z.enum(statuses),
      sold: answer.count,
      capacity: answer.count,
    }),
  ),
  /** Classes with students, and as a substitute meetings to come: the user stays an instructor. */
  needed: z.object({ classes: answer.count, substitute: answer.count }),
  audit: z.array(AuditEntry),
});
export type UserPage = z.infer<typeof UserPage>;

export const getUser = call('GET /users/:id', {
  does: 'One user: profile, participants, enrolments, payments, classes, and what the audit log has.',
  access: 'admin',
  example: { id: 'user' },
  input: z.strictObject({ id }),
  response: UserPage,
  errors: ['NOT_FOUND'],
});
