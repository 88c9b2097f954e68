// Sign-in with Google: against a real OpenID Connect issuer on loopback, and against one that lies.
import { describe, expect, it, vi } from 'vitest';
import { settings } from '../../contract/platform/settings.ts';
import { testApp, unique } from '../testing/app.ts';
import { aGoogle, client, signInWithGoogle, start, walk, waysInto } from '../testing/google.ts';
import { type Said, startForger } from '../testing/issuer.ts';
import { inTheEnd } from '../testing/tidy.ts';
import {
  aConfirmedMember,
  aMember,
  hasSession,
  idOf,
  resetToken,
  subjectsTo,
  Visitor,
} from '../testing/visitor.ts';
import { createTrips } from './google.ts';

const { issuer, anAccount } = await aGoogle();
const boss = anAccount();
const app = await testApp({
  google: { ...client, issuer: issuer.url },
  adminEmail: boss.email,
});

async function enters(account: { sub: string }, visitor = new Visitor(app)) {
  expect((await signInWithGoogle(visitor, account.sub)).location).toBe('/classes');
  return visitor;
}

async function expectRefused(account: { sub: string }, reason: string) {
  const visitor = new Visitor(app);
  expect((await signInWithGoogle(visitor, account.sub)).location).toBe(`/login?error=${reason}`);
  expect(await hasSession(visitor)).toBe(false);
}

/** The same for every address: it does not tell which ones have an account. */
const noInfo = 'unable_to_get_user_info';

describe('a person with a verified address', () => {
  it('of ADMIN_EMAIL becomes the first admin', async () => {
    await enters(boss);
    expect(await waysInto(app, boss.email)).toMatchObject({ role: 'admin' });
    expect((await app.send(settings, {})).body.google).toBe(true);
  });

  it('becomes a student without a password, and gets no mail', async () => {
    const account = anAccount({ email: `${unique('Grace')}@Example.com` });
    const email = account.email.toLowerCase();
    await enters(account);
    const profile = { name: 'Grace Hopper', image: account.picture, role: 'student' };
    const ways = { proven: true, sub: account.sub, password: false };
    expect(await waysInto(app, email)).toMatchObject({ ...profile, ...ways });
    expect(await subjectsTo(app, email)).toEqual([]);
  });

  it.each([
    ['/classes?search=柔道', '/classes?search=%E6%9F%94%E9%81%93'],
    ['/Łódź', '/%C5%81%C3%B3d%C5%BA'],
    [`/?${'a'.repeat(1_000)}`, '/'],
  ])('is led on, in letters for a header (%#)', async (callbackURL, written) => {
    const account = anAccount();
    const { location } = await signInWithGoogle(new Visitor(app), account.sub, { callbackURL });
    expect(location).toBe(written);
  });

  it('comes back to the same account, with another address, too', async () => {
    const account = anAccount();
    await enters(account);
    const { email } = account;
    const { email: unproven } = await aMember(app);
    account.email = unproven;
    const session = await (await enters(account)).ask('GET', '/api/auth/get-session');
    expect(session.body['user']).toMatchObject({ email });
    expect(await waysInto(app, unproven)).toMatchObject({ sub: null, proven: false });
  });

  it.each<[object, object]>([
    [{ picture: 'http://127.0.0.1/a.svg' }, { image: null }],
    [{ name: ' ', email: 'ann.b@example.com' }, { name: 'ann.b' }],
    [{ name: 'Ann https://evil.example/x' }, { name: 'Ann https evil.example/x' }],
  ])('gets a name and a picture that do no harm (%#)', async (given, expected) => {
    const account = anAccount(given);
    await enters(account);
    expect(await waysInto(app, account.email)).toMatchObject(expected);
  });
});

