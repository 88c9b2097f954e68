// The client is the address at the other end of the socket, and our own address is PUBLIC_URL: no
// header of a client changes either. Behind a configured proxy, what that proxy says about its
// client counts, and nothing that the client says.
import { expect, it } from 'vitest';
import { testApp } from '../../server/testing/app.ts';
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

type Headers = Record<string, string>;
type App = Awaited<ReturnType<typeof testApp>>;

/** How many requests from one socket are served before the first refusal; a thousand a minute. */
async function answered(app: App, address: string, headers: (number: number) => Headers) {
  for (let number = 0; number < 1_100; number++) {
    // One counter has all; reads that need no database are faster.
    const url = number % 10 ? '/api/settings' : '/api/classes';
    const { statusCode } = await app.ask({ url, remoteAddress: address, headers: headers(number) });
    if (statusCode !== 200) return { number, statusCode };
  }
  return null;
}

const addressesOf = async (app: App, email: string) => {
  const { rows } = await app.pool.query<{ address: string }>(
    `select s.network as address from session s join "user" u on u.id = s.user_id where u.email = $1`,
    [email],
  );
  return rows.map(({ address }) => address);
};

it('a visitor who claims another address is counted by the real', async () => {
  const app = await testApp({ rateLimit: true });
  expect(await answered(app, '198.51.100.1', pretending)).toEqual({
    number: 1_000,
    statusCode: 429,
  });
  // The other visitor, whose address was claimed, is not affected.
  expect((await app.ask({ url: '/api/classes', remoteAddress: '203.0.113.1' })).statusCode).toBe(
    200,
  );
});

/** Half an hour away from the clocks of most zones. */
const inKolkata = (at: number) => new Date(at + 5.5 * 3_600_000).toISOString().slice(11, 16);

it('a hundred of one address sign up in an hour, and no more', async () => {
  const config = { production: true, publicUrl: 'https://rally.club', timeZone: 'Asia/Kolkata' };
  const app = await testApp({ ...config, rateLimit: true, trustProxy: 1 });
  const school = new Visitor(app);
  school.address = '10.0.0.1';
  const from = (of: string, form: object) => school.auth('sign-up/email', form, via(of)(1));
  const [client, mistyped] = ['198.51.100.7', [] as { status: number }[]];
  const began = Date.now();
  for (let person = 0; person < 100; person++) {
    // Forty of the first sixty mistype their form once.
    if (person < 40) mistyped.push(await from(client, aForm({ password: 'short' })));
    expect((await from(client, aForm())).status).toBe(200);
  }
  expect(mistyped.map(({ status }) => status)).toEqual(Array<number>(40).fill(400));
  const { rows } = await app.pool.query('select from "user" where role = $1', ['student']);
  expect(rows).toHaveLength(100);
  const refused = await from(client, aForm());
  const until = /try again after (\d\d:\d\d)/.exec(refused.body.message ?? '')?.[1];
  const minutes = Array.from({ length: 5 }, (_, more) =>
    inKolkata(began + 3_600_000 + more * 60_000),
  );
  expect([refused.status, minutes]).toEqual([429, expect.arrayContaining([until])]);
  expect((await from('198.51.100.8', aForm())).status).toBe(200);
});

it('X-Forwarded-For cannot fake the address of the session', async () => {
  const app = await testApp({ rateLimit: true, production: true });
  const visitor = new Visitor(app);
  visitor.address = '198.51.100.2';
  const { email, password } = aForm();
  await visitor.auth('sign-up/email', aForm({ email, password }), pretending(1));
  expect((await visitor.auth('sign-in/email', { email, password }, pretending(9))).status).toBe(
    200,
  );
  expect(await addressesOf(app, email)).toEqual(['198.51.100.2']);
});

it('links in mails lead to us, whatever host was asked', async () => {
  const app = await testApp();
  const { email } = await aMember(app);
  const before = await linkIn(app, email);
  const asked = await new Visitor(app).auth('request-password-reset', { email }, pretending(1));
  expect(asked.status).toBe(200);
  const link = await linkIn(app, email, '/resetpassword');
  expect(link.href).not.toBe(before.href);
  expect(link.origin).toBe(app.config.publicUrl);
  expect((await app.mail.messages(email))[0]?.text).not.toContain('evil.example');
});

it('behind a proxy the client is the address that it adds', async () => {
  const app = await testApp({ rateLimit: true, trustProxy: 1 });
  expect(await answered(app, '10.0.0.1', via('198.51.100.3'))).toEqual({
    number: 1_000,
    statusCode: 429,
  });
  const others = {
    url: '/api/classes',
    remoteAddress: '10.0.0.1',
    headers: via('198.51.100.4')(1),
  };
  expect((await app.ask(others)).statusCode).toBe(200);

  const { email, password } = await aMember(app);
  const { rowCount } = await app.pool.query('delete from session');
  expect(rowCount).toBe(1);
  const visitor = new Visitor(app);
  visitor.address = '10.0.0.1';
  await visitor.auth('sign-in/email', { email, password }, via('198.51.100.5')(2));
  expect(await addressesOf(app, email)).toEqual(['198.51.100.5']);
});
