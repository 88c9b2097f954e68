// The real app on a real port with a card sandbox that sends it webhooks, students who buy, and the
// check of the books at the end.
import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { addToCart } from '../../contract/checkout/cart.ts';
import { createIntent, recordPayment } from '../../contract/checkout/payments.ts';
import { dollars } from '../../contract/platform/rules.ts';
import { createSandbox } from '../../packages/sandbox/sandbox.ts';
import { checkBooks } from '../checkout/books.ts';
import type { Config } from '../platform/config.ts';
import { sql } from '../platform/db/connection.ts';
import type { Cards } from '../platform/cards.ts';
import { appOn, type Outside, type TestApp, testApp, unique } from './app.ts';
import { aClass, aUser, type TestUser } from './factories.ts';
import { cardProvider, secretOf, testKeys } from './provider.ts';
import { inTheEnd } from './tidy.ts';

export { type Answered, cardProvider, type Fault, secretOf } from './provider.ts';
export { aWire } from './wire.ts';

export type Shop = Awaited<ReturnType<typeof aShop>>;
/** The app, or that of a second process. */
export type Asks = Pick<TestApp, 'send'>;
export type Class = Awaited<ReturnType<typeof aClass>>;

/** `tells: false`: the sandbox sends its webhooks nowhere. */
export async function aShop(changed: Partial<Config> = {}, { tells = true, timers = false } = {}) {
  const sandbox = await createSandbox({
    secretKey: testKeys.secretKey,
    publishableKey: testKeys.publishableKey,
  });
  const app = await testApp(changed, { sandbox: sandbox.url, timers });
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const webhook = `${address}/api/webhooks/stripe`;
  const provider = cardProvider(sandbox.url);
  if (tells) await provider.pointTo(webhook);
  inTheEnd(async () => {
    await sandbox.close();
  });
  return {
    app,
    sandbox,
    address,
    webhook,
    provider,
    /** A second process on the same database and the same provider. Jobs are done by the first. */
    another: (further: Partial<Config> = {}, outside: Outside = {}) =>
      appOn(app.url, further, { ...outside, sandbox: sandbox.url, works: false }),
  };
}

/** A student with a class in the cart. */
export async function aShopper(
  app: TestApp,
  klass?: Class,
): Promise<{ who: TestUser; klass: Class; item: string }> {
  const chosen = klass ?? (await aClass(app));
  const who = await aUser(app);
  return { who, klass: chosen, item: await intoCart(app, who, chosen) };
}

export async function intoCart(app: TestApp, who: TestUser, klass: Class): Promise<string> {
  const { body } = await app.send(addToCart, { itemId: klass.id }, who.token);
  return body.insertedId;
}

export const openIntent = (app: Asks, who: TestUser, klass: Pick<Class, 'id' | 'priceCents'>) =>
  app.send(createIntent, { price: dollars(klass.priceCents), itemId: klass.id }, who.token);

export const record = (app: Asks, who: TestUser, clientSecret: string) =>
  app.send(recordPayment, { transactionId: secretOf(clientSecret).intent }, who.token);

/** A purchase up to the card: a held seat and the client secret. */
export async function aHeldSeat({ app }: Pick<Shop, 'app'>, klass?: Class) {
  const shopper = await aShopper(app, klass);
  const { status, body } = await openIntent(app, shopper.who, shopper.klass);
  expect({ status, code: body.code }).toEqual({ status: 200 });
  return { ...shopper, ...body, intent: secretOf(body.clientSecret).intent };
}

/** A purchase up to the charge. We were not notified of the charge. */
export async function aPaidSeat(shop: Pick<Shop, 'app' | 'provider'>, klass?: Class) {
  const held = await aHeldSeat(shop, klass);
  const { body } = await shop.provider.confirm(held.clientSecret);
  expect(body.status).toBe('succeeded');
  return held;
}

/** A bought seat, recorded by the browser. */
export async function aBoughtSeat(shop: Pick<Shop, 'app' | 'provider'>, klass?: Class) {
  const paid = await aPaidSeat(shop, klass);
  const { body } = await record(shop.app, paid.who, paid.clientSecret);
  return { ...paid, paymentId: body.insertResult.insertedId };
}

