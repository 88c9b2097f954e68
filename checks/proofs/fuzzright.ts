// A valid input for every call, with a user who may send it, which the fuzzer then damages: the example
// of its declaration. Made anew each time, because a cart item is removed once and a link works once.
import { accessOf, type AnyCall } from '../../contract/platform/call.ts';
import { hashPassword } from '../../server/signin/hashes.ts';
import { type TestApp, unique } from '../../server/testing/app.ts';
import { aBoughtSeat, aHeldSeat, aPaidSeat, type Shop } from '../../server/testing/checkout.ts';
import {
  anAdmin,
  anInstructor,
  aStaffInvitation,
  aUser,
  type TestUser,
} from '../../server/testing/factories.ts';
import { aMeetingRow } from '../../server/testing/family.ts';
import { codeOf } from '../../server/testing/totp.ts';
import { goodPassword, linkIn } from '../../server/testing/visitor.ts';
import { filled, make } from '../access/things.ts';
import { credentialsOf } from './fuzzcallers.ts';

export interface Right {
  who: TestUser;
  input: Record<string, unknown>;
  /** Cookies from an earlier call, instead of a session's. */
  cookie?: string;
}

export async function rightFor(call: AnyCall, shop: Shop): Promise<Right> {
  const right: Right = { who: await callerOf(call, shop.app), input: {} };
  const by = (word: string) =>
    flows[word]
      ? flows[word](shop, right, accessOf(call).join() === 'admin')
      : make(word, shop.app, right.who);
  right.input = (await filled(call.example ?? {}, by)) as Right['input'];
  return right;
}

const hash = hashPassword(goodPassword);

/** The least who may; those who sign in have a password. */
async function callerOf(call: AnyCall, app: TestApp): Promise<TestUser> {
  const access = accessOf(call);
  if (access.includes('instructor')) return anInstructor(app);
  if (access.join() === 'admin') return anAdmin(app);
  const who = await aUser(app);
  if (call.byCookie)
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

async function secretOf(app: TestApp, who: TestUser): Promise<string> {
  const { body } = await given(app, 'two-factor/enable', { password: goodPassword }, who);
  return String(body['secret']);
}

/** Turns two-step sign-in on; an unused code. */
async function appCode(app: TestApp, who: TestUser): Promise<string> {
  const secret = await secretOf(app, who);
  await given(app, 'two-factor/verify', { code: codeOf(secret) }, who);
  return codeOf(secret, 1);
}

const tokenIn = async (app: TestApp, email: string, page?: string) => {
  const link = await linkIn(app, email, page);
  return link.searchParams.get('token') ?? link.hash.slice(1);
};

/** `foreign`: the caller is an admin, and the thing is somebody else's. */
type Flow = (shop: Shop, right: Right, foreign: boolean) => Promise<unknown>;

/** A purchase of the caller at the real provider. */
const bought =
  (work: (shop: Shop) => Promise<{ who: TestUser; value: unknown }>): Flow =>
  async (shop, right, foreign) => {
    const { who, value } = await work(shop);
    if (!foreign) right.who = who;
    return value;
  };

/** What takes the real way, where the matrix makes rows or has none. */
const flows: Record<string, Flow> = {
  hold: bought(async (shop) => {
    const { who, holdId } = await aHeldSeat(shop);
    return { who, value: holdId };
  }),
  intent: bought(async (shop) => {
    const { who, intent } = await aPaidSeat(shop);
    return { who, value: intent };
  }),
  payment: bought(async (shop) => {
    const { who, paymentId } = await aBoughtSeat(shop);
    return { who, value: paymentId };
  }),
  enrolment: bought(async (shop) => {
    const { who, klass, paymentId } = await aBoughtSeat(shop);
    await aMeetingRow(shop.app, klass);
    const { id } = await shop.app.db
      .selectFrom('enrolment')
      .select('id')
      .where('paymentId', '=', paymentId)
      .executeTakeFirstOrThrow();
    return { who, value: id };
  }),
  'first code': async ({ app }, { who }) => codeOf(await secretOf(app, who)),
  'app code': ({ app }, { who }) => appCode(app, who),
  'sign-in code': async ({ app }, right) => {
    const code = await appCode(app, right.who);
    const { email } = right.who;
    right.cookie = (await given(app, 'sign-in/email', { email, password: goodPassword })).cookie;
    return code;
  },
  'reset link': async ({ app }, { who: { email } }) => {
    await given(app, 'request-password-reset', { email });
    return tokenIn(app, email, '/resetpassword');
  },
  'confirm link': async ({ app }, right) => {
    const { id, email } = right.who;
    await app.db.updateTable('user').set({ provenAt: null }).where('id', '=', id).execute();
    right.who = { ...right.who, proven: false };
    await given(app, 'send-verification-email', {}, right.who);
    return tokenIn(app, email);
  },
  'new address link': async ({ app }, { who }) => {
    const email = `${unique('new')}@example.com`;
    await given(app, 'change-email', { email, password: goodPassword }, who);
    return tokenIn(app, email);
  },
  'staff secret': async ({ app }, { who: { email } }) =>
    (await aStaffInvitation(app, { email })).secret,
  // With a code that the issuer never gave: the whole flow is long (google.test.ts) and ends at the
  // same call.
  'google state': async ({ app }, right) => {
    const { body, cookie } = await given(app, 'sign-in/social', { provider: 'google' });
    right.cookie = cookie;
    return new URL(String(body['url'])).searchParams.get('state');
  },
};
