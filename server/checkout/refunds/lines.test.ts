// Refunds of single lines of a payment, and the ledger after them. Each guard has a control in which
// it is off, and the check of the books must then speak.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  getReceipt,
  listAttention,
  overrideEnrolment,
  refundPayment,
} from '../../../contract/checkout/payments.ts';
import type { Input } from '../../../contract/platform/call.ts';
import type { Cards, ProviderRefund } from '../../platform/cards.ts';
import { aBoughtBasket } from '../../testing/baskets.ts';
import {
  aShop,
  balanced,
  rowsOf,
  seats,
  settleAll,
  type Shop,
  until,
} from '../../testing/checkout.ts';
import { anAdmin } from '../../testing/factories.ts';
import { checkBooks } from '../books.ts';
import { followPayment, giveBack, readLines } from './rows.ts';

const shop = await aShop();
const { app, provider } = shop;
const admin = await anAdmin(app);
afterEach(() => provider.heal());

const paymentBy = async (id: string) => (await rowsOf(app, 'payment', `payment.id = '${id}'`))[0];
const statusBecomes = (id: string, wanted: string) =>
  until(
    async () => (await paymentBy(id))?.status,
    (status) => status === wanted,
  );
const receiptOf = async (id: string) => (await app.send(getReceipt, { id }, admin.token)).body;

type Override = Omit<Input<typeof overrideEnrolment>, 'id'>;
const override = (id: string, given: Partial<Override>) =>
  app.send(overrideEnrolment, { id, cents: 0, end: false, reason: 'Rain', ...given }, admin.token);

const balanceOf = async (paymentId: string) => {
  const { rows } = await app.pool.query<{
    key: string;
    debit: string;
    credit: string;
    cents: number;
  }>(
    'select split_part(key, $2, 1) as key, debit, credit, cents from ledger where payment_id = $1 order by id',
    [paymentId, ':'],
  );
  return rows.map(({ key, debit, credit, cents }) => `${key} ${debit}→${credit} ${cents}`);
};

describe('a part of a seat goes back', () => {
  it('and the seat stays; then the rest, and the seat is free', async () => {
    const { intent, paymentId, lines } = await aBoughtBasket(shop, { prices: [1_999, 2_500] });
    const [first, second] = lines;
    const before = await receiptOf(paymentId);
    expect(before).toMatchObject({ seats: 2, cents: 4_499, refunds: [] });
    expect((await override(first?.enrolment ?? '', { cents: 500 })).body).toEqual({
      modifiedCount: 1,
    });
    expect(await statusBecomes(paymentId, 'part_refunded')).toBe('part_refunded');
    expect(await seats(app, first?.class_id ?? '')).toMatchObject({ sold: 1 });
    expect(await receiptOf(paymentId)).toMatchObject({
      backCents: 500,
      lines: [{ cents: 1_999, backCents: 500, state: 'enrolled' }, { cents: 2_500 }],
      refunds: [{ cents: 500, state: 'succeeded', reason: 'Rain' }],
    });
    await override(first?.enrolment ?? '', { cents: 1_499, end: true, leftCents: 1_499 });
    await until(async () => (await provider.refunds(intent)).length === 2);
    await statusBecomes(paymentId, 'part_refunded');
    expect(await seats(app, first?.class_id ?? '')).toMatchObject({ sold: 0 });
    expect(await seats(app, second?.class_id ?? '')).toMatchObject({ sold: 1 });
    const rows = await rowsOf(app, 'refund', `payment_id = '${paymentId}'`);
    expect(
      (await provider.refunds(intent)).map(({ metadata }) => metadata?.['refund'] ?? '').toSorted(),
    ).toEqual(rows.map(({ id }) => id).toSorted());
    expect(
      (await app.send(refundPayment, { id: paymentId, reason: 'All' }, admin.token)).status,
    ).toBe(200);
    expect(await statusBecomes(paymentId, 'refunded')).toBe('refunded');
    expect(await seats(app, second?.class_id ?? '')).toMatchObject({ sold: 0 });
    expect(await balanceOf(paymentId)).toEqual([
      'sale card→sales 1999',
      'sale card→sales 2500',
      'owed sales→owed 500',
      'sent owed→card 500',
      'owed sales→owed 1499',
      'sent owed→card 1499',
      'owed sales→owed 2500',
      'sent owed→card 2500',
    ]);
    const [audited] = await rowsOf(
      app,
      'audit',
      `subject = '${paymentId}' and detail like '$5.00%'`,
    );
    expect(audited?.['detail']).toBe('$5.00 (back before $0.00, now $5.00 of $19.99): Rain');
  });

  it('all of it, and the seat stays until an admin ends it', async () => {
    const { paymentId, lines } = await aBoughtBasket(shop, { prices: [1_999] });
    const { enrolment = '', class_id = '' } = lines[0] ?? {};
    await override(enrolment, { cents: 1_999, leftCents: 1_999 });
    expect(await statusBecomes(paymentId, 'refunded')).toBe('refunded');
    expect(await seats(app, class_id)).toMatchObject({ sold: 1 });
    expect((await override(enrolment, { end: true, leftCents: 0 })).body).toEqual({
      modifiedCount: 1,
    });
    expect(await seats(app, class_id)).toMatchObject({ sold: 0 });
    expect(await receiptOf(paymentId)).toMatchObject({
      status: 'refunded',
      lines: [{ backCents: 1_999, state: 'ended' }],
    });
  });

  it('never more than the line has, nor an amount seen before', async () => {
    const { paymentId, lines } = await aBoughtBasket(shop);
    const id = lines[0]?.enrolment ?? '';
    for (const cents of [-1, 1e9, 0.5, 0])
      expect((await override(id, { cents })).body).toMatchObject({
        code: 'INVALID_INPUT',
        field: 'cents',
      });
    for (const given of [{ cents: 2_000 }, { cents: 100, leftCents: 1_800 }])
      expect((await override(id, given)).body.code).toBe('NOT_REFUNDABLE');
    expect((await override(id, { cents: 1_200 })).status).toBe(200);
    expect((await override(id, { cents: 1_200 })).body.code).toBe('NOT_REFUNDABLE');
    expect((await override(id, { end: true })).body).toEqual({ modifiedCount: 1 });
    expect((await override(id, { end: true })).body).toEqual({ modifiedCount: 0 });
    await statusBecomes(paymentId, 'part_refunded');
    // The guard in the database: one cent more than the line has is refused.
    const line = `update payment_line set back_cents = worth_cents + 1 where id = '${lines[0]?.id}'`;
    await expect(app.pool.query(line)).rejects.toThrow('payment_line');
  });
});

