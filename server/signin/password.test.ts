// Forgotten, changed and stored passwords.
import { argon2Sync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../../contract/platform/settings.ts';
import { messages } from '../../contract/platform/messages.ts';
import { testApp, unique } from '../testing/app.ts';
import { whileHeld } from '../testing/overtaken.ts';
import { aForm, aMember, goodPassword, subjectsTo, linkIn, Visitor } from '../testing/visitor.ts';
import { hashPassword, isPassword, setPasswordCost } from './hashes.ts';

const app = await testApp();
const newPassword = 'Squash$2027';

const prove = (email: string) =>
  app.pool.query('update "user" set proven_at = now() where email = $1', [email]);

async function aForgetfulMember() {
  const member = await aMember(app);
  await new Visitor(app).auth('request-password-reset', { email: member.email.toUpperCase() });
  const link = await linkIn(app, member.email, '/resetpassword');
  return { ...member, link, resetToken: link.searchParams.get('token') ?? '' };
}

describe('a forgotten password', () => {
  it('is replaced by a mailed link, which ends every session', async () => {
    const { visitor, email, link, resetToken } = await aForgetfulMember();
    const token = await visitor.token(email);
    expect(link.origin + link.pathname).toBe(`${app.config.publicUrl}/resetpassword`);
    const other = new Visitor(app);
    const { status, body } = await other.auth('reset-password', {
      token: resetToken,
      newPassword,
      confirmPassword: newPassword,
    });
    expect([status, body]).toEqual([200, { status: true }]);
    expect(await visitor.isLetIn(token, email)).toBe(false);
    expect((await visitor.ask('POST', '/api/jwt', { email })).status).toBe(401);
    expect((await other.signIn(email)).status).toBe(401);
    expect((await other.signIn(email, newPassword)).status).toBe(200);
    expect(await subjectsTo(app, email)).toContain('Your password was changed');
  });

  it('ends every older link', async () => {
    const { visitor, email, resetToken: older } = await aForgetfulMember();
    await prove(email);
    const another = async () => {
      await new Visitor(app).auth('request-password-reset', { email });
      return (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
    };
    const newer = await another();
    expect(newer).not.toBe(older);
    const reset = (token: string | null, newPassword: string) =>
      visitor.auth('reset-password', { token, newPassword });
    expect((await reset(newer, newPassword)).status).toBe(200);
    expect((await reset(older, 'Hockey$2028')).body.code).toBe('BAD_LINK');
  });

  it('has a link that a thief of the password cannot end', async () => {
    const { email, resetToken, password } = await aForgetfulMember();
    await prove(email);
    const thief = new Visitor(app);
    await thief.signIn(email);
    let currentPassword = password;
    for (const newPassword of ['Thief#2026', 'Thief#2027']) {
      const form = { currentPassword, newPassword };
      expect((await thief.auth('change-password', form)).status).toBe(200);
      currentPassword = newPassword;
    }
    const owner = new Visitor(app);
    const form = { token: resetToken, newPassword };
    expect((await owner.auth('reset-password', form)).status).toBe(200);
    expect((await thief.ask('GET', '/api/auth/get-session')).text).toBe('null');
    expect((await thief.signIn(email, currentPassword)).status).toBe(401);
    expect((await owner.signIn(email, newPassword)).status).toBe(200);
  });

  it('has a link that works for an hour, and is stored hashed', async () => {
    const { email, resetToken } = await aForgetfulMember();
    const { rows } = await app.pool.query<{ minutes: number }>(
      `select *, extract(epoch from expires_at - now()) / 60 as minutes from link
       where kind = 'reset' order by expires_at desc`,
    );
    expect(Number(rows[0]?.minutes)).toBeCloseTo(60, 0);
    expect(JSON.stringify(rows)).not.toContain(resetToken);
    await app.pool.query(`update link set expires_at = now()`);
    const form = { token: resetToken, newPassword };
    expect((await new Visitor(app).auth('reset-password', form)).body.code).toBe('BAD_LINK');
    expect((await new Visitor(app).signIn(email)).status).toBe(200);
  });

  it('is not used up by a password that breaks the rules', async () => {
    const { resetToken: token } = await aForgetfulMember();
    const reset = (form: object) => new Visitor(app).auth('reset-password', { token, ...form });
    const { status, body } = await reset({ newPassword: 'short' });
    expect([status, body.field, body.message]).toEqual([
      400,
      'newPassword',
      messages.passwordShort,
    ]);
    const unequal = await reset({ newPassword, confirmPassword: 'x' });
    expect([unequal.status, unequal.body.field]).toEqual([400, 'confirmPassword']);
    expect((await reset({ newPassword })).status).toBe(200);
  });

  it('of an unknown address is answered alike', async () => {
    const { email: known } = await aMember(app);
    const unknown = `${unique('nobody')}@example.com`;
    for (const email of [known, unknown]) {
      const { body } = await new Visitor(app).auth('request-password-reset', { email });
      expect(body).toEqual({ status: true });
    }
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
    const { email, resetToken } = await aForgetfulMember();
    await app.pool.query('update "user" set blocked_at = now() where email = $1', [email]);
    const form = { token: resetToken, newPassword };
    const { status, body } = await new Visitor(app).auth('reset-password', form);
    expect([status, body.code]).toEqual([409, 'ACCOUNT_BLOCKED']);
    await new Visitor(app).auth('request-password-reset', { email });
    expect(await subjectsTo(app, email)).toContain('Your account is blocked');
  });

  it.each(['', 'x', 'a'.repeat(43), 'a'.repeat(201)])(
    'knows no link with the token %j',
    async (token) => {
      const { status } = await new Visitor(app).auth('reset-password', { token, newPassword });
      expect(status).toBe(400);
    },
  );
});

describe('a changed password', () => {
  it('needs the old one, ends every token, keeps this browser in', async () => {
    const { visitor, email } = await aMember(app);
    const phone = new Visitor(app);
    await phone.signIn(email);
    const tokens = [await visitor.token(email), await phone.token(email)];
    const change = (currentPassword: string) =>
      visitor.auth('change-password', { currentPassword, newPassword });
    const wrong = await change('Wrong#2026');
    expect([wrong.status, wrong.body.code]).toEqual([400, 'WRONG_PASSWORD']);
    const { status, body } = await change(goodPassword);
    expect([status, body]).toEqual([200, { status: true }]);
    const letIn = await Promise.all(tokens.map((token) => visitor.isLetIn(token, email)));
    expect(letIn).toEqual([false, false]);
    expect((await phone.ask('POST', '/api/jwt', { email })).status).toBe(401);
    expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
    expect((await new Visitor(app).signIn(email, newPassword)).status).toBe(200);
    expect((await new Visitor(app).signIn(email)).status).toBe(401);
    expect(await subjectsTo(app, email)).toContain('Your password was changed');
  });
});

describe('with STRICT_PASSWORDS', async () => {
  const strict = await testApp({ strictPasswords: true });

  it('length counts, kinds of characters do not', async () => {
    expect((await strict.send(settings, {})).body.strictPasswords).toBe(true);
    const password = 'a sentence only i would think of';
    const { visitor, email } = await aMember(strict, { password });
    expect((await visitor.signIn(email, password)).status).toBe(200);
    const { status, body } = await visitor.auth('sign-up/email', aForm({ password: 'Aa1!aaa' }));
    expect([status, body.field]).toEqual([400, 'password']);
  });

  it('128 characters are 128 characters at every door, also emoji', async () => {
    const { visitor, email } = await aMember(strict, { password: '🎾'.repeat(128) });
    expect((await visitor.signIn(email, '🎾'.repeat(128))).status).toBe(200);
    const form = aForm({ password: '🎾'.repeat(129) });
    const refused = await visitor.auth('sign-up/email', form);
    expect([refused.status, refused.body.field]).toEqual([400, 'password']);
  });
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

  it('of another cost is still understood', async () => {
    const old = '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQxMjM0$';
    expect(await isPassword(old, goodPassword)).toBe(false);
    const nonce = Buffer.from('somesalt1234');
    const cost = { memory: 64, passes: 1, parallelism: 1, tagLength: 16 };
    const key = argon2Sync('argon2id', { message: goodPassword, nonce, ...cost });
    const hash = old + key.toString('base64').replace(/=+$/, '');
    expect(await isPassword(hash, goodPassword)).toBe(true);
  });

  it('leaves the event loop free while it is made', async () => {
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    await Promise.all(Array.from({ length: 8 }, () => hashPassword(goodPassword)));
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
  });
});
