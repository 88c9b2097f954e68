// The status changes of a payment after settle has written it, and what settle does when its amount
// is wrong.
import { expect, it, vi } from 'vitest';
import type { Payment } from '../../../contract/checkout/payments.ts';
import type { Intent } from '../../platform/cards.ts';
import { testApp, unique } from '../../testing/app.ts';
import { enrolled, ofIntent, rowsOf, seats } from '../../testing/checkout.ts';
import { aClass, aUser } from '../../testing/factories.ts';
import { aHoldRow, anEnrolmentRow, aPaymentRow, secondsFromNow } from '../../testing/rows.ts';
import { anIntent } from '../../testing/provider.ts';
import type { Log } from '../../platform/services.ts';
import { confirmPayment, endEnrolments, lockPayment, takeUnconfirmed } from './rows.ts';
import { createSettle } from './settle.ts';

const app = await testApp();
const { db } = app;

/** A class with one held seat, and its hold. */
async function aHold(state: 'held' | 'consumed') {
  const { id: classId, name } = await aClass(app, { capacity: 3 });
  await db.updateTable('class').set({ held: 1, sold: 1 }).where('id', '=', classId).execute();
  const who = await aUser(app);
  const intentId = unique('pi');
  const { id } = await aHoldRow(app, { studentId: who.id, classId, state, intentId });
  return { id, intentId, classId, className: name, who };
}

/**
 * A payment as settle writes it. `checked` is the seconds since the provider was last asked about
 * it.
 */
async function aPayment(status: Payment['status'] = 'pending', checked = 0) {
  const hold = await aHold('consumed');
  const payment = await aPaymentRow(app, {
    holdId: hold.id,
    status,
    checkedAt: secondsFromNow(-checked),
  });
  await anEnrolmentRow(app, payment);
  return { ...hold, id: payment.id };
}

async function stored({ id }: { id: string }) {
  const [payment] = await rowsOf(app, 'payment', `id = '${id}'`);
  return {
    status: payment?.status,
    dispute: payment?.['dispute'],
    refundedAt: payment?.['refunded_at'],
  };
}

it('the provider confirms only payments that the browser reported', async () => {
  const [pending, other, refunded] = [
    await aPayment(),
    await aPayment(),
    await aPayment('refunded'),
  ];
  await confirmPayment(db, pending.intentId);
  await confirmPayment(db, refunded.intentId);
  expect(await stored(pending)).toMatchObject({ status: 'succeeded' });
  expect(await stored(other)).toMatchObject({ status: 'pending' });
  expect(await stored(refunded)).toMatchObject({ status: 'refunded' });
});

it('unconfirmed payments are leased, the longest unchecked first, and not again at once', async () => {
  const second = await aPayment('pending', 70);
  const first = await aPayment('pending', 80);
  await aPayment('pending', 50);
  await aPayment('succeeded', 90);
  expect(await takeUnconfirmed(db, 60, 1)).toEqual([first.intentId]);
  expect(await takeUnconfirmed(db, 60, 100)).toEqual([second.intentId]);
  expect(await takeUnconfirmed(db, 60, 100)).toEqual([]);
});

it('a payment is locked by its id or its intent; an unknown one is null', async () => {
  const payment = await aPayment();
  const known = {
    id: payment.id,
    intentId: payment.intentId,
    amountCents: 1_999,
  };
  for (const which of [{ id: payment.id }, { intentId: payment.intentId }]) {
    await app.transaction(async (db) => {
      expect(await lockPayment(db, which)).toMatchObject(known);
      const { rows } = await app.pool.query(
        'select from payment where id = $1 for update skip locked',
        [payment.id],
      );
      expect(rows).toEqual([]);
    });
  }
  expect(await lockPayment(db, { id: crypto.randomUUID() })).toBeNull();
  expect(await lockPayment(db, { intentId: unique('pi') })).toBeNull();
});

