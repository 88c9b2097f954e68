// Guessing passwords is slow from one address and from a thousand, and the owner still comes in.
// Mails and sign-ups: guesses.mails.test.ts.
import { describe, expect, it } from 'vitest';
import { testApp, unique } from '../../testing/app.ts';
import { placesOf } from '../../testing/places.ts';
import { aConfirmedMember, goodPassword, linkIn, Visitor } from '../../testing/visitor.ts';
import { codeOf } from '../../testing/totp.ts';
import { createGuesses, type Purpose } from './guesses.ts';
import { hashPassword } from './passwords.ts';

// The ordinary limits per address would hide what is tested here, so every guesser has an address
// of its own where it may.
const app = await testApp({ rateLimit: true });

const { from, aMemberAt } = placesOf(app);

const count = (statuses: number[], wanted: number) =>
  statuses.filter((status) => status === wanted).length;

/** A busy machine answers 503, and such a guess counts for nothing: it is made again. */
async function guessOnce(visitor: Visitor, email: string): Promise<number> {
  const { status } = await visitor.signIn(email, 'Wrong#2026');
  return status === 503 ? guessOnce(visitor, email) : status;
}

async function guess(email: string, times: number, visitorFor: (index: number) => Visitor) {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 20) {
    const some = Array.from({ length: Math.min(20, times - index) }, (_, at) =>
      visitorFor(index + at),
    );
    statuses.push(...(await Promise.all(some.map((one) => guessOnce(one, email)))));
  }
  return statuses;
}