describe('an account on the address', () => {
  it('that its owner has proven is joined, and the owner is told', async () => {
    const { email } = await aConfirmedMember(app);
    const account = anAccount({ email });
    await enters(account);
    expect(await waysInto(app, email)).toMatchObject({ sub: account.sub, password: true });
    expect(await subjectsTo(app, email)).toContain('A Google account was connected');
    expect((await new Visitor(app).signIn(email)).status).toBe(200);
    // Only the first time, and only the first Google account.
    await enters(account);
    await expectRefused(anAccount({ email }), 'unable_to_link_account');
    expect(await waysInto(app, email)).toMatchObject({ sub: account.sub });
  });

  it('that nobody has proven is taken over, with what it has', async () => {
    const { email, visitor: stranger } = await aMember(app);
    const token = await stranger.token(email);
    const reset = await resetToken(app, email);
    const id = await idOf(app, email);

    const account = anAccount({ email });
    await enters(account);
    const kept = { id, name: 'Ada Lovelace' };
    const ways = { proven: true, sub: account.sub, password: false };
    expect(await waysInto(app, email)).toMatchObject({ ...kept, ...ways });
    expect(await stranger.isLetIn(token, email)).toBe(false);
    expect(await hasSession(stranger)).toBe(false);
    expect((await new Visitor(app).signIn(email)).status).toBe(401);
    const late = await stranger.auth('reset-password', { token: reset, newPassword: 'Late#2027' });
    expect(late.body.code).toBe('BAD_LINK');
    expect(await subjectsTo(app, email)).toContain('Your address is confirmed');
  });

  it('is refused with two-step sign-in, and when it is blocked', async () => {
    const joined = anAccount();
    await enters(joined);
    const other = anAccount({ email: (await aConfirmedMember(app)).email });
    const unproven = anAccount({ email: (await aMember(app)).email });
    const emails = [joined.email, other.email];
    await app.pool.query(
      `update login set totp_secret = '\\x01', totp_on_at = now() from "user" u
       where u.id = user_id and email = any ($1)`,
      [emails],
    );
    for (const one of [joined, other]) await expectRefused(one, 'second_step');
    emails.push(unproven.email);
    await app.pool.query('update "user" set blocked_at = now() where email = any ($1)', [emails]);
    for (const one of [joined, other, unproven]) await expectRefused(one, 'blocked');
    expect(await waysInto(app, other.email)).toMatchObject({ sub: null });
    expect(await waysInto(app, unproven.email)).toMatchObject({ sub: null, proven: false });
  });
});

describe('an issuer that lies', async () => {
  const forger = await startForger(client.clientId);
  inTheEnd(() => forger.close());
  const of = await testApp({ google: { ...client, issuer: forger.url } });

  async function comeBack({ claims, ...said }: Said): Promise<string> {
    const visitor = new Visitor(of);
    const { searchParams } = new URL(String((await start(visitor)).body['url']));
    const email = `${unique('forged')}@example.com`;
    const honest = { sub: email, email, email_verified: true, nonce: searchParams.get('nonce') };
    forger.says({ ...said, claims: { ...honest, ...claims } });
    const query = new URLSearchParams({ state: searchParams.get('state') ?? '', code: 'any' });
    const { headers } = await visitor.ask('GET', `/api/auth/callback/google?${query}`);
    expect(await hasSession(visitor)).toBe(headers['location'] === '/classes');
    return String(headers['location']);
  }

  const another = 'https://evil.example';
  it.each([
    ['has another name', { issuer: another }],
    ['wants tokens over http', { token_endpoint: 'http://evil.example/token' }],
  ])('and %s is as good as away, and asked again', async (_how, discovery) => {
    forger.says({ discovery });
    expect((await start(new Visitor(of))).body.code).toBe('GOOGLE_DOWN');
    forger.says({});
  });

  it.each<[string, Said]>([
    ['signs with our client secret', { secret: client.clientSecret }],
    ['names another issuer', { claims: { iss: another } }],
    ['names another audience', { claims: { aud: 'another' } }],
    ['names two audiences', { claims: { aud: [client.clientId, 'another'], azp: 'another' } }],
    ['brings an old ID token', { claims: { iat: 1 } }],
    ['names a person by other letters than ASCII', { claims: { sub: 'f-１' } }],
    ['keeps another nonce', { claims: { nonce: 'another' } }],
    [
      'names another person at its userinfo endpoint',
      {
        claims: { email: undefined },
        userInfo: { sub: 'f-2', email: 'f2@example.com', email_verified: true },
      },
    ],
  ])('and %s is refused', async (_how, said) => {
    expect(await comeBack(said)).toBe(`/login?error=${noInfo}`);
  });

  it('is believed where it does not', async () => {
    const two = { aud: [client.clientId, 'another'], azp: client.clientId };
    const userInfo = { sub: 'f-2', email: 'f2@example.com', email_verified: true };
    const apart = { claims: { sub: 'f-2', email: undefined, email_verified: undefined }, userInfo };
    for (const said of [{}, { claims: two }, apart]) expect(await comeBack(said)).toBe('/classes');
  });
});

