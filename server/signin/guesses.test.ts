// Guessing a password is slow from one network and from a thousand, and nobody can lock an owner out.
// Neither mails nor accounts can be caused without end.
import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../contract/signin/account.ts';
import { testApp, unique } from '../testing/app.ts';
import { codeOf } from '../testing/totp.ts';
import {
  aConfirmedMember,
  aForm,
  aMember,
  goodPassword,
  resetToken,
  subjectsTo,
  Visitor,
} from '../testing/visitor.ts';
import { createGuesses } from './guesses.ts';
import { hashPassword } from './hashes.ts';

// The ordinary limits would hide what is tested here, so every guesser has a network of its own where
// it may.
const app = await testApp({ rateLimit: true });
const guesses = createGuesses(app, { secret: app.config.secret, enabled: true });

/** A visitor with the IP address of this number. */
function from(number: number) {
  const visitor = new Visitor(app);
  visitor.address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  return visitor;
}

/** A member who signed up and in from their own IP address. */
async function aMemberAt(address: string) {
  const visitor = new Visitor(app);
  visitor.address = address;
  const member = await aMember(app);
  await visitor.signIn(member.email);
  return { ...member, visitor };
}

const wrong = (email: string, ip: string) =>
  guesses.judge({ email, ip }, () => Promise.resolve(false));
const right = (email: string, ip: string) =>
  guesses.judge({ email, ip }, () => Promise.resolve(true));
const refused = expect.objectContaining({ code: 'RATE_LIMITED' }) as Error;

/** Each from a network of its own. */
async function wrongFromAfar(email: string, times: number) {
  const guessed = Array.from({ length: times }, (_, nth) => wrong(email, `172.16.${nth}.1`));
  expect(new Set(await Promise.all(guessed))).toEqual(new Set([false]));
}

describe('guessing one account', () => {
  it('from one network ends after ten, and says until when', async () => {
    const { email } = await aMemberAt('192.0.2.1');
    const guesser = from(1);
    const statuses: number[] = [];
    for (let index = 0; index < 10; index++)
      statuses.push((await guesser.signIn(email, 'Wrong#2026')).status);
    expect(statuses).toEqual(Array<number>(10).fill(401));
    const answer = await guesser.signIn(email);
    expect([answer.status, answer.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(800);
    // The time passes.
    await app.pool.query(`update sign_in_attempt set ends_at = now()`);
    expect((await guesser.signIn(email)).status).toBe(200);
  });

  it('is shared by all doors that take its password', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.8');
    for (let index = 0; index < 5; index++) await visitor.signIn(email, 'Wrong#2026');
    // A stolen session is no other way to guess.
    const form = { currentPassword: 'Wrong#2026', newPassword: 'Squash$2027' };
    for (let index = 0; index < 3; index++)
      expect((await visitor.auth('change-password', form)).status).toBe(400);
    const authorization = `Bearer ${await visitor.token(email)}`;
    const wrong = { password: 'Wrong#2026' };
    for (let index = 0; index < 2; index++)
      await visitor.ask('POST', '/api/account/delete', wrong, { authorization });
    expect((await visitor.signIn(email)).status).toBe(429);
  });

  it('counts wrong codes of who has session and password', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.12');
    await prove(email);
    const { body } = await visitor.auth('two-factor/enable', { password: goodPassword });
    const secret = String(body['secret']);
    await visitor.auth('two-factor/verify', { code: codeOf(secret) });
    const form = { password: goodPassword, code: codeOf(secret, 50) };
    const codes: unknown[] = [];
    for (const path of ['disable', 'backup-codes', 'disable', 'backup-codes'])
      for (let guess = 0; guess < 3; guess++)
        codes.push((await visitor.auth(`two-factor/${path}`, form)).body.code);
    expect(codes).toEqual([...Array(10).fill('WRONG_CODE'), ...Array(2).fill('RATE_LIMITED')]);
  });

  it('from afar ends after a hundred; the owner comes in', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.3');
    await wrongFromAfar(email, 100);
    expect((await visitor.signIn(email)).status).toBe(200);
    // With no live session it is the network of the last one.
    await visitor.auth('sign-out');
    const home = new Visitor(app);
    home.address = visitor.address;
    expect((await home.signIn(email)).status).toBe(200);
    // From a new place the mailbox is the way in.
    const abroad = from(99_999);
    expect((await abroad.signIn(email)).status).toBe(429);
    const [token, newPassword] = [await resetToken(app, email), 'Squash$2027'];
    expect((await abroad.auth('reset-password', { token, newPassword })).status).toBe(200);
    expect((await abroad.signIn(email, newPassword)).status).toBe(200);
  });

  it('that does not exist feels the same', async () => {
    const email = `${unique('nobody')}@example.com`;
    await wrongFromAfar(email, 100);
    expect((await from(200_001).signIn(email)).status).toBe(429);
  });
});

