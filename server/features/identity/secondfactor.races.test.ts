// Two-step sign-in and what happens at the same moment: one account has one factor, and no session
// without a code outlives the moment it is turned on.
import { describe, expect, it } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { overtaken, waiters, whileHeld } from '../../testing/overtaken.ts';
import { codeOf } from '../../testing/totp.ts';
import { aConfirmedMember, goodPassword, Visitor } from '../../testing/visitor.ts';

const app = await testApp();

interface Factor {
  secret: string;
  backupCodes: string[];
}

const enable = (visitor: Visitor) => visitor.auth('two-factor/enable', { password: goodPassword });
const verify = (visitor: Visitor, secret: string) =>
  visitor.auth('two-factor/verify', { code: codeOf(secret) });
const hasSession = async (visitor: Visitor) =>
  (await visitor.ask('GET', '/api/auth/get-session')).text !== 'null';

/** The owner of an account, and a thief of its password with a session of his own. */
async function aRobbedMember() {
  const { visitor: owner, email } = await aConfirmedMember(app);
  const thief = new Visitor(app);
  await thief.signIn(email);
  return { owner, thief, email };
}

async function factorsOf(email: string) {
  const { rows } = await app.pool.query<{ verified: boolean; on: boolean }>(
    `select f.verified, u.two_factor_enabled as on from two_factor f
     join "user" u on u.id = f.user_id where u.email = $1`,
    [email],
  );
  return rows;
}

async function secondStep(email: string, code: string) {
  const visitor = new Visitor(app);
  expect((await visitor.signIn(email)).body).toEqual({ twoFactor: true });
  return visitor.auth('sign-in/second-step', { code });
}

describe('two set-ups at the same moment', () => {
  it('leave one factor, and the codes of the other one open nothing', async () => {
    const { owner, thief, email } = await aRobbedMember();
    const answers = await whileHeld(app, email, async (holder) => {
      const both = Promise.all([enable(owner), enable(thief)]);
      await waiters(app, 2);
      await holder.query('commit');
      return both;
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await factorsOf(email)).toEqual([{ verified: false, on: false }]);
    const sets = answers.map(({ body }) => body as unknown as Factor);
    const tries = [];
    for (const { secret } of sets) tries.push((await verify(owner, secret)).status);
    expect(tries.filter((status) => status === 200)).toHaveLength(1);
    expect(await factorsOf(email)).toEqual([{ verified: true, on: true }]);
    const stored = tries.indexOf(200);
    const dead = await secondStep(email, sets[1 - stored]?.backupCodes[0] ?? '');
    expect([dead.status, dead.body.code]).toEqual([400, 'WRONG_CODE']);
    expect((await secondStep(email, sets[stored]?.backupCodes[0] ?? '')).status).toBe(200);
  });

  it('a set-up under way while the first code is checked does not become the factor', async () => {
    const { owner, thief, email } = await aRobbedMember();
    const { secret } = (await enable(owner)).body as unknown as Factor;
    const answer = await overtaken(
      app,
      email,
      () => enable(thief),
      () => verify(owner, secret),
    );
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await factorsOf(email)).filter(({ on, verified }) => on || verified)).toEqual([]);
  });

  it('the first code is checked while a set-up waits: the factor stays', async () => {
    const { owner, thief, email } = await aRobbedMember();
    const { secret, backupCodes } = (await enable(owner)).body as unknown as Factor;
    const late = await overtaken(
      app,
      email,
      () => verify(owner, secret),
      () => enable(thief),
    );
    expect([401, 409]).toContain(late.status);
    expect(await factorsOf(email)).toEqual([{ verified: true, on: true }]);
    expect((await secondStep(email, backupCodes[0] ?? '')).status).toBe(200);
  });
});

const signOutOthers = (owner: Visitor) => owner.auth('revoke-other-sessions', {});

/** With two-step sign-in on; the thief has the password and two of the backup codes. */
async function aRobbedFactor() {
  const { owner, thief, email } = await aRobbedMember();
  const { secret, backupCodes } = (await enable(owner)).body as unknown as Factor;
  await verify(owner, secret);
  await thief.signIn(email);
  const [first, code] = backupCodes;
  expect((await thief.auth('sign-in/second-step', { code: first })).status).toBe(200);
  return { owner, thief, email, code, unused: backupCodes[2] ?? '' };
}

