import { Client } from 'pg';
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest';
import { listCart } from '../../../contract/checkout/cart.ts';
import { updateClass } from '../../../contract/classes/classes.ts';
import {
  getReceipt,
  listAttention,
  listEnrolments,
  listPayments,
  recordPayment,
} from '../../../contract/checkout/payments.ts';
import { cents } from '../../../contract/platform/rules.ts';
import { appOn } from '../../testing/app.ts';
import { aClass, aUser, anAdmin } from '../../testing/factories.ts';
import {
  aBoughtSeat,
  aHeldSeat,
  aPaidSeat,
  aShop,
  balanced,
  dying,
  enrolled,
  mailsTo,
  ofIntent,
  record,
  refusesCards,
  rowsOf,
  seats,
  settleAll,
  until,
} from '../../testing/checkout.ts';
import { databaseUrl, dropDatabase } from '../../testing/postgres.ts';
import { readCalendar } from '../../testing/icalendar.ts';
import { aMeeting } from '../../testing/meetings.ts';

// Without webhooks: these tests must pass without them.
const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

describe('recording a payment', () => {
  it('attaches the dates of the class to the receipt', async () => {
    const klass = await aClass(app);
    const { id } = await aMeeting(app, klass);
    const { who, clientSecret } = await aPaidSeat(shop, klass);
    await record(app, who, clientSecret);
    const [mail] = await mailsTo(app, who);
    expect(mail?.text).toContain('The dates are attached for your calendar.');
    const { calendar = '' } = app.sent.find(({ to }) => to === who.email) ?? {};
    expect(readCalendar(calendar).events).toMatchObject([
      { uid: expect.stringContaining(id), summary: klass.name },
    ]);
  });

  it('writes payment and enrolment, empties the cart, takes the seat and mails the receipt', async () => {
    const { who, klass, clientSecret, intent } = await aPaidSeat(
      shop,
      await aClass(app, { cents: 1_999, schedule: 'Mon 16:00', place: 'Court 1' }),
    );
    const { status, body } = await record(app, who, clientSecret);
    expect({ status, recorded: body.status }).toEqual({ status: 201, recorded: 'pending' });
    const [payment] = (await app.send(listPayments, { email: who.email }, who.token)).body;
    expect(payment).toMatchObject({
      _id: body.insertResult.insertedId,
      email: who.email,
      customer: who.name,
      itemId: klass.id,
      itemName: klass.name,
      transactionId: intent,
      price: 19.99,
      status: 'pending',
    });
    const year = payment?.date.slice(0, 4);
    expect(payment?.receiptNumber).toMatch(new RegExp(`^R-${year}-\\d{6}$`));
    expect(payment?.date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await app.send(listEnrolments, {}, who.token)).body).toMatchObject([
      {
        itemId: klass.id,
        name: klass.name,
        email: who.email,
        price: 19.99,
        paymentId: payment?._id,
      },
    ]);
    expect((await app.send(listCart, { email: who.email }, who.token)).body).toEqual([]);
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 1 });
    const [mail] = await mailsTo(app, who);
    expect(mail?.text).toContain('$19.99');
    expect(mail?.text).toContain(`Receipt: ${payment?.receiptNumber}`);
    expect(mail?.text).toContain('When: Mon 16:00\nWhere: Court 1\nInstructor: ');
    expect(mail?.text).toContain(`/dashboard/receipt/${payment?._id}`);
    const receipt = await app.send(getReceipt, { id: payment?._id ?? '' }, who.token);
    expect(receipt.body).toMatchObject({
      brand: app.config.brand,
      instructor: klass.instructor,
      schedule: 'Mon 16:00',
      place: 'Court 1',
      receiptNumber: payment?.receiptNumber,
      refundedAt: null,
    });
  });

  it('trusts nothing in the body: a mismatch is refused, and written to the audit log once a day', async () => {
    const { who, clientSecret, intent, klass } = await aPaidSeat(shop);
    const foreign = await aClass(app);
    for (const wrong of [
      { price: 0.5 },
      { price: '19.98' },
      { itemId: foreign.id },
      { email: 'someone@example.com' },
    ]) {
      const answer = await app.send(recordPayment, { transactionId: intent, ...wrong }, who.token);
      expect(answer.body.code).toBe('PAYMENT_MISMATCH');
    }
    expect(await rowsOf(app, 'payment', ofIntent(intent))).toEqual([]);
    const { rows } = await app.pool.query(
      `select detail from audit where action = 'payment mismatch' and actor_id = $1`,
      [who.id],
    );
    expect(rows).toEqual([{ detail: 'price' }]);
    const whole = {
      transactionId: intent,
      email: who.email,
      customer: 'Somebody Else',
      itemId: klass.id,
      price: 19.99,
      date: '1999-01-01T00:00:00Z',
      status: 'succeeded',
      itemName: 'Another name',
    };
    expect((await app.send(recordPayment, whole, who.token)).body.status).toBe('pending');
    const [payment] = (await app.send(listPayments, {}, who.token)).body;
    expect(payment).toMatchObject({ customer: who.name, itemName: klass.name, status: 'pending' });
    expect(payment?.date.slice(0, 4)).not.toBe('1999');
    expect((await record(app, who, clientSecret)).status).toBe(200);
  });

  it('writes nothing for a random, foreign, unpaid, underpaid or other account’s transaction id', async () => {
    const [mine, other, unpaid] = [await aUser(app), await aPaidSeat(shop), await aHeldSeat(shop)];
    const stray = await provider.ask('POST', '/v1/payment_intents', {
      amount: '1999',
      currency: 'usd',
      'payment_method_types[0]': 'card',
    });
    const before = await rowsOf(app, 'payment');
    for (const transactionId of [
      'pi_random',
      `pi_${'x'.repeat(240)}`,
      other.intent,
      stray.body.id,
    ]) {
      expect((await app.send(recordPayment, { transactionId }, mine.token)).body.code).toBe(
        'PAYMENT_UNKNOWN',
      );
    }
    const early = await record(app, unpaid.who, unpaid.clientSecret);
    expect(early.body.code).toBe('PAYMENT_NOT_COMPLETED');
    expect(await rowsOf(app, 'payment')).toEqual(before);
  });

  it('loses no cent of any price from 0.50 to 10,000.00', () => {
    let wrong = 0;
    for (let amount = 50; amount <= 1_000_000; amount++) {
      if (cents(amount / 100) !== amount || cents((amount / 100).toFixed(2)) !== amount) wrong++;
    }
    expect(wrong).toBe(0);
    expect(cents(19.99)).toBe(1_999);
  });
});

