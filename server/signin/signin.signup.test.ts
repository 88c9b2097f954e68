// Signing up: every rule of section 5 in its own words, and nothing that tells whether an address
// is known.
import { describe, expect, it } from 'vitest';
import { messages } from '../../contract/platform/messages.ts';
import { testApp, unique } from '../testing/app.ts';
import { aConfirmedMember, aForm, aMember, subjectsTo, Visitor } from '../testing/visitor.ts';
import { setPasswordCost } from './hashes.ts';

const app = await testApp();

describe('signing up', () => {
  it.each([
    ['no name', { name: '' }, 'name', messages.nameRequired],
    ['a name of spaces', { name: '   ' }, 'name', messages.nameRequired],
    [
      'a link on a line of its own in the name',
      { name: 'Dear customer\n\nhttps://evil.example/pay\n\nx' },
      'name',
      'name must be one line, without control characters or characters that cannot be seen',
    ],
    ['no photo', { image: '' }, 'image', messages.photoRequired],
    [
      'a photo on an address',
      { image: 'https://127.0.0.1/a.png' },
      'image',
      'Photo URL must be an https:// address of a picture',
    ],
    ['no email', { email: '' }, 'email', messages.emailRequired],
    ['no password', { password: '' }, 'password', messages.passwordRequired],
    ['no uppercase letter', { password: 'tennis#2026' }, 'password', messages.passwordClasses],
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

  it.each(['Aa1!aa', 'Aa1!'.repeat(5)])('takes %s, at the edges of the rule', async (password) => {
    const { email } = await aMember(app, { password, confirmPassword: password });
    expect((await new Visitor(app).signIn(email, password)).status).toBe(200);
  });

  it.each(['role', 'provenAt', 'id', 'callbackURL'])('takes no %s from the body', async (field) => {
    const form = aForm({ [field]: 'admin' });
    const { status, body } = await new Visitor(app).auth('sign-up/email', form);
    expect([status, body.field]).toEqual([400, field]);
    expect(
      await app.db.selectFrom('user').select('id').where('email', '=', form.email).execute(),
    ).toEqual([]);
  });

  it('makes an unproven student with a hash, and no session', async () => {
    const visitor = new Visitor(app);
    const form = aForm({ email: `${unique('Ada')}@Example.com` });
    setPasswordCost('full');
    const { status, body } = await visitor.auth('sign-up/email', form);
    setPasswordCost(app.config.passwordCost);
    expect([status, body]).toEqual([200, { status: true }]);
    expect(visitor.cookies.size).toBe(0);
    const row = await app.db
      .selectFrom('user')
      .innerJoin('login', 'login.userId', 'user.id')
      .select(['role', 'provenAt', 'image', 'passwordHash', 'googleSub'])
      .where('email', '=', form.email.toLowerCase())
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      role: 'student',
      provenAt: null,
      image: form.image,
      googleSub: null,
      passwordHash: expect.stringMatching(
        /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
      ),
    });
  });

  it('answers the same for a known address, and tells its owner', async () => {
    const { email } = await aMember(app);
    const { status, body } = await new Visitor(app).auth(
      'sign-up/email',
      aForm({ email, password: 'Other#2026' }),
    );
    expect([status, body]).toEqual([200, { status: true }]);
    expect((await new Visitor(app).signIn(email)).status).toBe(200);
    expect((await new Visitor(app).signIn(email, 'Other#2026')).status).toBe(401);
    await app.settled();
    const words = 'which has an account that is not confirmed yet';
    expect((await app.mail.messages(email)).map(({ text }) => text).join()).toContain(words);
    const proven = await aConfirmedMember(app);
    await new Visitor(app).auth('sign-up/email', aForm({ email: proven.email }));
    expect(await subjectsTo(app, proven.email)).toContain('Sign-up attempt with your address');
  });

  it('twice at the same moment makes one account', async () => {
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
});