describe('refunds and disputes made at the provider', () => {
  it('are recorded line by line; the seats end when all is back', async () => {
    const { intent, paymentId, lines } = await aBoughtBasket(shop);
    // The webhook of the provider may be at work on it at the same moment.
    const status = async () => (await paymentBy(paymentId))?.status;
    await provider.ask('POST', '/v1/refunds', { payment_intent: intent, amount: '2500' });
    await settleAll(app);
    await expect.poll(status).toBe('part_refunded');
    expect(await receiptOf(paymentId)).toMatchObject({
      status: 'part_refunded',
      lines: [
        { backCents: 1_999, state: 'enrolled' },
        { backCents: 501, state: 'enrolled' },
      ],
    });
    const waits = async () =>
      (await app.send(listAttention, {}, admin.token)).body.some(
        ({ kind, _id }) => kind === 'part' && _id === paymentId,
      );
    expect(await waits()).toBe(true);
    await provider.ask('POST', '/v1/refunds', { payment_intent: intent });
    await settleAll(app);
    await expect.poll(status).toBe('refunded');
    for (const { class_id } of lines) expect(await seats(app, class_id)).toMatchObject({ sold: 0 });
    expect(await waits()).toBe(false);
  });

  it.each([
    ['all, with a part owed', 500, '3998'],
    ['what is left, and some that is owed', 500, '3598'],
    ['a part of what is owed', null, '700'],
    ['all of what is owed', null, '3998'],
  ] as const)('pay %s: the rest is sent', async (_case, cents, amount) => {
    const { intent, paymentId, lines } = await aBoughtBasket(shop);
    await provider.fails('POST /v1/refunds', { times: 9 });
    if (cents) await override(lines[0]?.enrolment ?? '', { cents });
    else await app.send(refundPayment, { id: paymentId, reason: 'All' }, admin.token);
    await until(async () =>
      (await rowsOf(app, 'refund', `payment_id = '${paymentId}'`)).every(
        (row) => row['last_error'],
      ),
    );
    await provider.heal();
    await provider.ask('POST', '/v1/refunds', { payment_intent: intent, amount });
    await settleAll(app);
    expect((await paymentBy(paymentId))?.status).toBe('refunded');
    const there = (await provider.refunds(intent)).reduce((sum, refund) => sum + refund.amount, 0);
    expect(there).toBe(3_998);
    expect((await balanceOf(paymentId)).some((row) => row.startsWith('sent'))).toBe(true);
  });

  it('nothing is sent while the provider has returned another sum', async () => {
    const { intent, paymentId, lines } = await aBoughtBasket(shop, { card: 'pendingRefund' });
    await provider.ask('POST', '/v1/refunds', { payment_intent: intent, amount: '700' });
    expect(await override(lines[1]?.enrolment ?? '', { cents: 100 })).toMatchObject({
      status: 200,
    });
    // The job that sends the refund may overlap a round, so the number of rounds is not fixed.
    const failed = async () => {
      await app.pool.query(`update refund set next_try = now() where payment_id = $1`, [paymentId]);
      await app.money.sendRefunds();
      return (await paymentBy(paymentId))?.status === 'refund_failed';
    };
    expect(await until(failed)).toBe(true);
    expect(await provider.refunds(intent)).toMatchObject([{ amount: 700 }]);
    const [there] = await provider.refunds(intent);
    await provider.knob('POST', `/sandbox/refunds/${there?.id}`, { status: 'succeeded' });
    await settleAll(app);
    await app.send(refundPayment, { id: paymentId, reason: 'All' }, admin.token);
    await until(async () => (await provider.refunds(intent)).length === 4);
    for (const { id } of await provider.refunds(intent))
      await provider.knob('POST', `/sandbox/refunds/${id}`, { status: 'succeeded' });
    await settleAll(app);
  });

  it('a lost dispute takes what is left, a won one nothing', async () => {
    for (const [outcome, status] of [
      ['won', 'part_refunded'],
      ['lost', 'refunded'],
    ] as const) {
      const { intent, paymentId, lines } = await aBoughtBasket(shop);
      await override(lines[0]?.enrolment ?? '', { cents: 1_999, end: true });
      await statusBecomes(paymentId, 'part_refunded');
      const dispute = await provider.knob('POST', '/sandbox/disputes', { payment_intent: intent });
      expect(await statusBecomes(paymentId, 'disputed')).toBe('disputed');
      const all = { id: paymentId, reason: 'All' };
      for (const { body } of [
        await override(lines[1]?.enrolment ?? '', { cents: 100 }),
        await app.send(refundPayment, all, admin.token),
      ])
        expect(body.code).toBe('NOT_REFUNDABLE');
      expect(await seats(app, lines[1]?.class_id ?? '')).toMatchObject({ sold: 1 });
      await provider.knob('POST', `/sandbox/disputes/${dispute.body.id}/close`, {
        status: outcome,
      });
      expect(await statusBecomes(paymentId, status)).toBe(status);
      expect((await balanceOf(paymentId)).at(-1)).toBe(
        outcome === 'lost' ? 'lost sales→card 1999' : 'sent owed→card 1999',
      );
      expect(await seats(app, lines[1]?.class_id ?? '')).toMatchObject({
        sold: outcome === 'lost' ? 0 : 1,
      });
    }
  });
});

