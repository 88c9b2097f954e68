// What the doors of gate.ts accept: closed forms, with the specification's rules and messages
// (section 5).
// NOT for: the calls of section 7, whose input the contract declares.
import * as z from 'zod/mini';
import { limits } from '../../../contract/limits.ts';
import {
  email,
  isPictureAddress,
  newPassword,
  personName,
  signUp,
  text,
} from '../../../contract/rules.ts';
import { messages } from '../../../contract/messages.ts';
import { fail, readBy } from '../../http/fail.ts';
import { ownPath } from '../../http/redirect.ts';

const anyOrigin = 'http://localhost';
/** A place in our own site to go on to; never an address elsewhere. */
const path = z.string().check(
  z.maxLength(2_000),
  z.regex(/^\/(?![/\\])[^\\\s\p{Cc}]*$/u, 'must be a path of this site'),
  z.refine(
    (value) => value === '/' || ownPath(value, anyOrigin) !== '/',
    'must be a path of this site',
  ),
);
const anyPassword = z.string().check(z.maxLength(128));

const totp = z
  .string()
  .check(z.trim(), z.regex(/^\d{6}$/, 'must be the six digits that your app shows'));
/** Six digits of the app, or one of the backup codes. */
const code = z
  .string()
  .check(z.trim(), z.regex(/^(\d{6}|\w{5}-\w{5})$/, 'must be six digits or a backup code'));

const sameTwice = (form: {
  newPassword?: string | undefined;
  confirmPassword?: string | undefined;
}) => form.confirmPassword === undefined || form.confirmPassword === form.newPassword;
/** A signed token of a link is longer than a random one. */
const linkToken = z.string().check(z.minLength(1, 'is required'), z.maxLength(2_000));
const notTheSame = { path: ['confirmPassword'], error: 'The two passwords are not the same' };

/**
 * STRICT_PASSWORDS leaves the specification's rule of 6 to 20 characters for one of length alone.
 */
export function createForms({ strictPasswords }: { strictPasswords: boolean }) {
  const password = newPassword(strictPasswords);
  const member = signUp(strictPasswords);
  return {
    empty: z.strictObject({}),
    signIn: z.strictObject({
      email: z.string().check(z.maxLength(limits.email)),
      password: anyPassword,
      rememberMe: z.optional(z.boolean()),
    }),
    social: z.strictObject({
      provider: z.literal('google', "must be 'google'"),
      callbackURL: z.optional(path),
      errorCallbackURL: z.optional(path),
      newUserCallbackURL: z.optional(path),
    }),
    askReset: z.strictObject({ email }),
    reset: z
      .strictObject({
        token: z.string().check(z.minLength(1, 'is required'), z.maxLength(200)),
        newPassword: password,
        confirmPassword: z.optional(z.string()),
      })
      .check(z.refine(sameTwice, notTheSame)),
    link: z.strictObject({
      token: linkToken,
      kind: z.enum(['confirm', 'reset'], "must be 'confirm' or 'reset'"),
    }),
    confirm: z
      .strictObject({
        token: linkToken,
        password: z.optional(anyPassword),
        newPassword: z.optional(password),
        confirmPassword: z.optional(z.string()),
      })
      .check(z.refine(sameTwice, notTheSame)),
    profile: z
      .strictObject({
        name: z.optional(personName(messages.nameRequired)),
        image: z.optional(
          text(limits.url).check(
            z.minLength(1, { error: messages.photoRequired, abort: true }),
            z.refine(isPictureAddress, 'Photo URL must be an https:// address of a picture'),
          ),
        ),
      })
      .check(
        z.refine(
          (form) => form.name !== undefined || form.image !== undefined,
          'There is nothing to change',
        ),
      ),
    changePassword: z
      .strictObject({
        currentPassword: anyPassword,
        newPassword: password,
        confirmPassword: z.optional(z.string()),
      })
      .check(z.refine(sameTwice, notTheSame)),
    code: z.strictObject({ code }),
    totp: z.strictObject({ code: totp }),
    password: z.strictObject({ password: anyPassword }),
    passwordAndCode: z.strictObject({ password: anyPassword, code }),
    signUp: (body: unknown) => parseSignUp(body, member),
  };
}

export type SignUp = Pick<
  z.output<ReturnType<typeof signUp>>,
  'name' | 'image' | 'email' | 'password'
>;

const signUpFields = ['name', 'image', 'email', 'password', 'confirmPassword'];

function parseSignUp(body: unknown, member: ReturnType<typeof signUp>): SignUp {
  const sent = fields(body);
  const foreign = Object.keys(sent).find((name) => !signUpFields.includes(name));
  if (foreign !== undefined)
    fail('INVALID_INPUT', { field: foreign, message: `${foreign} is not a field of this form` });
  // The addresses of those who left (account.ts): whoever took one could keep its owner from
  // leaving.
  if (/@deleted\.invalid\s*$/i.test(String(sent['email'])))
    fail('INVALID_INPUT', { field: 'email', message: 'Please enter a valid email address' });
  // A field left out is a field left empty: the form's own message says which one.
  const form = Object.fromEntries(signUpFields.map((name) => [name, sent[name] ?? '']));
  if (sent['confirmPassword'] === undefined) form['confirmPassword'] = form['password'] ?? '';
  const { name, image, email, password } = parse(member, form);
  return { name, image, email, password };
}

function fields(body: unknown): Record<string, unknown> {
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  return fail('INVALID_INPUT', { message: 'The body must be a JSON object.' });
}

/** The email in a text, as accounts have it; null when it is none. */
export function addressIn(text: string): string | null {
  return email.safeParse(text).data ?? null;
}

const ownWords = /^(Name|Photo URL|Email|Password|Please|The|There) /;

export function parse<S extends z.ZodMiniType>(form: S, body: unknown): z.output<S> {
  const read = readBy(form, fields(body ?? {}));
  if ('data' in read) return read.data;
  const { field, problem } = read;
  if (problem === null)
    fail('INVALID_INPUT', { field, message: `${field} is not a field of this form` });
  const message = ownWords.test(problem) ? problem : `${field} ${problem}`;
  return fail('INVALID_INPUT', field ? { field, message } : { message: problem });
}
