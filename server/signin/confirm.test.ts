// Confirming an address, also one with which a stranger signed up first. In production mode, over HTTP,
// with real mails.
import { describe, expect, it } from 'vitest';
import { aClass } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { unique } from '../testing/app.ts';
import { overtaken } from '../testing/overtaken.ts';
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
  proofs,
  readsUsers,
  resetByMail,
  setConfirmed,
  signUpAndIn,
  smtp,
  squatted,
  strangersPassword,
  tokenOf,
  withSecondFactor,
} from '../testing/squatted.ts';
import { idOf, type Visitor } from '../testing/visitor.ts';
import { makeConfirmation } from './links.ts';

const boss = 'boss@example.com';
const app = await anApp(boss);

const as = (visitor: Visitor, token: string, method: 'GET' | 'POST', path: string, body?: object) =>
  visitor.ask(method, `/api${path}`, body, { authorization: `Bearer ${token}` });

const done = { status: true };
const already = { status: true, already: true };

async function aPerson() {
  const email = `${unique('ada')}@example.com`;
  const person = await signUpAndIn(app, email, ownersPassword);
  return { email, ...person, link: await mailedLink(app, email, '/confirm') };
}

it('a stranger gets nothing from ADMIN_EMAIL', async () => {
  const scene = await squatted(app, boss);
  const { stranger, owner, link } = scene;
  // A GET of the link changes nothing, for example by a scanner of mails.
  await owner.ask('GET', link.pathname + link.search);
  expect(await isConfirmed(app, boss)).toBe(false);
  expect((await confirm(owner, link)).body.code).toBe('PASSWORD_NEEDED');
  const { body: wrong } = await confirm(owner, link, { password: ownersPassword });
  expect([wrong.code, wrong.field]).toEqual(['WRONG_PASSWORD', 'password']);
  expect(await readsUsers(stranger.visitor, stranger.token)).toBe(403);
  const chosen = await confirm(owner, link, { newPassword, confirmPassword: newPassword });
  expect([chosen.status, chosen.body]).toEqual([200, done]);
  await expectStrangerOut(app, scene);
  const { visitor, token } = await expectOwnerIn(app, boss, newPassword);
  expect(await readsUsers(visitor, token)).toBe(200);
});

it.each(Object.keys(proofs))(
  'a stranger loses account, factor and feed to %s, no child',
  async (way) => {
    const scene = await squatted(app);
    const { email, stranger } = scene;
    await withSecondFactor(app, scene);
    await setConfirmed(app, email, true);
    const feed = await as(stranger.visitor, stranger.token, 'POST', '/feeds', {});
    const { pathname } = new URL(String(feed.body['url']));
    await setConfirmed(app, email, false);
    const id = await idOf(app, email);
    const child = await aChild(app, [{ id }], { name: 'Tom' });
    const [klass, wanted] = [await aClass(app), await aClass(app)];
    await enrol(app, klass.id, { id }, child);
    const cart = { itemId: wanted.id };
    expect((await as(stranger.visitor, stranger.token, 'POST', '/bookeds', cart)).status).toBe(201);

    expect((await proofs[way]?.(app, scene))?.status).toBe(200);

    await expectStrangerOut(app, scene);
    const { visitor, token } = await expectOwnerIn(app, email, newPassword);
    expect(await isConfirmed(app, email)).toBe(true);
    expect((await aVisitor(app).ask('GET', pathname)).status).toBe(404);
    const get = async (path: string) => (await as(visitor, token, 'GET', path)).body;
    expect(await get('/participants')).toMatchObject([
      { self: true, name: 'Ada Lovelace' },
      { name: 'Tom' },
    ]);
    expect(await get(`/enrolments?email=${email}`)).toHaveLength(1);
    expect(await get(`/bookeds?email=${email}`)).toHaveLength(1);
  },
);

it('a session of before the proof changes nothing any more', async () => {
  const { email, owner, link, stranger } = await squatted(app);
  const body = { currentPassword: strangersPassword, newPassword: 'Intruder#2026' };
  const late = await overtaken(
    app,
    email,
    () => confirm(owner, link, { newPassword }),
    () => stranger.visitor.auth('change-password', body),
  );
  expect(late.status).toBe(401);
  expect((await aVisitor(app).signIn(email, 'Intruder#2026')).status).toBe(401);
  await expectOwnerIn(app, email, newPassword);
});

it.each(['a reset', 'a change', 'signing out the others'])(
  'feeds and invitations end with %s of the password',
  async (how) => {
    const scene = await squatted(app);
    const { visitor, token } = scene.stranger;
    await setConfirmed(app, scene.email, true);
    const child = await aChild(app, [{ id: await idOf(app, scene.email) }]);
    const letter = { email: 'accomplice@example.com', participantIds: [child.id] };
    expect((await as(visitor, token, 'POST', '/guardians/invite', letter)).status).toBe(200);
    const feed = await as(visitor, token, 'POST', '/feeds', {});
    const { pathname } = new URL(String(feed.body['url']));
    expect((await aVisitor(app).ask('GET', pathname)).status).toBe(200);
    if (how === 'a reset') await resetByMail(app, scene);
    else if (how === 'signing out the others') await visitor.auth('revoke-other-sessions');
    else await visitor.auth('change-password', { currentPassword: strangersPassword, newPassword });
    expect((await aVisitor(app).ask('GET', pathname)).status).toBe(404);
    const open = app.db.selectFrom('invitation').select('email');
    expect(await open.where('participantId', '=', child.id).execute()).toEqual([]);
  },
);

