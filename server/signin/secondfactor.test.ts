// Two-step sign-in: turning it on, coming in with it, losing the phone, guessing, turning it off.
import { describe, expect, it } from 'vitest';
import { isAdmin, listUsers } from '../../contract/people/users.ts';
import { testApp } from '../testing/app.ts';
import { codeOf } from '../testing/totp.ts';
import {
  aConfirmedMember,
  goodPassword,
  hasSession,
  resetToken,
  subjectsTo,
  Visitor,
} from '../testing/visitor.ts';

const app = await testApp();

async function setUp(visitor: Visitor) {
  const { body } = await visitor.auth('two-factor/enable', { password: goodPassword });
  return body as unknown as { secret: string; backupCodes: string[] };
}

const verify = (visitor: Visitor, secret: string) =>
  visitor.auth('two-factor/verify', { code: codeOf(secret) });

/**
 * A member with two-step sign-in. It was turned on with the code of now, so the next one (see
 * `fresh`) is unused.
 */
async function aCarefulMember() {
  const member = await aConfirmedMember(app);
  const made = await setUp(member.visitor);
  const used = codeOf(made.secret);
  expect((await member.visitor.auth('two-factor/verify', { code: used })).status).toBe(200);
  return { ...member, ...made, used };
}

/** A browser in which the password was right. */
async function challenged(email: string) {
  const visitor = new Visitor(app);
  expect((await visitor.signIn(email)).body).toEqual({ twoFactor: true });
  return visitor;
}

/** Right for at least half a minute, and not yet used. */
const fresh = (secret: string) => codeOf(secret, 1);
const secondStep = (visitor: Visitor, code = '') => visitor.auth('sign-in/second-step', { code });
const wrong = (secret: string) => {
  const valid = new Set([-2, -1, 0, 1, 2].map((ahead) => codeOf(secret, ahead)));
  const codes = ['000000', '111111', '222222', '333333', '444444', '555555'];
  return codes.find((code) => !valid.has(code)) ?? '';
};

const lockUntil = (when: string) =>
  app.pool.query(
    `update login set totp_failures = 10, totp_locked_until = now() + interval '${when}'`,
  );

describe('turning it on', () => {
  it('does not count before a code of the app', async () => {
    const { visitor, email } = await aConfirmedMember(app);
    const { secret, backupCodes } = await setUp(visitor);
    expect((await new Visitor(app).signIn(email)).body).toHaveProperty('user.email', email);
    const early = { password: goodPassword, code: backupCodes[0] };
    expect((await visitor.auth('two-factor/disable', early)).body.code).toBe('SECOND_STEP_OFF');
    expect((await verify(visitor, secret)).status).toBe(200);
    expect(await subjectsTo(app, email)).toContain('Two-step sign-in is on');
    expect((await verify(visitor, secret)).body.code).toBe('SECOND_STEP_ON');
  });

  it('ends every other session, token and invitation', async () => {
    const { visitor, email } = await aConfirmedMember(app);
    const elsewhere = new Visitor(app);
    await elsewhere.signIn(email);
    const tokens = [await visitor.token(email), await elsewhere.token(email)];
    await app.pool.query(
      `insert into staff_invitation (email, role, secret_hash, invited_by)
       select 'invited-' || email, 'instructor', 'x', id from "user" where email = $1`,
      [email],
    );
    await verify(visitor, (await setUp(visitor)).secret);
    for (const token of tokens) expect(await visitor.isLetIn(token, email)).toBe(false);
    expect([await hasSession(elsewhere), await hasSession(visitor)]).toEqual([false, true]);
    expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
    const invitations = 'select from staff_invitation where email = $1';
    expect((await app.pool.query(invitations, [`invited-${email}`])).rowCount).toBe(0);
  });

  it('of two set-ups the later one counts', async () => {
    const { visitor, email } = await aConfirmedMember(app);
    const [old, made] = [await setUp(visitor), await setUp(visitor)];
    expect((await verify(visitor, old.secret)).body.code).toBe('WRONG_CODE');
    expect((await verify(visitor, made.secret)).status).toBe(200);
    const other = await challenged(email);
    expect((await secondStep(other, old.backupCodes[0])).body.code).toBe('WRONG_CODE');
    expect((await secondStep(other, made.backupCodes[0])).status).toBe(200);
  });

  it.each(['revoke-other-sessions', 'change-password'])(
    'a set-up of a thief ends when the owner asks for %s',
    async (path) => {
      const { visitor, email } = await aConfirmedMember(app);
      const thief = new Visitor(app);
      await thief.signIn(email);
      const { secret } = await setUp(thief);
      const passwords = { currentPassword: goodPassword, newPassword: 'Squash$2027' };
      await visitor.auth(path, path === 'change-password' ? passwords : {});
      expect((await verify(visitor, secret)).body.code).toBe('SECOND_STEP_OFF');
    },
  );

  it('seals the secret for its account', async () => {
    const [{ email, secret }, other] = [await aCarefulMember(), await aCarefulMember()];
    await app.pool.query(
      `update login set totp_secret = (select totp_secret from login join "user" u on u.id = user_id
         where email = $1) from "user" u where u.id = user_id and email = $2`,
      [email, other.email],
    );
    const visitor = await challenged(other.email);
    expect((await secondStep(visitor, fresh(secret))).body.code).toBe('WRONG_CODE');
  });
});

