import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { studentFigures } from '../../../contract/academy/figures.ts';
import {
  getReceipt,
  listAttention,
  overrideEnrolment,
  refundPayment,
} from '../../../contract/checkout/payments.ts';
import { sendRefundAgain } from '../../../contract/checkout/sums.ts';
import { aBoughtBasket } from '../../testing/baskets.ts';
import {
  aBoughtSeat,
  aPaidSeat,
  aShop,
  balanced,
  dying,
  intoCart,
  mailsTo,
  openIntent,
  paymentOf,
  record,
  rowsOf,
  seats,
  settleAll,
  some,
  statusBecomes,
  until,
} from '../../testing/checkout.ts';
import { aClass, anAdmin, aUser } from '../../testing/factories.ts';
import { unique } from '../../testing/app.ts';
import { aChild } from '../../testing/family.ts';

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
  it('in full: money, enrolment, seat, and the student is told', async () => {
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
});

describe('deny', () => {
  it('crash point 22: before the record: all goes back', async () => {
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
});

describe('a refund with failures', () => {
  it('crash point 23: lost responses never refund twice', async () => {
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

  it('uses another key when a failure is stored under the first', async () => {
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
});

/** A seat whose refund has succeeded, and that refund. */
async function aRefundedSeat() {
  const bought = await aBoughtSeat(shop);
  await app.send(refundPayment, { id: bought.paymentId, reason: 'Ill' }, admin.token);
  await statusBecomes(app, bought.intent, 'refunded');
  const [sent] = await provider.refunds(bought.intent);
  const fails = () => provider.knob('POST', `/sandbox/refunds/${sent?.id}`, { status: 'failed' });
  return { ...bought, fails };
}

/**
 * A process whose next read of refunds is delayed, so that it is older than what happens meanwhile.
 */
async function aSlowReader() {
  const released = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  const reading = { next: false, done: read.promise, release: released.resolve };
  const slow = await shop.another(
    {},
    {
      between: (cards) => ({
        ...cards,
        refunds: async (intent) => {
          const waits = reading.next;
          reading.next = false;
          const found = await cards.refunds(intent);
          if (!waits) return found;
          read.resolve();
          await released.promise;
          return found;
        },
      }),
    },
  );
  return { slow, reading };
}

describe('a response of the provider that is older than our rows', () => {
  it('crash point 24: neither reverts a failure nor ends the next', async () => {
    for (const sentAgain of [false, true]) {
      const { slow, reading } = await aSlowReader();
      const bought = await aRefundedSeat();
      await settleAll(app);
      reading.next = true;
      // Alone, as the webhook calls it.
      const { syncRefunds } = slow.money;
      const following = syncRefunds(bought.intent);
      await reading.done;
      await bought.fails();
      await statusBecomes(app, bought.intent, 'refund_failed');
      expect([...app.logs, ...slow.logs].join('')).toContain('ALARM: a refund failed');
      if (sentAgain) await app.send(sendRefundAgain, { id: bought.paymentId }, admin.token);
      reading.release();
      await following;
      await slow.close();
      await settleAll(app);
      const status = (await paymentOf(app, bought.intent))?.status;
      const sentInAll = (await provider.refunds(bought.intent))
        .map((one) => one['status'])
        .toSorted();
      expect([status, sentInAll]).toEqual(
        sentAgain ? ['refunded', ['failed', 'succeeded']] : ['refund_failed', ['failed']],
      );
      await app.send(sendRefundAgain, { id: bought.paymentId }, admin.token);
      await statusBecomes(app, bought.intent, 'refunded');
    }
  });
});

describe('refunds and disputes made at the provider', () => {
  it('a dispute is followed while a part is still to be refunded', async () => {
    const prices = [2_000, 5_000];
    const { intent, lines } = await aBoughtBasket(shop, { prices, card: 'pendingRefund' });
    const [first, second] = lines;
    const part = { id: first?.enrolment ?? '', cents: 500, end: false, reason: 'Rain' };
    await app.send(overrideEnrolment, part, admin.token);
    // Three seconds later the bank has it.
    await some(() => provider.refunds(intent));
    expect((await paymentOf(app, intent))?.status).toBe('refund_due');
    const dispute = await provider.knob('POST', '/sandbox/disputes', { payment_intent: intent });
    expect(await statusBecomes(app, intent, 'disputed')).toBe('disputed');
    await provider.knob('POST', `/sandbox/disputes/${dispute.body.id}/close`, { status: 'lost' });
    expect(await statusBecomes(app, intent, 'refund_due')).toBe('refund_due');
    expect(await seats(app, second?.class_id ?? '')).toMatchObject({ sold: 0 });
    const [sent] = await provider.refunds(intent);
    await provider.knob('POST', `/sandbox/refunds/${sent?.id}`, { status: 'succeeded' });
    expect(await statusBecomes(app, intent, 'refunded')).toBe('refunded');
  });

  it('a refund there replaces one of ours that the bank returned', async () => {
    const bought = await aRefundedSeat();
    await bought.fails();
    await statusBecomes(app, bought.intent, 'refund_failed');
    await provider.ask('POST', '/v1/refunds', { payment_intent: bought.intent });
    expect(await statusBecomes(app, bought.intent, 'refunded')).toBe('refunded');
  });
});

/** The seat of an account becomes that of a child: a sale to a child is tested elsewhere. */
const becomesSeatOf = (child: { id: string }, paymentId: string) =>
  app.pool.query(
    `with line as (update payment_line set participant_id = $1 where payment_id = $2 returning hold_id),
       enrolled as (update enrolment set participant_id = $1 where payment_id = $2)
     update hold set participant_id = $1 from line where hold.id = line.hold_id`,
    [child.id, paymentId],
  );

const override = async (paymentId: string, change: { cents: number; end: boolean }) => {
  const [enrolment] = await rowsOf(app, 'enrolment', `payment_id = '${paymentId}'`);
  const id = enrolment?.id ?? '';
  return app.send(overrideEnrolment, { id, ...change, reason: 'Rain' }, admin.token);
};

const isRefund = ({ subject }: { subject: string }) => subject.startsWith('Refund');

describe('the mail of a refund', () => {
  it('is one to each person for all seats of one act', async () => {
    const { who, paymentId } = await aBoughtBasket(shop, { prices: [1_000, 2_000, 3_000] });
    const other = await aUser(app);
    await becomesSeatOf(await aChild(app, [who, other], { name: 'Mia' }), paymentId);
    expect((await refund(paymentId)).status).toBe(200);
    await mailsTo(app, who, 2);
    await settleAll(app);
    const [mail, ...more] = (await mailsTo(app, who)).filter(isRefund);
    expect(more).toEqual([]);
    expect(mail?.text).toContain('We have refunded $60.00. Reason: Asked by phone\n');
    expect(mail?.text.match(/, for Mia: \$[123]0\.00\nThe full price\./g)).toHaveLength(3);
    const toOther = await mailsTo(app, other);
    expect(toOther.map(({ subject }) => subject)).toEqual(['3 seats have ended']);
  });

  it('tells the payer whether the seat stays booked', async () => {
    const { who, paymentId } = await aBoughtSeat(shop);
    const told = async (mails: number) => {
      const all = await mailsTo(app, who, mails);
      return all.flatMap(({ text }) => /^The seat .*/m.exec(text)?.[0] ?? []).toSorted();
    };
    expect((await override(paymentId, { cents: 500, end: false })).status).toBe(200);
    expect(await told(2)).toEqual(['The seat stays booked.']);
    expect((await override(paymentId, { cents: 1_499, end: true })).status).toBe(200);
    expect(await told(3)).toEqual(['The seat is no longer booked.', 'The seat stays booked.']);
  });

  it('tells whose seat it was, while they look after the child', async () => {
    for (const looksAfter of [true, false]) {
      const { who, paymentId, klass } = await aBoughtSeat(shop);
      const child = await aChild(app, looksAfter ? [who] : [await aUser(app)], { name: 'Mia' });
      await becomesSeatOf(child, paymentId);
      await refund(paymentId);
      const mails = await mailsTo(app, who, 2);
      const mail = mails.find(isRefund);
      expect(mail?.text).toContain(
        `the full price of ${klass.name}${looksAfter ? ', for Mia' : ''}. Reason`,
      );
    }
  });

  it('tells the payer at their new address, not at the old one', async () => {
    const bought = await aBoughtSeat(shop);
    // The receipt has left.
    await app.settled();
    const email = `${unique('new')}@example.com`;
    await app.pool.query('update "user" set email = $1 where id = $2', [email, bought.who.id]);
    await refund(bought.paymentId);
    const mails = await mailsTo(app, { email });
    expect(mails.map(({ subject }) => subject)).toEqual([`Refund for ${bought.klass.name}`]);
    expect(await app.mail.messages(bought.who.email)).toHaveLength(1);
  });
});

/** What ends a seat, by whom. */
const ends: Record<string, (bought: { paymentId: string; intent: string }) => Promise<unknown>> = {
  'an admin refunds the payment': ({ paymentId }) => refund(paymentId),
  'an admin ends the seat': ({ paymentId }) => override(paymentId, { cents: 0, end: true }),
  'an admin refunds at the provider': ({ intent }) =>
    provider.ask('POST', '/v1/refunds', { payment_intent: intent }),
  'a dispute is lost': async ({ intent }) => {
    const { body } = await provider.knob('POST', '/sandbox/disputes', { payment_intent: intent });
    await provider.knob('POST', `/sandbox/disputes/${body.id}/close`, { status: 'lost' });
  },
};

describe('the guardians who did not pay', () => {
  it.each(Object.keys(ends))('are told once when %s', async (how) => {
    const bought = await aBoughtSeat(shop);
    const other = await aUser(app);
    await becomesSeatOf(await aChild(app, [other, bought.who], { name: 'Mia' }), bought.paymentId);
    await ends[how]?.(bought);
    const [mail] = await mailsTo(app, other);
    expect(mail?.subject).toBe(`The seat of Mia in ${bought.klass.name} has ended`);
    expect(mail?.text).not.toMatch(/19\.99|receipt|Rain|phone/i);
    await settleAll(app);
    await app.settled();
    expect(await mailsTo(app, other)).toHaveLength(1);
    const toPayer = (await mailsTo(app, bought.who)).map(({ text }) => text).join('\n');
    expect(toPayer).not.toContain('Another guardian');
  });

  it('are told nothing while the seat stays booked', async () => {
    const { who, paymentId } = await aBoughtSeat(shop);
    const other = await aUser(app);
    await becomesSeatOf(await aChild(app, [who, other]), paymentId);
    expect((await override(paymentId, { cents: 500, end: false })).status).toBe(200);
    await mailsTo(app, who, 2);
    expect(await app.mail.messages(other.email)).toEqual([]);
  });
});