it('an enrolment ends once and gives its seat back once', async () => {
  const payment = await aPayment();
  const other = await aPayment();
  expect(await endEnrolments(db, { paymentId: payment.id })).toHaveLength(1);
  expect(await endEnrolments(db, { paymentId: payment.id })).toEqual([]);
  expect(await rowsOf(app, 'enrolment', `payment_id = '${payment.id}'`)).toMatchObject([
    { state: 'cancelled' },
  ]);
  expect(await seats(app, payment.classId)).toMatchObject({ held: 1, sold: 0 });
  expect(await rowsOf(app, 'enrolment', `payment_id = '${other.id}'`)).toMatchObject([
    { state: 'active' },
  ]);
});

/** Settles the payment that the provider reports for this hold. */
async function settleAs(hold: { intentId: string }, paid: Partial<Intent>) {
  const intent = anIntent({
    id: hold.intentId,
    status: 'succeeded',
    receivedCents: 1_999,
    ...paid,
  });
  const log = {
    info: vi.fn<Log['info']>(),
    warn: vi.fn<Log['warn']>(),
    error: vi.fn<Log['error']>(),
  };
  const send = vi.fn<(db: unknown, job: string, about: object) => Promise<void>>(
    async () => undefined,
  );
  const settle = createSettle({
    db,
    system: app.system,
    write: app.write,
    cards: { intent: async () => intent },
    jobs: { send } as never,
    config: app.config,
    log,
  });
  return {
    settled: await settle(hold.intentId),
    log,
    jobs: send.mock.calls.map(([, job, about]) => ({ job, about })),
  };
}

it.each<[string, Partial<Intent>]>([
  ['less', { receivedCents: 1_998 }],
  ['more', { receivedCents: 2_000 }],
  ['another currency', { currency: 'eur' }],
])(
  'crash point 25: who paid %s than was asked for gets it all back, frees the seat and is told to the log',
  async (_what, paid) => {
    const hold = await aHold('held');
    const { settled, log, jobs } = await settleAs(hold, paid);
    expect(settled).toMatchObject({
      outcome: 'recorded',
      fresh: true,
      payment: { status: 'refund_due' },
    });
    const [payment] = await rowsOf(app, 'payment', ofIntent(hold.intentId));
    const [refund] = await rowsOf(app, 'refund', `payment_id = '${payment?.id}'`);
    const problem = 'The amount paid was not the amount asked for.';
    expect(refund).toMatchObject({ amount_cents: paid.receivedCents ?? 1_999, reason: problem });
    expect(jobs).toEqual([{ job: 'pay-back', about: { refundId: refund?.id } }]);
    expect(await seats(app, hold.classId)).toMatchObject({ held: 0, sold: 1 });
    expect(await enrolled(app, hold.who)).toEqual([]);
    expect(log.error.mock.calls).toEqual([
      [
        { intentId: hold.intentId, basketId: hold.id },
        'SECURITY: the amount at the card provider is not the amount of the basket',
      ],
    ]);
    expect(log.warn.mock.calls).toEqual([
      [{ paymentId: payment?.id, problem }, 'a payment is being refunded'],
    ]);
  },
);

it('the hold that was paid for is consumed, whichever comes first, and the other is released', async () => {
  const hold = await aHold('consumed');
  await db.updateTable('basket').set({ state: 'open' }).where('id', '=', hold.id).execute();
  const { id: other } = await aHoldRow(app, {
    id: '00000000-0000-4000-8000-000000000000',
    studentId: hold.who.id,
    classId: hold.classId,
  });
  await settleAs(hold, {});
  expect(await rowsOf(app, 'hold', `id = '${hold.id}'`)).toMatchObject([{ state: 'consumed' }]);
  expect(await rowsOf(app, 'hold', `id = '${other}'`)).toMatchObject([
    { state: 'releasing', ended_because: 'paid already' },
  ]);
  expect(await seats(app, hold.classId)).toMatchObject({ held: 1, sold: 2 });
});

it('a paid basket without a payment is an error, never a second sale', async () => {
  const hold = await aHold('consumed');
  await expect(settleAs(hold, {})).rejects.toThrow('a basket is paid but has no payment');
  expect(await seats(app, hold.classId)).toMatchObject({ held: 1, sold: 1 });
});
