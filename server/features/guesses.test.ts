// Guessing passwords is slow from one address and from a thousand, and the owner still comes in (invariant H5).
import { describe, expect, it } from 'vitest';
import { testApp, unique } from '../testing/app.ts';
import { aMember, goodPassword, linkIn, Visitor } from '../testing/visitor.ts';

// The ordinary limits per address would hide what is tested here, so every guesser has an address of its own where it may.
const app = await testApp({ rateLimit: true });

const from = (number: number) => {
  const visitor = new Visitor(app);
  visitor.address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
  return visitor;
};

/** A member whose sign-up and sign-in came from an address of their own. */
async function aMemberAt(address: string) {
  const visitor = new Visitor(app);
  visitor.address = address;
  const member = await aMember(app);
  visitor.cookies.clear();
  await visitor.signIn(member.email);
  return { ...member, visitor };
}

const count = (statuses: number[], wanted: number) => statuses.filter((status) => status === wanted).length;

async function guess(email: string, times: number, visitorFor: (index: number) => Visitor) {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 20) {
    const some = Array.from({ length: Math.min(20, times - index) }, (_, at) => visitorFor(index + at));
    statuses.push(...(await Promise.all(some.map(async (one) => (await one.signIn(email, 'Wrong#2026')).status))));
  }
  return statuses;
}

describe('guessing one account', () => {
  it('from one address ends after five, and says when to come again', async () => {
    const { email } = await aMemberAt('192.0.2.1');
    const guesser = from(1);
    const statuses: number[] = [];
    for (let index = 0; index < 8; index++) statuses.push((await guesser.signIn(email, 'Wrong#2026')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const refused = await guesser.signIn(email);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30);
  });

  it('waits longer after every further failure', async () => {
    const { email } = await aMemberAt('192.0.2.2');
    const guesser = from(2);
    const waits: number[] = [];
    for (let index = 0; index < 8; index++) {
      const { status, headers } = await guesser.signIn(email, 'Wrong#2026');
      if (status !== 429) continue;
      waits.push(Math.ceil(Number(headers['retry-after']) / 60));
      // The time passes.
      await app.pool.query(
        `update sign_in_attempt set blocked_until = now() where place like 'address%' and account <> '*'`,
      );
    }
    await guesser.signIn(email, 'Wrong#2026');
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(new Set(waits).size).toBe(waits.length);
  });

  it(
    'from a thousand addresses reaches the password 20 times an hour at most, and the owner still comes in',
    { timeout: 120_000 },
    async () => {
      const { visitor, email } = await aMemberAt('192.0.2.3');
      const statuses = await guess(email, 1_000, (index) => from(70_000 + index));
      expect(count(statuses, 401)).toBeLessThanOrEqual(20);
      expect(count(statuses, 401) + count(statuses, 429)).toBe(1_000);
      // Their browser is known,
      expect((await visitor.signIn(email)).status).toBe(200);
      // and so is their address, should they have lost the cookies.
      const sameHome = new Visitor(app);
      sameHome.address = '192.0.2.3';
      expect((await sameHome.signIn(email)).status).toBe(200);
      // From a new device and a new place the mailbox is the way in.
      const abroad = from(99_999);
      expect((await abroad.signIn(email)).status).toBe(429);
      await abroad.auth('request-password-reset', { email });
      const token = (await linkIn(app, email)).searchParams.get('token');
      expect((await abroad.auth('reset-password', { token, newPassword: 'Squash$2027' })).status).toBe(200);
      expect((await abroad.signIn(email, 'Squash$2027')).status).toBe(200);
    },
  );

  it('that does not exist feels the same', async () => {
    const statuses = await guess(`${unique('nobody')}@example.com`, 60, (index) => from(200_000 + index));
    expect(count(statuses, 401)).toBe(10);
    expect(count(statuses, 429)).toBe(50);
  });

  it('is forgotten after a success', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.4');
    for (let round = 0; round < 3; round++) {
      for (let index = 0; index < 4; index++) await visitor.signIn(email, 'Wrong#2026');
      expect((await visitor.signIn(email)).status).toBe(200);
    }
  });

  it('with the cookie of a device of somebody else gains nothing', async () => {
    const { email } = await aMemberAt('192.0.2.5');
    const { visitor: other } = await aMemberAt('192.0.2.6');
    const cookie = other.cookies.get('rally.device') ?? '';
    const statuses = await guess(email, 40, (index) => {
      const guesser = from(300_000 + index);
      guesser.cookies.set('rally.device', index % 2 ? cookie : 'a.b');
      return guesser;
    });
    expect(count(statuses, 401)).toBe(10);
  });

  it('cannot be sped up by naming another address', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.7');
    const signIn = (who: Visitor, password: string, address: string) =>
      who.auth('sign-in/email', { email, password }, { 'x-forwarded-for': address, 'x-rally-client-address': address });
    const guesser = from(7);
    const statuses: number[] = [];
    for (let index = 0; index < 10; index++)
      statuses.push((await signIn(guesser, 'Wrong#2026', `203.0.113.${index}`)).status);
    expect(count(statuses, 401)).toBe(5);
    // The owner comes in with such a header, and is written down where they are.
    await app.pool.query('delete from session');
    expect((await signIn(visitor, goodPassword, '203.0.113.7')).status).toBe(200);
    const { rows } = await app.pool.query('select ip_address from session');
    expect(rows).toEqual([{ ip_address: '192.0.2.7' }]);
  });

  it('from inside a stolen session is as slow', async () => {
    const { visitor } = await aMemberAt('192.0.2.8');
    const statuses: number[] = [];
    for (let index = 0; index < 8; index++) {
      const body = { currentPassword: 'Wrong#2026', newPassword: 'Squash$2027' };
      statuses.push((await visitor.auth('change-password', body)).status);
    }
    expect(count(statuses, 400)).toBe(5);
    expect(count(statuses, 429)).toBe(3);
  });
});

it('the table of guesses names neither people nor places', async () => {
  const { email } = await aMemberAt('192.0.2.9');
  const { rows } = await app.pool.query('select account, place from sign_in_attempt');
  const text = JSON.stringify(rows);
  expect(text).not.toContain(email);
  expect(text).not.toContain('192.0.2.9');
});

it('nobody can fill a mailbox by asking for links', async () => {
  const { email } = await aMemberAt('192.0.2.10');
  for (let index = 0; index < 8; index++) await from(400_000 + index).auth('request-password-reset', { email });
  await app.settled();
  const letters = await app.mail.letters(email);
  expect(letters.length).toBeLessThanOrEqual(3);
});

it('one address cannot sign up without end', async () => {
  const strict = await testApp({ rateLimit: true, production: true });
  const visitor = new Visitor(strict);
  const statuses: number[] = [];
  for (let index = 0; index < 7; index++) {
    const form = {
      name: 'A',
      image: 'https://example.com/a.png',
      email: `${unique('a')}@example.com`,
      password: goodPassword,
    };
    statuses.push((await visitor.auth('sign-up/email', form)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  expect((await visitor.ask('GET', '/dev/mail')).status).toBe(404);
});
