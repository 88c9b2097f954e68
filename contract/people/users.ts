// Users and their roles: /users and /allusers of section 7, and the audit log.
import { auditTopics } from '../platform/audit.ts';
import * as z from 'zod/mini';
import { call, roles } from '../platform/call.ts';
import { answer, changed, described } from '../platform/described.ts';
import { period } from '../platform/period.ts';
import { email, id, paging, personName, search } from '../platform/rules.ts';

export const User = z.object({
  _id: answer.id,
  name: z.string(),
  email: answer.email,
  role: z.enum(roles),
});
export type User = z.infer<typeof User>;

/**
 * `unconfirmed`: the address is not confirmed. Absent when it is, as is `blocked`. `image` is absent
 * without one.
 */
export const ListedUser = z.extend(User, {
  unconfirmed: z.optional(z.literal(true)),
  blocked: z.optional(z.literal(true)),
  image: z.optional(z.string()),
});
export type ListedUser = z.infer<typeof ListedUser>;

export const createUser = call('POST /users', {
  does: 'Creates or finds the profile of the session holder; repeated, it answers the same id.',
  access: 'session',
  example: { name: 'Ada', email: 'my address' },
  input: z.strictObject({
    name: personName(),
    email,
    role: z.optional(z.string().check(z.maxLength(20))),
  }),
  response: z.object({ insertedId: answer.id }),
  errors: ['UNAUTHENTICATED', 'ROLE_NOT_GIVEN'],
  status: 201,
  repeatable: true,
});

export const userSorts = ['name', '-name', 'email', '-email', 'role', '-role', 'new'] as const;
const userFilters = {
  search,
  role: z.optional(z.enum(roles)),
  sort: z.optional(z.enum(userSorts)),
};

export const listUsers = call('GET /allusers', {
  does: 'Every user, for the admin.',
  access: 'admin',
  input: z.strictObject({ ...paging, ...userFilters }),
  response: z.array(ListedUser),
  paged: true,
});

export const exportUsers = call('GET /allusers.csv', {
  does: 'Every user as a spreadsheet.',
  access: 'admin',
  input: z.strictObject(userFilters),
  response: z.string(),
  media: 'text/csv',
});

export const makeAdmin = call('PATCH /users/admin/:id', {
  does: 'Promotes a user to admin.',
  access: 'admin',
  example: { id: 'user' },
  input: z.strictObject({ id }),
  response: changed,
  errors: ['NOT_FOUND'],
});

export const makeInstructor = call('PATCH /users/instructor/:id', {
  does: 'Makes a user an instructor. For an admin that is a demotion: never the last one, never oneself.',
  access: 'admin',
  example: { id: 'user' },
  input: z.strictObject({ id }),
  response: changed,
  errors: ['NOT_FOUND', 'LAST_ADMIN'],
});

export const isAdmin = call('GET /users/admin/:email', {
  does: 'Whether you are an admin. About other users only an admin gets the answer; other callers get false.',
  access: 'signed-in',
  example: { email: 'my address' },
  input: z.strictObject({ email }),
  response: z.object({ admin: z.boolean() }),
});

export const isInstructor = call('GET /users/instructor/:email', {
  does: 'Whether you are an instructor. About other users only an admin gets the answer; other callers get false.',
  access: 'signed-in',
  example: { email: 'my address' },
  input: z.strictObject({ email }),
  response: z.object({ instructor: z.boolean() }),
});

/** `about`: what the subject is, when it still exists. */
export const AuditEntry = z.object({
  _id: z.string(),
  at: answer.time,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  detail: z.string(),
  about: z.optional(z.enum(['user', 'class', 'payment'])),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const auditFilters = {
  search,
  /** The id of a user; `system` is what Rally did without anybody. */
  actor: z.optional(
    described(z.union([z.literal('system'), id], "must be an id or 'system'"), { type: 'string' }),
  ),
  what: z.optional(z.enum(auditTopics, `must be one of ${auditTopics.join(', ')}`)),
  ...period,
};

export const listAudit = call('GET /audit', {
  does: 'Who changed what, newest first. Append-only. Filters: who, what, and from which day to which.',
  access: 'admin',
  example: { what: 'roles', from: '2027-01-04', to: '2027-01-10' },
  input: z.strictObject({ ...paging, ...auditFilters }),
  response: z.array(AuditEntry),
  paged: true,
});

export const exportAudit = call('GET /audit.csv', {
  does: 'The audit log as a spreadsheet, newest first: at most 100,000 lines.',
  access: 'admin',
  input: z.strictObject(auditFilters),
  response: z.string(),
  media: 'text/csv',
});
