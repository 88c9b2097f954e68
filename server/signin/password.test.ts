// Forgotten, changed and stored passwords.
import { beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../../contract/platform/settings.ts';
import { testApp, unique } from '../testing/app.ts';
import { whileHeld } from '../testing/overtaken.ts';
import {
  aConfirmedMember,
  aForm,
  aMember,
  goodPassword,
  linkIn,
  resetToken,
  subjectsTo,
  Visitor,
} from '../testing/visitor.ts';
import { hashPassword, isPassword, setPasswordCost } from './hashes.ts';

const app = await testApp();
const newPassword = 'Squash$2027';

async function aForgetfulMember() {
  const member = await aConfirmedMember(app);
  return { ...member, token: await resetToken(app, member.email) };
}

describe('a forgotten password', () => {
  it('ends every older link', async () => {
    const { visitor, email, token: older } = await aForgetfulMember();
    const newer = await resetToken(app, email);
    const reset = (token: string, newPassword: string) =>
      visitor.auth('reset-password', { token, newPassword });
    expect((await reset(newer, newPassword)).status).toBe(200);
    expect(await subjectsTo(app, email)).toContain('Your password was changed');
    expect((await reset(older, 'Hockey$2028')).body.code).toBe('BAD_LINK');
  });

  it('has a link that a thief of the password cannot end', async () => {
    const { email, token, password } = await aForgetfulMember();
    const thief = new Visitor(app);
    await thief.signIn(email);
    let currentPassword = password;
    for (const newPassword of ['Thief#2026', 'Thief#2027']) {
      const form = { currentPassword, newPassword };
      expect((await thief.auth('change-password', form)).status).toBe(200);
      currentPassword = newPassword;
    }
    const owner = new Visitor(app);
    expect((await owner.auth('reset-password', { token, newPassword })).status).toBe(200);
    expect((await thief.ask('GET', '/api/auth/get-session')).text).toBe('null');
    expect((await thief.signIn(email, currentPassword)).status).toBe(401);
    expect((await owner.signIn(email, newPassword)).status).toBe(200);
  });

  it('has a link that works for an hour', async () => {
    const { email, token } = await aForgetfulMember();
    const { rows } = await app.pool.query<{ minutes: number }>(
      `select extract(epoch from expires_at - now()) / 60 as minutes from link
       where kind = 'reset' order by expires_at desc`,
    );
    expect(Number(rows[0]?.minutes)).toBeCloseTo(60, 0);
    await app.pool.query(`update link set expires_at = now()`);
    const form = { token, newPassword };
    expect((await new Visitor(app).auth('reset-password', form)).body.code).toBe('BAD_LINK');
    expect((await new Visitor(app).signIn(email)).status).toBe(200);
  });

  it('of an unknown address is mailed to nobody', async () => {
    const { email: known } = await aMember(app);
    const unknown = `${unique('nobody')}@example.com`;
    for (const email of [known, unknown])
      await new Visitor(app).auth('request-password-reset', { email });
    expect(await subjectsTo(app, known)).toContain('Choose a new password');
    expect(await subjectsTo(app, unknown)).toEqual([]);
    const { rows } = await app.pool.query('select data from pgboss.job');
    expect(JSON.stringify(rows)).not.toMatch(unknown);
  });

  it('is answered before anything is done for the account', async () => {
    const { email } = await aMember(app);
    await whileHeld(app, email, async () => {
      const { status } = await new Visitor(app).auth('request-password-reset', { email });
      expect(status).toBe(200);
    });
    expect((await linkIn(app, email, '/resetpassword')).searchParams.get('token')).toBeTruthy();
  });

  it('of a blocked account is not replaced, and its owner is told', async () => {
    const { email, token } = await aForgetfulMember();
    await app.pool.query('update "user" set blocked_at = now() where email = $1', [email]);
    const form = { token, newPassword };
    expect((await new Visitor(app).auth('reset-password', form)).body.code).toBe('ACCOUNT_BLOCKED');
    await new Visitor(app).auth('request-password-reset', { email });
    expect(await subjectsTo(app, email)).toContain('Your account is blocked');
  });
});

it('a new password ends every token, and keeps this browser in', async () => {
  const { visitor, email } = await aMember(app);
  const phone = new Visitor(app);
  await phone.signIn(email);
  const tokens = [await visitor.token(email), await phone.token(email)];
  const form = { currentPassword: goodPassword, newPassword };
  expect((await visitor.auth('change-password', form)).status).toBe(200);
  const letIn = await Promise.all(tokens.map((token) => visitor.isLetIn(token, email)));
  expect(letIn).toEqual([false, false]);
  expect((await phone.ask('POST', '/api/jwt', { email })).status).toBe(401);
  expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
  expect((await new Visitor(app).signIn(email, newPassword)).status).toBe(200);
  expect((await new Visitor(app).signIn(email)).status).toBe(401);
  expect(await subjectsTo(app, email)).toContain('Your password was changed');
});

it('with STRICT_PASSWORDS 8 to 128 characters count, also emoji', async () => {
  const strict = await testApp({ strictPasswords: true });
  expect((await strict.send(settings, {})).body.strictPasswords).toBe(true);
  const { visitor, email } = await aMember(strict, { password: '🎾'.repeat(128) });
  expect((await visitor.signIn(email, '🎾'.repeat(128))).status).toBe(200);
  for (const password of ['Aa1!aaa', '🎾'.repeat(129)]) {
    const { status, body } = await visitor.auth('sign-up/email', aForm({ password }));
    expect([status, body.field]).toEqual([400, 'password']);
  }
});

describe('a hash', () => {
  beforeAll(() => setPasswordCost('full'));

  it('has the full cost unless a test makes it cheap', async () => {
    expect(await hashPassword(goodPassword)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    setPasswordCost('cheap');
    const hash = await hashPassword(goodPassword);
    setPasswordCost('full');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
    expect(await isPassword(hash, goodPassword)).toBe(true);
  });

  it('is of this password alone, and another one each time', async () => {
    const [one, two] = await Promise.all([hashPassword(goodPassword), hashPassword(goodPassword)]);
    expect(one).not.toBe(two);
    expect(await isPassword(one, goodPassword)).toBe(true);
    expect(await isPassword(one, `${goodPassword} `)).toBe(false);
    expect(await isPassword('plain text', 'plain text')).toBe(false);
  });
});
