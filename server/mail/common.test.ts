// Text of users cannot look like a line or a link of ours in a mail, also when it was stored before
// names had to be one line.
import { expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { aConfirmedMember, aMember, linkIn, Visitor } from '../testing/visitor.ts';

const app = await testApp();
const name = 'Ada\n\nevil.example/pay\n\nRally\u2028\u202Ex';

/** The mails that a stranger or the owner can cause. */
async function causeMails({
  visitor,
  email,
  password,
}: Pick<Awaited<ReturnType<typeof aMember>>, 'visitor' | 'email' | 'password'>) {
  const image = 'https://example.com/a.png';
  await new Visitor(app).auth('sign-up/email', { name: 'A', image, email, password });
  await new Visitor(app).auth('request-password-reset', { email });
  await visitor.auth('change-password', { currentPassword: password, newPassword: 'Squash#2027' });
}

it('a stored name with line breaks is one line, and no link', async () => {
  const { visitor, email, password } = await aConfirmedMember(app);
  await app.pool.query('update "user" set name = $1 where email = $2', [name, email]);
  await causeMails({ visitor, email, password });
  await app.settled();
  const mails = (await app.mail.messages(email)).filter(({ text }) => text.includes('example/pay'));
  expect(mails.length).toBeGreaterThanOrEqual(3);
  for (const { text } of mails) expect(text).toContain('Hello Ada evil.example/pay Rally x,\n');
  const page = (await app.ask({ url: '/dev/mail', query: { to: email } })).body;
  const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link]) => new URL(link ?? '').origin);
  expect(new Set(links)).toEqual(new Set([app.config.publicUrl]));
});

it('the name of an unconfirmed account is in no mail', async () => {
  const shown = 'Call 555 0199';
  const { visitor, email, password } = await aMember(app);
  await app.pool.query('update "user" set name = $1 where email = $2', [shown, email]);
  await causeMails({ visitor, email, password });
  await visitor.auth('send-verification-email');
  await app.settled();
  const mails = await app.mail.messages(email);
  expect(mails.length).toBeGreaterThanOrEqual(4);
  const since = mails.filter(({ subject }) => !subject.startsWith('Welcome'));
  for (const { text } of since) expect(text).toMatch(/^Hello,\n/);
  for (const { text } of mails) expect(text).not.toContain(shown);
});

it('the owner is not greeted with the name of a stranger', async () => {
  const { email } = await aMember(app, { name: 'Call 555 0199' });
  const link = await linkIn(app, email);
  const owner = new Visitor(app);
  const body = { token: link.searchParams.get('token'), newPassword: 'Squash#2027' };
  expect((await owner.auth('verify-email', body)).status).toBe(200);
  await app.settled();
  const [newest, ...older] = await app.mail.messages(email);
  expect(newest?.subject).toBe('Your password was changed');
  for (const mail of [newest, ...older]) expect(mail?.text).toMatch(/^Hello,\n/);
});
