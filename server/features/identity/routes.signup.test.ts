// Signing up: every rule of section 5 in its own words, and nothing that tells whether an address
// is known.
import { describe, expect, it } from 'vitest';
import { listInstructors } from '../../../contract/instructors.ts';
import { messages } from '../../../contract/messages.ts';
import { testApp, unique } from '../../testing/app.ts';
import { waiters } from '../../testing/overtaken.ts';
import { aForm, aMember, linkIn, Visitor } from '../../testing/visitor.ts';
import { setPasswordCost } from './passwords.ts';

const app = await testApp();

describe('signing up', () => {
  it.each([
    ['no name', { name: '' }, 'name', messages.nameRequired],
    ['a name that is a number', { name: 5 }, 'name', 'name is not valid'],
    ['a name of spaces', { name: '   ' }, 'name', messages.nameRequired],
    [
      'a link on a line of its own in the name',
      { name: 'Dear customer\n\nhttps://evil.example/pay\n\nx' },
      'name',
      'name must be one line, without control characters or characters that cannot be seen',
    ],
    ['no photo', { image: '' }, 'image', messages.photoRequired],
    ['a photo left out', { image: undefined }, 'image', messages.photoRequired],
    [
      'a photo that is a script',
      { image: 'javascript:alert(1)' },
      'image',
      'Photo URL must be an https:// address of a picture',
    ],
    [
      'a photo on an address',
      { image: 'https://127.0.0.1/a.png' },
      'image',
      'Photo URL must be an https:// address of a picture',
    ],
    ['no email', { email: '' }, 'email', messages.emailRequired],
    ['an email left out', { email: undefined }, 'email', messages.emailRequired],
    ['no password', { password: '' }, 'password', messages.passwordRequired],
    ['a password left out', { password: undefined }, 'password', messages.passwordRequired],
    ['no uppercase letter', { password: 'tennis#2026' }, 'password', messages.passwordClasses],
    ['no lowercase letter', { password: 'TENNIS#2026' }, 'password', messages.passwordClasses],
    ['no digit', { password: 'Tennis#match' }, 'password', messages.passwordClasses],
    ['no special character', { password: 'Tennis2026' }, 'password', messages.passwordClasses],
    [
      'a special character that is not one of the six',
      { password: 'Tennis?2026' },
      'password',
      messages.passwordClasses,
    ],
  ])('with %s is refused in the words of the form', async (_what, wrong, field, message) => {
    const { status, body } = await new Visitor(app).auth('sign-up/email', aForm(wrong));
    expect(status).toBe(400);
    expect(body).toEqual({
      error: true,
      code: 'INVALID_INPUT',
      field,
      message,
      requestId: expect.any(String),
    });
  });

  it.each(['Aa1!aa', 'Aa1!'.repeat(5)])(
    'takes a password of %s, at the edges of the rule',
    async (password) => {
      const { email } = await aMember(app, { password, confirmPassword: password });
      const { status } = await new Visitor(app).signIn(email, password);
      expect(status).toBe(200);
    },
  );

  it.each(['role', 'isAdmin', 'emailVerified', 'id', 'twoFactorEnabled', 'callbackURL'])(
    'takes no %s from the body',
    async (field) => {
      const form = aForm({ [field]: 'admin' });
      const { status, body } = await new Visitor(app).auth('sign-up/email', form);
      expect([status, body.field]).toEqual([400, field]);
      expect(
        await app.db.selectFrom('user').select('id').where('email', '=', form.email).execute(),
      ).toEqual([]);
    },
  );

  it('many times at once leaves connections to the database for others', async () => {
    const holder = await app.pool.connect();
    let answers: Promise<{ status: number }[]>;
    try {
      await holder.query('begin');
      await holder.query('lock table "user" in exclusive mode');
      answers = Promise.all(
        Array.from({ length: 12 }, () => new Visitor(app).auth('sign-up/email', aForm())),
      );
      await waiters(app, 3);
      expect((await app.send(listInstructors, {})).status).toBe(200);
      await waiters(app, 3);
    } finally {
      await holder.query('commit');
      holder.release();
    }
    expect((await answers).map(({ status }) => status)).toEqual(Array<number>(12).fill(200));
  });

  it('answers no sooner than after 300 ms, whether the address is known or not', async () => {
    const slow = await testApp({ passwordCost: 'full' });
    setPasswordCost(app.config.passwordCost);
    const visitor = new Visitor(slow);
    const known = aForm();
    await visitor.auth('sign-up/email', known);
    for (const form of [known, aForm()]) {
      const began = performance.now();
      expect((await visitor.auth('sign-up/email', form)).status).toBe(200);
      // A timer may end a millisecond early.
      expect(performance.now() - began).toBeGreaterThan(298);
    }
  });

  it('makes a student with an unproven address and a hashed password, and no session', async () => {
    const visitor = new Visitor(app);
    const form = aForm({ email: `${unique('Ada')}@Example.com` });
    setPasswordCost('full');
    const { status, body } = await visitor.auth('sign-up/email', form);
    setPasswordCost(app.config.passwordCost);
    expect([status, body]).toEqual([200, { status: true }]);
    expect(visitor.cookies.size).toBe(0);
    const row = await app.db
      .selectFrom('user')
      .innerJoin('account', 'account.userId', 'user.id')
      .select([
        'user.role',
        'user.emailVerified',
        'user.image',
        'account.password',
        'account.providerId',
      ])
      .where('email', '=', form.email.toLowerCase())
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      role: 'student',
      emailVerified: false,
      image: form.image,
      providerId: 'credential',
      password: expect.stringMatching(
        /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
      ),
    });
  });

  it('answers the same for a known address, changes nothing and tells its owner', async () => {
    const { email } = await aMember(app);
    const { status, body } = await new Visitor(app).auth(
      'sign-up/email',
      aForm({ email, password: 'Other#2026' }),
    );
    expect([status, body]).toEqual([200, { status: true }]);
    expect((await new Visitor(app).signIn(email)).status).toBe(200);
    expect((await new Visitor(app).signIn(email, 'Other#2026')).status).toBe(401);
    await app.settled();
    expect(await app.mail.messages(email)).toContainEqual(
      expect.objectContaining({
        subject: 'Please confirm your address',
        text: expect.stringContaining('which has an account that is not confirmed yet') as string,
      }),
    );
  });

  it('twice at the same moment makes one account and answers both alike', async () => {
    const form = aForm();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => new Visitor(app).auth('sign-up/email', form)),
    );
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [200, { status: true }]),
    );
    const rows = await app.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', form.email)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it('mails a link to a page, which proves the address once its button is pressed', async () => {
    const { email, visitor } = await aMember(app);
    const link = await linkIn(app, email);
    expect(link.origin + link.pathname).toBe(`${app.config.publicUrl}/confirm`);
    const confirmed = async () =>
      (
        await app.db
          .selectFrom('user')
          .select('emailVerified')
          .where('email', '=', email)
          .executeTakeFirstOrThrow()
      ).emailVerified;
    expect(await confirmed()).toBe(false);
    const { status, body } = await visitor.auth('verify-email', {
      token: link.searchParams.get('token'),
    });
    expect([status, body]).toEqual([200, { status: true }]);
    expect(await confirmed()).toBe(true);
  });
});
