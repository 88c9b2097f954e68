// A valid input for every call of the identity provider, with the cookie it needs, which the fuzzer
// then damages. Made anew each time, because a link works once. Other calls: fuzzright.ts.
import { hashPassword } from '../../server/signin/hashes.ts';
import { type TestApp, unique } from '../../server/testing/app.ts';
import { aStaffInvitation, aUser, type TestUser } from '../../server/testing/factories.ts';
import { codeOf } from '../../server/testing/totp.ts';
import { aForm, goodPassword, linkIn } from '../../server/testing/visitor.ts';
import { credentialsOf } from './fuzzcallers.ts';

export interface RightByCookie {
  input: Record<string, unknown>;
  /** Whose session it needs, if any. */
  who?: TestUser;
  /** Cookies from an earlier call. */
  cookie?: string;
}

type Recipe = (app: TestApp) => Promise<RightByCookie>;

const hash = hashPassword(goodPassword);

/** A user with a password, without the slow sign-up. */
async function aMember(app: TestApp): Promise<TestUser> {
  const who = await aUser(app);
  await app.db
    .insertInto('login')
    .values({ userId: who.id, passwordHash: await hash })
    .execute();
  return who;
}

async function given(app: TestApp, path: string, payload: object, who?: TestUser) {
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
  (input: object): Recipe =>
  async (app) => ({ who: await aMember(app), input: { ...input } });

async function enabled(app: TestApp) {
  const who = await aMember(app);
  const { body } = await given(app, 'two-factor/enable', { password: goodPassword }, who);
  return { who, secret: String(body['secret']) };
}

/** A user with two-step sign-in, and an unused code. */
async function careful(app: TestApp) {
  const { who, secret } = await enabled(app);
  await given(app, 'two-factor/verify', { code: codeOf(secret) }, who);
  return { who, code: codeOf(secret, 1) };
}

const withCode: Recipe = async (app) => {
  const { who, code } = await careful(app);
  return { who, input: { password: goodPassword, code } };
};

async function unverified(app: TestApp): Promise<TestUser> {
  const who = await aMember(app);
  await app.db.updateTable('user').set({ provenAt: null }).where('id', '=', who.id).execute();
  return { ...who, proven: false };
}

/** A user with a mailed link that confirms the address. */
async function confirming(app: TestApp) {
  const who = await unverified(app);
  await given(app, 'send-verification-email', {}, who);
  return { who, token: (await linkIn(app, who.email)).searchParams.get('token') };
}

export const byCookie: Record<string, Recipe> = {
  'POST /auth/sign-up/email': () => Promise.resolve({ input: aForm() }),
  'POST /auth/sign-in/email': async (app) => ({
    input: { email: (await aMember(app)).email, password: goodPassword },
  }),
  'POST /auth/sign-in/social': () =>
    Promise.resolve({ input: { provider: 'google', callbackURL: '/classes' } }),
  // With a code that the issuer never gave: the whole flow is long (google.test.ts) and ends at the
  // same call.
  'GET /auth/callback/google': async (app) => {
    const { body, cookie } = await given(app, 'sign-in/social', { provider: 'google' });
    return {
      cookie,
      input: { state: new URL(String(body['url'])).searchParams.get('state'), code: 'unknown' },
    };
  },
  'POST /auth/sign-out': asMember({}),
  'GET /auth/get-session': asMember({}),
  'POST /auth/update-user': asMember({ name: 'Ada' }),
  'POST /auth/change-password': asMember({
    currentPassword: goodPassword,
    newPassword: 'Another#2026',
  }),
  'POST /auth/revoke-other-sessions': asMember({}),
  'POST /auth/request-password-reset': async (app) => ({
    input: { email: (await aMember(app)).email },
  }),
  'POST /auth/reset-password': async (app) => {
    const { email } = await aMember(app);
    await given(app, 'request-password-reset', { email });
    const token = (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
    return { input: { token, newPassword: 'Another#2026' } };
  },
  'POST /auth/send-verification-email': async (app) => ({
    who: await unverified(app),
    input: {},
  }),
  'GET /auth/verify-email': async (app) => ({
    input: { token: (await confirming(app)).token, callbackURL: '/' },
  }),
  'POST /auth/verify-email': async (app) => {
    const { who, token } = await confirming(app);
    return { who, input: { token } };
  },
  'POST /auth/check-link': async (app) => ({
    input: { token: (await confirming(app)).token, kind: 'confirm' },
  }),
  'POST /auth/sign-in/second-step': async (app) => {
    const { who, code } = await careful(app);
    const { cookie } = await given(app, 'sign-in/email', {
      email: who.email,
      password: goodPassword,
    });
    return { cookie, input: { code } };
  },
  'POST /auth/invitation': async (app) => ({
    input: { secret: (await aStaffInvitation(app)).secret },
  }),
  'POST /auth/accept-invitation': async (app) => ({
    input: { secret: (await aStaffInvitation(app)).secret, name: 'Ada', password: goodPassword },
  }),
  'POST /auth/change-email': asMember({ email: 'new@example.com', password: goodPassword }),
  'POST /auth/confirm-new-email': async (app) => {
    const who = await aMember(app);
    const email = `${unique('new')}@example.com`;
    await given(app, 'change-email', { email, password: goodPassword }, who);
    return { who, input: { token: (await linkIn(app, email)).hash.slice(1) } };
  },
  'POST /auth/two-factor/enable': asMember({ password: goodPassword }),
  'POST /auth/two-factor/verify': async (app) => {
    const { who, secret } = await enabled(app);
    return { who, input: { code: codeOf(secret) } };
  },
  'POST /pictures/signup': () => Promise.resolve({ input: {} }),
  'POST /auth/two-factor/disable': withCode,
  'POST /auth/two-factor/backup-codes': withCode,
};
