// The calls of the identity provider under /api/auth: sign-up, sign-in, session, mailed links,
// two-step sign-in. They work by cookie (`byCookie`).
import * as z from 'zod/mini';
import { call, callByCookie } from '../platform/call.ts';
import { answer, described } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { messages } from '../platform/messages.ts';
import { ownPath } from '../platform/ownpath.ts';
import {
  email,
  anyChange,
  newPassword,
  notDeleted,
  personName,
  photo,
  signUp as signUpForm,
} from '../platform/rules.ts';

const authUser = z.object({
  id: answer.id,
  email: answer.email,
  name: z.string(),
  image: z.nullable(z.string()),
});

/** The signed-in user as the identity provider returns it (specification, section 3: Auth user). */
export type AuthUser = z.output<typeof authUser>;

const yes = described(z.boolean(), { type: 'boolean', const: true });
const done = z.object({ status: yes });
/** `already`: the address was confirmed before. */
const confirmed = z.object({ status: yes, already: z.optional(yes) });
const redirect = described(z.string(), { type: 'string', description: 'A page of this site.' });

const nothing = z.strictObject({});
const anyPassword = z.string().check(z.maxLength(128));
const linkToken = z.string().check(z.minLength(1, 'is required'), z.maxLength(200));

const anyOrigin = 'http://localhost';
/** A path on our own site to continue to; never another origin. */
const path = z.string().check(
  // The URL parser's time grows with the square of the length of a host in Han characters.
  z.maxLength(2_000, { error: 'must have at most 2000 characters', abort: true }),
  z.regex(/^\/(?![/\\])[^\\\s\p{Cc}]*$/u, { error: 'must be a path of this site', abort: true }),
  z.refine(
    (value) => value === '/' || ownPath(value, anyOrigin) !== '/',
    'must be a path of this site',
  ),
  // Some routers read an encoded / or \ before the query as the letter itself.
  z.refine((value) => !/^[^?#]*%(2f|5c)/i.test(value), 'must be a path of this site'),
);

const typed = (form: RegExp, words: string) => z.string().check(z.trim(), z.regex(form, words));
const totp = typed(/^\d{6}$/, 'must be the six digits that your app shows');
const code = typed(/^(\d{6}|\w{5}-\w{5})$/, 'must be six digits or a backup code');
const mailedCode = typed(/^\d{6}$/, 'must be the six digits of the mail');

const notTheSame = { path: ['confirmPassword'], error: 'The two passwords are not the same' };
const sameTwice = z.refine<{ newPassword?: string; confirmPassword?: string }>(
  (form) => form.confirmPassword === undefined || form.confirmPassword === form.newPassword,
  notTheSame,
);

/** `token` is a mailed link's, `code` the six digits of the same mail. */
const linkOrCode = z.refine<{ token?: string; code?: string }>(
  (form) => (form.token === undefined) !== (form.code === undefined),
  { path: ['token'], error: 'or code is required, not both' },
);

/** A missing field is treated as empty, so the form's own message names it. */
const orEmpty = <T extends z.ZodMiniType<string, string>>(type: T) =>
  z.pipe(
    z.transform((value: unknown) => (value ?? '') as string),
    type,
  );

const ada = { name: 'Ada', image: 'https://example.com/a.png', password: 'Tennis#2026' };

/**
 * The calls that set a password. STRICT_PASSWORDS replaces the specification's rule of 6 to 20
 * characters by a rule of length only, so the server declares these calls with its own setting.
 */
export function passwordCalls(strict: boolean) {
  const password = newPassword(strict);
  const chosen = { newPassword: password, confirmPassword: z.optional(z.string()) };
  const form = signUpForm(strict).shape;
  return {
    signUp: callByCookie('POST /auth/sign-up/email', {
      does: 'Makes an account and mails a link. The answer is the same for a known address.',
      access: 'public',
      example: { ...ada, email: 'new address' },
      input: z
        .strictObject({
          name: orEmpty(form.name),
          image: orEmpty(form.image),
          email: orEmpty(form.email.check(notDeleted('Please enter a valid email address'))),
          password: orEmpty(password),
          confirmPassword: z.optional(orEmpty(z.string())),
        })
        .check(
          z.refine(
            (sent) => sent.confirmPassword === undefined || sent.confirmPassword === sent.password,
            notTheSame,
          ),
        ),
      response: done,
      // Forms that are refused count here only; sign-ups have `limits.signUpsPerHour`.
    }),
    resetPassword: callByCookie('POST /auth/reset-password', {
      does: 'Sets a new password with the token of a mailed link. Ends every session.',
      access: 'public',
      example: { token: 'reset link', newPassword: 'Another#2026' },
      input: z.strictObject({ token: linkToken, ...chosen }).check(sameTwice),
      response: done,
      errors: ['BAD_LINK', 'ACCOUNT_BLOCKED'],
    }),
    confirmEmail: callByCookie('POST /auth/verify-email', {
      does: 'Confirms an address: by a link with session, password or new password, or by a code.',
      access: 'public',
      example: { token: 'confirm link' },
      input: z
        .strictObject({
          token: z.optional(linkToken),
          code: z.optional(mailedCode),
          password: z.optional(anyPassword),
          ...chosen,
          newPassword: z.optional(password),
        })
        .check(sameTwice, linkOrCode),
      response: confirmed,
      errors: [
        'BAD_LINK',
        'ACCOUNT_BLOCKED',
        'PASSWORD_NEEDED',
        'WRONG_PASSWORD',
        'UNAUTHENTICATED',
        'WRONG_CODE',
        'CODE_OVER',
      ],
    }),
    changePassword: callByCookie('POST /auth/change-password', {
      does: 'Changes the password, ends the other sessions and every calendar feed, and mails the owner.',
      access: 'session',
      example: { currentPassword: 'Tennis#2026', newPassword: 'Another#2026' },
      input: z.strictObject({ currentPassword: anyPassword, ...chosen }).check(sameTwice),
      response: done,
      errors: ['WRONG_PASSWORD'],
      // Each change is mailed to the owner, so the number of changes is limited.
      perHour: 10,
    }),
  };
}

export const { signUp, resetPassword, confirmEmail, changePassword } = passwordCalls(false);

export const signIn = callByCookie('POST /auth/sign-in/email', {
  does: 'Signs in. With two-step sign-in there is no session before the code.',
  access: 'public',
  example: { email: 'my address', password: 'Tennis#2026' },
  input: z.strictObject({
    email: z.string().check(z.maxLength(limits.email)),
    password: anyPassword,
    rememberMe: z.optional(z.boolean()),
  }),
  response: z.object({ user: z.optional(authUser), twoFactor: z.optional(yes) }),
  errors: ['WRONG_CREDENTIALS', 'ACCOUNT_BLOCKED'],
});

export const signInWithGoogle = callByCookie('POST /auth/sign-in/social', {
  does: 'Begins a sign-in with Google. The browser goes on to the url.',
  access: 'public',
  example: { provider: 'google', callbackURL: '/classes' },
  input: z.strictObject({
    provider: z.literal('google', "must be 'google'"),
    callbackURL: z.optional(path),
    errorCallbackURL: z.optional(path),
  }),
  response: z.object({ url: z.string() }),
  errors: ['GOOGLE_NOT_SET_UP', 'GOOGLE_DOWN'],
});

const word = z.optional(described(z.unknown(), { type: 'string' }));

export const googleCallback = callByCookie('GET /auth/callback/google', {
  does: 'Where Google sends the browser back to.',
  access: 'public',
  example: { state: 'google state', code: 'unknown' },
  input: z.looseObject({ state: word, code: word, error: word }),
  response: redirect,
  redirects: true,
  errors: ['GOOGLE_NOT_SET_UP'],
});

export const jwt = call('POST /jwt', {
  does: 'Turns a live session into an access token of 15 minutes. An email alone never gives one.',
  access: 'session',
  example: { email: 'my address' },
  input: z.strictObject({ email }),
  response: z.object({ token: z.string() }),
  errors: ['UNAUTHENTICATED'],
});

export const secondStep = callByCookie('POST /auth/sign-in/second-step', {
  does: 'Ends a two-step sign-in with a code of the app or a backup code.',
  access: 'public',
  example: { code: 'sign-in code' },
  input: z.strictObject({ code }),
  response: z.object({ user: authUser }),
  errors: ['WRONG_CODE', 'SECOND_STEP_OVER'],
});

export const signOut = callByCookie('POST /auth/sign-out', {
  does: 'Ends the session, if there is one.',
  access: 'public',
  input: nothing,
  response: done,
});

export const getSession = callByCookie('GET /auth/get-session', {
  does: 'Who is signed in; null without a session.',
  access: 'public',
  input: z.looseObject({}),
  response: z.nullable(
    z.object({ user: authUser, session: z.object({ id: answer.id, expiresAt: answer.time }) }),
  ),
});

export const updateProfile = callByCookie('POST /auth/update-user', {
  does: 'Changes the name or the photo.',
  access: 'session',
  example: { name: 'Ada' },
  input: z
    .strictObject({
      name: z.optional(personName(messages.nameRequired)),
      image: z.optional(photo),
    })
    .check(anyChange),
  response: done,
});

export const revokeOtherSessions = callByCookie('POST /auth/revoke-other-sessions', {
  does: 'Ends the sessions of all other devices, and every calendar feed.',
  access: 'session',
  input: nothing,
  response: done,
});

export const requestPasswordReset = callByCookie('POST /auth/request-password-reset', {
  does: 'Mails a link for a new password. The answer is the same for an unknown address.',
  access: 'public',
  example: { email: 'my address' },
  input: z.strictObject({ email }),
  response: done,
});

export const sendConfirmation = callByCookie('POST /auth/send-verification-email', {
  does: 'Mails the link that confirms the address once more.',
  access: 'session',
  input: nothing,
  response: confirmed,
});

export const checkLink = callByCookie('POST /auth/check-link', {
  does: 'Whether a mailed link still works. Nothing is spent.',
  access: 'public',
  example: { token: 'confirm link', kind: 'confirm' },
  input: z.strictObject({
    token: linkToken,
    kind: z.enum(['confirm', 'reset'], "must be 'confirm' or 'reset'"),
  }),
  response: z.object({
    works: z.boolean(),
    email: z.optional(answer.email),
    confirmed: z.optional(z.boolean()),
    signedIn: z.optional(z.boolean()),
  }),
});

export const enableSecondStep = callByCookie('POST /auth/two-factor/enable', {
  does: 'Gives a secret and backup codes. Two-step sign-in is on after the first right code.',
  access: 'session',
  example: { password: 'Tennis#2026' },
  input: z.strictObject({ password: anyPassword }),
  response: z.object({ uri: z.string(), secret: z.string(), backupCodes: z.array(z.string()) }),
  proven: true,
  errors: ['WRONG_PASSWORD', 'SECOND_STEP_ON'],
});

export const verifySecondStep = callByCookie('POST /auth/two-factor/verify', {
  does: 'Turns two-step sign-in on with the first code of the app.',
  access: 'session',
  example: { code: 'first code' },
  input: z.strictObject({ code: totp }),
  response: done,
  proven: true,
  errors: ['WRONG_CODE', 'SECOND_STEP_ON', 'SECOND_STEP_OFF'],
});

export const disableSecondStep = callByCookie('POST /auth/two-factor/disable', {
  does: 'Turns two-step sign-in off.',
  access: 'session',
  example: { password: 'Tennis#2026', code: 'app code' },
  input: z.strictObject({ password: anyPassword, code }),
  response: done,
  errors: ['WRONG_PASSWORD', 'WRONG_CODE', 'SECOND_STEP_OFF'],
  // Each one is mailed to the owner.
  perHour: 10,
});

export const newBackupCodes = callByCookie('POST /auth/two-factor/backup-codes', {
  does: 'Gives new backup codes. The old ones no longer work.',
  access: 'session',
  example: { password: 'Tennis#2026', code: 'app code' },
  input: z.strictObject({ password: anyPassword, code }),
  response: z.object({ backupCodes: z.array(z.string()) }),
  errors: ['WRONG_PASSWORD', 'WRONG_CODE', 'SECOND_STEP_OFF'],
  // Each one is mailed to the owner.
  perHour: 10,
});
