// Accounts on addresses that their owner has not confirmed: a stranger signed up first. In
// production mode, over HTTP, with real mails. What happens at the same moment:
// confirmation.races.test.ts.
import { describe, expect, it } from 'vitest';
import { unique } from '../../testing/app.ts';
import {
  anApp,
  aVisitor,
  confirm,
  expectOwnerIn,
  expectStrangerOut,
  isConfirmed,
  mailedLink,
  newPassword,
  ownersPassword,
  readsUsers,
  runAdmin,
  signUpAndIn,
  squatted,
  strangersPassword,
  tokenOf,
  withSecondFactor,
} from '../../testing/squatted.ts';

const app = await anApp();

describe('a stranger who signed up with the address of the operator', () => {
  it('gets nothing from ADMIN_EMAIL when the operator confirms the address', async () => {
    const email = 'boss@example.com';
    const of = await anApp(email);
    const scene = await squatted(of, email);
    const { stranger, owner, link } = scene;
    // A GET of the link changes nothing, for example by a scanner of mails.
    for (const url of [link.pathname + link.search, `/api/auth/verify-email${link.search}`])
      await owner.ask('GET', url);
    expect(await readsUsers(stranger.visitor, stranger.token)).toBe(403);
    expect(await isConfirmed(of, email)).toBe(false);

    const pressed = await confirm(owner, link);
    expect([pressed.status, pressed.body.code]).toEqual([409, 'PASSWORD_NEEDED']);
    const wrong = await confirm(owner, link, { password: ownersPassword });
    expect([wrong.status, wrong.body.code, wrong.body.field]).toEqual([
      400,
      'WRONG_PASSWORD',
      'password',
    ]);
    expect(await readsUsers(stranger.visitor, stranger.token)).toBe(403);

    const chosen = await confirm(owner, link, { newPassword, confirmPassword: newPassword });
    expect([chosen.status, chosen.body]).toEqual([200, { status: true }]);
    await expectStrangerOut(of, scene);
    const { visitor, token } = await expectOwnerIn(of, email, newPassword);
    expect(await readsUsers(visitor, token)).toBe(200);
  });

  it('gets nothing from `npm run admin`, which prints an invitation for the terminal alone', async () => {
    const of = await anApp();
    const scene = await squatted(of);
    const { email, stranger, owner } = scene;
    const printed = await runAdmin(of, [email]);
    expect(printed).toMatch(/is not confirmed[^]+ended with 0$/);
    const secret = /^https:\/\/rally\.example\.com\/join#(\S+)$/m.exec(printed)?.[1];
    expect(await readsUsers(stranger.visitor, stranger.token)).toBe(403);

    const accepted = await owner.auth('accept-invitation', {
      secret,
      name: 'Olga Owner',
      password: newPassword,
    });
    expect(accepted.body).toEqual({ status: true, email, role: 'admin' });
    await expectStrangerOut(of, scene);
    const { visitor, token } = await expectOwnerIn(of, email, newPassword);
    expect(await readsUsers(visitor, token)).toBe(200);
    expect(await runAdmin(of, ['other@example.com'])).toMatch(/an admin already[^]+ended with 1$/);
  });
});

describe('a stranger who signed up with the address of someone else', () => {
  it('loses it to a reset by mail, and a second factor set before with it', async () => {
    const scene = await squatted(app);
    const { email, owner } = scene;
    await withSecondFactor(app, scene);
    await owner.auth('request-password-reset', { email });
    const link = await mailedLink(app, email, '/resetpassword');
    expect((await owner.auth('reset-password', { token: tokenOf(link), newPassword })).status).toBe(
      200,
    );
    await expectStrangerOut(app, scene);
    await expectOwnerIn(app, email, newPassword);
    expect(await isConfirmed(app, email)).toBe(true);
  });

  it('loses it to a confirmation with a new password, and a second factor set before with it', async () => {
    const scene = await squatted(app);
    await withSecondFactor(app, scene);
    expect((await confirm(scene.owner, scene.link, { newPassword })).status).toBe(200);
    await expectStrangerOut(app, scene);
    await expectOwnerIn(app, scene.email, newPassword);
  });

  it('leaves no link to choose a password that works after the confirmation', async () => {
    const { email, owner, stranger, link } = await squatted(app);
    await stranger.visitor.auth('request-password-reset', { email });
    const reset = tokenOf(await mailedLink(app, email, '/resetpassword'));
    await confirm(owner, link, { newPassword });
    const late = await owner.auth('reset-password', { token: reset, newPassword: 'Hockey$2028' });
    expect([late.status, late.body.code]).toEqual([400, 'BAD_LINK']);
    await expectOwnerIn(app, email, newPassword);
  });

  it('cannot turn on two-step sign-in before the address is confirmed', async () => {
    const { stranger, email } = await squatted(app);
    for (const [path, body] of [
      ['enable', { password: strangersPassword }],
      ['verify', { code: '123456' }],
    ] as const) {
      const answer = await stranger.visitor.auth(`two-factor/${path}`, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 409, 'EMAIL_NOT_CONFIRMED']);
    }
    const { rows } = await app.pool.query(
      'select 1 from two_factor f join "user" u on u.id = f.user_id where u.email = $1',
      [email],
    );
    expect(rows).toEqual([]);
  });
});

