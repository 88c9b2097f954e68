// Sign-in with Google, against a real OpenID Connect issuer on loopback: the way through and every
// way to be refused.
import { afterAll, describe, expect, it } from 'vitest';
import { settings } from '../../../contract/identity.ts';
import { testApp, type TestApp, unique } from '../../testing/app.ts';
import { type IssuerAccount, startIssuer } from '../../testing/issuer.ts';
import { codeOf } from '../../testing/totp.ts';
import {
  aConfirmedMember,
  aForm,
  aMember,
  goodPassword,
  letterTo,
  linkIn,
  Visitor,
} from '../../testing/visitor.ts';

const publicUrl = 'http://localhost:3000';
const client = { clientId: 'rally', clientSecret: 'a secret of the issuer' };
const accounts: IssuerAccount[] = [];
const options = { ...client, redirectUri: `${publicUrl}/api/auth/callback/google`, accounts };

const issuer = await startIssuer(options);
const byTheBook = await startIssuer({ ...options, profileInIdToken: false });
afterAll(() => Promise.all([issuer.close(), byTheBook.close()]));

const app = await testApp({ google: { ...client, issuer: issuer.url } });

function anAccount(given: Partial<IssuerAccount> = {}): IssuerAccount {
  const account = {
    sub: unique('sub'),
    email: `${unique('grace')}@example.com`,
    email_verified: true,
    name: 'Grace Hopper',
    picture: 'https://example.com/grace.png',
    ...given,
  };
  accounts.push(account);
  return account;
}

const start = (visitor: Visitor, form: object = {}) =>
  visitor.auth('sign-in/social', {
    provider: 'google',
    callbackURL: '/classes',
    errorCallbackURL: '/login',
    ...form,
  });

/**
 * Walks through the issuer's pages as a person would, choosing an account (or Cancel), up to the
 * way back to us.
 */