describe('guessing one account', () => {
  it('from one address ends after five, and says when to come again', async () => {
    const { email } = await aMemberAt('192.0.2.1');
    const guesser = from(1);
    const statuses: number[] = [];
    for (let index = 0; index < 8; index++)
      statuses.push((await guesser.signIn(email, 'Wrong#2026')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    const refused = await guesser.signIn(email);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30);
  });

  it('counts no sign-in that a full queue of hashes refused', async () => {
    const { email, visitor } = await aMemberAt('192.0.2.9');
    const over = new AbortController();
    // Two are at work and 200 wait, the most that may: each waits again as soon as it is done.
    const queue = Array.from({ length: 202 }, async () => {
      while (!over.signal.aborted) await hashPassword('x');
    });
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries += 1) statuses.push((await visitor.signIn(email)).status);
    over.abort();
    await Promise.all(queue);
    expect(statuses).toEqual([503, 503, 503, 503, 503, 503]);
    expect((await visitor.signIn(email)).status).toBe(200);
  });

  it('counts no right password, whatever fails after it', async () => {
    const guesses = createGuesses(app, { secret: app.config.secret, enabled: true });
    const place = { who: unique('id'), address: from(9).address, device: undefined };
    for (let tries = 0; tries < 12; tries += 1)
      for (const purpose of ['sign-in', 'change'] as const)
        await (await guesses.charge({ ...place, purpose })).judge(Promise.resolve(true));
    const wrong = async () =>
      (await guesses.charge({ ...place, purpose: 'sign-in' })).judge(Promise.resolve(false));
    for (let tries = 0; tries < 5; tries += 1) expect(await wrong()).toBe(false);
    await expect(wrong()).rejects.toHaveProperty('code', 'RATE_LIMITED');
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
      const token = (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
      expect(
        (await abroad.auth('reset-password', { token, newPassword: 'Squash$2027' })).status,
      ).toBe(200);
      expect((await abroad.signIn(email, 'Squash$2027')).status).toBe(200);
    },
  );

  it('that does not exist feels the same', async () => {
    const statuses = await guess(`${unique('nobody')}@example.com`, 60, (index) =>
      from(200_000 + index),
    );
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

  it('with a device cookie and something behind it gains nothing', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.11');
    const cookie = visitor.cookies.get('rally.device') ?? '';
    const statuses = await guess(email, 30, (index) => {
      const guesser = from(500_000 + index);
      guesser.cookies.set('rally.device', `${cookie}.${index}`);
      return guesser;
    });
    expect(count(statuses, 401)).toBe(10);
  });

  it('with one device cookie at many addresses has the budget of one place', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.12');
    const cookie = visitor.cookies.get('rally.device') ?? '';
    const statuses: number[] = [];
    for (let index = 0; index < 8; index++) {
      const guesser = from(510_000 + index);
      guesser.cookies.set('rally.device', cookie);
      statuses.push((await guesser.signIn(email, 'Wrong#2026')).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });

  it('cannot be sped up by naming another address', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.7');
    const signIn = (who: Visitor, password: string, address: string) =>
      who.auth(
        'sign-in/email',
        { email, password },
        { 'x-forwarded-for': address, 'x-rally-client-address': address },
      );
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

/**
 * Whether this cookie opens the account from a new address after strangers have used up their
 * guesses.
 */
async function isKnown(email: string, password: string, cookie: string | undefined, at: number) {
  await guess(email, 12, (index) => from(at + index));
  const guest = from(at + 100);
  guest.cookies.set('rally.device', cookie ?? '');
  return (await guest.signIn(email, password)).status === 200;
}

const attempts = (id: string) => [
  `change ${id}`,
  `code ${id}`,
  `deletion ${id}`,
  id,
  `["change","${id}"]`,
];

describe('a device cookie', () => {
  const changed = 'Squash$2027';

  it('ends with a change of the password, but in the browser that changed it', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.13');
    const before = visitor.cookies.get('rally.device');
    expect(await isKnown(email, goodPassword, before, 520_000)).toBe(true);
    const body = { currentPassword: goodPassword, newPassword: changed };
    expect((await visitor.auth('change-password', body)).status).toBe(200);
    expect(await isKnown(email, changed, before, 521_000)).toBe(false);
    expect(await isKnown(email, changed, visitor.cookies.get('rally.device'), 522_000)).toBe(true);
  });

  it('ends with a new password from the mailbox, but in the browser that chose it', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.14');
    const before = visitor.cookies.get('rally.device');
    const mailed = from(530_500);
    await mailed.auth('request-password-reset', { email });
    const token = (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
    expect((await mailed.auth('reset-password', { token, newPassword: changed })).status).toBe(200);
    expect(await isKnown(email, changed, before, 530_000)).toBe(false);
    expect(await isKnown(email, changed, mailed.cookies.get('rally.device'), 531_000)).toBe(true);
  });
});

it('a new password forgets the wrong guesses of a thief at a change', async () => {
  const { visitor: thief, email } = await aMemberAt('192.0.2.16');
  const wrong = { currentPassword: 'Wrong#2026', newPassword: 'Padel$2028' };
  for (let time = 0; time < 5; time++) await thief.auth('change-password', wrong);
  expect((await thief.auth('change-password', wrong)).status).toBe(429);
  const owner = from(540_000);
  await owner.auth('request-password-reset', { email });
  const token = (await linkIn(app, email, '/resetpassword')).searchParams.get('token');
  await owner.auth('reset-password', { token, newPassword: 'Squash$2027' });
  await owner.signIn(email, 'Squash$2027');
  owner.address = thief.address;
  const right = { ...wrong, currentPassword: 'Squash$2027' };
  expect((await owner.auth('change-password', right)).status).toBe(200);
});

describe('a stranger who knows the id of an account', () => {
  it('cannot use up its guesses by signing in with a text that is no address', async () => {
    const { visitor, email } = await aMemberAt('192.0.2.15');
    const { id } = await app.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    for (const [at, text] of attempts(id).entries()) {
      const statuses = await guess(text, 14, (index) => from(540_000 + at * 100 + index));
      expect(count(statuses, 401)).toBe(14);
    }
    const body = { currentPassword: goodPassword, newPassword: 'Squash$2027' };
    expect((await visitor.auth('change-password', body)).status).toBe(200);
  });

  it('cannot reach the counter of another purpose with any text', async () => {
    const guesses = createGuesses(app, { secret: app.config.secret, enabled: true });
    const id = unique('id');
    const chargeOf = (purpose: Purpose, who: string, index: number) =>
      guesses.charge({ purpose, who, address: from(550_000 + index).address, device: undefined });
    for (const [at, text] of attempts(id).entries())
      for (let index = 0; index < 10; index++) await chargeOf('sign-in', text, at * 100 + index);
    await expect(chargeOf('sign-in', id, 90)).rejects.toHaveProperty('code', 'RATE_LIMITED');
    for (const purpose of ['change', 'code'] as const)
      await expect(chargeOf(purpose, id, 91)).resolves.toHaveProperty('succeeded');
  });
});

it.each(['', ' ', 'ada', 'ada@', '@example.com', 'a b@example.com', 'x'.repeat(254)])(
  'signing in as %j is refused like a wrong password',
  async (text) => {
    const malformed = await from(560_000).signIn(text);
    const unknown = await from(560_001).signIn(`${unique('nobody')}@example.com`);
    const shape = ({ status, body }: typeof malformed) => [status, { ...body, requestId: '' }];
    expect(shape(malformed)).toEqual(shape(unknown));
  },
);

it('the table of guesses names neither people nor places', async () => {
  const { email } = await aMemberAt('192.0.2.9');
  const { rows } = await app.pool.query('select account, place from sign_in_attempt');
  const text = JSON.stringify(rows);
  expect(text).not.toContain(email);
  expect(text).not.toContain('192.0.2.9');
});

it('a place of the sign-up is not known any more once the owner of the address has chosen a new password', async () => {
  const { email, visitor } = await aMemberAt('192.0.2.93');
  const token = (await linkIn(app, email)).searchParams.get('token');
  const owner = from(9_300);
  expect((await owner.auth('verify-email', { token, newPassword: 'Owner#2026' })).status).toBe(200);
  await guess(email, 10, (index) => from(9_310 + index));
  visitor.cookies.clear();
  expect((await visitor.signIn(email, 'Wrong#2026')).status).toBe(429);
  expect((await owner.signIn(email, 'Owner#2026')).status).toBe(200);
});

it('a place is not known any more once the password is changed', async () => {
  const { email, visitor } = await aMemberAt('192.0.2.94');
  const thief = from(9_400);
  expect((await thief.signIn(email)).status).toBe(200);
  const body = { currentPassword: goodPassword, newPassword: 'Owner#2026' };
  expect((await visitor.auth('change-password', body)).status).toBe(200);
  const wrong = await guess(email, 10, (index) => from(9_410 + index));
  expect(wrong).toEqual(Array<number>(10).fill(401));
  thief.cookies.clear();
  expect((await thief.signIn(email, 'Wrong#2026')).status).toBe(429);
  expect((await visitor.signIn(email, 'Owner#2026')).status).toBe(200);
});

it('a place is not known by a password that was replaced while the sign-in was under way', async () => {
  const { email } = await aMemberAt('192.0.2.95');
  const guesses = createGuesses(app, { secret: app.config.secret, enabled: true });
  const stranger = from(9_500);
  const visitor = {
    purpose: 'sign-in',
    who: email,
    address: stranger.address,
    device: undefined,
  } as const;
  const { rows } = await app.pool.query<{ hash: string }>(
    'select password as hash from account a join "user" u on u.id = a.user_id where u.email = $1',
    [email],
  );
  const underWay = await guesses.charge(visitor);
  const token = (await linkIn(app, email)).searchParams.get('token');
  expect(
    (await from(9_501).auth('verify-email', { token, newPassword: 'Owner#2026' })).status,
  ).toBe(200);
  await underWay.succeeded(rows[0]?.hash);
  await guess(email, 10, (index) => from(9_510 + index));
  expect((await stranger.signIn(email, 'Wrong#2026')).status).toBe(429);
});

it('codes that finish the set-up of two-step sign-in are counted, from however many addresses', async () => {
  const { visitor } = await aConfirmedMember(app);
  const { body } = await visitor.auth('two-factor/enable', { password: goodPassword });
  const secret = String(body['secret']);
  const right = new Set([-1, 0, 1].map((ahead) => codeOf(secret, ahead)));
  const wrong = ['000000', '111111', '222222', '333333'].find((code) => !right.has(code));
  const answers: string[] = [];
  for (const [nth, code] of [...Array<string>(12).fill(wrong ?? ''), codeOf(secret)].entries()) {
    visitor.address = `198.51.${nth}.1`;
    answers.push(String((await visitor.auth('two-factor/verify', { code })).body.code));
  }
  expect(answers.filter((code) => code === 'WRONG_CODE').length).toBeLessThanOrEqual(10);
  expect(answers.at(-1)).toBe('RATE_LIMITED');
});