describe('a person who signed up', () => {
  it('confirms with one press in the same browser, and keeps password, session and token', async () => {
    const email = 'founder@example.com';
    const of = await anApp(email);
    const { visitor, token } = await signUpAndIn(of, email, ownersPassword);
    const link = await mailedLink(of, email, '/confirm');
    expect(
      (await visitor.auth('check-link', { kind: 'confirm', token: tokenOf(link) })).body,
    ).toEqual({
      works: true,
      email,
      confirmed: false,
      signedIn: true,
    });
    expect((await confirm(visitor, link)).body).toEqual({ status: true });
    expect(await readsUsers(visitor, token)).toBe(200);
    await expectOwnerIn(of, email, ownersPassword);
  });

  it('confirms on another device with the password of the sign-up', async () => {
    const email = `${unique('ada')}@example.com`;
    const { visitor, token } = await signUpAndIn(app, email, ownersPassword);
    const link = await mailedLink(app, email, '/confirm');
    const laptop = aVisitor(app);
    expect(
      (await laptop.auth('check-link', { kind: 'confirm', token: tokenOf(link) })).body,
    ).toMatchObject({
      signedIn: false,
    });
    expect((await confirm(laptop, link, { password: ownersPassword })).body).toEqual({
      status: true,
    });
    expect(await isConfirmed(app, email)).toBe(true);
    expect(await visitor.isLetIn(token, email)).toBe(true);
    await expectOwnerIn(app, email, ownersPassword);
  });

  it('is told that the address is confirmed already, and a link sets no password then', async () => {
    const email = `${unique('ada')}@example.com`;
    const { visitor, token } = await signUpAndIn(app, email, ownersPassword);
    const link = await mailedLink(app, email, '/confirm');
    await confirm(visitor, link);
    expect((await visitor.auth('send-verification-email')).body).toEqual({
      status: true,
      already: true,
    });
    for (const given of [{}, { password: 'Wrong#2026' }, { newPassword }])
      expect((await confirm(aVisitor(app), link, given)).body).toEqual({
        status: true,
        already: true,
      });
    expect(
      (await aVisitor(app).auth('check-link', { kind: 'confirm', token: tokenOf(link) })).body,
    ).toMatchObject({
      confirmed: true,
    });
    expect((await aVisitor(app).signIn(email, newPassword)).status).toBe(401);
    expect(await visitor.isLetIn(token, email)).toBe(true);
  });

  it('may guess the password of the sign-up as often as at sign-in', async () => {
    const { owner, link } = await squatted(app);
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++)
      statuses.push((await confirm(owner, link, { password: 'Wrong#2026' })).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    // The way with a new password stays open: it is not a guess.
    expect((await confirm(owner, link, { newPassword })).status).toBe(200);
  });

  it('chooses a new password by the rules of the form', async () => {
    const { owner, link, email } = await squatted(app);
    const weak = await confirm(owner, link, { newPassword: 'short' });
    expect([weak.status, weak.body.field]).toEqual([400, 'newPassword']);
    const unequal = await confirm(owner, link, { newPassword, confirmPassword: 'x' });
    expect([unequal.status, unequal.body.field]).toEqual([400, 'confirmPassword']);
    expect(await isConfirmed(app, email)).toBe(false);
  });
});

describe('the link', async () => {
  const { link, owner, email } = await squatted(app);

  it('of an older mail leads to the page, and nowhere else', async () => {
    const { status, headers } = await owner.ask(
      'GET',
      `/api/auth/verify-email?token=abc&callbackURL=//evil.example`,
    );
    expect([status, headers['location']]).toEqual([302, '/confirm?token=abc']);
  });

  it('that is forged, cut, empty or made for another purpose opens nothing', async () => {
    const [head = '', payload = '', mac = ''] = tokenOf(link).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const swap = (changed: object) =>
      `${head}.${Buffer.from(JSON.stringify({ ...claims, ...changed })).toString('base64url')}.${mac}`;
    const { SignJWT } = await import('jose');
    // As Better Auth signs its own verification tokens.
    const foreign = await new SignJWT({ email })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(app.config.secret));
    for (const token of [
      swap({ email: 'other@example.com' }),
      swap({ exp: 9_999_999_999 }),
      foreign,
      'abc',
      head,
    ]) {
      const answer = await aVisitor(app).auth('verify-email', { token, newPassword });
      expect([answer.status, answer.body.code]).toEqual([400, 'BAD_LINK']);
      expect((await aVisitor(app).auth('check-link', { token, kind: 'confirm' })).body).toEqual({
        works: false,
      });
    }
    expect(await isConfirmed(app, email)).toBe(false);
  });

  it('to choose a password can be checked without being spent', async () => {
    const address = `${unique('ada')}@example.com`;
    const { visitor } = await signUpAndIn(app, address, ownersPassword);
    await visitor.auth('request-password-reset', { email: address });
    const token = tokenOf(await mailedLink(app, address, '/resetpassword'));
    const check = () => aVisitor(app).auth('check-link', { kind: 'reset', token });
    for (let look = 0; look < 2; look++) expect((await check()).body).toEqual({ works: true });
    expect((await aVisitor(app).auth('reset-password', { token, newPassword })).status).toBe(200);
    expect((await check()).body).toEqual({ works: false });
  });
});
