// Signing up, in and out, the session and the token made from it. Guessing: guesses.test.ts; who is
// asking: gate.test.ts.
import { describe, expect, it } from 'vitest';
import { jwt } from '../../contract/signin/signin.ts';
import { settings } from '../../contract/platform/settings.ts';
import { testApp, unique } from '../testing/app.ts';
import {
  aConfirmedMember,
  aForm,
  aMember,
  goodPassword,
  idOf,
  subjectsTo,
  Visitor,
} from '../testing/visitor.ts';

const app = await testApp();
const secure = await testApp({ publicUrl: 'https://rally.example.com' });

describe('signing up', () => {
  it('makes an unproven student with a hash, and no session', async () => {
    const visitor = new Visitor(app);
    const form = aForm({ email: `${unique('Ada')}@Example.com` });
    expect((await visitor.auth('sign-up/email', form)).status).toBe(200);
    expect(visitor.cookies.size).toBe(0);
    const { rows } = await app.pool.query(
      `select role, proven_at, image, google_sub, password_hash as hash
       from "user" u join login on user_id = u.id where email = $1`,
      [form.email.toLowerCase()],
    );
    const hash = expect.stringMatching(/^\$argon2id\$/);
    const made = { role: 'student', proven_at: null, image: form.image, google_sub: null, hash };
    expect(rows).toEqual([made]);
  });

  it('answers the same for a known address, and tells its owner', async () => {
    const { email } = await aMember(app);
    const form = aForm({ email, password: 'Other#2026' });
    const { status, body } = await new Visitor(app).auth('sign-up/email', form);
    expect([status, body]).toEqual([200, { status: true }]);
    expect((await new Visitor(app).signIn(email)).status).toBe(200);
    expect((await new Visitor(app).signIn(email, 'Other#2026')).status).toBe(401);
    await app.settled();
    const words = 'which has an account that is not confirmed yet';
    expect((await app.mail.messages(email)).map(({ text }) => text).join()).toContain(words);
    const proven = await aConfirmedMember(app);
    await new Visitor(app).auth('sign-up/email', aForm({ email: proven.email }));
    expect(await subjectsTo(app, proven.email)).toContain('Sign-up attempt with your address');
  });

  it('twice at the same moment makes one account', async () => {
    const form = aForm();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => new Visitor(app).auth('sign-up/email', form)),
    );
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { status: true }]);
    const { rowCount } = await app.pool.query('select from "user" where email = $1', [form.email]);
    expect(rowCount).toBe(1);
  });
});

describe('signing in', () => {
  it('behind https has secure cookies bound to the host', async () => {
    const { visitor, email } = await aMember(secure);
    const { headers } = await visitor.signIn(email);
    for (const cookie of [headers['set-cookie']].flat())
      expect(cookie).toMatch(
        /^__Host-rally\.\w+=[^;]+; .*Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
    expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
  });

  it('for good forgets that the last one was for a visit', async () => {
    const { email, visitor } = await aMember(app);
    const form = { email, password: goodPassword, rememberMe: false };
    await visitor.auth('sign-in/email', form);
    expect(visitor.cookies.has('rally.dont_remember')).toBe(true);
    await visitor.signIn(email);
    expect(visitor.cookies.has('rally.dont_remember')).toBe(false);
  });
});

describe('the session', () => {
  it('has a cookie that lives on from a visit, if it is kept', async () => {
    const { visitor, email } = await aMember(app);
    const visit = async () =>
      (await visitor.ask('GET', '/api/auth/get-session')).headers['set-cookie'];
    const change = (what: string) =>
      app.pool.query(
        `update session set ${what} from "user" u where u.id = user_id and email = $1`,
        [email],
      );
    expect(await visit()).toBeUndefined();
    await change(`made_at = now() - interval '2 days'`);
    expect(await visit()).toMatch(/^rally\.session_token=.+; Max-Age=5184000;/);
    await change('kept = false');
    expect(await visit()).toBeUndefined();
  });

  it('ends with signing out, and every token with it', async () => {
    const { visitor, email } = await aMember(app);
    const token = await visitor.token(email);
    const cookie = visitor.cookies.get('rally.session_token') ?? '';
    expect(await visitor.isLetIn(token, email)).toBe(true);
    expect((await visitor.auth('sign-out')).body).toEqual({ status: true });
    expect(visitor.cookies.size).toBe(0);
    visitor.cookies.set('rally.session_token', cookie);
    expect(await visitor.isLetIn(token, email)).toBe(false);
    expect((await visitor.ask('POST', '/api/jwt', { email })).status).toBe(401);
  });
});

describe('POST /jwt', () => {
  it('turns a session into a token of 15 minutes that says who', async () => {
    const { visitor, email } = await aMember(app);
    const { body } = await visitor.ask('POST', '/api/jwt', { email: email.toUpperCase() });
    const [header, claims] = String(body['token'])
      .split('.', 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object);
    expect(header).toEqual({ alg: 'EdDSA', typ: 'at+jwt' });
    const { iat, exp, jti, ...rest } = claims as Record<string, unknown>;
    expect(rest).toEqual({
      iss: app.config.publicUrl,
      aud: 'rally-api',
      sub: await idOf(app, email),
      sid: expect.any(String),
    });
    expect([Number(exp) - Number(iat), typeof jti]).toEqual([900, 'string']);
  });

  it('refuses everybody else with one and the same answer', async () => {
    const { visitor, email } = await aMember(app);
    const { email: other } = await aMember(app);
    const forged = new Visitor(app);
    forged.cookies.set('rally.session_token', 'a'.repeat(43));
    const answers = await Promise.all([
      new Visitor(app).ask('POST', '/api/jwt', { email }),
      visitor.ask('POST', '/api/jwt', { email: other }),
      visitor.ask('POST', '/api/jwt', { email }, { 'sec-fetch-site': 'cross-site' }),
      forged.ask('POST', '/api/jwt', { email }),
      app.send(jwt, { email }),
    ]);
    const refused = { error: true, code: 'UNAUTHENTICATED', message: 'Please sign in.' };
    for (const { status, body } of answers)
      expect([status, body]).toEqual([401, { ...refused, requestId: expect.any(String) }]);
  });
});

describe('the door', () => {
  it('tells a browser what it must know', async () => {
    const { body } = await app.send(settings, {});
    const { brand } = app.config;
    const known = { brand, google: false, demo: true, contact: 'hello@rally.test' };
    expect(body).toMatchObject({ ...known, cards: { sandbox: true } });
  });

  it('says that Google is not set up', async () => {
    const refused = [
      await new Visitor(app).auth('sign-in/social', { provider: 'google' }),
      await new Visitor(app).ask('GET', '/api/auth/callback/google?state=x'),
    ];
    for (const { status, body } of refused)
      expect([status, body.code]).toEqual([404, 'GOOGLE_NOT_SET_UP']);
  });

  it('answers 503 while the database is away, and logs no secret', async () => {
    await secure.pool.end();
    expect((await new Visitor(secure).signIn('ada@example.com', 'Canary#2026')).body.code).toBe(
      'UNAVAILABLE',
    );
    const written = [...app.logs, ...secure.logs].join('');
    expect(written).not.toMatch(/Canary#2026|Tennis#2026|ada@example\.com|session_token/);
  });
});
