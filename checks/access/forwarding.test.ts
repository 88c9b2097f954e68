// The client is the address at the other end of the socket, and our own address is PUBLIC_URL: no
// header of a client changes either. Behind a configured proxy, what that proxy says about its
// client counts, and nothing that the client says.
import { expect, it } from 'vitest';
import { createGuesses } from '../../server/signin/guesses.ts';
import { testApp, type TestApp } from '../../server/testing/app.ts';
import { aForm, aMember, linkIn, Visitor } from '../../server/testing/visitor.ts';

/** All headers by which a client could pretend another address; different each time. */
const pretending = (number: number) => {
  const address = `203.0.113.${number % 250}`;
  return {
    host: 'evil.example',
    'x-forwarded-for': address,
    forwarded: `for=${address};host=evil.example;proto=https`,
    'x-real-ip': address,
    'x-client-ip': address,
    'x-rally-client-address': address,
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  };
};

/**
 * What arrives through a proxy: the address that the client claims, and after it the address that
 * the proxy saw.
 */
const via = (client: string) => (number: number) => ({
  ...pretending(number),
  'x-forwarded-for': `203.0.113.${number % 250}, ${client}`,
});

const addressesOf = async (app: TestApp, email: string) => {
  const { rows } = await app.pool.query<{ address: string }>(
    `select s.network as address from session s join "user" u on u.id = s.user_id where u.email = $1`,
    [email],
  );
  return rows.map(({ address }) => address);
};

const app = await testApp({ rateLimit: true, production: true });
const behind = await testApp({
  production: true,
  publicUrl: 'https://rally.club',
  timeZone: 'Asia/Kolkata',
  rateLimit: true,
  trustProxy: 1,
});

it('no header changes the address of a session', async () => {
  const visitor = new Visitor(app);
  visitor.address = '198.51.100.2';
  const form = aForm();
  const { email, password } = form;
  await visitor.auth('sign-up/email', form, pretending(1));
  const answer = await visitor.auth('sign-in/email', { email, password }, pretending(9));
  expect(answer.status).toBe(200);
  expect(await addressesOf(app, email)).toEqual(['198.51.100.2']);
});

it('links in mails lead to us, whatever host was asked', async () => {
  const { email } = await aMember(app);
  const asked = await new Visitor(app).auth('request-password-reset', { email }, pretending(1));
  expect(asked.status).toBe(200);
  const link = await linkIn(app, email, '/resetpassword');
  expect(link.origin).toBe(app.config.publicUrl);
  expect((await app.mail.messages(email))[0]?.text).not.toContain('evil.example');
});

it('behind a proxy the client is the address that it adds', async () => {
  const { email, password } = aForm();
  const visitor = new Visitor(behind);
  visitor.address = '10.0.0.1';
  await visitor.auth('sign-up/email', aForm({ email, password }), via('198.51.100.5')(1));
  await visitor.auth('sign-in/email', { email, password }, via('198.51.100.5')(2));
  expect(await addressesOf(behind, email)).toEqual(['198.51.100.5']);
});

/** Half an hour away from the clocks of most zones. */
const inKolkata = (at: number) => new Date(at + 5.5 * 3_600_000).toISOString().slice(11, 16);

it('a hundred of one address sign up in an hour, and no more', async () => {
  const guesses = createGuesses(behind, { secret: behind.config.secret, enabled: true });
  const ip = '198.51.100.7';
  for (let person = 0; person < 99; person++)
    await guesses.signUp({ ip, email: aForm().email }, () => Promise.resolve());
  const school = new Visitor(behind);
  school.address = '10.0.0.1';
  let claimed = 0;
  const from = (of: string) => school.auth('sign-up/email', aForm(), via(of)(claimed++));
  expect((await from(ip)).status).toBe(200);
  const began = Date.now();
  const { status, body } = await from(ip);
  const until = /try again after (\d\d:\d\d)/.exec(body.message ?? '')?.[1];
  const minutes = [-1, 0, 1].map((more) => inKolkata(began + 3_600_000 + more * 60_000));
  expect([status, minutes]).toEqual([429, expect.arrayContaining([until])]);
  expect((await from('198.51.100.8')).status).toBe(200);
});
