// Sign-in with Google, against a real OpenID Connect issuer on loopback: the way through.
// Every way to be refused: google.refused.test.ts.
import { describe, expect, it } from 'vitest';
import { settings } from '../../../contract/identity.ts';
import { limits } from '../../../contract/limits.ts';
import { testApp, unique } from '../../testing/app.ts';
import {
  aGoogle,
  client,
  hasSession,
  publicUrl,
  row,
  signInWithGoogle,
  start,
} from '../../testing/google.ts';
import { startIssuer } from '../../testing/issuer.ts';
import { codeOf } from '../../testing/totp.ts';
import {
  aConfirmedMember,
  aForm,
  aMember,
  goodPassword,
  subjectsTo,
  linkIn,
  Visitor,
} from '../../testing/visitor.ts';

const { issuer, byTheBook, options, anAccount } = await aGoogle();
const app = await testApp({ google: { ...client, issuer: issuer.url } });

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

  it.each([
    ['/classes?search=柔道', '/classes?search=%E6%9F%94%E9%81%93'],
    ['/Łódź', '/%C5%81%C3%B3d%C5%BA'],
  ])('is led on to %s', async (callbackURL, written) => {
    const form = { callbackURL, newUserCallbackURL: callbackURL };
    const { answer, location } = await signInWithGoogle(new Visitor(app), anAccount().sub, form);
    expect([answer.status, location]).toEqual([302, written]);
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

  it.each([
    ['unsafe', 'http://127.0.0.1/a.svg'],
    ['very long', `https://example.com/${'a'.repeat(limits.url)}.png`],
  ])('gets a usable name and no picture whose address is %s', async (_which, picture) => {
    const account = anAccount({ name: ' ', picture });
    await signInWithGoogle(new Visitor(app), account.sub);
    expect(await row(app, account.email)).toMatchObject([
      { name: account.email.split('@')[0], image: null },
    ]);
  });

  it('gets a name without links', async () => {
    const account = anAccount({ name: 'Grace https://evil.example' });
    await signInWithGoogle(new Visitor(app), account.sub);
    expect(await row(app, account.email)).toMatchObject([{ name: 'Grace https evil.example' }]);
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
    const reset = (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
    await app.db
      .updateTable('user')
      .set({ emailVerified: false })
      .where('email', '=', email)
      .execute();
    const token = await stranger.token(email);
    expect(await stranger.isLetIn(token, email)).toBe(true);
    // From before the address had to be confirmed for it.
    const whose = 'select id from "user" where email = $1';
    await app.pool.query(
      `insert into feed (user_id, secret_hash) select id, '\\x01' from (${whose}) u`,
      [email],
    );

    const owner = new Visitor(app);
    expect((await signInWithGoogle(owner, anAccount({ email }).sub)).location).toBe('/classes');
    expect(await owner.isLetIn(await owner.token(email), email)).toBe(true);
    expect(await row(app, email)).toMatchObject([
      { providerId: 'google', emailVerified: true, password: null },
    ]);
    expect(await stranger.isLetIn(token, email)).toBe(false);
    expect(await hasSession(stranger)).toBe(false);
    const feeds = await app.pool.query(`select from feed where user_id = (${whose})`, [email]);
    expect(feeds.rowCount).toBe(0);
    expect((await new Visitor(app).signIn(email)).status).toBe(401);
    const late = await stranger.auth('reset-password', {
      token: reset,
      newPassword: 'Squash$2027',
    });
    expect([late.status, late.body.code]).toEqual([400, 'BAD_LINK']);
    await app.settled();
    const subjects = (await app.mail.messages(email)).map(({ subject }) => subject);
    expect(subjects).toContain('Your address is confirmed');
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

/** A confirmed account with a password that a Google account has joined. */
async function aJoinedMember() {
  const member = await aConfirmedMember(app);
  const account = anAccount({ email: member.email });
  const visitor = new Visitor(app);
  expect((await signInWithGoogle(visitor, account.sub)).location).toBe('/classes');
  return { ...member, account, byGoogle: visitor };
}

/** The Google account, whose address is another by now, signs in to an account of its own. */
async function expectDisconnected(account: ReturnType<typeof anAccount>, email: string) {
  account.email = `${unique('moved')}@example.com`;
  const back = new Visitor(app);
  await signInWithGoogle(back, account.sub);
  const { body } = await back.ask('GET', '/api/auth/get-session');
  expect(body['user']).toMatchObject({ email: account.email });
  expect((await row(app, email)).map(({ providerId }) => providerId)).toEqual(['credential']);
}

async function resetByMail(email: string) {
  const visitor = new Visitor(app);
  await visitor.auth('request-password-reset', { email });
  const token = (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
  const answer = await visitor.auth('reset-password', { token, newPassword: 'Squash$2027' });
  expect(answer.status).toBe(200);
  return visitor;
}

describe('a Google account that joins', () => {
  it('is told to the owner by mail; one that makes an account or takes one over is not', async () => {
    const { email } = await aJoinedMember();
    await expect.poll(() => subjectsTo(app, email)).toContain('A Google account was connected');
    const alone = anAccount();
    await signInWithGoogle(new Visitor(app), alone.sub);
    expect(await subjectsTo(app, alone.email)).toEqual([]);
    const { email: unconfirmed } = await aMember(app);
    await signInWithGoogle(new Visitor(app), anAccount({ email: unconfirmed }).sub);
    expect(await subjectsTo(app, unconfirmed)).toContain('Your address is confirmed');
  });

  it('is the only one: another with the same address is refused', async () => {
    const { email, account } = await aJoinedMember();
    const other = new Visitor(app);
    const { location } = await signInWithGoogle(other, anAccount({ email }).sub);
    expect(location).toMatch(/^\/login\?error=unable_to_link_account/);
    expect(await hasSession(other)).toBe(false);
    expect((await row(app, email)).map(({ accountId }) => accountId)).toContain(account.sub);
  });

  it('is disconnected by a new password on the account page', async () => {
    const { email, account, visitor } = await aJoinedMember();
    const passwords = { currentPassword: goodPassword, newPassword: 'Squash$2027' };
    expect((await visitor.auth('change-password', passwords)).status).toBe(200);
    await expectDisconnected(account, email);
  });

  it('is disconnected by a reset through the mailbox, also when its address at Google is another by now', async () => {
    const { email, account, byGoogle } = await aJoinedMember();
    await resetByMail(email);
    expect(await hasSession(byGoogle)).toBe(false);
    await expectDisconnected(account, email);
  });
});

it('an account made by Google can get a password through the mailbox', async () => {
  const account = anAccount();
  await signInWithGoogle(new Visitor(app), account.sub);
  const visitor = new Visitor(app);
  await visitor.auth('request-password-reset', { email: account.email });
  const token = (await linkIn(app, account.email, '/resetpassword')).searchParams.get('token');
  expect(
    (await visitor.auth('reset-password', { token, newPassword: aForm().password })).status,
  ).toBe(200);
  expect((await visitor.signIn(account.email)).status).toBe(200);
});
