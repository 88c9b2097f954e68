// A stranger signed up with the address of someone else: the scene of confirm.test.ts, in
// production mode and with a mail server of its own.
import { execFile } from 'node:child_process';
import { expect } from 'vitest';
import { readConfig } from '../platform/config.ts';
import { testApp, type TestApp, unique } from './app.ts';
import { startSmtp } from './smtp.ts';
import { codeOf } from './totp.ts';
import { aForm, hasSession, Visitor } from './visitor.ts';

/** One per worker, shared by its test files. */
export const smtp = await startSmtp();

export const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://rally.example.com',
  TRUST_PROXY: 'none',
  TIME_ZONE: 'Europe/Lisbon',
  STAFF_TWO_STEP: 'off',
  DATABASE_URL: 'postgres://rally@127.0.0.1/rally',
  AUTH_SECRET: 'q8Zr3vN1xT6kLw9YpB4mJc7sHd2fGa5e_dJcPa8fGiT',
  CARE_KEYS: '1:pGUbahc1AJQMVnCcDcZ+Ap2EO5IXB0v81ee5cd3zzbU=',
  SMTP_URL: smtp.url,
  STRIPE_SECRET_KEY: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_TYooMQauvdEDq54NiTphI7jx',
  STRIPE_WEBHOOK_SECRET: 'whsec_9fK2mQ7xT4wZ1vB8nC5jL3pR6',
};

export const anApp = async (adminEmail: string | null = null) =>
  testApp({ ...readConfig(production), passwordCost: 'cheap', logLevel: 'warn', adminEmail });

/** Runs `npm run admin -- …` on the database of an app. Returns output and exit code. */
export async function runAdmin(
  of: TestApp,
  given: string[],
  changed: Record<string, string | undefined> = {},
) {
  const { PATH } = process.env;
  const NODE_COMPILE_CACHE = '.cache/compiled';
  const all = { PATH, NODE_COMPILE_CACHE, ...production, DATABASE_URL: of.url, ...changed };
  const env = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise<string>((ended) => {
    execFile(
      process.execPath,
      ['server/app/admin.ts', ...given],
      { env },
      (error, stdout, stderr) => ended(`${stdout}${stderr}\nended with ${error?.code ?? 0}`),
    );
  });
}

export const strangersPassword = 'Stranger#2026';
export const ownersPassword = 'Owner#2026';
export const newPassword = 'Squash$2027';

let networks = 0;
/** Signs up from its own network, because sign-ups are limited per network. */
export function aVisitor(of: TestApp): Visitor {
  const visitor = new Visitor(of);
  networks += 1;
  visitor.address = `203.0.${Math.floor(networks / 250)}.${(networks % 250) + 1}`;
  return visitor;
}

export async function signUpAndIn(of: TestApp, email: string, password: string) {
  const visitor = aVisitor(of);
  await visitor.auth('sign-up/email', aForm({ email, password }));
  expect((await visitor.signIn(email, password)).status).toBe(200);
  return { visitor, token: await visitor.token(email) };
}

/** A stranger signs up with the address of someone else, who then signs up as well. */
export async function squatted(of: TestApp, email = `${unique('boss')}@example.com`) {
  const stranger = await signUpAndIn(of, email, strangersPassword);
  const owner = aVisitor(of);
  const { body } = await owner.auth('sign-up/email', aForm({ email, password: ownersPassword }));
  expect(body).toEqual({ status: true });
  return { email, stranger, owner, link: await mailedLink(of, email, '/confirm') };
}

export type Squatted = Awaited<ReturnType<typeof squatted>>;

/** The newest link to a page in the mails to an address. */
export async function mailedLink(of: TestApp, email: string, pathname: string): Promise<URL> {
  await of.settled();
  const links = smtp.mails
    .filter(({ to }) => to === email)
    .flatMap(({ text }) => text.match(/^https:\/\/\S+$/gm) ?? [])
    .map((link) => new URL(link))
    .filter((link) => link.pathname === pathname);
  const newest = links.at(-1);
  if (!newest) throw new Error(`No link to ${pathname} was mailed to ${email}`);
  return newest;
}

export async function resetByMail(of: TestApp, { email, owner }: Squatted) {
  await owner.auth('request-password-reset', { email });
  const token = tokenOf(await mailedLink(of, email, '/resetpassword'));
  return owner.auth('reset-password', { token, newPassword });
}

/** Of the address, by who does not show that the sign-up was theirs. */
export const proofs: Record<string, (of: TestApp, scene: Squatted) => Promise<{ status: number }>> =
  {
    'the link and a new password': (_, { owner, link }) => confirm(owner, link, { newPassword }),
    'a reset by mail': resetByMail,
  };

export const tokenOf = (link: URL) => link.searchParams.get('token') ?? '';
export const confirm = (visitor: Visitor, link: URL, given: object = {}) =>
  visitor.auth('verify-email', { token: tokenOf(link), ...given });

export const readsUsers = async (visitor: Visitor, token: string) =>
  (await visitor.ask('GET', '/api/allusers', undefined, { authorization: `Bearer ${token}` }))
    .status;

export async function isConfirmed(of: TestApp, email: string): Promise<boolean> {
  const { rows } = await of.pool.query('select proven_at from "user" where email = $1', [email]);
  return rows[0].proven_at !== null;
}

/** Expects that the stranger's password, session and tokens are all refused. */
export async function expectStrangerOut(of: TestApp, { email, stranger }: Squatted) {
  expect(await readsUsers(stranger.visitor, stranger.token)).toBe(401);
  expect(await stranger.visitor.isLetIn(stranger.token, email)).toBe(false);
  expect(await hasSession(stranger.visitor)).toBe(false);
  expect((await stranger.visitor.ask('POST', '/api/jwt', { email })).status).toBe(401);
  expect((await aVisitor(of).signIn(email, strangersPassword)).status).toBe(401);
  expect((await stranger.visitor.signIn(email, strangersPassword)).status).toBe(401);
}

export async function expectOwnerIn(of: TestApp, email: string, password: string) {
  const visitor = aVisitor(of);
  expect((await visitor.signIn(email, password)).body).toHaveProperty('user.email', email);
  return { visitor, token: await visitor.token(email) };
}

export const setConfirmed = (of: TestApp, email: string, confirmed: boolean) =>
  of.db
    .updateTable('user')
    .set({ provenAt: confirmed ? new Date() : null })
    .where('email', '=', email)
    .execute();

/** Two-step sign-in, which needs a proven address. */
export async function withSecondFactor(of: TestApp, { email, stranger }: Squatted) {
  await setConfirmed(of, email, true);
  const { body } = await stranger.visitor.auth('two-factor/enable', {
    password: strangersPassword,
  });
  const secret = String(body['secret']);
  expect((await stranger.visitor.auth('two-factor/verify', { code: codeOf(secret) })).status).toBe(
    200,
  );
  await setConfirmed(of, email, false);
  stranger.token = await stranger.visitor.token(email);
  return { secret };
}