describe('a person who signed up', () => {
  it('confirms on another device with the password of the sign-up', async () => {
    const { email, visitor, token, link } = await aPerson();
    const shown = { password: ownersPassword };
    expect((await confirm(aVisitor(app), link, shown)).body).toEqual(done);
    expect(await isConfirmed(app, email)).toBe(true);
    expect(await visitor.isLetIn(token, email)).toBe(true);
  });

  it('has a link that sets no password once it has confirmed', async () => {
    const { email, visitor, token, link } = await aPerson();
    await confirm(visitor, link);
    for (const given of [{ password: 'Wrong#2026' }, { newPassword }])
      expect((await confirm(aVisitor(app), link, given)).body).toEqual(already);
    expect((await aVisitor(app).signIn(email, newPassword)).status).toBe(401);
    expect(await visitor.isLetIn(token, email)).toBe(true);
  });

  it('keeps the password when another opens the link at once', async () => {
    const { email, visitor, link } = await aPerson();
    const late = await overtaken(
      app,
      email,
      () => confirm(visitor, link),
      () => confirm(aVisitor(app), link, { newPassword }),
    );
    expect(late.body).toEqual(already);
    await expectOwnerIn(app, email, ownersPassword);
  });

  it('may guess the password as often as at sign-in', async () => {
    const { owner, link } = await squatted(app);
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++)
      statuses.push((await confirm(owner, link, { password: 'Wrong#2026' })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
    // The way with a new password stays open: it is not a guess.
    expect((await confirm(owner, link, { newPassword })).status).toBe(200);
  });
});

async function aCode() {
  const person = await aPerson();
  const given = { userId: await idOf(app, person.email), key: app.config.secret };
  const { code } = await makeConfirmation(app.db, given);
  const type = (typed = code) => person.visitor.auth('verify-email', { code: typed });
  const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  return { ...person, given, code, other, type };
}

describe('the six digits of the mail', () => {
  it('confirm the address in the session, and end nothing', async () => {
    const { email, visitor, token } = await aPerson();
    const { text = '' } = smtp.mails.find(({ to }) => to === email) ?? {};
    const code = /\b\d{6}\b/.exec(text)?.[0];
    expect((await visitor.auth('verify-email', { code })).body).toEqual(done);
    expect(await isConfirmed(app, email)).toBe(true);
    expect((await visitor.auth('verify-email', { code })).body).toEqual(already);
    expect(await visitor.isLetIn(token, email)).toBe(true);
    await expectOwnerIn(app, email, ownersPassword);
  });

  it('say nothing without that session', async () => {
    const { code, email } = await aCode();
    const { visitor: stranger } = await aCode();
    expect((await aVisitor(app).auth('verify-email', { code })).body.code).toBe('UNAUTHENTICATED');
    expect((await stranger.auth('verify-email', { code })).body.code).toBe('WRONG_CODE');
    expect(await isConfirmed(app, email)).toBe(false);
  });

  it('can be tried five times', async () => {
    const { type, other, email } = await aCode();
    const codes: unknown[] = [];
    for (let tries = 0; tries < 5; tries++) codes.push((await type(other)).body.code);
    expect(codes).toEqual(Array(5).fill('WRONG_CODE'));
    const { status, body } = await type();
    expect([status, body.code, body.message]).toEqual([
      400,
      'CODE_OVER',
      'This code no longer works. Ask for a new mail.',
    ]);
    expect(await isConfirmed(app, email)).toBe(false);
  });

  it('live 15 minutes, and end with a newer mail', async () => {
    const { type, given, link, visitor } = await aCode();
    await app.pool.query(
      `update link set code_until = code_until - interval '15 minutes' where user_id = $1`,
      [given.userId],
    );
    expect((await type()).body.code).toBe('CODE_OVER');
    const { code: newer } = await makeConfirmation(app.db, given);
    expect((await type()).body.code).toBe('WRONG_CODE');
    expect((await confirm(visitor, link)).body).toEqual(done);
    expect((await type(newer)).body).toEqual(already);
  });

  it('or the link: one of them', async () => {
    const { visitor, code, link } = await aCode();
    for (const form of [{}, { code, token: tokenOf(link) }, { code: '12345' }])
      expect((await visitor.auth('verify-email', form)).status).toBe(400);
  });
});

describe('the link', () => {
  it('of another purpose, expired or made up opens nothing', async () => {
    const { link, email, owner } = await squatted(app);
    await owner.auth('request-password-reset', { email });
    const reset = tokenOf(await mailedLink(app, email, '/resetpassword'));
    const { link: expired, email: another } = await aPerson();
    await app.pool.query('update link set expires_at = now() where user_id = $1', [
      await idOf(app, another),
    ]);
    for (const token of [reset, tokenOf(expired), tokenOf(link).toUpperCase(), 'abc']) {
      expect((await aVisitor(app).auth('verify-email', { token, newPassword })).body.code).toBe(
        'BAD_LINK',
      );
      const look = { token, kind: 'confirm' };
      expect((await aVisitor(app).auth('check-link', look)).body).toEqual({ works: false });
    }
    expect(await isConfirmed(app, email)).toBe(false);
  });
});
