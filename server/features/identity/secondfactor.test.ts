// Two-step sign-in: turning it on, coming in with it, losing the phone, guessing, turning it off.
import { describe, expect, it } from 'vitest';
import { isAdmin, listUsers } from '../../../contract/users.ts';
import { testApp, type TestApp } from '../../testing/app.ts';
import { codeOf } from '../../testing/totp.ts';
import {
  aConfirmedMember,
  goodPassword,
  subjectsTo,
  linkIn,
  Visitor,
} from '../../testing/visitor.ts';

const app = await testApp();

it('the authenticator of these tests makes the codes of RFC 6238', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const at = (seconds: number) => codeOf(secret, 0, seconds * 1_000);
  expect([at(59), at(1_111_111_109), at(20_000_000_000)]).toEqual(['287082', '081804', '353130']);
});

interface Enabled {
  uri: string;
  secret: string;
  backupCodes: string[];
}

/**
 * A member with two-step sign-in. It was turned on with the code of now, so the next one (see
 * `fresh`) is unused.
 */
async function aCarefulMember(of: TestApp = app, given: Record<string, unknown> = {}) {
  const member = await aConfirmedMember(of, given);
  const { body } = await member.visitor.auth('two-factor/enable', { password: goodPassword });
  const { secret, backupCodes, uri } = body as unknown as Enabled;
  const on = await member.visitor.auth('two-factor/verify', { code: codeOf(secret) });
  expect(on.body).toEqual({ status: true });
  return { ...member, secret, backupCodes, uri };
}

/** Right for at least half a minute, and not yet used. */
const fresh = (secret: string) => codeOf(secret, 1);
const secondStep = (visitor: Visitor, code: string) =>
  visitor.auth('sign-in/second-step', { code });
const isSignedIn = async (visitor: Visitor) =>
  (await visitor.ask('GET', '/api/auth/get-session')).text !== 'null';
const wrong = (secret: string) => {
  const valid = new Set([-2, -1, 0, 1, 2].map((ahead) => codeOf(secret, ahead)));
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !valid.has(code)) ??
    ''
  );
};

describe('turning it on', () => {
  it('needs the password, shows the secret once, and asks for a code before it counts', async () => {
    const { visitor, email } = await aConfirmedMember(app);
    const refused = await visitor.auth('two-factor/enable', { password: 'Wrong#2026' });
    expect([refused.status, refused.body.code]).toEqual([400, 'WRONG_PASSWORD']);
    const { body } = await visitor.auth('two-factor/enable', { password: goodPassword });
    const { uri, secret, backupCodes } = body as unknown as Enabled;
    expect(new URL(uri).protocol).toBe('otpauth:');
    expect(new URL(uri).searchParams.get('issuer')).toBe(app.config.brand);
    expect(secret).toMatch(/^[A-Z2-7]{32,}$/);
    expect(new Set(backupCodes).size).toBe(10);

    const before = await new Visitor(app).signIn(email);
    expect(before.body).toHaveProperty('user.email', email);
    const bad = await visitor.auth('two-factor/verify', { code: wrong(secret) });
    expect([bad.status, bad.body.code]).toEqual([400, 'WRONG_CODE']);
    expect((await visitor.auth('two-factor/verify', { code: codeOf(secret) })).status).toBe(200);
    expect(await subjectsTo(app, email)).toContain('Two-step sign-in is on');
  });

  it('ends every other session and every token, and keeps this browser signed in', async () => {
    const { visitor, email } = await aConfirmedMember(app);
    const elsewhere = new Visitor(app);
    await elsewhere.signIn(email);
    const tokens = [await visitor.token(email), await elsewhere.token(email)];
    const { body } = await visitor.auth('two-factor/enable', { password: goodPassword });
    await visitor.auth('two-factor/verify', { code: codeOf(String(body['secret'])) });
    for (const token of tokens) expect(await visitor.isLetIn(token, email)).toBe(false);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(visitor)).toBe(true);
    expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
  });

  it('ends open invitations that the account sent', async () => {
    const { visitor, email } = await aConfirmedMember(app);
    await app.pool.query(
      `insert into staff_invitation (email, role, secret_hash, invited_by)
       select 'invited-' || email, 'instructor', 'x', id from "user" where email = $1`,
      [email],
    );
    const { body } = await visitor.auth('two-factor/enable', { password: goodPassword });
    await visitor.auth('two-factor/verify', { code: codeOf(String(body['secret'])) });
    const { rowCount } = await app.pool.query('select from staff_invitation where email = $1', [
      `invited-${email}`,
    ]);
    expect(rowCount).toBe(0);
  });

  it('is refused to visitors, and twice', async () => {
    const { visitor } = await aCarefulMember();
    for (const path of ['enable', 'verify', 'disable', 'backup-codes']) {
      const body = { enable: { password: 'x' }, verify: { code: '123456' } }[path];
      const answer = await new Visitor(app).auth(
        `two-factor/${path}`,
        body ?? { password: 'x', code: '123456' },
      );
      expect([path, answer.status]).toEqual([path, 401]);
    }
    const again = await visitor.auth('two-factor/enable', { password: goodPassword });
    expect([again.status, again.body.code]).toEqual([409, 'SECOND_STEP_ON']);
    expect((await visitor.auth('two-factor/verify', { code: '123456' })).body.code).toBe(
      'SECOND_STEP_ON',
    );
  });

  it('keeps secret and backup codes unreadable in the database', async () => {
    const { email, secret, backupCodes } = await aCarefulMember();
    const { rows } = await app.pool.query<{ all: string }>(
      `select f::text as all from two_factor f join "user" u on u.id = f.user_id where u.email = $1`,
      [email],
    );
    const kept = rows[0]?.all ?? '';
    expect(kept.length).toBeGreaterThan(100);
    for (const hidden of [secret, ...backupCodes]) expect(kept).not.toContain(hidden);
  });
});