/** The refund that is being sent. */
let sending = '';

/**
 * Two equal lines; the answer to the refund of the first is lost, no event tells of it, and a day
 * later the provider has forgotten its key. Then the second is refunded, and the first again.
 */
async function answerLost({ money }: Pick<Shop['app'], 'money'>) {
  const bought = await aBoughtBasket(shop);
  await provider.silence();
  await provider.fails('POST /v1/refunds', { effect: 'lose_answer' });
  const owe = (place: number) =>
    app.db.transaction().execute(async (db) => {
      const line = (await readLines(db, bought.paymentId))[place];
      if (!line) throw new Error('no line');
      const id = await giveBack(db, line, { cents: 1_999, reason: 'Ill', askedBy: null });
      await followPayment(db, bought.paymentId);
      return id;
    });
  const send = (id: string) => {
    sending = id;
    return money.sendRefunds(id);
  };
  const first = await owe(0);
  await send(first);
  expect(await provider.refunds(bought.intent)).toHaveLength(1);
  await provider.heal();
  await provider.silence();
  await provider.advance(25 * 3_600);
  const second = await owe(1);
  await send(second);
  await app.pool.query('update refund set next_try = now() where id = $1', [first]);
  await send(first);
  return bought;
}

describe('N7: a refund reaches the provider once, known by our id', () => {
  it('crash point 11: two equal lines, no answer, 25 hours', async () => {
    const { intent, paymentId } = await answerLost(app);
    expect(await provider.refunds(intent)).toMatchObject([{ amount: 1_999 }, { amount: 1_999 }]);
    expect((await paymentBy(paymentId))?.status).toBe('refunded');
    await provider.heal();
    await settleAll(app);
    expect(await provider.refunds(intent)).toHaveLength(2);
  });
});

const sees = (list: (there: ProviderRefund[]) => ProviderRefund[]) => (cards: Cards) => ({
  ...cards,
  refunds: async (intent: string) => list(await cards.refunds(intent)),
});
const controls = {
  // A refund with the same amount is taken for the one that is asked about.
  byamount: sees((there) => there.map((one) => ({ ...one, refundId: sending }))),
  // A refund is sent again without a look at what is there.
  nolook: sees(() => []),
};

describe('N7, controls', () => {
  const since = new Date(0);
  // What follows breaks the books.
  beforeAll(() => balanced(shop));

  it.each(['byamount', 'nolook'] as const)('%s: the books speak', async (name) => {
    const worker = await shop.another({}, { between: controls[name] });
    const { intent } = await answerLost(worker);
    // By the clock of the provider the intent is of tomorrow.
    const books = await checkBooks(app.db, app.cards, { ...app.config, graceSeconds: -1e6, since });
    expect(books.join('\n')).toContain(`intent ${intent}: `);
    await worker.close();
  });
});
