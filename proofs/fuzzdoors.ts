// For every door of the identity provider what it accepts, and something that is right, with the
// cookie it needs: where the fuzzer begins to spoil. Made anew each time, because a link works
// once. Not for: what the doors are for (server/features/identity/gate.test.ts).
import * as z from 'zod/mini';
import { signUp } from '../contract/rules.ts';
import { createForms } from '../server/features/identity/forms.ts';
import { hashPassword } from '../server/features/identity/passwords.ts';
import type { TestApp } from '../server/testing/app.ts';
import { aUser, type TestUser } from '../server/testing/factories.ts';
import { codeOf } from '../server/testing/totp.ts';
import { aForm, goodPassword, linkIn } from '../server/testing/visitor.ts';
import { credentialsOf } from './fuzzcallers.ts';

export interface RightAtDoor {
  input: Record<string, unknown>;
  /** Whose session opens it, if any. */
  who?: TestUser;
  /** Cookies that an earlier door gave. */
  cookie?: string;
}

interface Door {
  accepts: z.ZodMiniType;
  right: (app: TestApp) => Promise<RightAtDoor>;
}

const forms = createForms({ strictPasswords: false });
const hash = hashPassword(goodPassword);

/** Somebody with a password, without the time that signing up takes. */
async function aMember(app: TestApp): Promise<TestUser> {
  const who = await aUser(app);
  const account = {
    userId: who.id,
    accountId: who.id,
    providerId: 'credential',
    password: await hash,
  };
  await app.db.insertInto('account').values(account).execute();
  return who;
}

async function atDoor(app: TestApp, path: string, payload: object, who?: TestUser) {
  const answer = await app.ask({
    method: 'POST',
    url: `/api/auth/${path}`,
    payload,
    headers: who ? { cookie: (await credentialsOf(app, who)).cookie } : {},
  });
  const cookie = answer.cookies
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    .join('; ');
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.body}`);
  return { body: answer.json<Record<string, unknown>>(), cookie };
}

const asMember =
  (input: object): Door['right'] =>
  async (app) => ({ who: await aMember(app), input: { ...input } });

async function enabled(app: TestApp) {
  const who = await aMember(app);
  const { body } = await atDoor(app, 'two-factor/enable', { password: goodPassword }, who);
  return { who, secret: String(body['secret']) };
}

/** Somebody with two-step sign-in, and a code that is not used yet. */
async function careful(app: TestApp) {
  const { who, secret } = await enabled(app);
  await atDoor(app, 'two-factor/verify', { code: codeOf(secret) }, who);
  return { who, code: codeOf(secret, 1) };
}

const withCode: Door['right'] = async (app) => {
  const { who, code } = await careful(app);
  return { who, input: { password: goodPassword, code } };
};

async function unverified(app: TestApp): Promise<TestUser> {
  const who = await aMember(app);
  await app.db.updateTable('user').set({ emailVerified: false }).where('id', '=', who.id).execute();
  return who;
}

/** Somebody with a mailed link that confirms the address. */
async function confirming(app: TestApp) {
  const who = await unverified(app);
  await atDoor(app, 'send-verification-email', {}, who);
  return { who, token: (await linkIn(app, who.email)).searchParams.get('token') };
}

const words = (...names: string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.optional(z.string())])));

export const doors: Record<string, Door> = {
  'POST /sign-up/email': {
    accepts: signUp(false),
    right: () => Promise.resolve({ input: aForm() }),
  },
  'POST /sign-in/email': {
    accepts: forms.signIn,
    right: async (app) => ({
      input: { email: (await aMember(app)).email, password: goodPassword },
    }),
  },
  'POST /sign-in/social': {
    accepts: forms.social,
    right: () => Promise.resolve({ input: { provider: 'google', callbackURL: '/classes' } }),
  },
  'GET /callback/google': {
    accepts: words('state', 'code', 'error', 'error_description', 'iss', 'scope'),
    // With a code that the issuer never gave: the way through is long (google.test.ts), and ends at
    // the same door.
    right: async (app) => {
      const { body, cookie } = await atDoor(app, 'sign-in/social', { provider: 'google' });
      return {
        cookie,
        input: { state: new URL(String(body['url'])).searchParams.get('state'), code: 'unknown' },
      };
    },
  },
  'POST /sign-out': { accepts: forms.empty, right: asMember({}) },
  'GET /get-session': {
    accepts: words('disableCookieCache', 'disableRefresh'),
    right: asMember({}),
  },
  'POST /update-user': { accepts: forms.profile, right: asMember({ name: 'Ada' }) },
  'POST /change-password': {
    accepts: forms.changePassword,
    right: asMember({ currentPassword: goodPassword, newPassword: 'Another#2026' }),
  },
  'POST /revoke-other-sessions': { accepts: forms.empty, right: asMember({}) },
  'POST /request-password-reset': {
    accepts: forms.askReset,
    right: async (app) => ({ input: { email: (await aMember(app)).email } }),
  },
  'POST /reset-password': {
    accepts: forms.reset,
    right: async (app) => {
      const { email } = await aMember(app);
      await atDoor(app, 'request-password-reset', { email });
      const token = (await linkIn(app, email)).searchParams.get('token');
      return { input: { token, newPassword: 'Another#2026' } };
    },
  },
  'POST /send-verification-email': {
    accepts: forms.empty,
    right: async (app) => ({ who: await unverified(app), input: {} }),
  },
  'GET /verify-email': {
    accepts: words('token', 'callbackURL'),
    right: async (app) => ({ input: { token: (await confirming(app)).token, callbackURL: '/' } }),
  },
  'POST /verify-email': {
    accepts: forms.confirm,
    right: async (app) => {
      const { who, token } = await confirming(app);
      return { who, input: { token } };
    },
  },
  'POST /check-link': {
    accepts: forms.link,
    right: async (app) => ({ input: { token: (await confirming(app)).token, kind: 'confirm' } }),
  },
  'POST /sign-in/second-step': {
    accepts: forms.code,
    right: async (app) => {
      const { who, code } = await careful(app);
      const { cookie } = await atDoor(app, 'sign-in/email', {
        email: who.email,
        password: goodPassword,
      });
      return { cookie, input: { code } };
    },
  },
  'POST /two-factor/enable': {
    accepts: forms.password,
    right: asMember({ password: goodPassword }),
  },
  'POST /two-factor/verify': {
    accepts: forms.totp,
    right: async (app) => {
      const { who, secret } = await enabled(app);
      return { who, input: { code: codeOf(secret) } };
    },
  },
  'POST /two-factor/disable': { accepts: forms.passwordAndCode, right: withCode },
  'POST /two-factor/backup-codes': { accepts: forms.passwordAndCode, right: withCode },
};