async function walk(url: string, sub: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = new URL(url);
  let form: URLSearchParams | null = null;
  for (let step = 0; step < 10; step++) {
    const answer: Response = await fetch(next, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form ? { body: form } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    form = location ? null : new URLSearchParams({ sub });
    if (!location) continue;
    next = new URL(location, next);
    if (next.origin === publicUrl) return next;
  }
  throw new Error('The issuer did not send us back');
}

async function signInWithGoogle(visitor: Visitor, sub: string, form?: object) {
  const { body } = await start(visitor, form);
  const back = await walk(String(body['url']), sub);
  const answer = await visitor.ask('GET', back.pathname + back.search);
  return { answer, location: String(answer.headers['location']) };
}

const hasSession = async (visitor: Visitor) =>
  (await visitor.ask('GET', '/api/auth/get-session')).text !== 'null';

const row = (of: TestApp, email: string) =>
  of.db
    .selectFrom('user')
    .leftJoin('account', 'account.userId', 'user.id')
    .select(['user.id', 'name', 'image', 'role', 'emailVerified', 'providerId', 'accountId'])
    .select(['accessToken', 'refreshToken', 'idToken', 'account.password'])
    .where('email', '=', email)
    .orderBy('providerId')
    .execute();

describe('a person with a verified address', () => {
  it('comes in, becomes a student, and gets a token like everybody', async () => {
    const account = anAccount({ email: `${unique('Grace')}@Example.com` });
    const email = account.email.toLowerCase();
    const visitor = new Visitor(app);
    const { answer, location } = await signInWithGoogle(visitor, account.sub);
    expect([answer.status, location]).toEqual([302, '/classes']);
    expect(await row(app, email)).toEqual([
      {
        id: expect.any(String),
        name: 'Grace Hopper',
        image: account.picture,
        role: 'student',
        emailVerified: true,
        providerId: 'google',
        accountId: account.sub,
        accessToken: null,
        refreshToken: null,
        idToken: null,
        password: null,
      },
    ]);
    expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
  });

  it('comes back to the same account, even with another address at Google', async () => {
    const account = anAccount();
    await signInWithGoogle(new Visitor(app), account.sub);
    const { email } = account;
    account.email = `${unique('moved')}@example.com`;
    const again = new Visitor(app);
    expect((await signInWithGoogle(again, account.sub)).location).toBe('/classes');
    const session = await again.ask('GET', '/api/auth/get-session');
    expect(session.body['user']).toMatchObject({ email });
  });

  it('comes in also where the issuer tells the profile only at its userinfo endpoint', async () => {
    const strict = await testApp({ google: { ...client, issuer: byTheBook.url } });
    const account = anAccount();
    const visitor = new Visitor(strict);
    expect((await signInWithGoogle(visitor, account.sub)).location).toBe('/classes');
    expect(await row(strict, account.email)).toMatchObject([
      { name: 'Grace Hopper', emailVerified: true },
    ]);
  });

  it('gets a usable name and no odd picture', async () => {
    const account = anAccount({ name: ' ', picture: 'http://127.0.0.1/a.svg' });
    await signInWithGoogle(new Visitor(app), account.sub);
    expect(await row(app, account.email)).toMatchObject([
      { name: account.email.split('@')[0], image: null },
    ]);
  });

  it('gets a name without links', async () => {
    const account = anAccount({ name: 'Grace https://evil.example WWW.evil.example' });
    await signInWithGoogle(new Visitor(app), account.sub);
    expect(await row(app, account.email)).toMatchObject([
      { name: 'Grace https evil.example evil.example' },
    ]);
  });

  it('joins the account that has this address, when that one has proven it, too', async () => {
    const { email, visitor } = await aMember(app);
    const account = anAccount({ email });
    const token = (await linkIn(app, email)).searchParams.get('token');
    await visitor.auth('verify-email', { token });
    const again = new Visitor(app);
    expect((await signInWithGoogle(again, account.sub)).location).toBe('/classes');
    expect((await row(app, email)).map(({ providerId }) => providerId)).toEqual([
      'credential',
      'google',
    ]);
    expect((await new Visitor(app).signIn(email)).status).toBe(200);
  });

  it('takes over an unconfirmed account on this address; password, sessions, links and second factor of before end', async () => {
    const { email, visitor: stranger } = await aConfirmedMember(app);
    const { body } = await stranger.auth('two-factor/enable', { password: goodPassword });
    await stranger.auth('two-factor/verify', { code: codeOf(String(body['secret'])) });
    await stranger.auth('request-password-reset', { email });
    const reset = (await linkIn(app, email)).searchParams.get('token');
    await app.db
      .updateTable('user')
      .set({ emailVerified: false })
      .where('email', '=', email)
      .execute();
    const token = await stranger.token(email);
    expect(await stranger.isLetIn(token, email)).toBe(true);

    const owner = new Visitor(app);
    expect((await signInWithGoogle(owner, anAccount({ email }).sub)).location).toBe('/classes');
    expect(await owner.isLetIn(await owner.token(email), email)).toBe(true);
    expect(await row(app, email)).toMatchObject([
      { providerId: 'google', emailVerified: true, password: null },
    ]);
    // Name and photo are Google's: those of before were a stranger's text.
    expect(await row(app, email)).toMatchObject([
      { name: 'Grace Hopper', image: 'https://example.com/grace.png' },
    ]);
    expect(await stranger.isLetIn(token, email)).toBe(false);
    expect(await hasSession(stranger)).toBe(false);
    expect((await new Visitor(app).signIn(email)).status).toBe(401);
    const late = await stranger.auth('reset-password', {
      token: reset,
      newPassword: 'Squash$2027',
    });
    expect([late.status, late.body.code]).toEqual([400, 'BAD_LINK']);
    expect((await letterTo(app, email))?.subject).toBe('Your address is confirmed');
  });

  it('and without a name or photo at Google takes over an unconfirmed account without those of before', async () => {
    const { email } = await aMember(app);
    const { sub } = anAccount({ email, name: ' ', picture: 'http://127.0.0.1/a.svg' });
    expect((await signInWithGoogle(new Visitor(app), sub)).location).toBe('/classes');
    expect(await row(app, email)).toMatchObject([{ name: email.split('@')[0], image: null }]);
  });

  it('who takes over an unconfirmed account leaves no place known from which a stranger signed in to it', async () => {
    const limited = await testApp({ google: { ...client, issuer: issuer.url }, rateLimit: true });
    const { email } = await aMember(limited);
    const known = async () =>
      (await limited.pool.query('select from sign_in_attempt where succeeded_at is not null')).rows
        .length;
    expect(await known()).toBe(1);
    expect((await signInWithGoogle(new Visitor(limited), anAccount({ email }).sub)).location).toBe(
      '/classes',
    );
    expect(await known()).toBe(0);
  });

  it('with an address that has moved at Google leaves an unconfirmed account on the new one alone', async () => {
    const account = anAccount();
    await signInWithGoogle(new Visitor(app), account.sub);
    const { email } = await aMember(app);
    account.email = email;
    await signInWithGoogle(new Visitor(app), account.sub);
    expect(await row(app, email)).toMatchObject([
      { providerId: 'credential', emailVerified: false },
    ]);
  });
});

describe('refused, without a session and without a trace, is', () => {
  it('an unverified address that meets an unconfirmed account', async () => {
    const { email } = await aMember(app);
    const visitor = new Visitor(app);
    const { location } = await signInWithGoogle(
      visitor,
      anAccount({ email, email_verified: false }).sub,
    );
    expect(location).toBe('/login?error=account_not_linked');
    expect(await hasSession(visitor)).toBe(false);
    expect(await row(app, email)).toMatchObject([
      { providerId: 'credential', emailVerified: false },
    ]);
    expect((await visitor.signIn(email)).status).toBe(200);
  });

  it('an unverified address that meets an existing account', async () => {
    const { email } = await aMember(app);
    await app.db
      .updateTable('user')
      .set({ emailVerified: true })
      .where('email', '=', email)
      .execute();
    const account = anAccount({ email, email_verified: false });
    const visitor = new Visitor(app);
    expect((await signInWithGoogle(visitor, account.sub)).location).toBe(
      '/login?error=account_not_linked',
    );
    expect(await hasSession(visitor)).toBe(false);
    expect((await row(app, email)).map(({ providerId }) => providerId)).toEqual(['credential']);
  });

  it('an unverified address that nobody has yet', async () => {
    const account = anAccount({ email_verified: false });
    const visitor = new Visitor(app);
    expect((await signInWithGoogle(visitor, account.sub)).location).toMatch(
      /^\/login\?error=email_not_verified/,
    );
    expect(await hasSession(visitor)).toBe(false);
    expect(await row(app, account.email)).toEqual([]);
  });

  it('a wrong state, a missing one, one of another browser, and one used twice', async () => {
    const account = anAccount();
    const visitor = new Visitor(app);
    const { body } = await start(visitor);
    const back = await walk(String(body['url']), account.sub);
    const arrive = async (who: Visitor, change: (query: URLSearchParams) => void) => {
      const query = new URLSearchParams(back.search);
      change(query);
      const { headers } = await who.ask('GET', `${back.pathname}?${query}`);
      return String(headers['location']);
    };
    expect(await arrive(visitor, (query) => query.set('state', 'a'.repeat(32)))).toMatch(
      /\/login\?error=state_mismatch/,
    );
    expect(await arrive(visitor, (query) => query.delete('state'))).toMatch(
      /\/login\?error=state_not_found/,
    );
    expect(await arrive(new Visitor(app), () => {})).toMatch(/\/login\?error=state_mismatch/);
    expect(await hasSession(visitor)).toBe(false);
    const fresh = new Visitor(app);
    const second = await walk(String((await start(fresh)).body['url']), account.sub);
    expect((await fresh.ask('GET', second.pathname + second.search)).headers['location']).toBe(
      '/classes',
    );
    const replay = await fresh.ask('GET', second.pathname + second.search);
    expect(replay.headers['location']).toMatch(/\/login\?error=/);
  });

  it('an ID token with a nonce that is not ours', async () => {
    const account = anAccount();
    const visitor = new Visitor(app);
    const url = new URL(String((await start(visitor)).body['url']));
    expect(url.searchParams.get('nonce')).toMatch(/^[\w-]{32}$/);
    url.searchParams.set('nonce', 'somebody-elses');
    const back = await walk(url.href, account.sub);
    const { headers } = await visitor.ask('GET', back.pathname + back.search);
    expect(headers['location']).toBe('/login?error=unable_to_get_user_info');
    expect(await hasSession(visitor)).toBe(false);
    expect(await row(app, account.email)).toEqual([]);
  });

  it('a code caught by somebody who lacks the verifier of PKCE', async () => {
    const account = anAccount();
    const visitor = new Visitor(app);
    const url = new URL(String((await start(visitor)).body['url']));
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    url.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    const back = await walk(url.href, account.sub);
    const { headers } = await visitor.ask('GET', back.pathname + back.search);
    expect(headers['location']).toBe('/login?error=invalid_code');
    expect(await hasSession(visitor)).toBe(false);
  });

  it('a person who says no', async () => {
    const visitor = new Visitor(app);
    const { location } = await signInWithGoogle(visitor, '');
    expect(location).toMatch(/^\/login\?error=access_denied/);
    expect(await hasSession(visitor)).toBe(false);
  });

  it('an account with two-step sign-in, which Google would get round', async () => {
    const account = anAccount();
    await signInWithGoogle(new Visitor(app), account.sub);
    await app.pool.query(
      `insert into two_factor (user_id, secret, backup_codes) select id, 'x', 'x' from "user" where email = $1`,
      [account.email],
    );
    await app.pool.query(`update "user" set two_factor_enabled = true where email = $1`, [
      account.email,
    ]);
    const visitor = new Visitor(app);
    expect((await signInWithGoogle(visitor, account.sub)).location).toMatch(
      /^\/login\?error=second_step/,
    );
    expect(await hasSession(visitor)).toBe(false);
  });

  it('a way on that leads elsewhere', async () => {
    for (const callbackURL of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const { status, body } = await start(new Visitor(app), { callbackURL });
      expect([status, body.field]).toEqual([400, 'callbackURL']);
    }
  });

  it('an ID token brought along by the browser itself', async () => {
    const { status, body } = await start(new Visitor(app), { idToken: { token: 'a.b.c' } });
    expect([status, body.field]).toEqual([400, 'idToken']);
  });
});

describe('an issuer', () => {
  it('that is not configured is said to be so', async () => {
    const without = await testApp();
    const { status, body } = await start(new Visitor(without));
    expect([status, body.code]).toEqual([404, 'GOOGLE_NOT_SET_UP']);
    expect((await without.send(settings, {})).body.google).toBe(false);
    expect((await app.send(settings, {})).body.google).toBe(true);
  });

  it('that is away at start is found once it is back, without a restart', async () => {
    const gone = await startIssuer(options);
    const port = Number(new URL(gone.url).port);
    await gone.close();
    const patient = await testApp({ google: { ...client, issuer: gone.url } });
    const refused = await start(new Visitor(patient));
    expect([refused.status, refused.body.code]).toEqual([503, 'GOOGLE_DOWN']);
    const back = await startIssuer({ ...options, port });
    try {
      const account = anAccount();
      const visitor = new Visitor(patient);
      expect((await signInWithGoogle(visitor, account.sub)).location).toBe('/classes');
      expect(await hasSession(visitor)).toBe(true);
    } finally {
      await back.close();
    }
  });

  it('of Google itself is known by heart', async () => {
    const real = await testApp({ google: { ...client, issuer: 'https://accounts.google.com' } });
    const { status, body } = await start(new Visitor(real));
    const url = new URL(String(body['url']));
    expect([status, url.origin + url.pathname]).toEqual([
      200,
      'https://accounts.google.com/o/oauth2/v2/auth',
    ]);
    expect(url.searchParams.get('redirect_uri')).toBe(`${publicUrl}/api/auth/callback/google`);
    expect(url.searchParams.get('scope')?.split(' ').toSorted()).toEqual([
      'email',
      'openid',
      'profile',
    ]);
  });
});

it('an account made by Google can get a password through the mailbox', async () => {
  const account = anAccount();
  await signInWithGoogle(new Visitor(app), account.sub);
  const visitor = new Visitor(app);
  await visitor.auth('request-password-reset', { email: account.email });
  const token = /token=(\S+)/.exec((await letterTo(app, account.email))?.text ?? '')?.[1];
  expect(
    (await visitor.auth('reset-password', { token, newPassword: aForm().password })).status,
  ).toBe(200);
  expect((await visitor.signIn(account.email)).status).toBe(200);
});