it('a network has a hundred wrong guesses, of IPv6 all 64 bits', async () => {
  const guessed = Array.from({ length: 100 }, (_, nth) =>
    wrong(`${unique('a')}@example.com`, `2001:db8::${nth + 1}`),
  );
  expect(new Set(await Promise.all(guessed))).toEqual(new Set([false]));
  await expect(right('one@example.com', '2001:db8::beef')).rejects.toEqual(refused);
  expect(await right('one@example.com', '2001:db8:0:1::1')).toBe(true);
});

describe('what is counted', () => {
  it('is no right password, and none that could not be judged', async () => {
    const [email, ip] = [`${unique('a')}@example.com`, '192.0.2.70'];
    const away = () => guesses.judge({ email, ip }, () => Promise.reject(new Error('away')));
    for (let tries = 0; tries < 12; tries++) {
      expect(await right(email, ip)).toBe(true);
      await expect(away()).rejects.toThrow('away');
    }
    for (let tries = 0; tries < 10; tries++) expect(await wrong(email, ip)).toBe(false);
    await expect(right(email, ip)).rejects.toEqual(refused);
  });

  it('is no more than allowed, of guesses at the same moment', async () => {
    const email = `${unique('a')}@example.com`;
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, () => wrong(email, '192.0.2.71')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(10);
  });

  it('is no sign-in that a full queue of hashes refused', async () => {
    const { email, visitor } = await aMemberAt('192.0.2.9');
    const over = new AbortController();
    // Two are at work and 200 wait, the most that may: each waits again as soon as it is done.
    const queue = Array.from({ length: 202 }, async () => {
      while (!over.signal.aborted) await hashPassword('x');
    });
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries++) statuses.push((await visitor.signIn(email)).status);
    over.abort();
    await Promise.all(queue);
    expect(statuses).toEqual(Array<number>(11).fill(503));
    expect((await visitor.signIn(email)).status).toBe(200);
  });

  it('names neither people nor places', async () => {
    const { email } = await aMemberAt('192.0.2.10');
    await new Visitor(app).signIn(email, 'Wrong#2026');
    const { rows } = await app.pool.query('select account, place from sign_in_attempt');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${email}|192\\.0\\.2\\.10`));
  });
});

const counted = async () => (await app.pool.query('select from sign_in_attempt')).rowCount;

it.each(['', ' ', 'ada', 'ada@', '@example.com', 'a b@example.com', 'x'.repeat(254)])(
  'signing in as %j is wrong, and counted nowhere',
  async (text) => {
    const before = await counted();
    expect((await from(560_000).signIn(text, 'Wrong#2026')).status).toBe(401);
    expect(await counted()).toBe(before);
  },
);

const told = async (email: string, subject: string) =>
  (await subjectsTo(app, email)).filter((one) => one.startsWith(subject)).length;
const prove = (email: string) =>
  app.pool.query('update "user" set proven_at = now(), registered_at = now() where email = $1', [
    email,
  ]);

describe('mails', () => {
  it('about sign-ins from new networks are five an hour', async () => {
    const { email } = await aMemberAt('192.0.2.93');
    await prove(email);
    for (let index = 0; index < 8; index++) await from(410_000 + index).signIn(email);
    expect(await told(email, 'New sign-in')).toBe(5);
  });

  it('are five an hour, also when one signs up again', async () => {
    const email = `${unique('again')}@example.com`;
    let links = 0;
    for (let round = 0; round < 3; round++) {
      const { visitor } = await aConfirmedMember(app, { email });
      for (let index = 0; index < 2; index++)
        await from(500_000 + 3 * round + index).auth('request-password-reset', { email });
      // With the account its mails leave the mailbox, so they are counted before that.
      links += await told(email, 'Choose a new password');
      const form = { password: goodPassword };
      expect((await app.send(deleteAccount, form, await visitor.token(email))).status).toBe(200);
    }
    expect(links).toBe(5);
  });

  it('of a stranger leave the reset mail its own budget', async () => {
    const { email } = await aMemberAt('192.0.2.91');
    await prove(email);
    const form = aForm({ email, password: 'Other#2026' });
    const statuses: number[] = [];
    for (let index = 0; index < 3; index++)
      statuses.push((await from(9_100 + index).auth('sign-up/email', form)).status);
    // Three sign-ups of one address an hour, known or not; the first one was the owner's.
    expect(statuses).toEqual([200, 200, 429]);
    expect(await told(email, 'Sign-up attempt with your address')).toBe(2);
    await from(9_110).auth('request-password-reset', { email });
    expect(await told(email, 'Choose a new password')).toBe(1);
  });

  it('to an unproven address are few, whatever its sign-up does', async () => {
    const { email, visitor } = await aMemberAt('192.0.2.92');
    let currentPassword = goodPassword;
    for (let index = 0; index < 7; index++) {
      const newPassword = `Squash#202${index}`;
      const { status } = await visitor.auth('change-password', { currentPassword, newPassword });
      expect(status).toBe(200);
      currentPassword = newPassword;
    }
    expect(await told(email, 'Your password was changed')).toBe(5);
    // Its owner, once the address is proven, is told every time.
    await prove(email);
    await visitor.auth('change-password', { currentPassword, newPassword: 'Hockey#2028' });
    expect(await told(email, 'Your password was changed')).toBe(6);
  });
});