describe('signing in with it', () => {
  it('gives no session and no token for the password alone', async () => {
    const { email } = await aCarefulMember();
    const visitor = new Visitor(app);
    const { status, body, headers } = await visitor.signIn(email);
    expect([status, body]).toEqual([200, { twoFactor: true }]);
    expect(await isSignedIn(visitor)).toBe(false);
    expect((await visitor.ask('POST', '/api/jwt', { email })).status).toBe(401);
    // Also for somebody who keeps every cookie that was ever set.
    const every = [headers['set-cookie']].flat().map((cookie) => String(cookie).split(';')[0]);
    const keeper = await app.ask({
      url: '/api/auth/get-session',
      headers: { cookie: every.join('; ') },
    });
    expect(keeper.body).toBe('null');
  });

  it('lets in with the code of the app', async () => {
    const { email, name, image, secret } = await aCarefulMember();
    const visitor = new Visitor(app);
    await visitor.signIn(email);
    const { status, body } = await secondStep(visitor, fresh(secret));
    expect([status, body]).toEqual([200, { user: { id: expect.any(String), email, name, image } }]);
    expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
  });

  it('takes each code once', async () => {
    const { email, secret, backupCodes } = await aCarefulMember();
    for (const code of [fresh(secret), backupCodes[0] ?? '']) {
      const first = new Visitor(app);
      await first.signIn(email);
      expect((await secondStep(first, code)).status).toBe(200);
      const second = new Visitor(app);
      await second.signIn(email);
      const again = await secondStep(second, code);
      expect([again.status, again.body.code]).toEqual([400, 'WRONG_CODE']);
      expect(await isSignedIn(second)).toBe(false);
    }
    const other = new Visitor(app);
    await other.signIn(email);
    expect((await secondStep(other, backupCodes[1] ?? '')).status).toBe(200);
  });

  it('of two who show one code at the same moment lets in one', async () => {
    const { email, secret } = await aCarefulMember();
    const visitors = [new Visitor(app), new Visitor(app), new Visitor(app)];
    for (const visitor of visitors) await visitor.signIn(email);
    const answers = await Promise.all(
      visitors.map((visitor) => secondStep(visitor, fresh(secret))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('refuses a code without a password before it, and after five wrong ones wants the password again', async () => {
    const { email, secret } = await aCarefulMember();
    const stranger = await secondStep(new Visitor(app), fresh(secret));
    expect([stranger.status, stranger.body.code]).toEqual([400, 'SECOND_STEP_OVER']);
    const visitor = new Visitor(app);
    await visitor.signIn(email);
    for (let guess = 0; guess < 5; guess++)
      expect((await secondStep(visitor, wrong(secret))).body.code).toBe('WRONG_CODE');
    expect((await secondStep(visitor, fresh(secret))).body.code).toBe('SECOND_STEP_OVER');
  });

  it('closes for half an hour after ten wrong codes in a row, however often the password is given', async () => {
    const { email, secret } = await aCarefulMember();
    for (let round = 0; round < 2; round++) {
      const visitor = new Visitor(app);
      await visitor.signIn(email);
      for (let guess = 0; guess < 5; guess++) await secondStep(visitor, wrong(secret));
    }
    const visitor = new Visitor(app);
    await visitor.signIn(email);
    expect((await secondStep(visitor, fresh(secret))).status).toBe(429);
    await app.pool.query(
      `update two_factor set locked_until = now() - interval '1 second' where user_id = (select id from "user" where email = $1)`,
      [email],
    );
    await visitor.signIn(email);
    expect((await secondStep(visitor, fresh(secret))).status).toBe(200);
  });

  it('judges ten of sixty wrong codes that come at the same moment, then closes', async () => {
    const { email, secret } = await aCarefulMember();
    const visitors = Array.from({ length: 20 }, () => new Visitor(app));
    await Promise.all(visitors.map((visitor) => visitor.signIn(email)));
    const thrice = [...visitors, ...visitors, ...visitors];
    const answers = await Promise.all(thrice.map((visitor) => secondStep(visitor, wrong(secret))));
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'WRONG_CODE').length).toBeLessThanOrEqual(10);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(50);
    expect(
      Number(answers.find(({ status }) => status === 429)?.headers['retry-after']),
    ).toBeGreaterThan(1_700);
    const owner = new Visitor(app);
    await owner.signIn(email);
    expect((await secondStep(owner, fresh(secret))).status).toBe(429);
    await app.pool.query(
      `update two_factor set locked_until = now() - interval '1 second' where user_id = (select id from "user" where email = $1)`,
      [email],
    );
    // The ten before do not count any more.
    expect((await secondStep(owner, wrong(secret))).body.code).toBe('WRONG_CODE');
    expect((await secondStep(owner, fresh(secret))).status).toBe(200);
  });

  it('begins to count again after a right code', async () => {
    const { email, secret, backupCodes } = await aCarefulMember();
    for (const code of [fresh(secret), backupCodes[0] ?? '', backupCodes[1] ?? '']) {
      const visitor = new Visitor(app);
      await visitor.signIn(email);
      for (let guess = 0; guess < 4; guess++) await secondStep(visitor, wrong(secret));
      expect((await secondStep(visitor, code)).status).toBe(200);
    }
  });

  it("is not fooled by somebody else's session beside the password step", async () => {
    const { email, secret } = await aCarefulMember();
    const attacker = await aCarefulMember();
    const theirs = attacker.visitor.cookies.get('rally.session_token') ?? '';
    await attacker.visitor.signIn(email);
    attacker.visitor.cookies.set('rally.session_token', theirs);
    expect((await secondStep(attacker.visitor, fresh(attacker.secret))).body.code).toBe(
      'WRONG_CODE',
    );
    expect((await secondStep(attacker.visitor, fresh(secret))).body).toHaveProperty(
      'user.email',
      email,
    );
  });

  it('is not got round by a new password from the mailbox', async () => {
    const { email } = await aCarefulMember();
    await new Visitor(app).auth('request-password-reset', { email });
    const token = (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
    const visitor = new Visitor(app);
    const newPassword = 'Squash#2027';
    expect((await visitor.auth('reset-password', { token, newPassword })).status).toBe(200);
    expect((await visitor.signIn(email, newPassword)).body).toEqual({ twoFactor: true });
  });

  it('opens again for the owner of the mailbox: a reset by mail ends the wait after wrong codes', async () => {
    const { email, secret } = await aCarefulMember();
    await app.pool.query(
      `update two_factor set failed_verification_count = 10, locked_until = now() + interval '20 minutes'
       where user_id = (select id from "user" where email = $1)`,
      [email],
    );
    await new Visitor(app).auth('request-password-reset', { email });
    const token = (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
    const visitor = new Visitor(app);
    const newPassword = 'Squash#2027';
    expect((await visitor.auth('reset-password', { token, newPassword })).status).toBe(200);
    expect((await visitor.signIn(email, newPassword)).body).toEqual({ twoFactor: true });
    expect((await secondStep(visitor, fresh(secret))).status).toBe(200);
  });

  it('is over when the password is changed meanwhile', async () => {
    const { visitor, email, secret } = await aCarefulMember();
    const other = new Visitor(app);
    expect((await other.signIn(email)).body).toEqual({ twoFactor: true });
    const change = { currentPassword: goodPassword, newPassword: 'Squash#2027' };
    expect((await visitor.auth('change-password', change)).status).toBe(200);
    const late = await secondStep(other, fresh(secret));
    expect([late.status, late.body.code]).toEqual([400, 'SECOND_STEP_OVER']);
  });

  it.each(['', '12345', '1234567', 'abcde', 'a'.repeat(5_000), '12345 '])(
    'refuses %j as a code',
    async (code) => {
      expect((await secondStep(new Visitor(app), code)).status).toBe(400);
    },
  );
});

describe('turning it off', () => {
  it('needs password and code, then the password alone lets in again', async () => {
    const { visitor, email, secret, backupCodes } = await aCarefulMember();
    const off = (password: string, code: string) =>
      visitor.auth('two-factor/disable', { password, code });
    expect((await off(goodPassword, wrong(secret))).body.code).toBe('WRONG_CODE');
    expect((await off('Wrong#2026', backupCodes[0] ?? '')).body.code).toBe('WRONG_PASSWORD');
    expect((await off(goodPassword, fresh(secret))).body).toEqual({ status: true });
    expect(await subjectsTo(app, email)).toContain('Two-step sign-in is off');
    expect(await isSignedIn(visitor)).toBe(true);
    expect((await new Visitor(app).signIn(email)).body).toHaveProperty('user.email', email);
    expect((await off(goodPassword, fresh(secret))).body.code).toBe('SECOND_STEP_OFF');
  });

  it('works with a backup code when the phone is lost', async () => {
    const { visitor, backupCodes } = await aCarefulMember();
    const answer = await visitor.auth('two-factor/disable', {
      password: goodPassword,
      code: backupCodes[3] ?? '',
    });
    expect(answer.status).toBe(200);
  });

  it.each(['disable', 'backup-codes'])(
    'leaves a backup code unspent when the password is wrong: %s',
    async (path) => {
      const { visitor, backupCodes } = await aCarefulMember();
      const [code] = backupCodes;
      const refused = await visitor.auth(`two-factor/${path}`, { password: 'Wrong#2026', code });
      expect([refused.status, refused.body.code]).toEqual([400, 'WRONG_PASSWORD']);
      const { status } = await visitor.auth(`two-factor/${path}`, { password: goodPassword, code });
      expect(status).toBe(200);
    },
  );

  it('cannot be guessed by somebody with a stolen session and password', async () => {
    const limited = await testApp({ rateLimit: true });
    const { visitor, secret } = await aCarefulMember(limited);
    const codes: string[] = [];
    for (let guess = 0; guess < 9; guess++) {
      const { body } = await visitor.auth('two-factor/disable', {
        password: goodPassword,
        code: wrong(secret),
      });
      codes.push(String(body.code));
    }
    expect(codes.filter((code) => code === 'WRONG_CODE').length).toBeLessThanOrEqual(5);
    expect(codes.at(-1)).toBe('RATE_LIMITED');
  });
});

it('new backup codes replace the old ones, and the owner is told', async () => {
  const { visitor, email, secret, backupCodes } = await aCarefulMember();
  const { body } = await visitor.auth('two-factor/backup-codes', {
    password: goodPassword,
    code: fresh(secret),
  });
  const next = body['backupCodes'] as string[];
  expect(next).toHaveLength(10);
  const other = new Visitor(app);
  await other.signIn(email);
  expect((await secondStep(other, backupCodes[0] ?? '')).body.code).toBe('WRONG_CODE');
  expect((await secondStep(other, next[0] ?? '')).status).toBe(200);
  await expect.poll(() => subjectsTo(app, email)).toContain('You have new backup codes');
});

describe('with REQUIRE_ADMIN_TOTP', () => {
  it('an admin has no more rights than a student until the second step is on', async () => {
    const strict = await testApp({ requireAdminTotp: true });
    const { visitor, email } = await aConfirmedMember(strict);
    await strict.pool.query(`update "user" set role = 'admin' where email = $1`, [email]);
    const before = await visitor.token(email);
    expect((await strict.send(listUsers, {}, before)).status).toBe(403);
    expect((await strict.send(isAdmin, { email }, before)).body).toEqual({ admin: false });
    const { body } = await visitor.auth('two-factor/enable', { password: goodPassword });
    await visitor.auth('two-factor/verify', { code: codeOf(String(body['secret'])) });
    const after = await visitor.token(email);
    expect((await strict.send(listUsers, {}, after)).status).toBe(200);
    expect((await strict.send(isAdmin, { email }, after)).body).toEqual({ admin: true });
  });
});
