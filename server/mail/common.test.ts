// Text of users cannot look like a line or a link of ours in a mail, also when it was stored before
// names had to be one line.
import { expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { aMember, linkIn, Visitor } from '../testing/visitor.ts';
import { letter } from './common.ts';
import { asHtml } from './mail.ts';

const app = await testApp();
const academy = { brand: 'Rally', publicUrl: 'https://rally.test' };

it('a stored name with line breaks is one line, and no link', () => {
  const name = 'Ada\n\nevil.example/pay\n\nhttps://rally.test.evil.example\u2028\u202Ex';
  const { text } = letter(academy, { email: 'a@example.com', name }, 'News', ['Words.']);
  expect(text).toMatch(/^Hello Ada evil\.example\/pay https:\/\/rally\.test\.evil\.example x,\n/);
  expect(asHtml(text, academy.publicUrl)).not.toContain('href');
});

it('the name of an address that is not proven is in no letter', () => {
  const stranger = { email: 'a@example.com', name: 'Call 555 0199', proven: false };
  expect(letter(academy, stranger, 'News', ['Words.']).text).toBe('Hello,\n\nWords.\n\nRally');
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
