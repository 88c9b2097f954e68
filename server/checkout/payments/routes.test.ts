import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { listCart } from '../../../contract/checkout/cart.ts';
import { updateClass } from '../../../contract/classes/classes.ts';
import {
  getReceipt,
  listEnrolments,
  listPayments,
  recordPayment,
} from '../../../contract/checkout/payments.ts';
import { aClass, aUser, anAdmin } from '../../testing/factories.ts';
import {
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
  until,
} from '../../testing/checkout.ts';

// Without webhooks: these tests must pass without them.
const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

describe('recording a payment', () => {
  it('writes payment and enrolment, and mails a receipt', async () => {
    const { who, klass, clientSecret, intent } = await aPaidSeat(
      shop,
      await aClass(app, { cents: 1_999, schedule: 'Mon 16:00', place: 'Court 1' }),
    );
    const { status, body } = await record(app, who, clientSecret);
    expect({ status, recorded: body.status }).toEqual({ status: 201, recorded: 'pending' });
    const [payment] = (await app.send(listPayments, { email: who.email }, who.token)).body;
    const year = payment?.date.slice(0, 4);
    expect(payment?.receiptNumber).toMatch(new RegExp(`^R-${year}-\\d{6}$`));
    expect((await app.send(listEnrolments, {}, who.token)).body).toMatchObject([
      { classId: klass.id, cents: 1_999, paymentId: payment?._id },
    ]);
    expect((await app.send(listCart, { email: who.email }, who.token)).body).toEqual([]);
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 1 });
    const [mail] = await mailsTo(app, who);
    expect(mail?.text).toContain('When: Mon 16:00\nWhere: Court 1\nInstructor: ');
    expect(mail?.text).toContain(`/dashboard/receipt/${payment?._id}`);
    const receipt = await app.send(getReceipt, { id: payment?._id ?? '' }, who.token);
    expect(receipt.body).toMatchObject({
      transactionId: intent,
      lines: [{ instructor: klass.instructor, schedule: 'Mon 16:00', place: 'Court 1' }],
    });
  });

  it('trusts nothing in the body: a mismatch is audited', async () => {
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

  it('writes nothing for a random, foreign or unpaid id', async () => {
    const [mine, other, unpaid] = [await aUser(app), await aPaidSeat(shop), await aHeldSeat(shop)];
    const stray = await provider.ask('POST', '/v1/payment_intents', {
      amount: '1999',
      currency: 'usd',
      'payment_method_types[0]': 'card',
    });
    const before = await rowsOf(app, 'payment');
    for (const transactionId of ['pi_random', other.intent, stray.body.id]) {
      expect((await app.send(recordPayment, { transactionId }, mine.token)).body.code).toBe(
        'PAYMENT_UNKNOWN',
      );
    }
    const early = await record(app, unpaid.who, unpaid.clientSecret);
    expect(early.body.code).toBe('PAYMENT_NOT_COMPLETED');
    expect(await rowsOf(app, 'payment')).toEqual(before);
  });
});

describe('from the card to the record', () => {
  it('crash point 8: a second Pay after a lost answer: one charge', async () => {
    const paid = await aPaidSeat(shop);
    await refusesCards(shop, paid.clientSecret);
    expect((await record(app, paid.who, paid.clientSecret)).status).toBe(201);
    expect(await provider.list(`charges?payment_intent=${paid.intent}`)).toHaveLength(1);
  });

  it('crash point 9: the process dies; the retry reaches another', async () => {
    const dead = await shop.another({}, { between: dying('intent', 'after') });
    const paid = await aPaidSeat(shop);
    void record(dead, paid.who, paid.clientSecret);
    expect((await record(app, paid.who, paid.clientSecret)).status).toBe(201);
    expect(await enrolled(app, paid.who)).toHaveLength(1);
    await dead.close();
  });

  it('crash point 12: thirty callers: one payment, one mail', async () => {
    const twin = await shop.another();
    for (let round = 0; round < 2; round++) {
      const paid = await aPaidSeat(shop);
      const ids = await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
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

  it('crash point 13: before the bank decides nothing is written', async () => {
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

  it('crash point 13: what the bank processes succeeds or fails', async () => {
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

  it('keeps the seat of a class that became pending meanwhile', async () => {
    const paid = await aPaidSeat(shop);
    const { id } = paid.klass;
    await app.send(updateClass, { id, name: 'New words' }, (await anAdmin(app)).token);
    const again = `update class set status = 'pending', proposed_at = now() where id = $1`;
    await app.pool.query(again, [id]);
    expect((await record(app, paid.who, paid.clientSecret)).body.status).toBe('pending');
    expect(await enrolled(app, paid.who)).toHaveLength(1);
  });
});