describe('signing in with it', () => {
  it('gives no session and no token for the password alone', async () => {
    const { email } = await aCarefulMember();
    const visitor = new Visitor(app);
    const { headers } = await visitor.signIn(email);
    expect((await visitor.ask('POST', '/api/jwt', { email })).status).toBe(401);
    // Also for somebody who keeps every cookie that was ever set.
    for (const cookie of [headers['set-cookie']].flat())
      visitor.keep(String(cookie).split(';')[0] ?? '');
    expect(await hasSession(visitor)).toBe(false);
  });

  it('takes each code once, not even the one that turned it on', async () => {
    const { email, secret, backupCodes, used } = await aCarefulMember();
    const twice = [fresh(secret), backupCodes[0] ?? ''];
    for (const code of twice)
      expect((await secondStep(await challenged(email), code)).status).toBe(200);
    for (const code of [used, ...twice]) {
      const visitor = await challenged(email);
      expect((await secondStep(visitor, code)).body.code).toBe('WRONG_CODE');
      expect(await hasSession(visitor)).toBe(false);
    }
    // As a person types it.
    const visitor = await challenged(email);
    expect((await secondStep(visitor, ` ${backupCodes[1]?.toUpperCase()} `)).status).toBe(200);
    expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
  });

  it.each(['of the app', 'of paper'])('of three who show one code %s lets in one', async (from) => {
    const { email, secret, backupCodes } = await aCarefulMember();
    const code = from === 'of paper' ? backupCodes[0] : fresh(secret);
    const visitors = await Promise.all([1, 2, 3].map(() => challenged(email)));
    const answers = await Promise.all(visitors.map((visitor) => secondStep(visitor, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('refuses a code without a password minutes before it', async () => {
    const { email, secret } = await aCarefulMember();
    expect((await secondStep(new Visitor(app), fresh(secret))).body.code).toBe('SECOND_STEP_OVER');
    const visitor = await challenged(email);
    await app.pool.query(`update link set expires_at = expires_at - interval '301 seconds'`);
    expect((await secondStep(visitor, fresh(secret))).body.code).toBe('SECOND_STEP_OVER');
  });

  it('judges ten of sixteen wrong codes at the same moment', async () => {
    const { email, secret } = await aCarefulMember();
    const visitors = await Promise.all(Array.from({ length: 16 }, () => challenged(email)));
    const answers = await Promise.all(
      visitors.map((visitor) => secondStep(visitor, wrong(secret))),
    );
    const refused = answers.filter(({ body }) => body.code === 'RATE_LIMITED');
    expect(answers.filter(({ body }) => body.code === 'WRONG_CODE')).toHaveLength(10);
    expect(refused).toHaveLength(6);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(1_700);
    // However often the password is given.
    const owner = await challenged(email);
    expect((await secondStep(owner, fresh(secret))).status).toBe(429);
    await lockUntil('-1 second');
    // The ten before do not count any more.
    expect((await secondStep(owner, wrong(secret))).body.code).toBe('WRONG_CODE');
    expect((await secondStep(owner, fresh(secret))).status).toBe(200);
  });

  it('begins to count again after a right code', async () => {
    const { email, secret, backupCodes } = await aCarefulMember();
    for (const code of [fresh(secret), backupCodes[0]]) {
      const visitor = await challenged(email);
      await app.pool.query(`update login set totp_failures = totp_failures + 9`);
      expect((await secondStep(visitor, code)).status).toBe(200);
    }
  });

  it("is not fooled by somebody else's session", async () => {
    const { email, secret } = await aCarefulMember();
    const { visitor: attacker, secret: own } = await aCarefulMember();
    const theirs = attacker.cookies.get('rally.session_token') ?? '';
    await attacker.signIn(email);
    attacker.cookies.set('rally.session_token', theirs);
    expect((await secondStep(attacker, fresh(own))).body.code).toBe('WRONG_CODE');
    const { body } = await secondStep(attacker, fresh(secret));
    expect(body).toHaveProperty('user.email', email);
  });

  it('is asked after a new password, which ends the wait', async () => {
    const { email, secret } = await aCarefulMember();
    await lockUntil('20 minutes');
    const visitor = new Visitor(app);
    const [token, newPassword] = [await resetToken(app, email), 'Squash#2027'];
    expect((await visitor.auth('reset-password', { token, newPassword })).status).toBe(200);
    expect((await visitor.signIn(email, newPassword)).body).toEqual({ twoFactor: true });
    expect((await secondStep(visitor, fresh(secret))).status).toBe(200);
  });
});

it('turning it off needs password and code', async () => {
  const { visitor, email, secret, backupCodes } = await aCarefulMember();
  const off = (password: string, code = '') =>
    visitor.auth('two-factor/disable', { password, code });
  const pending = await challenged(email);
  expect((await off(goodPassword, wrong(secret))).body.code).toBe('WRONG_CODE');
  // The password is judged first, and the code stays unspent.
  expect((await off('Wrong#2026', backupCodes[0])).body.code).toBe('WRONG_PASSWORD');
  expect((await off(goodPassword, backupCodes[0])).body).toEqual({ status: true });
  expect(await subjectsTo(app, email)).toContain('Two-step sign-in is off');
  expect((await new Visitor(app).signIn(email)).body).toHaveProperty('user.email', email);
  expect((await secondStep(pending, fresh(secret))).body.code).toBe('SECOND_STEP_OVER');
});

it('new backup codes are told to the owner', async () => {
  const { visitor, email, secret } = await aCarefulMember();
  await visitor.auth('two-factor/backup-codes', { password: goodPassword, code: fresh(secret) });
  expect(await subjectsTo(app, email)).toContain('You have new backup codes');
});

it('with STAFF_TWO_STEP an admin has no rights until it is on', async () => {
  const strict = await testApp({ staffTwoStep: true });
  const { visitor, email } = await aConfirmedMember(strict);
  await strict.pool.query(`update "user" set role = 'admin' where email = $1`, [email]);
  const rights = async () => {
    const token = await visitor.token(email);
    const { status } = await strict.send(listUsers, {}, token);
    return [status, (await strict.send(isAdmin, { email }, token)).body];
  };
  expect(await rights()).toEqual([403, { admin: false }]);
  await verify(visitor, (await setUp(visitor)).secret);
  expect(await rights()).toEqual([200, { admin: true }]);
});
