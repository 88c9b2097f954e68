// Accepting an invitation as staff, and a new address of an account: calls by cookie, as those of
// signin.ts. Inviting: staff.ts.
import * as z from 'zod/mini';
import { callByCookie } from '../platform/call.ts';
import { answer, described } from '../platform/described.ts';
import { messages } from '../platform/messages.ts';
import { email, newPassword, notDeleted, personName } from '../platform/rules.ts';
import { staffRoles } from '../people/staff.ts';

const yes = described(z.boolean(), { type: 'boolean', const: true });
const secret = z.string().check(z.minLength(1, 'is required'), z.maxLength(200));
const linkToken = z.string().check(z.minLength(1, 'is required'), z.maxLength(2_000));

export const readStaffInvitation = callByCookie('POST /auth/invitation', {
  does: 'What an invitation offers, by the secret of its link. Nothing is spent.',
  access: 'public',
  example: { secret: 'staff secret' },
  input: z.strictObject({ secret }),
  /**
   * `account`: 'none' is there yet, 'yours' is signed in, 'other' is signed in with another address,
   * 'login' is there and must sign in.
   */
  response: z.object({
    email: answer.email,
    role: z.enum(staffRoles),
    account: z.enum(['none', 'yours', 'other', 'login']),
  }),
  errors: ['BAD_LINK'],
});

/** STRICT_PASSWORDS changes the rule of the password, as in passwordCalls() of signin.ts. */
export const joinCall = (strict: boolean) =>
  callByCookie('POST /auth/accept-invitation', {
    does: 'Accepts an invitation as staff. Signed in with its address: gives the role. Without an account: makes one with this name and password, with a confirmed address.',
    access: 'public',
    example: { secret: 'staff secret', name: 'Ada', password: 'Tennis#2026' },
    input: z.strictObject({
      secret,
      name: z.optional(personName(messages.nameRequired)),
      password: z.optional(newPassword(strict)),
    }),
    response: z.object({ status: yes, email: answer.email, role: z.enum(staffRoles) }),
    errors: ['BAD_LINK', 'ACCOUNT_BLOCKED', 'SIGN_IN_FIRST', 'PASSWORD_NEEDED'],
  });
export const joinStaff = joinCall(false);

export const changeEmail = callByCookie('POST /auth/change-email', {
  does: 'Mails a link to a new address. The address of the account changes when it is opened, or at once if the old one is not confirmed. The answer is the same for an address that has an account, and then nothing changes.',
  access: 'session',
  example: { email: 'new address', password: 'Tennis#2026' },
  input: z.strictObject({
    email: email.check(notDeleted('Please enter a valid email address')),
    password: z.string().check(z.maxLength(128)),
  }),
  response: z.object({ status: yes }),
  errors: ['WRONG_PASSWORD', 'PASSWORD_NEEDED'],
  perHour: 10,
});

export const confirmNewEmail = callByCookie('POST /auth/confirm-new-email', {
  does: 'Changes the address of the account by the link mailed to the new one. Needs the session of the account; signs out every other device, ends every calendar feed, disconnects Google and tells the old address.',
  access: 'session',
  example: { token: 'new address link' },
  input: z.strictObject({ token: linkToken }),
  response: z.object({ status: yes, email: answer.email }),
  errors: ['BAD_LINK', 'HAS_ACCOUNT'],
});