/** Copying a database requires that it has no connections. The app reconnects automatically. */
async function backUp(server: string, name: string, backup: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`alter database ${name} allow_connections false`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    name,
  ]);
  await until(() =>
    client.query(`create database ${backup} template ${name}`).then(
      () => true,
      () => false,
    ),
  );
  await client.query(`alter database ${name} allow_connections true`);
  await client.end();
}

describe('from the card to the record', () => {
  it('crash point 8: a second Pay after a lost response is refused by the provider: one charge', async () => {
    const paid = await aPaidSeat(shop);
    await refusesCards(shop, paid.clientSecret);
    expect((await record(app, paid.who, paid.clientSecret)).status).toBe(201);
    expect(await provider.list(`charges?payment_intent=${paid.intent}`)).toHaveLength(1);
  });

  it('crash point 9: the process dies while it asks the provider; the retry reaches another and is recorded', async () => {
    const dead = await shop.another({}, { between: dying('intent', 'after') });
    const paid = await aPaidSeat(shop);
    void record(dead, paid.who, paid.clientSecret);
    expect((await record(app, paid.who, paid.clientSecret)).status).toBe(201);
    expect(await enrolled(app, paid.who)).toHaveLength(1);
    await dead.close();
  });

  it('crash points 10 and 11: the webhook was first, or the answer was lost: POST /payments returns the payment', async () => {
    const paid = await aPaidSeat(shop);
    await app.money.sync(paid.intent);
    const [settled] = await rowsOf(app, 'payment', ofIntent(paid.intent));
    const { status, body } = await record(app, paid.who, paid.clientSecret);
    expect({ status, id: body.insertResult.insertedId }).toEqual({ status: 200, id: settled?.id });
    expect(await record(app, paid.who, paid.clientSecret)).toMatchObject({ status: 200, body });
  });

  it('crash point 12: fifty concurrent callers, from all three sides and two processes: one payment, one mail', async () => {
    const twin = await shop.another();
    for (let round = 0; round < 5; round++) {
      const paid = await aPaidSeat(shop);
      const ids = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const side = index % 2 ? app : twin;
          if (index % 3 === 0)
            return (await record(side, paid.who, paid.clientSecret)).body.insertResult.insertedId;
          if (index % 3 === 1) return (await side.money.sync(paid.intent), null);
          const settled = await side.money.settle(paid.intent);
          return settled.outcome === 'recorded' ? settled.payment.id : 'none';
        }),
      );
      expect(new Set(ids.filter((id) => id !== null)).size).toBe(1);
      expect(await rowsOf(app, 'payment', ofIntent(paid.intent))).toHaveLength(1);
      expect(await enrolled(app, paid.who)).toHaveLength(1);
      await mailsTo(app, paid.who);
      expect(await app.mail.messages(paid.who.email)).toHaveLength(1);
    }
    await twin.close();
  });

  it('crash point 13: POST /payments before the bank has decided writes nothing; later the payment is recorded', async () => {
    const held = await aHeldSeat(shop);
    expect((await provider.confirm(held.clientSecret, 'threeDSecure2Required')).body.status).toBe(
      'requires_action',
    );
    const early = await record(app, held.who, held.clientSecret);
    expect(early).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_NOT_COMPLETED', status: 'requires_action' },
    });
    expect(await rowsOf(app, 'payment', ofIntent(held.intent))).toEqual([]);
    await provider.answerChallenge(held.intent, 'pass');
    await app.money.reconcile(0);
    expect(await enrolled(app, held.who)).toHaveLength(1);
  });

  it('crash point 13: a payment that the bank processes for a while succeeds or fails completely', async () => {
    for (const outcome of ['succeed', 'fail'] as const) {
      const held = await aHeldSeat(shop);
      const confirming = `POST /v1/payment_intents/${held.intent}/confirm`;
      await provider.fails(confirming, { effect: 'processing', ms: 30_000, outcome });
      await provider.confirm(held.clientSecret);
      expect((await record(app, held.who, held.clientSecret)).body.status).toBe('processing');
      await provider.advance(31);
      await until(async () => (await provider.intent(held.intent)).status !== 'processing');
      await app.money.reconcile(0);
      expect(await enrolled(app, held.who)).toHaveLength(outcome === 'succeed' ? 1 : 0);
    }
  });

  it('keeps the seat of a student who paid while the class became pending again', async () => {
    const paid = await aPaidSeat(shop);
    const { id } = paid.klass;
    await app.send(updateClass, { id, name: 'New words' }, (await anAdmin(app)).token);
    const again = `update class set status = 'pending', proposed_at = now() where id = $1`;
    await app.pool.query(again, [id]);
    expect((await record(app, paid.who, paid.clientSecret)).body.status).toBe('pending');
    expect(await enrolled(app, paid.who)).toHaveLength(1);
  });

  it('crash point 26: an older backup is restored: the money taken since becomes enrolments or refunds', async () => {
    const server = inject('postgres');
    const name = new URL(app.url).pathname.slice(1);
    const backup = `${name}_backup`;
    const klass = await aClass(app, { capacity: 12 });
    const before = await aBoughtSeat(shop, klass);
    await backUp(server, name, backup);
    const since = [];
    for (let buyer = 0; buyer < 8; buyer++) since.push(await aBoughtSeat(shop, klass));
    const open = await aHeldSeat(shop, klass);

    const restored = await appOn(databaseUrl(app.url, backup), {}, { sandbox: shop.sandbox.url });
    // The students who bought since the backup signed up before it. Otherwise their accounts are
    // lost too.
    for (const { who } of [...since.slice(0, 6), open]) {
      await restored.pool.query(`insert into "user" (id, name, email) values ($1, $2, $3)`, [
        who.id,
        who.name,
        who.email,
      ]);
    }
    await restored.pool.query('update class set capacity = 5 where id = $1', [klass.id]);
    await settleAll(restored);
    expect(await seats(restored, klass.id)).toMatchObject({ held: 0, sold: 5 });
    // A worker may have leased a refund, so the chore skipped it.
    const payments = await until(
      () => rowsOf(restored, 'payment', `class_id = '${klass.id}'`),
      (rows) => rows.filter(({ status }) => status === 'refunded').length === 2,
    );
    expect(payments.filter(({ status }) => status === 'refunded')).toHaveLength(2);
    expect(
      payments.filter(({ status }) => status === 'succeeded' || status === 'pending'),
    ).toHaveLength(5);
    expect(payments.map(({ intent_id }) => intent_id)).toContain(before.intent);
    expect(await provider.intent(open.intent)).toMatchObject({ status: 'canceled' });
    const admin = await anAdmin(restored);
    const kinds = (await restored.send(listAttention, {}, admin.token)).body.map(
      ({ kind }) => kind,
    );
    expect(kinds).toEqual(['quarantine', 'quarantine']);
    await restored.close();
    await dropDatabase(server, backup);
    // Two buyers were refunded in the restored database. This database must learn of it too.
    for (const { intent } of since) await app.money.syncRefunds(intent);
    await app.money.sync(open.intent);
  });
});
