// Forgotten, changed and stored passwords.
import { beforeAll, describe, expect, it } from 'vitest';
import { settings } from '../../../contract/identity.ts';
import { messages } from '../../../contract/messages.ts';
import { testApp, unique } from '../../testing/app.ts';
import {
  aForm,
  aMember,
  goodPassword,
  subjectsTo,
  linkIn,
  Visitor,
} from '../../testing/visitor.ts';
import { hashPassword, setPasswordCost, verifyPassword } from './passwords.ts';

const app = await testApp();
const newPassword = 'Squash$2027';

async function aForgetfulMember() {
  const member = await aMember(app);
  await new Visitor(app).auth('request-password-reset', { email: member.email.toUpperCase() });
  const link = await linkIn(app, member.email, '/resetpassword');
  return { ...member, link, resetToken: link.searchParams.get('token') ?? '' };
}

describe('a forgotten password', () => {
  it('is replaced through a mailed link, which ends every session and token', async () => {
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

  it('has a link that works once', async () => {
    const { email, resetToken } = await aForgetfulMember();
    const answers = await Promise.all(
      ['Squash$2027', 'Hockey$2028', 'Rowing$2029'].map((newPassword) =>
        new Visitor(app).auth('reset-password', { token: resetToken, newPassword }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const again = await new Visitor(app).auth('reset-password', { token: resetToken, newPassword });
    expect([again.status, again.body.code]).toEqual([400, 'BAD_LINK']);
    expect((await new Visitor(app).signIn(email, goodPassword)).status).toBe(401);
  });

  it('ends every older link', async () => {
    const { visitor, email, resetToken: older } = await aForgetfulMember();
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

  it('has a link that a thief of the password cannot end by changing the password', async () => {
    const { email, resetToken, password } = await aForgetfulMember();
    await app.db
      .updateTable('user')
      .set({ emailVerified: true })
      .where('email', '=', email)
      .execute();
    const thief = new Visitor(app);
    await thief.signIn(email);
    let currentPassword = password;
    for (const newPassword of ['Thief#2026', 'Thief#2027']) {
      expect((await thief.auth('change-password', { currentPassword, newPassword })).status).toBe(
        200,
      );
      currentPassword = newPassword;
    }
    const owner = new Visitor(app);
    expect((await owner.auth('reset-password', { token: resetToken, newPassword })).status).toBe(
      200,
    );
    expect((await thief.ask('GET', '/api/auth/get-session')).text).toBe('null');
    expect((await thief.signIn(email, currentPassword)).status).toBe(401);
    expect((await owner.signIn(email, newPassword)).status).toBe(200);
  });

  it('has a link that works for an hour', async () => {
    const { email, resetToken } = await aForgetfulMember();
    const { rows } = await app.pool.query<{ minutes: number }>(
      `select extract(epoch from max(expires_at) - now()) / 60 as minutes from verification`,
    );
    expect(Number(rows[0]?.minutes)).toBeCloseTo(60, 0);
    await app.pool.query(`update verification set expires_at = now() - interval '1 second'`);
    const { status, body } = await new Visitor(app).auth('reset-password', {
      token: resetToken,
      newPassword,
    });
    expect([status, body.code]).toEqual([400, 'BAD_LINK']);
    expect((await new Visitor(app).signIn(email)).status).toBe(200);
  });

  it('has a link that is not in the database as it was mailed', async () => {
    const { resetToken } = await aForgetfulMember();
    const { rows } = await app.pool.query('select * from verification');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(resetToken);
  });

  it('is not used up by a password that breaks the rules', async () => {
    const { resetToken } = await aForgetfulMember();
    const weak = await new Visitor(app).auth('reset-password', {
      token: resetToken,
      newPassword: 'short',
    });
    expect([weak.status, weak.body.field, weak.body.message]).toEqual([
      400,
      'newPassword',
      messages.passwordShort,
    ]);
    const unequal = await new Visitor(app).auth('reset-password', {
      token: resetToken,
      newPassword,
      confirmPassword: 'x',
    });
    expect([unequal.status, unequal.body.field]).toEqual([400, 'confirmPassword']);
    expect(
      (await new Visitor(app).auth('reset-password', { token: resetToken, newPassword })).status,
    ).toBe(200);
  });

  it('proves the address, so that nobody who signed up with it before keeps a way in', async () => {
    const { email, visitor, resetToken } = await aForgetfulMember();
    await new Visitor(app).auth('reset-password', { token: resetToken, newPassword });
    const user = await app.db
      .selectFrom('user')
      .select('emailVerified')
      .where('email', '=', email)
      .executeTakeFirst();
    expect(user?.emailVerified).toBe(true);
    expect((await visitor.ask('GET', '/api/auth/get-session')).text).toBe('null');
  });

  it('of an unknown address is answered alike, and nothing is mailed', async () => {
    const email = `${unique('nobody')}@example.com`;
    const { status, body } = await new Visitor(app).auth('request-password-reset', { email });
    expect([status, body]).toEqual([200, { status: true }]);
    expect(await subjectsTo(app, email)).toEqual([]);
  });

  it.each(['', 'x', 'a'.repeat(24), 'reset-password:abc', '../../etc'])(
    'knows no link with the token %j',
    async (token) => {
      const { status } = await new Visitor(app).auth('reset-password', { token, newPassword });
      expect(status).toBe(400);
    },
  );
});

describe('a changed password', () => {
  it('needs the old one, ends every token, and leaves this browser signed in', async () => {
    const { visitor, email } = await aMember(app);
    const phone = new Visitor(app);
    await phone.signIn(email);
    const tokens = [await visitor.token(email), await phone.token(email)];
    const wrong = await visitor.auth('change-password', {
      currentPassword: 'Wrong#2026',
      newPassword,
    });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'WRONG_PASSWORD']);
    const { status, body } = await visitor.auth('change-password', {
      currentPassword: goodPassword,
      newPassword,
    });
    expect([status, body]).toEqual([200, { status: true }]);
    expect(await Promise.all(tokens.map((token) => visitor.isLetIn(token, email)))).toEqual([
      false,
      false,
    ]);
    expect((await phone.ask('POST', '/api/jwt', { email })).status).toBe(401);
    expect(await visitor.isLetIn(await visitor.token(email), email)).toBe(true);
    expect((await new Visitor(app).signIn(email, newPassword)).status).toBe(200);
    expect((await new Visitor(app).signIn(email)).status).toBe(401);
    expect(await subjectsTo(app, email)).toContain('Your password was changed');
  });

  it('follows the rules of the form and needs a session', async () => {
    const { visitor } = await aMember(app);
    const weak = await visitor.auth('change-password', {
      currentPassword: goodPassword,
      newPassword: 'tennis2026',
    });
    expect([weak.status, weak.body.message]).toEqual([400, messages.passwordClasses]);
    const nobody = await new Visitor(app).auth('change-password', {
      currentPassword: goodPassword,
      newPassword,
    });
    expect([nobody.status, nobody.body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });
});

describe('with STRICT_PASSWORDS', async () => {
  const strict = await testApp({ strictPasswords: true });

  it('tells the browser, whose forms then ask for no more', async () => {
    expect((await strict.send(settings, {})).body.strictPasswords).toBe(true);
  });
  it('length counts and kinds of characters do not', async () => {
    const password = 'a sentence only i would think of';
    const { visitor, email } = await aMember(strict, { password, confirmPassword: password });
    expect((await visitor.signIn(email, password)).status).toBe(200);
  });
  it('128 characters are 128 characters at every door, also emoji', async () => {
    const [longest, tooLong] = ['🎾'.repeat(128), '🎾'.repeat(129)];
    const { visitor, email } = await aMember(strict, {
      password: longest,
      confirmPassword: longest,
    });
    expect((await visitor.signIn(email, longest)).status).toBe(200);
    const form = aForm({ password: tooLong, confirmPassword: tooLong });
    const refused = await new Visitor(strict).auth('sign-up/email', form);
    expect([refused.status, refused.body.field]).toEqual([400, 'password']);
  });
  it('what does not fit is named', async () => {
    const password = 'a sentence only i would think of';
    const short = await new Visitor(strict).auth('sign-up/email', aForm({ password: 'Aa1!aaa' }));
    expect([short.status, short.body.field]).toEqual([400, 'password']);
    const unequal = await new Visitor(strict).auth(
      'sign-up/email',
      aForm({ password, confirmPassword: goodPassword }),
    );
    expect([unequal.status, unequal.body.field]).toEqual([400, 'confirmPassword']);
    const nameless = await new Visitor(strict).auth('sign-up/email', aForm({ password, name: '' }));
    expect(nameless.body.message).toBe(messages.nameRequired);
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
    expect(await verifyPassword({ hash, password: goodPassword })).toBe(true);
  });

  it('is of this password alone, and another one each time', async () => {
    const [one, two] = await Promise.all([hashPassword(goodPassword), hashPassword(goodPassword)]);
    expect(one).not.toBe(two);
    expect(await verifyPassword({ hash: one, password: goodPassword })).toBe(true);
    expect(await verifyPassword({ hash: one, password: `${goodPassword} ` })).toBe(false);
    expect(await verifyPassword({ hash: 'plain text', password: 'plain text' })).toBe(false);
  });

  it('of another cost is still understood', async () => {
    const old = '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQxMjM0$';
    expect(await verifyPassword({ hash: old, password: goodPassword })).toBe(false);
    const { argon2Sync } = await import('node:crypto');
    const nonce = Buffer.from('somesalt1234');
    const key = argon2Sync('argon2id', {
      message: goodPassword,
      nonce,
      memory: 64,
      passes: 1,
      parallelism: 1,
      tagLength: 16,
    });
    const hash = old + key.toString('base64').replace(/=+$/, '');
    expect(await verifyPassword({ hash, password: goodPassword })).toBe(true);
  });

  it('leaves the event loop free while it is made', async () => {
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    await Promise.all(Array.from({ length: 8 }, () => hashPassword(goodPassword)));
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
  });
});
