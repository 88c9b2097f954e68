import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { denyClass } from '../../../contract/classes/classes.ts';
import { studentFigures } from '../../../contract/academy/figures.ts';
import { getReceipt, listAttention, refundPayment } from '../../../contract/checkout/payments.ts';
import { checkBooks } from '../books.ts';
import { aClass, aUser, anAdmin } from '../../testing/factories.ts';
import {
  aBoughtSeat,
  aPaidSeat,
  aShop,
  balanced,
  dying,
  intoCart,
  mailsTo,
  openIntent,
  record,
  paymentOf,
  rowsOf,
  seats,
  settleAll,
  some,
  statusBecomes,
  until,
} from '../../testing/checkout.ts';
import { takeRefunds } from './rows.ts';

const shop = await aShop();
const { app, provider } = shop;
const admin = await anAdmin(app);
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

const refund = (id: string, reason = 'Asked by phone') =>
  app.send(refundPayment, { id, reason }, admin.token);
const refundOf = async ({ paymentId }: { paymentId: string }) =>
  (await rowsOf(app, 'refund', `payment_id = '${paymentId}'`))[0];
const hasFailed = (bought: { paymentId: string }) =>
  until(async () => (await refundOf(bought))?.['last_error']);
const dueNow = () =>
  app.pool.query(`update refund set next_try = now() where state in ('due', 'sent')`);

describe('the admin refunds a payment', () => {
  it('in full: the money goes back, the enrolment ends, the seat is free, the student is told', async () => {
    const bought = await aBoughtSeat(shop, await aClass(app, { capacity: 1 }));
    const figures = async () => (await app.send(studentFigures, {}, bought.who.token)).body;
    expect(await figures()).toEqual({ cart: 0, enrolled: 1, paid: 19.99, payments: 1 });
    expect((await refund(bought.paymentId)).body).toEqual({ modifiedCount: 1 });
    expect(await seats(app, bought.klass.id)).toMatchObject({ held: 0, sold: 0 });
    expect(await statusBecomes(app, bought.intent, 'refunded')).toBe('refunded');
    expect(await provider.refunds(bought.intent)).toMatchObject([
      { amount: 1_999, status: 'succeeded' },
    ]);
    const mails = await mailsTo(app, bought.who, 2);
    expect(mails.map(({ subject }) => subject)).toContain(`Refund for ${bought.klass.name}`);
    expect(
      (await app.send(getReceipt, { id: bought.paymentId }, bought.who.token)).body.refundedAt,
    ).not.toBeNull();
    expect(await figures()).toMatchObject({ paid: 0, payments: 1, refunded: 1 });
    await intoCart(app, bought.who, bought.klass);
    expect((await openIntent(app, bought.who, bought.klass)).status).toBe(200);
  });

  it('once: a second refund is refused, also with many concurrent requests', async () => {
    const bought = await aBoughtSeat(shop);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(bought.paymentId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'NOT_REFUNDABLE')).toHaveLength(9);
    await statusBecomes(app, bought.intent, 'refunded');
    expect((await refund(bought.paymentId)).body.code).toBe('NOT_REFUNDABLE');
    expect(await provider.refunds(bought.intent)).toHaveLength(1);
  });
});

describe('deny', () => {
  it('crash point 22: between the card and the record: the money goes back and the student is told why', async () => {
    await provider.silence();
    const paid = await aPaidSeat(shop);
    await app.pool.query(`update class set status = 'denied' where id = $1`, [paid.klass.id]);
    const { status, body } = await record(app, paid.who, paid.clientSecret);
    expect({ status, said: body.status }).toEqual({ status: 200, said: 'refund_due' });
    expect(await statusBecomes(app, paid.intent, 'refunded')).toBe('refunded');
    const [refundMail] = await mailsTo(app, paid.who);
    expect(refundMail?.text).toContain('no longer offered');
    expect(await seats(app, paid.klass.id)).toMatchObject({ held: 0, sold: 0 });
  });

  it('crash point 22: at every step leaves an earlier enrolment, or ends in a refund', async () => {
    // The last step before the admin decides: nothing, cart, hold, declined card, challenge, paid,
    // paid and notified, recorded.
    const steps = ['cart', 'hold', 'declined', 'challenge', 'paid', 'recorded'] as const;
    for (const [index] of steps.entries()) {
      for (const dropped of [true, false]) {
        if (dropped) await provider.silence();
        const done = (step: (typeof steps)[number]) => steps.indexOf(step) <= index;
        const klass = await aClass(app);
        const who = await aUser(app);
        await intoCart(app, who, klass);
        const opened = done('hold') ? (await openIntent(app, who, klass)).body : null;
        if (opened && done('declined'))
          await provider.confirm(opened.clientSecret, 'visa_chargeDeclined');
        if (opened && done('challenge'))
          await provider.confirm(opened.clientSecret, 'threeDSecure2Required');
        if (opened && done('paid')) await provider.confirm(opened.clientSecret);
        if (opened && done('recorded')) await record(app, who, opened.clientSecret);
        await app.send(denyClass, { id: klass.id }, admin.token);
        if (opened && done('paid')) await record(app, who, opened.clientSecret);
        await settleAll(app);
        const { held, sold } = await seats(app, klass.id);
        const [payment] = await rowsOf(app, 'payment', `class_id = '${klass.id}'`);
        expect(held).toBe(0);
        expect(sold === 1 || payment === undefined || payment.status === 'refunded').toBe(true);
        const stays = payment && payment.status !== 'refunded';
        expect(sold).toBe(done('recorded') || stays ? 1 : 0);
        await provider.heal();
      }
    }
  });
});