/** Polls until a condition holds, for up to a minute. */
export async function until<T>(
  what: () => Promise<T>,
  holds: (value: T) => boolean = Boolean,
): Promise<T> {
  for (const end = Date.now() + 60_000; ;) {
    const value = await what();
    if (holds(value) || Date.now() > end) return value;
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** The rows, once there is one. */
export const some = <Row>(read: () => Promise<Row[]>) => until(read, ({ length }) => length > 0);

/** The payment was cancelled at the provider: no card can be charged for it any more. */
export async function refusesCards({ provider }: Pick<Shop, 'provider'>, clientSecret: string) {
  const { error } = (await provider.confirm(clientSecret)).body;
  expect(error?.code).toBe('payment_intent_unexpected_state');
}

/** All mails of an address, once there are so many. */
export const mailsTo = (app: TestApp, { email }: { email: string }, count = 1) =>
  until(
    () => app.mail.messages(email),
    (all) => all.length >= count,
  );

/**
 * Runs all periodic work until nothing is left, then expects the check of the books to find
 * nothing.
 */
export async function balanced({ app }: { app: TestApp }): Promise<void> {
  await settleAll(app);
  expect(await booksOf(app)).toEqual([]);
}

/** What the check of the books says now. */
export const booksOf = (app: TestApp, db = app.db) =>
  checkBooks(db, app.cards, { ...app.config, graceSeconds: 0, since: new Date(0) });

/** What the check says while these statements hold. They are undone. */
export async function saidAfter(app: TestApp, ...planted: string[]): Promise<string> {
  const undone = new Error('undone');
  const said: string[] = [];
  const run = app.db.transaction().execute(async (db) => {
    for (const statement of planted) await sql.raw(statement).execute(db);
    said.push(...(await booksOf(app, db)));
    throw undone;
  });
  await expect(run).rejects.toBe(undone);
  return said.join('\n');
}

export async function settleAll(app: TestApp): Promise<void> {
  for (let round = 0; round < 3; round++) {
    // Tests do not wait for back-off. One transaction each: another order of locks could deadlock.
    for (const late of [
      `hold set next_try = now() where state = 'releasing'`,
      `basket set next_try = now() where state = 'closing'`,
      `stripe_event set next_try = now() where state <> 'done'`,
      `refund set next_try = now() where state in ('due', 'sent')`,
    ])
      await app.pool.query(`update ${late}`);
    await app.money.sweep();
    // It asks about every open payment.
    if (round === 0) await app.money.reconcile(0);
  }
  await app.money.lookBack();
}

export const expire = (app: TestApp, holdId: string) =>
  app.pool.query(`update hold set expires_at = now() - interval '1 second' where id = $1`, [
    holdId,
  ]);

export async function seats(app: TestApp, classId: string) {
  const { rows } = await app.pool.query<{ held: number; sold: number; capacity: number }>(
    'select held, sold, capacity from class where id = $1',
    [classId],
  );
  return rows[0] ?? { held: -1, sold: -1, capacity: -1 };
}

type Table =
  | 'basket'
  | 'hold'
  | 'payment'
  | 'enrolment'
  | 'refund'
  | 'quarantine'
  | 'audit'
  | 'stripe_event';
interface Row extends Record<string, unknown> {
  id: string;
  state: string;
  status: string;
  intent_id: string;
}

/** With the class and the hold of the first line. */
const from: Partial<Record<Table, string>> = {
  payment: `(select payment.*, line.class_id, line.hold_id from payment
    left join payment_line line on line.payment_id = payment.id and line.place = 1) payment`,
};

export async function rowsOf(app: TestApp, table: Table, where = 'true') {
  const { rows } = await app.pool.query<Row>(
    `select * from ${from[table] ?? table} where ${where}`,
  );
  return rows;
}

/** The rows that belong to an intent. */
export const ofIntent = (id: string) => `intent_id = '${id}'`;

export const paymentOf = async (app: TestApp, intent: string) =>
  (await rowsOf(app, 'payment', ofIntent(intent)))[0];

/** The status of a payment, once it is the wanted one. */
export const statusBecomes = (app: TestApp, intent: string, wanted: string) =>
  until(
    async () => (await paymentOf(app, intent))?.status,
    (status) => status === wanted,
  );

/** The holds of the basket that has an intent. */
export const inBasketOf = (id: string) =>
  `basket_id in (select id from basket where intent_id = '${id}')`;

export const enrolled = (app: TestApp, who: Pick<TestUser, 'id'>) =>
  rowsOf(app, 'enrolment', `student_id = '${who.id}' and state = 'active'`);

/**
 * A process that dies during a call to the provider: before the request is sent, or after the
 * response. From then on its calls never return, which looks like a killed process from outside.
 */
export const dying =
  (asking: keyof Cards, when: 'before' | 'after') =>
  (cards: Cards): Cards =>
    new Proxy(cards, {
      get(target, name: keyof Cards) {
        const real = target[name];
        if (name !== asking || typeof real !== 'function') return real;
        return async (...question: unknown[]) => {
          if (when === 'after')
            await (real as (...given: unknown[]) => Promise<unknown>)(...question);
          return new Promise(() => undefined);
        };
      },
    });

/** An event as the provider would send it, signed with our secret (or another). */
export function signed(
  event: object,
  secret = testKeys.webhookSecret,
  at = Math.floor(Date.now() / 1_000),
) {
  const payload = JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex');
  return {
    payload,
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` },
  };
}

export const anEvent = (type: string, intent: string, id = unique('evt').replace('-', '_')) => ({
  id,
  object: 'event',
  api_version: '2026-10-28.endive',
  created: Math.floor(Date.now() / 1_000),
  livemode: false,
  type,
  data: { object: { id: intent, object: 'payment_intent' } },
});

export const tell = (app: TestApp, message: ReturnType<typeof signed>) =>
  app.ask({ method: 'POST', url: '/api/webhooks/stripe', ...message });
