// Sign-in with Google, against a real OpenID Connect issuer on loopback: every way to be refused.
import { describe, expect, it, vi } from 'vitest';
import { testApp, unique } from '../../testing/app.ts';
import {
  aGoogle,
  client,
  hasSession,
  row,
  signInWithGoogle,
  start,
  walk,
} from '../../testing/google.ts';
import { aConfirmedMember, aMember, Visitor } from '../../testing/visitor.ts';

const { issuer, anAccount } = await aGoogle();
const app = await testApp({ google: { ...client, issuer: issuer.url } });

/** The levels of the log lines since then: 40 is a warning, 50 an error. */
const levelsSince = (before: number) =>
  app.logs.slice(before).map((line) => (JSON.parse(line) as { level: number }).level);

it.each(['/%5cevil.example', '/%2F%2fevil.example', '/.%2f/evil.example'])(
  'a way on to %s is refused by its field, and not logged as an error',
  async (callbackURL) => {
    const before = app.logs.length;
    const { status, body } = await start(new Visitor(app), { callbackURL });
    expect([status, body.code, body.field]).toEqual([400, 'INVALID_INPUT', 'callbackURL']);
    expect(app.logs.slice(before)).toEqual([]);
  },
);

// The URL parser's time grows with the square of the length of such a host.
it('a way on that is too long, or no path, is refused before it is parsed as an address', async () => {
  const parser = vi.spyOn(URL, 'canParse');
  const host = `//${'\u4e00\u4e01'.repeat(1_000)}`;
  for (const callbackURL of [host, host.slice(0, 100)]) {
    const { status, body } = await start(new Visitor(app), { callbackURL });
    expect([status, body.code, body.field]).toEqual([400, 'INVALID_INPUT', 'callbackURL']);
    expect(parser.mock.calls.flat()).not.toContain(callbackURL);
  }
  parser.mockRestore();
});

/** The same for every address: it does not tell which ones have an account. */
const noInfo = '/login?error=unable_to_get_user_info';

describe('refused, without a session and without a trace, is', () => {
  it('an unverified address that meets an unconfirmed account', async () => {
    const { email } = await aMember(app);
    const visitor = new Visitor(app);
    const { location } = await signInWithGoogle(
      visitor,
      anAccount({ email, email_verified: false }).sub,
    );
    expect(location).toBe(noInfo);
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
    expect((await signInWithGoogle(visitor, account.sub)).location).toBe(noInfo);
    expect(await hasSession(visitor)).toBe(false);
    expect((await row(app, email)).map(({ providerId }) => providerId)).toEqual(['credential']);
  });

  it('an address of deleted accounts', async () => {
    const account = anAccount({ email: `${unique('deleted')}@deleted.invalid` });
    const visitor = new Visitor(app);
    const { location } = await signInWithGoogle(visitor, account.sub);
    expect(location).toMatch(/^\/login\?error=/);
    expect(await hasSession(visitor)).toBe(false);
    expect(await row(app, account.email)).toEqual([]);
  });

  it('an unverified address without an account', async () => {
    const account = anAccount({ email_verified: false });
    const visitor = new Visitor(app);
    expect((await signInWithGoogle(visitor, account.sub)).location).toBe(noInfo);
    expect(await hasSession(visitor)).toBe(false);
    expect(await row(app, account.email)).toEqual([]);
  });

  it.each(['\u212Aelvin', '\u00A0kelvin', 'kelvin\u200B', 'kelvin kelvin'])(
    'an address that is none by our own rule: %j',
    async (name) => {
      const host = `@${unique('host')}.example.com`;
      const owner = await aConfirmedMember(app, { email: `kelvin${host}` });
      const visitor = new Visitor(app);
      const { location } = await signInWithGoogle(
        visitor,
        anAccount({ email: `${name}${host}` }).sub,
      );
      expect(location).toBe(noInfo);
      expect(await hasSession(visitor)).toBe(false);
      expect((await row(app, owner.email)).map(({ providerId }) => providerId)).toEqual([
        'credential',
      ]);
    },
  );

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
    const logged = app.logs.length;
    expect(await arrive(visitor, (query) => query.set('state', 'a'.repeat(32)))).toMatch(
      /\/login\?error=state_mismatch/,
    );
    expect(await arrive(visitor, (query) => query.set('state', '\0'))).toBe(
      '/login?error=state_mismatch',
    );
    expect(await arrive(visitor, (query) => query.delete('state'))).toMatch(
      /\/login\?error=state_not_found/,
    );
    expect(await arrive(new Visitor(app), () => {})).toMatch(/\/login\?error=state_mismatch/);
    expect(app.logs.slice(logged)).toEqual([]);
    expect(await hasSession(visitor)).toBe(false);
    const fresh = new Visitor(app);
    const second = await walk(String((await start(fresh)).body['url']), account.sub);
    const state = [...fresh.cookies].find(([name]) => name.endsWith('.state')) ?? ['', ''];
    expect((await fresh.ask('GET', second.pathname + second.search)).headers['location']).toBe(
      '/classes',
    );
    // As a browser that kept the cookie of the state.
    fresh.cookies.set(...state);
    const replay = await fresh.ask('GET', second.pathname + second.search);
    expect(replay.headers['location']).toBe('/login?error=state_mismatch');
    expect(app.logs.slice(logged)).toEqual([]);
  });

  it('a code that Google did not give, and that is no error of ours', async () => {
    const visitor = new Visitor(app);
    const back = await walk(String((await start(visitor)).body['url']), anAccount().sub);
    back.searchParams.set('code', 'bogus');
    const logged = app.logs.length;
    const { headers } = await visitor.ask('GET', back.pathname + back.search);
    expect(headers['location']).toBe('/login?error=invalid_code');
    expect(levelsSince(logged)).toEqual([40]);
  });

  // The visitor sees the nonce in the browser and can change it: no error of ours.
  it.each([
    ['with a nonce that is not ours', (query: URLSearchParams) => query.set('nonce', 'not-ours')],
    ['without a nonce', (query: URLSearchParams) => query.delete('nonce')],
  ])('an ID token %s', async (_which, change) => {
    const account = anAccount();
    const visitor = new Visitor(app);
    const url = new URL(String((await start(visitor)).body['url']));
    expect(url.searchParams.get('nonce')).toMatch(/^[\w-]{32}$/);
    change(url.searchParams);
    const back = await walk(url.href, account.sub);
    const logged = app.logs.length;
    const { headers } = await visitor.ask('GET', back.pathname + back.search);
    expect(headers['location']).toBe('/login?error=unable_to_get_user_info');
    expect(await hasSession(visitor)).toBe(false);
    expect(await row(app, account.email)).toEqual([]);
    expect(new Set(levelsSince(logged))).toEqual(new Set([40]));
  });

  it('a code without the verifier of PKCE', async () => {
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
