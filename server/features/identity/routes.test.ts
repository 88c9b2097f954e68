// Signing in and out, the session and the token made from it. Signing up: routes.signup.test.ts; Google:
// google.test.ts; guessing: guesses.test.ts.
import { describe, expect, it, vi } from 'vitest';
import { jwt, settings } from '../../../contract/identity.ts';
import { testApp, unique } from '../../testing/app.ts';
import { aConfirmedMember, aMember, goodPassword, linkIn, Visitor } from '../../testing/visitor.ts';
import { setPasswordCost } from './passwords.ts';

const app = await testApp();

it('the owner of ADMIN_EMAIL becomes the first admin, once the address is proven and while there is none', async () => {
  const adminEmail = 'owner@example.com';
  const fresh = await testApp({ adminEmail });
  const roles = async () =>
    (await fresh.db.selectFrom('user').select('role').where('email', '=', adminEmail).execute())[0];
  const { visitor } = await aMember(fresh, { email: adminEmail });
  expect(await roles()).toEqual({ role: 'student' });
  const token = (await linkIn(fresh, adminEmail)).searchParams.get('token');
  await visitor.auth('verify-email', { token });
  expect(await roles()).toEqual({ role: 'admin' });
});

describe('signing in', () => {
  it('answers who it is and sets a cookie that scripts cannot read', async () => {
    const { email, name, image } = await aMember(app);
    const visitor = new Visitor(app);
    const { status, body, headers } = await visitor.signIn(email.toUpperCase());
    expect(status).toBe(200);
    expect(body).toEqual({ user: { id: expect.any(String), email, name, image } });
    const cookie = [headers['set-cookie']]
      .flat()
      .find((one) => String(one).includes('session_token'));
    expect(cookie).toMatch(
      /^rally\.session_token=.+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  it('behind https the cookie is secure and bound to the host', async () => {
    const secure = await testApp({ publicUrl: 'https://rally.example.com' });
    const { visitor, email } = await aMember(secure);
    expect([...visitor.cookies.keys()]).toContain('__Host-rally.session_token');
    const { headers } = await visitor.signIn(email);
    for (const cookie of [headers['set-cookie']].flat()) {
      expect(cookie).toMatch(/^__Host-rally\.\w+=[^;]+; /);
      expect(String(cookie).split('; ')).toEqual(
        expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']),
      );
    }
    expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
  });

  it('does the same for a wrong password whether the address is known or not: one statement, one hash', async () => {
    const { email } = await aConfirmedMember(app);
    const connect = vi.spyOn(app.pool, 'connect');
    const statements: number[] = [];
    for (const address of [email, `${unique('unknown')}@example.com`]) {
      connect.mockClear();
      expect((await new Visitor(app).signIn(address, 'Wrong#2026')).status).toBe(401);
      statements.push(connect.mock.calls.length);
    }
    connect.mockRestore();
    expect(statements).toEqual([1, 1]);
  });

  it('waits for few of the passwords that another network has sent at the same moment', async () => {
    setPasswordCost('full');
    const { email } = await aMember(app);
    let judged = 0;
    const guess = async () => {
      await new Visitor(app).signIn(`${unique('unknown')}@example.com`, 'Wrong#2026');
      judged += 1;
    };
    const others = Array.from({ length: 40 }, guess);
    await Promise.race(others);
    const owner = new Visitor(app);
    owner.address = '192.0.2.7';
    expect((await owner.signIn(email, goodPassword)).status).toBe(200);
    setPasswordCost(app.config.passwordCost);
    expect(judged).toBeLessThan(20);
    await Promise.all(others);
  });

  it('is refused no sooner than after 300 ms, whether the address is known or not', async () => {
    const slow = await testApp({ passwordCost: 'full' });
    setPasswordCost(app.config.passwordCost);
    const { email } = await aMember(slow);
    for (const address of [email, `${unique('unknown')}@example.com`]) {
      const began = performance.now();
      expect((await new Visitor(slow).signIn(address, 'Wrong#2026')).status).toBe(401);
      // A timer may end a millisecond early.
      expect(performance.now() - began).toBeGreaterThan(298);
    }
  });

  it('says in plain words that a password is too long', async () => {
    const { status, body } = await new Visitor(app).signIn('someone@example.com', 'x'.repeat(129));
    expect(status).toBe(400);
    expect(body).toMatchObject({ field: 'password', message: 'password is too long' });
  });

  it('tells in no way whether an address is known', async () => {
    const { email } = await aMember(app);
    const known = await new Visitor(app).signIn(email, 'Wrong#2026');
    const unknown = await new Visitor(app).signIn(`${unique('nobody')}@example.com`, 'Wrong#2026');
    const nonsense = await new Visitor(app).signIn('nobody', 'Wrong#2026');
    for (const { status, body } of [known, unknown, nonsense]) {
      expect(status).toBe(401);
      expect({ ...body, requestId: '' }).toEqual({
        error: true,
        code: 'WRONG_CREDENTIALS',
        message: 'The email or the password is not right.',
        requestId: '',
      });
    }
    const asked = await new Visitor(app).auth('request-password-reset', { email });
    const askedUnknown = await new Visitor(app).auth('request-password-reset', {
      email: 'nobody@example.com',
    });
    expect(asked.text).toBe(askedUnknown.text);
  });

  it('survives nonsense in every field', async () => {
    for (const body of [
      {},
      { email: 1, password: [] },
      { email: { $gt: '' }, password: 'x' },
      [],
      { email: 'a@b.c\u0000', password: 'x' },
    ]) {
      const { status } = await new Visitor(app).auth('sign-in/email', body);
      expect([400, 401]).toContain(status);
    }
  });

  it.each([
    'sign-in/email/',
    'sign-in/%65mail',
    'sign-in/email?x=1',
    // Better Auth would refuse it, and log an error for anybody who asks.
    'sign-in/email?callbackURL=https://evil.example',
  ])('works by every spelling of its path that the router takes: %s', async (path) => {
    const { email } = await aMember(app);
    const visitor = new Visitor(app);
    const answer = await visitor.auth(path, { email, password: goodPassword });
    expect([answer.status, answer.body['user']]).toMatchObject([200, { email }]);
    expect((await visitor.auth('sign-out/')).body).toEqual({ status: true });
  });

  it('from another site is refused, with or without a cookie', async () => {
    const { visitor, email } = await aMember(app);
    for (const who of [visitor, new Visitor(app)]) {
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      const answer = await who.auth('sign-in/email', { email, password: goodPassword }, foreign);
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    const form = await app.ask({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `email=${email}&password=${encodeURIComponent(goodPassword)}`,
    });
    expect(form.statusCode).toBe(415);
  });
});

const change = (email: string, what: string) =>
  app.pool.query(
    `update session set ${what} where user_id = (select id from "user" where email = $1)`,
    [email],
  );

describe('the session', () => {
  it('is told to its holder without its secret, and null to everybody else', async () => {
    const { visitor, email, name, image } = await aMember(app);
    const { body, text } = await visitor.ask('GET', '/api/auth/get-session');
    expect(body).toEqual({
      user: { id: expect.any(String), email, name, image },
      session: { id: expect.any(String), expiresAt: expect.any(String) },
    });
    expect(text).not.toContain(visitor.cookies.get('rally.session_token')?.slice(0, 20));
    expect((await new Visitor(app).ask('GET', '/api/auth/get-session')).text).toBe('null');
  });

  it('ends after a day without a visit', async () => {
    const { visitor, email } = await aMember(app);
    const token = await visitor.token(email);
    await change(email, `seen_at = now() - interval '25 hours'`);
    expect(await visitor.isLetIn(token, email)).toBe(false);
    expect((await visitor.ask('GET', '/api/auth/get-session')).text).toBe('null');
    expect((await visitor.auth('update-user', { name: 'X' })).status).toBe(401);
  });

  it('counts a renewed token as a visit', async () => {
    const { visitor, email } = await aMember(app);
    await change(email, `seen_at = now() - interval '23 hours'`);
    const token = await visitor.token(email);
    const { rows } = await app.pool.query(
      `select 1 from session s join "user" u on u.id = s.user_id where u.email = $1 and s.seen_at > now() - interval '1 minute'`,
      [email],
    );
    expect(rows).toHaveLength(1);
    expect(await visitor.isLetIn(token, email)).toBe(true);
  });

  it('ends after seven days, whatever happens', async () => {
    const { visitor, email } = await aMember(app);
    const token = await visitor.token(email);
    await visitor.ask('GET', '/api/auth/get-session');
    const { rows } = await app.pool.query<{ days: number }>(
      `select extract(epoch from expires_at - s.created_at) / 86400 as days from session s join "user" u on u.id = s.user_id where email = $1`,
      [email],
    );
    expect(Number(rows[0]?.days)).toBeCloseTo(7, 2);
    await change(email, 'expires_at = now()');
    expect(await visitor.isLetIn(token, email)).toBe(false);
    expect((await visitor.ask('POST', '/api/jwt', { email })).status).toBe(401);
  });

  it('ends with signing out, and every token with it', async () => {
    const { visitor, email } = await aMember(app);
    const token = await visitor.token(email);
    const cookie = visitor.cookies.get('rally.session_token') ?? '';
    expect(await visitor.isLetIn(token, email)).toBe(true);
    const { status, body } = await visitor.auth('sign-out');
    expect([status, body]).toEqual([200, { status: true }]);
    expect(visitor.cookies.has('rally.session_token')).toBe(false);
    visitor.cookies.set('rally.session_token', cookie);
    expect(await visitor.isLetIn(token, email)).toBe(false);
    expect((await visitor.ask('POST', '/api/jwt', { email })).status).toBe(401);
  });

  it('of other devices can be ended', async () => {
    const { visitor, email } = await aMember(app);
    const phone = new Visitor(app);
    await phone.signIn(email);
    const tokens = [await visitor.token(email), await phone.token(email)];
    await visitor.auth('revoke-other-sessions');
    expect(await Promise.all(tokens.map((token) => visitor.isLetIn(token, email)))).toEqual([
      true,
      false,
    ]);
  });
});

describe('the profile', async () => {
  const { visitor, email } = await aMember(app);

  it('takes a new name and photo by the rules of the form', async () => {
    expect(
      (await visitor.auth('update-user', { name: ' Grace ', image: 'https://example.com/g.png' }))
        .status,
    ).toBe(200);
    const row = await app.db
      .selectFrom('user')
      .select(['name', 'image'])
      .where('email', '=', email)
      .executeTakeFirst();
    expect(row).toEqual({ name: 'Grace', image: 'https://example.com/g.png' });
    const session = await visitor.ask('GET', '/api/auth/get-session');
    expect(session.body['user']).toMatchObject({ name: 'Grace' });
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ image: 'http://example.com/a.png' }, 'image'],
    [{ image: 'data:image/png;base64,AAAA' }, 'image'],
    [{ image: 'https://example.com/a.svg' }, 'image'],
    [{ name: 'A', role: 'admin' }, 'role'],
    [{ email: 'other@example.com' }, 'email'],
    [{ emailVerified: true }, 'emailVerified'],
    [{ twoFactorEnabled: true }, 'twoFactorEnabled'],
  ])('refuses %o', async (change, field) => {
    const { status, body } = await visitor.auth('update-user', change);
    expect([status, body.field]).toEqual([400, field]);
    const { role } = await app.db
      .selectFrom('user')
      .select('role')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(role).toBe('student');
  });
});

describe('POST /jwt', () => {
  it('turns a session into a token of 15 minutes that says who, and nothing else', async () => {
    const { visitor, email, name } = await aMember(app);
    const { status, body } = await visitor.ask('POST', '/api/jwt', { email: email.toUpperCase() });
    expect(status).toBe(200);
    const [header = '', payload = ''] = String(body['token']).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'EdDSA',
      typ: 'at+jwt',
    });
    expect(Object.keys(claims).toSorted()).toEqual([
      'aud',
      'exp',
      'iat',
      'iss',
      'jti',
      'sid',
      'sub',
    ]);
    expect([claims['iss'], claims['aud']]).toEqual([app.config.publicUrl, 'rally-api']);
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(900);
    expect(payload).not.toContain(name);
  });

  it('refuses everybody else with one and the same answer', async () => {
    const { visitor, email } = await aMember(app);
    const { email: other } = await aMember(app);
    const forged = new Visitor(app);
    forged.cookies.set(
      'rally.session_token',
      `${'a'.repeat(32)}.${Buffer.alloc(32).toString('base64')}`,
    );
    const answers = await Promise.all([
      new Visitor(app).ask('POST', '/api/jwt', { email }),
      visitor.ask('POST', '/api/jwt', { email: other }),
      visitor.ask('POST', '/api/jwt', { email }, { origin: 'https://evil.example' }),
      visitor.ask('POST', '/api/jwt', { email }, { origin: 'null' }),
      visitor.ask('POST', '/api/jwt', { email }, { 'sec-fetch-site': 'cross-site' }),
      visitor.ask('POST', '/api/jwt', { email }, { 'sec-fetch-site': 'same-site' }),
      forged.ask('POST', '/api/jwt', { email }),
      app.send(jwt, { email }),
    ]);
    for (const { status, body } of answers)
      expect([status, { ...body, requestId: '' }]).toEqual([
        401,
        { error: true, code: 'UNAUTHENTICATED', message: 'Please sign in.', requestId: '' },
      ]);
  });
});

