// What people wrote cannot look like a line or a link of ours in a mail, also when it was stored before names had to be one line.
import { expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { aMember, Visitor } from '../testing/visitor.ts';

const app = await testApp();
const name = 'Ada\n\nhttps://evil.example/pay\n\nRally\u2028\u202Ex';

it('a stored name with line breaks is one line in every mail, and the mailbox page links to our own pages alone', async () => {
  const { visitor, email, password } = await aMember(app);
  await app.pool.query('update "user" set name = $1 where email = $2', [name, email]);
  // The four mails that a stranger or the owner can cause.
  await new Visitor(app).auth('sign-up/email', { name: 'A', image: 'https://example.com/a.png', email, password });
  await new Visitor(app).auth('request-password-reset', { email });
  await visitor.auth('change-password', { currentPassword: password, newPassword: 'Squash#2027' });
  await visitor.auth('send-verification-email');
  await app.settled();
  const mails = (await app.mail.letters(email)).filter(({ text }) => text.includes('evil.example'));
  expect(mails.length).toBeGreaterThanOrEqual(3);
  for (const { text } of mails) {
    expect(text).toContain('Hello Ada https://evil.example/pay Rally x,\n');
    expect(text).not.toMatch(/^https:\/\/evil/m);
  }
  const page = (await app.ask({ url: '/dev/mail', query: { to: email } })).body;
  const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, link]) => new URL(link ?? '').origin);
  expect(new Set(links)).toEqual(new Set([app.config.publicUrl]));
});