describe('a refund with failures', () => {
  it('crash point 23: lost responses and dead workers never refund twice', async () => {
    const bought = await aBoughtSeat(shop);
    const dead = await shop.another({}, { between: dying('refund', 'after') });
    await provider.fails('POST /v1/refunds', { effect: 'lose_answer', times: 3 });
    await refund(bought.paymentId);
    await some(() => provider.refunds(bought.intent));
    await dueNow();
    void dead.money.sendRefunds();
    await dueNow();
    await app.money.sweep();
    expect(await statusBecomes(app, bought.intent, 'refunded')).toBe('refunded');
    expect(await provider.refunds(bought.intent)).toHaveLength(1);
    await dead.close();
  });

  it('tries ten times with growing pauses, then needs an admin', async () => {
    const bought = await aBoughtSeat(shop);
    await provider.fails('POST /v1/refunds');
    await refund(bought.paymentId);
    await hasFailed(bought);
    await app.pool.query(`update refund set attempts = 9, next_try = now() where payment_id = $1`, [
      bought.paymentId,
    ]);
    await app.money.sendRefunds();
    expect(await refundOf(bought)).toMatchObject({ state: 'failed' });
    expect((await paymentOf(app, bought.intent))?.status).toBe('refund_failed');
    expect(app.logs.join('')).toContain('ALARM: a refund could not be sent');
    expect((await app.send(listAttention, {}, admin.token)).body).toContainEqual(
      expect.objectContaining({ kind: 'refund', _id: bought.paymentId }),
    );
    await provider.heal();
    await refund(bought.paymentId, 'Second try');
    expect(await statusBecomes(app, bought.intent, 'refunded')).toBe('refunded');
    expect(await provider.refunds(bought.intent)).toHaveLength(1);
  });

  it('does not count attempts of processes that died', async () => {
    const bought = await aBoughtSeat(shop);
    await provider.fails('POST /v1/refunds');
    await refund(bought.paymentId);
    await hasFailed(bought);
    for (let death = 0; death < 12; death++) {
      await dueNow();
      expect(await takeRefunds(app.db, 20)).toContainEqual(
        expect.objectContaining({ paymentId: bought.paymentId }),
      );
    }
    await dueNow();
    await app.money.sendRefunds();
    expect(await refundOf(bought)).toMatchObject({ state: 'due', attempts: 2 });
    await provider.heal();
    await dueNow();
    await app.money.sendRefunds();
    expect(await statusBecomes(app, bought.intent, 'refunded')).toBe('refunded');
    expect(await provider.refunds(bought.intent)).toHaveLength(1);
  });

  it('uses another key when the provider stored a failure under the first', async () => {
    const bought = await aBoughtSeat(shop);
    await provider.fails('POST /v1/refunds', { effect: 'error_saved', times: 1, work: false });
    await refund(bought.paymentId);
    await hasFailed(bought);
    expect(await provider.refunds(bought.intent)).toEqual([]);
    await dueNow();
    await app.money.sendRefunds();
    expect(await statusBecomes(app, bought.intent, 'refunded')).toBe('refunded');
    expect(await provider.refunds(bought.intent)).toHaveLength(1);
  });

  it('crash point 24: a refund that fails days later is an alarm, and the admin can send another', async () => {
    const bought = await aBoughtSeat(shop);
    await refund(bought.paymentId);
    await statusBecomes(app, bought.intent, 'refunded');
    const [sent] = await provider.refunds(bought.intent);
    await provider.knob('POST', `/sandbox/refunds/${sent?.id}`, { status: 'failed' });
    expect(await statusBecomes(app, bought.intent, 'refund_failed')).toBe('refund_failed');
    expect(app.logs.join('')).toContain('ALARM: a refund failed');
    expect(await checkBooks(app.db, app.cards, app.config)).toContainEqual(
      expect.stringContaining('failed'),
    );
    await refund(bought.paymentId, 'Second try');
    expect(await statusBecomes(app, bought.intent, 'refunded')).toBe('refunded');
    const all = await provider.refunds(bought.intent);
    expect(all.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded']);
  });
});

describe('mail', () => {
  it('crash point 28: a mail server that is down delays no payment; the mail is sent when it is back', async () => {
    await app.pool.query('alter table mailbox rename to mailbox_away');
    const bought = await aBoughtSeat(shop);
    expect(await seats(app, bought.klass.id)).toMatchObject({ sold: 1 });
    const waiting = async () => {
      const { rows } = await app.pool.query<{ state: string }>(
        `select state from pgboss.job where name = 'send-mail' and data->'ids'->>'to' = $1`,
        [bought.who.id],
      );
      return rows[0]?.state;
    };
    expect(await until(waiting, (state) => state === 'retry')).toBe('retry');
    await app.pool.query('alter table mailbox_away rename to mailbox');
    await app.pool.query(
      `update pgboss.job set start_after = now() where name = 'send-mail' and state = 'retry'`,
    );
    // The mail of another sale wakes the workers, which otherwise look every 5 seconds.
    await aBoughtSeat(shop);
    expect(await mailsTo(app, bought.who)).toHaveLength(1);
  });
});
