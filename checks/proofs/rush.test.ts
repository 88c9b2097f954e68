// The rush on one class, over HTTP, against two server processes on one PostgreSQL.
// `npm run proofs -- rush` sells out twenty classes.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokens } from '../../server/signin/tokens.ts';
import { testKeys } from '../../server/testing/app.ts';
import { aShop, balanced, rowsOf, seats } from '../../server/testing/checkout.ts';
import { aClass, aUser } from '../../server/testing/factories.ts';
import { lengthOf } from '../../server/testing/length.ts';

const rounds = lengthOf(1);
const buyersInAll = 500;
const seatsToSell = 20;

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

/** A separate process; resolves to its address. */
async function startProcess(...more: string[]): Promise<string> {
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'rushprocess.ts'),
      `--database=${app.url}`,
      `--sandbox=${shop.sandbox.url}`,
      `--secret=${app.config.secret}`,
      `--keys=${JSON.stringify(testKeys)}`,
      ...more,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  children.push(child);
  return new Promise((done, failed) => {
    child.stdout?.once('data', (line: Buffer) => done(String(line).trim()));
    child.once('exit', (code) => failed(new Error(`a server process ended with ${code}`)));
  });
}

let buyers: { id: string; token: string }[] = [];
let doors: string[] = [];

beforeAll(async () => {
  doors = await Promise.all([startProcess(), startProcess()]);
  await provider.pointTo(`${doors[0]}/api/webhooks/stripe`);
  const tokens = createTokens(app.config);
  const { rows } = await app.pool.query<{ id: string; session: string }>(
    `with people as (insert into "user" (name, email) select 'Buyer ' || n, gen_random_uuid() || '@example.com' from generate_series(1, $1) n returning id)
     insert into session (user_id, secret_hash, expires_at) select id, sha256(id::text::bytea), now() + interval '1 day' from people
     returning user_id as id, id as session`,
    [buyersInAll],
  );
  buyers = await Promise.all(
    rows.map(async ({ id, session }) => ({
      id,
      token: await tokens.sign({ userId: id, sessionId: session }),
    })),
  );
}, 600_000);

/** Like the browser: after 503 it tries again after Retry-After. */
async function ask(door: string, path: string, token: string, body: object) {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`${door}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as {
      clientSecret?: string;
      holdId?: string;
      code?: string;
    };
    if (response.status !== 503 || tries === 30) return { ...answer, status: response.status };
    await new Promise((later) =>
      setTimeout(later, 1_000 * Number(response.headers.get('retry-after') ?? 1)),
    );
  }
}

const fillCarts = (who: { id: string }[], classId: string) =>
  app.pool.query(
    `insert into cart_item (student_id, participant_id, class_id, seen_price_cents) select id, id, $2, 1999 from unnest($1::uuid[]) id`,
    [who.map(({ id }) => id), classId],
  );

const allAsk = (places: string[], classId: string) =>
  Promise.all(
    buyers.map(({ token }, index) =>
      ask(places[index % places.length] ?? '', '/create-payment-intent', token, {
        price: 19.99,
        itemId: classId,
      }),
    ),
  );

describe(`${buyersInAll} buyers, ${seatsToSell} seats, two processes`, () => {
  it(`sells exactly ${seatsToSell} in each of ${rounds} rounds`, async () => {
    for (let round = 0; round < rounds; round++) {
      const klass = await aClass(app, { capacity: seatsToSell });
      await fillCarts(buyers, klass.id);
      const answers = await allAsk(doors, klass.id);
      const winners = answers.flatMap((answer, index) =>
        answer.status === 200 ? [{ ...answer, buyer: buyers[index] }] : [],
      );
      expect(winners).toHaveLength(seatsToSell);
      expect(answers.filter(({ code }) => code === 'SOLD_OUT')).toHaveLength(
        buyersInAll - seatsToSell,
      );
      expect(await seats(app, klass.id)).toMatchObject({ held: seatsToSell, sold: 0 });
      await Promise.all(
        winners.map(async ({ clientSecret = '', buyer }, index) => {
          await provider.confirm(clientSecret);
          const transactionId = clientSecret.split('_secret_')[0];
          await ask(doors[index % 2] ?? '', '/payments', buyer?.token ?? '', { transactionId });
        }),
      );
      expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: seatsToSell });
    }
    await balanced(shop);
  }, 900_000);
});

describe('one student, a hundred tabs, two processes', () => {
  it('get one hold, one intent, one enrolment', async () => {
    const klass = await aClass(app);
    const who = await aUser(app);
    await fillCarts([who], klass.id);
    const tabs = await Promise.all(
      Array.from({ length: 100 }, (_, tab) =>
        ask(doors[tab % 2] ?? '', '/create-payment-intent', who.token, {
          price: 19.99,
          itemId: klass.id,
        }),
      ),
    );
    expect(new Set(tabs.map(({ status, clientSecret }) => `${status} ${clientSecret}`)).size).toBe(
      1,
    );
    const [{ clientSecret = '' } = {}] = tabs;
    const confirmed = await Promise.all(
      Array.from({ length: 10 }, () => provider.confirm(clientSecret)),
    );
    expect(confirmed.filter(({ body }) => body.status === 'succeeded')).toHaveLength(1);
    const transactionId = clientSecret.split('_secret_')[0];
    const recorded = await Promise.all(
      Array.from({ length: 100 }, (_, tab) =>
        ask(doors[tab % 2] ?? '', '/payments', who.token, { transactionId }),
      ),
    );
    expect(recorded.every(({ status }) => status === 200 || status === 201)).toBe(true);
    const own = `student_id = '${who.id}'`;
    expect([
      await rowsOf(app, 'hold', own),
      await rowsOf(app, 'payment', own),
      await rowsOf(app, 'enrolment', own),
    ]).toMatchObject([
      [{ state: 'consumed' }],
      [{ intent_id: transactionId }],
      [{ state: 'active' }],
    ]);
    expect(await provider.list(`charges?payment_intent=${transactionId}`)).toHaveLength(1);
  }, 600_000);
});

// Last: nothing guards the seats any more.
it('control: a claim that reads first and writes later oversells', async () => {
  const unguarded = await Promise.all([startProcess('--unguarded'), startProcess('--unguarded')]);
  await app.pool.query('alter table class drop constraint class_seats');
  await app.pool.query('drop index hold_slot');
  const klass = await aClass(app, { capacity: seatsToSell });
  await allAsk(unguarded, klass.id);
  const { held } = await seats(app, klass.id);
  expect(held).toBeGreaterThan(seatsToSell);
}, 600_000);
