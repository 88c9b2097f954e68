// Signing up, in and out, the session and the token made from it. Guessing: guesses.test.ts; who is
// asking: gate.test.ts.
import { describe, expect, it } from 'vitest';
import { jwt } from '../../contract/signin/signin.ts';
import { messages } from '../../contract/platform/messages.ts';
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
import { setPasswordCost } from './hashes.ts';

const app = await testApp();
const issuer = 'https://accounts.google.com';
const secure = await testApp({
  publicUrl: 'https://rally.example.com',
  google: { clientId: 'rally', clientSecret: 'a secret of the issuer', issuer },
});

const cookieIn = ({ headers }: Awaited<ReturnType<Visitor['auth']>>, name: string) =>
  [headers['set-cookie']].flat().find((one) => String(one).startsWith(`rally.${name}=`));

const change = (email: string, what: string) =>
  app.pool.query(
    `update session set ${what} where user_id = (select id from "user" where email = $1)`,
    [email],
  );

describe('signing up', () => {
  it.each([
    ['no name', { name: '' }, 'name', messages.nameRequired],
    ['a name of spaces', { name: '   ' }, 'name', messages.nameRequired],
    [
      'a link on a line of its own in the name',
      { name: 'Dear customer\n\nhttps://evil.example/pay\n\nx' },
      'name',
      'name must be one line, without control characters or characters that cannot be seen',
    ],
    ['no photo', { image: '' }, 'image', messages.photoRequired],
    [
      'a photo on an address',
      { image: 'https://127.0.0.1/a.png' },
      'image',
      'Photo URL must be an https:// address of a picture',
    ],
    ['no email', { email: '' }, 'email', messages.emailRequired],
    ['no password', { password: '' }, 'password', messages.passwordRequired],
    ['no uppercase letter', { password: 'tennis#2026' }, 'password', messages.passwordClasses],
    [
      'a special character that is not one of the six',
      { password: 'Tennis?2026' },
      'password',
      messages.passwordClasses,
    ],
  ])('with %s is refused in the words of the form', async (_what, wrong, field, message) => {
    const { status, body } = await new Visitor(app).auth('sign-up/email', aForm(wrong));
    expect([status, body.code, body.field, body.message]).toEqual([
      400,
      'INVALID_INPUT',
      field,
      message,
    ]);
  });

  it.each(['Aa1!aa', 'Aa1!'.repeat(5)])('takes %s, at the edges of the rule', async (password) => {
    const { email } = await aMember(app, { password, confirmPassword: password });
    expect((await new Visitor(app).signIn(email, password)).status).toBe(200);
  });

  it.each(['role', 'provenAt', 'id', 'callbackURL'])('takes no %s from the body', async (field) => {
    const form = aForm({ [field]: 'admin' });
    const { status, body } = await new Visitor(app).auth('sign-up/email', form);
    expect([status, body.field]).toEqual([400, field]);
    const { rowCount } = await app.pool.query('select from "user" where email = $1', [form.email]);
    expect(rowCount).toBe(0);
  });

  it('makes an unproven student with a hash, and no session', async () => {
    const visitor = new Visitor(app);
    const form = aForm({ email: `${unique('Ada')}@Example.com` });
    setPasswordCost('full');
    const { status, body } = await visitor.auth('sign-up/email', form);
    setPasswordCost(app.config.passwordCost);
    expect([status, body]).toEqual([200, { status: true }]);
    expect(visitor.cookies.size).toBe(0);
    const { rows } = await app.pool.query(
      `select role, proven_at, image, google_sub, password_hash as hash
       from "user" u join login on user_id = u.id where email = $1`,
      [form.email.toLowerCase()],
    );
    const hash = expect.stringMatching(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
    );
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
  it('answers who it is and sets a cookie that scripts cannot read', async () => {
    const { email, name, image } = await aMember(app);
    const answer = await new Visitor(app).signIn(email.toUpperCase());
    expect(answer.body).toEqual({ user: { id: expect.any(String), email, name, image } });
    expect(cookieIn(answer, 'session_token')).toMatch(
      /^rally\.session_token=.+; Max-Age=5184000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('behind https has secure cookies bound to the host', async () => {
    const { visitor, email } = await aMember(secure);
    const { headers } = await visitor.signIn(email);
    for (const cookie of [headers['set-cookie']].flat())
      expect(cookie).toMatch(
        /^__Host-rally\.\w+=[^;]+; .*Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
    expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
  });

  it('for this visit has cookies that end with the browser', async () => {
    const { email } = await aMember(app);
    const visitor = new Visitor(app);
    const form = { email, password: goodPassword };
    const answer = await visitor.auth('sign-in/email', { ...form, rememberMe: false });
    expect(cookieIn(answer, 'session_token')).not.toContain('Max-Age');
    expect(visitor.cookies.has('rally.dont_remember')).toBe(true);
    await visitor.signIn(email);
    expect(visitor.cookies.has('rally.dont_remember')).toBe(false);
  });

  it('answers alike whether the address is known or not', async () => {
    const { email } = await aConfirmedMember(app);
    const answers = [];
    for (const address of [email, `${unique('unknown')}@example.com`]) {
      const { status, body } = await new Visitor(app).signIn(address, 'Wrong#2026');
      answers.push({ ...body, status, requestId: '' });
    }
    expect(answers[0]).toMatchObject({ status: 401, code: 'WRONG_CREDENTIALS' });
    expect(answers[0]).toEqual(answers[1]);
    const form = { email: `${unique('nobody')}@example.com` };
    const reset = await new Visitor(app).auth('request-password-reset', form);
    expect(reset.body).toEqual({ status: true });
  });

  it('survives nonsense in every field', async () => {
    const password = 'x';
    for (const body of [{}, [], { email: 1, password }, { email: { $gt: '' }, password }])
      expect((await new Visitor(app).auth('sign-in/email', body)).status).toBe(400);
    for (const email of ['nobody', 'a@b.c\u0000'])
      expect((await new Visitor(app).signIn(email, password)).status).toBe(401);
    const { body } = await new Visitor(app).signIn('someone@example.com', 'x'.repeat(129));
    expect(body).toMatchObject({ field: 'password', message: 'password is too long' });
  });

  it('from another site is refused, and so is a form', async () => {
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

describe('the session', () => {
  it('is told to its holder without its secret', async () => {
    const { visitor, email, name, image } = await aMember(app);
    const { body, text } = await visitor.ask('GET', '/api/auth/get-session');
    expect(body).toEqual({
      user: { id: expect.any(String), email, name, image },
      session: { id: expect.any(String), expiresAt: expect.any(String) },
    });
    const secret = visitor.cookies.get('rally.session_token') ?? '';
    expect(text).not.toContain(secret);
    expect((await new Visitor(app).ask('GET', '/api/auth/get-session')).text).toBe('null');
    const { rows } = await app.pool.query('select * from session');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('lives on from a visit, and so does its cookie', async () => {
    const { visitor, email } = await aMember(app);
    const visit = async () =>
      cookieIn(await visitor.ask('GET', '/api/auth/get-session'), 'session_token');
    expect(await visit()).toBeUndefined();
    await change(
      email,
      `made_at = now() - interval '2 days', seen_at = now() - interval '2 days',
      expires_at = now() + interval '58 days'`,
    );
    expect(await visit()).toContain('Max-Age=5184000');
    const { rows } = await app.pool.query<{ days: number }>(
      `select extract(epoch from expires_at - now()) / 86400 as days
       from session s join "user" u on u.id = s.user_id where email = $1`,
      [email],
    );
    expect(Number(rows[0]?.days)).toBeCloseTo(60, 2);
    await change(email, 'kept = false');
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

  it('of other devices can be ended', async () => {
    const { visitor, email } = await aMember(app);
    const phone = new Visitor(app);
    await phone.signIn(email);
    const tokens = [await visitor.token(email), await phone.token(email)];
    expect((await visitor.auth('revoke-other-sessions')).body).toEqual({ status: true });
    const letIn = await Promise.all(tokens.map((token) => visitor.isLetIn(token, email)));
    expect(letIn).toEqual([true, false]);
  });
});

describe('the profile', async () => {
  const { visitor } = await aMember(app);

  it('takes a new name and photo by the rules of the form', async () => {
    const image = 'https://example.com/g.png';
    expect((await visitor.auth('update-user', { name: ' Grace ', image })).status).toBe(200);
    const session = await visitor.ask('GET', '/api/auth/get-session');
    expect(session.body['user']).toMatchObject({ name: 'Grace', image });
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ image: 'http://example.com/a.png' }, 'image'],
    [{ name: 'A', role: 'admin' }, 'role'],
    [{ email: 'other@example.com' }, 'email'],
    [{ proven: true }, 'proven'],
  ])('refuses %o', async (change, field) => {
    const { status, body } = await visitor.auth('update-user', change);
    expect([status, body.field]).toEqual([400, field]);
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

describe('the door', () => {
  it('tells a browser what it must know', async () => {
    const { body } = await app.send(settings, {});
    const { brand } = app.config;
    const known = { brand, google: false, demo: true, contact: 'hello@rally.test' };
    expect(body).toMatchObject({ ...known, cards: { sandbox: true } });
  });

  it('knows Google by heart, and says where it is not set up', async () => {
    const { body } = await new Visitor(secure).auth('sign-in/social', { provider: 'google' });
    const { origin, pathname, searchParams } = new URL(String(body['url']));
    expect(origin + pathname).toBe(`${issuer}/o/oauth2/v2/auth`);
    const asked = { prompt: 'select_account', scope: 'openid email profile' };
    expect(Object.fromEntries(searchParams)).toMatchObject(asked);
    const refused = [
      await new Visitor(app).auth('sign-in/social', { provider: 'google' }),
      await new Visitor(app).ask('GET', '/api/auth/callback/google?state=x'),
    ];
    for (const { status, body } of refused)
      expect([status, body.code]).toEqual([404, 'GOOGLE_NOT_SET_UP']);
  });

  it('answers 503 while the database is away, and logs no secret', async () => {
    await secure.pool.end();
    const { status, body } = await new Visitor(secure).signIn('ada@example.com', 'Canary#2026');
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    const written = [...app.logs, ...secure.logs].join('');
    expect(written).not.toMatch(/Canary#2026|Tennis#2026|ada@example\.com|session_token/);
  });
});