describe('refused is', () => {
  it('an unverified address of anybody', async () => {
    const emails = [
      (await aConfirmedMember(app)).email,
      (await aMember(app)).email,
      'no@example.com',
    ];
    for (const email of emails) {
      const before = await waysInto(app, email);
      await expectRefused(anAccount({ email, email_verified: false }), noInfo);
      expect(await waysInto(app, email)).toEqual(before);
    }
  });

  // The Kelvin sign becomes a k when it is made small.
  it.each(['\u212Aelvin', '\u00A0kelvin', 'kelvin\u200B', 'kelvin kelvin'])(
    'an address that is none by our own rule: %j',
    async (name) => {
      const host = `@${unique('host')}.example.com`;
      const owner = await aConfirmedMember(app, { email: `kelvin${host}` });
      await expectRefused(anAccount({ email: `${name}${host}` }), noInfo);
      expect(await waysInto(app, owner.email)).toMatchObject({ sub: null });
    },
  );

  it('an address of deleted accounts, and a person who says no', async () => {
    const gone = `${unique('gone')}@deleted.invalid`;
    await expectRefused(anAccount({ email: gone }), noInfo);
    await expectRefused({ sub: '' }, 'access_denied');
    expect(await waysInto(app, gone)).toBe(null);
  });

  it.each(['/%5cevil', '/%2F%2fevil', 'https://evil/', '//evil', '/\\evil', 'javascript:alert(1)'])(
    'a way on to %s',
    async (callbackURL) => {
      const { status, body } = await start(new Visitor(app), { callbackURL });
      expect([status, body.field]).toEqual([400, 'callbackURL']);
    },
  );

  // The URL parser's time grows with the square of the length of such a host.
  it('a way on that is too long, before it is parsed', async () => {
    const parser = vi.spyOn(URL, 'canParse');
    const host = `//${'\u4e00\u4e01'.repeat(1_000)}`;
    for (const callbackURL of [host, host.slice(0, 100)]) {
      expect((await start(new Visitor(app), { callbackURL })).body.field).toBe('callbackURL');
      expect(parser.mock.calls.flat()).not.toContain(callbackURL);
    }
    parser.mockRestore();
  });
});

const change = (url: URL, query: object) => {
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
};

async function arrive(who: Visitor, { pathname, search }: URL): Promise<unknown> {
  return (await who.ask('GET', pathname + search)).headers['location'];
}

async function aWay(query = {}) {
  const visitor = new Visitor(app);
  const url = new URL(String((await start(visitor)).body['url']));
  change(url, query);
  return { visitor, back: await walk(url.href, anAccount().sub), logged: app.logs.length };
}

describe('the way back', () => {
  it('needs the state of this browser, and works once', async () => {
    const { visitor, back, logged } = await aWay();
    const withState = (state: string) => {
      const url = new URL(back);
      change(url, { state });
      return url;
    };
    const mismatch = '/login?error=state_mismatch';
    expect(await arrive(visitor, withState('a'.repeat(32)))).toBe(mismatch);
    expect(await arrive(visitor, withState('\0'))).toBe(mismatch);
    expect(await arrive(visitor, withState(''))).toBe('/login?error=state_not_found');
    expect(await arrive(new Visitor(app), back)).toBe(mismatch);
    const kept = new Map(visitor.cookies);
    const sealed = kept.get('rally.state') ?? '';
    visitor.cookies.set('rally.state', `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`);
    expect(await arrive(visitor, back)).toBe(mismatch);
    expect(app.logs.slice(logged)).toEqual([]);
    for (const [name, value] of kept) visitor.cookies.set(name, value);
    expect(await arrive(visitor, back)).toBe('/classes');
    expect(await arrive(visitor, back)).toBe(mismatch);
    // A browser that kept the cookie: Google takes its code once.
    for (const [name, value] of kept) visitor.cookies.set(name, value);
    expect(await arrive(visitor, back)).toBe('/login?error=invalid_code');
  });

  const pkce = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  it.each<[string, string, object, object]>([
    ['a code that Google did not give', 'invalid_code', {}, { code: 'bogus' }],
    ['no code', 'no_code', {}, { code: '' }],
    ['another verifier', 'invalid_code', { code_challenge: pkce }, {}],
    ['another nonce', noInfo, { nonce: 'not-ours' }, {}],
    ['no nonce', noInfo, { nonce: '' }, {}],
  ])('with %s is refused, and no error of ours', async (_what, reason, there, returned) => {
    const { visitor, back, logged } = await aWay(there);
    change(back, returned);
    expect(await arrive(visitor, back)).toBe(`/login?error=${reason}`);
    expect(await hasSession(visitor)).toBe(false);
    const levels = app.logs
      .slice(logged)
      .map((line) => (JSON.parse(line) as { level: number }).level);
    expect(levels.filter((level) => level !== 40)).toEqual([]);
  });

  it('is over after five minutes; its cookie fits a browser', () => {
    const trips = createTrips(app.config);
    const path = `/${'a'.repeat(899)}`;
    const long = { callbackURL: path, errorCallbackURL: path };
    const { trip, sealed } = trips.begin({ provider: 'google', ...long });
    expect(sealed.length).toBeLessThan(4_050);
    expect(trips.end(sealed, trip.state)).toEqual(trip);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 });
    expect(trips.end(sealed, trip.state)).toBe(null);
    vi.useRealTimers();
  });
});