describe('the doors', async () => {
  const { visitor } = await aMember(app);

  it.each([
    ['POST', 'verify-password'],
    ['POST', 'delete-user'],
    ['POST', 'set-password'],
    ['POST', 'link-social'],
    ['POST', 'update-session'],
    ['GET', 'list-sessions'],
    ['GET', 'list-accounts'],
    ['POST', 'get-access-token'],
    ['GET', 'error'],
    ['GET', 'callback/github'],
    ['POST', '../auth/delete-user'],
  ] as const)('that Rally does not need stay shut: %s %s', async (method, path) => {
    const { status, body } = await visitor.ask(
      method,
      `/api/auth/${path}`,
      method === 'POST' ? {} : undefined,
    );
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('tell a browser what it must know', async () => {
    const { status, body } = await app.send(settings, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      brand: app.config.brand,
      google: false,
      demo: true,
      cards: { sandbox: true },
    });
    expect(body.contact).toBe('hello@rally.test');
    const silent = await testApp({ contactEmail: null });
    expect((await silent.send(settings, {})).body).not.toHaveProperty('contact');
  });

  it('answer 503 in our one shape while the database is away, and write no secret into the log', async () => {
    const { logs } = app;
    const lonely = await testApp();
    await lonely.pool.end();
    const { status, body } = await new Visitor(lonely).signIn('ada@example.com', 'Canary#2026');
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    const written = [...logs, ...lonely.logs].join('');
    expect(written).not.toMatch(/Canary#2026|Tennis#2026|ada@example\.com|session_token/);
  });
});
