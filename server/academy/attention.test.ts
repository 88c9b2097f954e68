// An admin retries a failed refund and closes an unmatched payment.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { listAttention, refundPayment, resolveStray } from '../../contract/checkout/payments.ts';
import { adminFigures } from '../../contract/academy/figures.ts';
import { retryEvent, retryJob, sendRefundAgain } from '../../contract/checkout/sums.ts';
import { aDeadJob, wakeMails } from '../testing/jobs.ts';
import { mail } from '../mail/kinds.ts';
import { aUser, anAdmin } from '../testing/factories.ts';
import {
  aBoughtSeat,
  aShop,
  balanced,
  ofIntent,
  rowsOf,
  settleAll,
  until,
} from '../testing/checkout.ts';

const shop = await aShop();
const { app, provider } = shop;
const [admin, other] = [await anAdmin(app), await anAdmin(app)];
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

const refundsAt = (intent: string) => provider.list(`refunds?payment_intent=${intent}`);
const entryOf = async (id: string) =>
  (await app.send(listAttention, {}, admin.token)).body.find(({ _id }) => _id === id);
const statusBecomes = (intent: string, wanted: string) =>
  until(
    async () => (await rowsOf(app, 'payment', ofIntent(intent)))[0]?.status,
    (status) => status === wanted,
  );
const saidOf = (subject: string) => rowsOf(app, 'audit', `subject = '${subject}'`);

/** A refund that the bank turned down days after it was sent. */
async function aFailedRefund() {
  const bought = await aBoughtSeat(shop);
  await app.send(refundPayment, { id: bought.paymentId, reason: 'The child is ill.' }, admin.token);
  await statusBecomes(bought.intent, 'refunded');
  const [sent] = await refundsAt(bought.intent);
  await provider.knob('POST', `/sandbox/refunds/${sent?.id}`, { status: 'failed' });
  expect(await statusBecomes(bought.intent, 'refund_failed')).toBe('refund_failed');
  return bought;
}

describe('a failed refund', () => {
  it('is sent again once, however many ask, and leaves the list', async () => {
    const failed = await aFailedRefund();
    expect(await entryOf(failed.paymentId)).toBeDefined();
    const press = (by: { token: string }) =>
      app.send(sendRefundAgain, { id: failed.paymentId }, by.token);
    const answers = await Promise.all(Array.from({ length: 10 }, () => press(other)));
    const sum = answers.reduce((total, { body }) => total + body.modifiedCount, 0);
    expect(sum).toBe(1);
    expect(await entryOf(failed.paymentId)).toBeUndefined();
    expect(await statusBecomes(failed.intent, 'refunded')).toBe('refunded');
    await settleAll(app);
    expect((await press(admin)).body).toEqual({ modifiedCount: 0 });
    expect(await rowsOf(app, 'refund', `payment_id = '${failed.paymentId}'`)).toMatchObject([
      { state: 'succeeded', round: 2, reason: 'The child is ill.', asked_by: other.id },
    ]);
    const said = await saidOf(failed.paymentId);
    expect(said).toContainEqual(
      expect.objectContaining({ action: 'refund sent again', actor_id: other.id }),
    );
    const sent = (await refundsAt(failed.intent)).map(({ status }) => status);
    expect(sent.toSorted()).toEqual(['failed', 'succeeded']);
  });

  it('is not found for a payment that has none', async () => {
    const { paymentId: id } = await aBoughtSeat(shop);
    expect((await app.send(sendRefundAgain, { id }, admin.token)).status).toBe(404);
    expect(await rowsOf(app, 'refund', `payment_id = '${id}'`)).toEqual([]);
  });
});

async function aStray(): Promise<string> {
  const { body } = await provider.ask('POST', '/v1/payment_intents', {
    amount: '1999',
    currency: 'usd',
    confirm: 'true',
    'payment_method_types[0]': 'card',
    payment_method: 'pm_card_visa',
    'metadata[app]': 'rally',
    'metadata[env]': new URL(app.config.publicUrl).host,
  });
  expect(await app.money.settle(body.id)).toEqual({ outcome: 'quarantined' });
  return body.id;
}
const resolve = (id: string, reason: string, by = admin) =>
  app.send(resolveStray, { id, reason }, by.token);

describe('a payment that we cannot assign', () => {
  it('is closed with a reason, and its money is not moved', async () => {
    const id = await aStray();
    const before = (await app.send(adminFigures, {}, admin.token)).body.attention;
    expect(await entryOf(id)).toBeDefined();
    expect(await resolve(id, ' ')).toMatchObject({ status: 400, body: { field: 'reason' } });
    expect(await entryOf(id)).toBeDefined();
    const by = [resolve(id, 'Paid back by hand.'), resolve(id, 'Mine.', other)];
    const counts = (await Promise.all(by)).map(({ body }) => body.modifiedCount);
    expect(new Set(counts)).toEqual(new Set([0, 1]));
    await settleAll(app);
    expect(await entryOf(id)).toBeUndefined();
    expect((await app.send(adminFigures, {}, admin.token)).body.attention).toBe(before - 1);
    expect(await saidOf(id)).toMatchObject([{ action: 'stray payment resolved' }]);
    expect(await provider.intent(id)).toMatchObject({ status: 'succeeded' });
    expect(await refundsAt(id)).toEqual([]);
  });
});

describe('an event that failed', () => {
  it('is handled again at once when an admin asks for it', async () => {
    const bought = await aBoughtSeat(shop);
    const eventId = `evt_${bought.intent.replace('pi_', '')}`;
    await app.pool.query(
      `insert into stripe_event (event_id, type, object_id, state, attempts, received_at, next_try)
       values ($1, 'payment_intent.succeeded', $2, 'failed', 9, now() - interval '1 hour', now() + interval '1 hour')`,
      [eventId, bought.intent],
    );
    expect(await entryOf(eventId)).toMatchObject({ kind: 'event', intentId: bought.intent });
    const again = () => app.send(retryEvent, { id: eventId }, admin.token);
    expect((await again()).body).toEqual({ modifiedCount: 1 });
    await until(
      async () => (await rowsOf(app, 'stripe_event', `event_id = '${eventId}'`))[0]?.state,
      (state) => state === 'done',
    );
    expect((await again()).body).toEqual({ modifiedCount: 0 });
    expect(await saidOf(eventId)).toMatchObject([{ action: 'event tried again' }]);
    expect((await app.send(retryEvent, { id: 'evt_unknown' }, admin.token)).status).toBe(404);
  });
});

describe('a job that gave up', () => {
  it('is listed without its words, and runs again when asked to', async () => {
    const who = await aUser(app);
    const id = await aDeadJob(app, mail('sign-up-again', { to: who.id }));
    expect(await entryOf(id)).toMatchObject({
      kind: 'job',
      what: `A mail could not be sent to ${who.email}`,
      detail: '550 no such mailbox',
    });
    const answers = await Promise.all([1, 2].map(() => app.send(retryJob, { id }, admin.token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
    await wakeMails(app);
    await until(
      async () => (await app.mail.messages(who.email))[0]?.subject,
      (subject) => subject === 'Sign-up attempt with your address',
    );
    expect(await entryOf(id)).toBeUndefined();
  });
});
