// People as the admin manages them: invitations of staff, the page of a user, blocking. Lists and the
// two promotions of the specification: users.ts. Accepting an invitation: join.ts.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, changed } from '../platform/described.ts';
import { email, id, notDeleted, paging, paragraphs } from '../platform/rules.ts';

export const staffRoles = ['instructor', 'admin'] as const;
export type StaffRole = (typeof staffRoles)[number];

const living = email.check(notDeleted());

/** `expired`: the link no longer works. Absent while it does. `by` is empty for the operator's. */
export const StaffInvitation = z.object({
  _id: answer.id,
  email: answer.email,
  role: z.enum(staffRoles),
  by: z.string(),
  at: answer.time,
  expiresAt: answer.time,
  expired: z.optional(z.literal(true)),
});
export type StaffInvitation = z.infer<typeof StaffInvitation>;

export const inviteStaff = call('POST /invitations', {
  does: 'Invites an address as instructor or admin: mails a link that works once, for 7 days. Replaces an open invitation of this address.',
  access: 'admin',
  example: { email: 'new address', role: 'instructor' },
  input: z.strictObject({
    email: living,
    role: z.enum(staffRoles, "must be 'instructor' or 'admin'"),
  }),
  response: z.object({ insertedId: answer.id }),
  errors: ['HAS_ACCOUNT'],
  status: 201,
});

export const listInvitations = call('GET /invitations', {
  does: 'The invitations of staff that were not accepted yet, newest first.',
  access: 'admin',
  input: z.strictObject({ ...paging }),
  response: z.array(StaffInvitation),
  paged: true,
});

export const withdrawInvitation = call('DELETE /invitations/:id', {
  does: 'Withdraws an invitation: its link no longer works.',
  access: 'admin',
  example: { id: 'staff invitation' },
  input: z.strictObject({ id }),
  response: z.object({ deletedCount: answer.count }),
  errors: ['NOT_FOUND'],
});

export const makeStudent = call('PATCH /users/student/:id', {
  does: 'Makes a user a student. Never the last admin, never oneself. An instructor whose classes have students to come is refused, or with stopSale their sale is stopped and the seats stay. Their other classes are closed.',
  access: 'admin',
  example: { id: 'user' },
  input: z.strictObject({ id, stopSale: z.optional(z.literal(true)) }),
  response: changed,
  errors: ['NOT_FOUND', 'LAST_ADMIN', 'TEACHES_STUDENTS'],
});

export const setTeaches = call('PATCH /account/teaches', {
  does: 'Lets you, an admin, teach, too, or no longer: then no class of yours may have students to come, and your other classes are closed.',
  access: 'admin',
  example: { teaches: true },
  input: z.strictObject({ teaches: z.boolean('must be true or false') }),
  response: changed,
  errors: ['TEACHES_STUDENTS'],
});

export const blockUser = call('PATCH /users/block/:id', {
  does: 'Blocks an account: every session ends and no way of signing in works. Enrolments stay. The sale of their classes stops, the seats stay. Never oneself.',
  access: 'admin',
  example: { id: 'user' },
  input: z.strictObject({ id, reason: z.optional(paragraphs(500)) }),
  response: changed,
  errors: ['NOT_FOUND', 'OWN_ACCOUNT'],
});

export const unblockUser = call('PATCH /users/unblock/:id', {
  does: 'Lets a blocked account sign in again.',
  access: 'admin',
  example: { id: 'user' },
  input: z.strictObject({ id }),
  response: changed,
  errors: ['NOT_FOUND'],
});

export const correctAddress = call('PATCH /users/address/:id', {
  does: 'Corrects an address that is not confirmed, and mails a link to the new one. Sessions and all that the account has stay; links mailed to the old one end.',
  access: 'admin',
  example: { id: 'unproven user', email: 'new address' },
  input: z.strictObject({ id, email: living }),
  response: changed,
  errors: ['NOT_FOUND', 'HAS_ACCOUNT', 'ADDRESS_PROVEN'],
});