describe('while the owner signs out every other device', () => {
  it('a thief of the password does not turn two-step sign-in on', async () => {
    const { owner, thief, email } = await aRobbedMember();
    const { secret } = (await enable(thief)).body as unknown as Factor;
    const answer = await overtaken(
      app,
      email,
      () => signOutOthers(owner),
      () => verify(thief, secret),
    );
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(await factorsOf(email)).toEqual([]);
    expect([await hasSession(owner), await hasSession(thief)]).toEqual([true, false]);
  });

  it('a thief does not turn it off', async () => {
    const { owner, thief, email, code } = await aRobbedFactor();
    const answer = await overtaken(
      app,
      email,
      () => signOutOthers(owner),
      () => thief.auth('two-factor/disable', { password: goodPassword, code }),
    );
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(await factorsOf(email)).toEqual([{ verified: true, on: true }]);
    expect([await hasSession(owner), await hasSession(thief)]).toEqual([true, false]);
  });

  it('a thief gets no backup codes, and those of the owner stay', async () => {
    const { owner, thief, email, code, unused } = await aRobbedFactor();
    const answer = await overtaken(
      app,
      email,
      () => signOutOthers(owner),
      () => thief.auth('two-factor/backup-codes', { password: goodPassword, code }),
    );
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect((await secondStep(email, unused)).status).toBe(200);
  });
});

it.each<[string, (owner: Visitor) => Promise<unknown>]>([
  ['signs the others out', signOutOthers],
  [
    'changes the password',
    (owner) =>
      owner.auth('change-password', { currentPassword: goodPassword, newPassword: 'Squash$2027' }),
  ],
])('a set-up of a thief ends when the owner %s', async (_how, act) => {
  const { owner, thief, email } = await aRobbedMember();
  const { secret } = (await enable(thief)).body as unknown as Factor;
  await act(owner);
  expect(await factorsOf(email)).toEqual([]);
  expect((await verify(owner, secret)).status).toBe(409);
  expect(await factorsOf(email)).toEqual([]);
});

// Better Auth stores the factor without our lock: here the session ends just before.
it('a set-up that is stored after its session has ended leaves no factor', async () => {
  const { visitor, email } = await aConfirmedMember(app);
  await app.pool.query(`
    create function end_session() returns trigger language plpgsql as $$
      begin delete from session where user_id = new.user_id; return new; end $$;
    create trigger end_session before insert on two_factor for each row execute function end_session()`);
  try {
    const { status, body } = await enable(visitor);
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(await factorsOf(email)).toEqual([]);
  } finally {
    await app.pool.query('drop trigger end_session on two_factor; drop function end_session');
  }
});

it('the database refuses a second factor of one account and another secret in a stored one', async () => {
  const { owner, email } = await aRobbedMember();
  await enable(owner);
  await expect(
    app.pool.query(
      `insert into two_factor (user_id, secret, backup_codes) select id, 'x', 'x' from "user" where email = $1`,
      [email],
    ),
  ).rejects.toThrow(/unique/);
  await expect(
    app.pool.query(
      `update two_factor set secret = 'x' where user_id = (select id from "user" where email = $1)`,
      [email],
    ),
  ).rejects.toThrow(/secret/);
});

it('a backup code of a factor that no code has proven is refused', async () => {
  const { owner, email } = await aRobbedMember();
  const { backupCodes } = (await enable(owner)).body as unknown as Factor;
  await app.pool.query('update "user" set two_factor_enabled = true where email = $1', [email]);
  const answer = await secondStep(email, backupCodes[0] ?? '');
  expect(answer.status).toBe(400);
  const off = await owner.auth('two-factor/disable', {
    password: goodPassword,
    code: backupCodes[1],
  });
  expect([off.status, off.body.code]).toEqual([400, 'WRONG_CODE']);
});

it('a sign-in under way while two-step sign-in is turned on gets no session', async () => {
  const { owner, email } = await aRobbedMember();
  await enable(owner);
  const intruder = new Visitor(app);
  const answer = await whileHeld(app, email, async (holder) => {
    const entering = intruder.signIn(email);
    await waiters(app, 1);
    await holder.query(
      `update two_factor set verified = true where user_id = (select id from "user" where email = $1)`,
      [email],
    );
    await holder.query('update "user" set two_factor_enabled = true where email = $1', [email]);
    await holder.query('commit');
    return entering;
  });
  expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect(await hasSession(intruder)).toBe(false);
  expect((await intruder.signIn(email)).body).toEqual({ twoFactor: true });
});
