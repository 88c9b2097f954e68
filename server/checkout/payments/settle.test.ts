// The results of settle and the rows it writes. Its callers: routes.test.ts.
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { Cards } from '../../platform/cards.ts';
import { aClass, aUser } from '../../testing/factories.ts';
import {
  aBoughtSeat,
  aHeldSeat,
  aPaidSeat,
  aShop,
  balanced,
  enrolled,
  inBasketOf,
  ofIntent,
  rowsOf,
  seats,
  settleAll,
} from '../../testing/checkout.ts';

// Without webhooks, so that only these tests settle.
const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterAll(() => balanced(shop));

/** Paid at the provider, without a hold of ours that names the intent. */
async function paidElsewhere(metadata: Record<string, string>): Promise<string> {
  const { body } = await provider.ask('POST', '/v1/payment_intents', {
    amount: '1999',
    currency: 'usd',
    'payment_method_types[0]': 'card',
    payment_method: 'pm_card_visa',
    confirm: 'true',
    ...Object.fromEntries(
      Object.entries(metadata).map(([mark, value]) => [`metadata[${mark}]`, value]),
    ),
  });
  return body.id;
}
/** The metadata of an intent of a basket that is lost. */
const marks = (who: { id: string }, ...classes: { id: string; cents?: number }[]) => ({
  app: 'rally',
  env: new URL(app.config.publicUrl).host,
  basket: randomUUID(),
  student: who.id,
  ...Object.fromEntries(
    classes.map(({ id, cents = 1_999 }, place) => [`l${place + 1}`, `${who.id} ${id} ${cents}`]),
  ),
});
const auditOf = (subject: string) => rowsOf(app, 'audit', `subject = '${subject}'`);
const refundOf = async (intent: string) => {
  const [payment] = await rowsOf(app, 'payment', ofIntent(intent));
  const [refund] = await rowsOf(app, 'refund', `payment_id = '${payment?.id}'`);
  return { status: payment?.status, reason: refund?.['reason'], cents: refund?.['amount_cents'] };
};

describe('settling', () => {
  it('tells a new payment from one that was recorded before', async () => {
    const { who, klass, intent } = await aPaidSeat(shop);
    const first = await app.money.settle(intent);
    const [payment] = await rowsOf(app, 'payment', ofIntent(intent));
    const known = { id: payment?.id, status: 'pending' };
    expect(first).toEqual({ outcome: 'recorded', payment: known, fresh: true });
    expect(await app.money.settle(intent)).toEqual({
      outcome: 'recorded',
      payment: known,
      fresh: false,
    });
    expect(await auditOf(known.id ?? '')).toMatchObject([
      { actor_id: who.id, action: 'payment recorded', detail: klass.name },
    ]);
  });

  it('reports an unpaid intent as unpaid', async () => {
    const { intent } = await aHeldSeat(shop);
    expect(await app.money.settle('pi_nothing')).toEqual({ outcome: 'unpaid', intent: null });
    expect(await app.money.settle(intent)).toMatchObject({
      outcome: 'unpaid',
      intent: { id: intent },
    });
  });

  it('ignores payments of other products and installations', async () => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    const { app: ours, ...rest } = marks(who, klass);
    const others: Record<string, string>[] = [
      {},
      { app: 'another shop' },
      rest,
      { ...rest, app: ours, env: 'elsewhere.example' },
    ];
    for (const metadata of others) {
      const intent = await paidElsewhere(metadata);
      expect(await app.money.settle(intent)).toEqual({ outcome: 'foreign' });
      expect(await rowsOf(app, 'payment', ofIntent(intent))).toEqual([]);
      expect(await rowsOf(app, 'quarantine', ofIntent(intent))).toEqual([]);
    }
  });

  it('quarantines a payment of nobody, with one alarm', async () => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    const { student, ...rest } = marks(who);
    const l1 = `${who.id} ${klass.id} 1999`;
    for (const metadata of [
      rest,
      { ...rest, student },
      { ...rest, l1 },
      { ...rest, student, l1: `${who.id} x 1999` },
    ]) {
      const intent = await paidElsewhere(metadata);
      const before = app.logs.length;
      const said = () => app.logs.slice(before).join('');
      for (const time of [1, 2]) {
        expect([time, await app.money.settle(intent)]).toEqual([time, { outcome: 'quarantined' }]);
        expect([time, said().match(/ALARM: a payment that belongs to nobody/g)?.length]).toEqual([
          time,
          1,
        ]);
      }
      expect(await rowsOf(app, 'quarantine', ofIntent(intent))).toMatchObject([
        { amount_cents: 1_999, currency: 'usd' },
      ]);
      expect(said()).toContain(intent);
    }
    // An admin has resolved it.
    await app.pool.query('update quarantine set resolved_at = now()');
  });

  it('enrols in every lost seat, also one below 50 cents', async () => {
    const who = await aUser(app);
    const classes = [];
    for (const cents of [1_989, 10, 0]) classes.push({ ...(await aClass(app)), cents });
    const intent = await paidElsewhere(marks(who, ...classes));
    expect(await app.money.settle(intent)).toMatchObject({ payment: { status: 'pending' } });
    const { rows } = await app.pool.query(
      `select worth_cents, outcome from payment_line line join payment on payment.id = line.payment_id
       where intent_id = $1 order by worth_cents`,
      [intent],
    );
    expect(rows).toEqual(
      [0, 10, 1_989].map((cents) => ({ worth_cents: cents, outcome: 'enrolled' })),
    );
  });

  it('quarantines two lost children in one class: one seat', async () => {
    const [who, klass] = [await aUser(app), await aClass(app)];
    const intent = await paidElsewhere({
      ...marks(who),
      l1: `${randomUUID()} ${klass.id} 1000`,
      l2: `${randomUUID()} ${klass.id} 999`,
    });
    expect(await app.money.settle(intent)).toEqual({ outcome: 'quarantined' });
    await app.pool.query('update quarantine set resolved_at = now()');
  });

  it('enrols for a lost hold, and releases another open one', async () => {
    const { who, klass, intent: open } = await aHeldSeat(shop);
    const intent = await paidElsewhere(marks(who, klass));
    expect(await app.money.settle(intent)).toMatchObject({
      outcome: 'recorded',
      fresh: true,
      payment: { status: 'pending' },
    });
    expect(app.logs.join('')).toContain('a hold was rebuilt from what the card provider knows');
    expect(await rowsOf(app, 'hold', inBasketOf(open))).toMatchObject([
      { state: 'releasing', ended_because: 'paid already' },
    ]);
    expect(await rowsOf(app, 'hold', inBasketOf(intent))).toMatchObject([{ state: 'consumed' }]);
    await settleAll(app);
    expect(await provider.intent(open)).toMatchObject({ status: 'canceled' });
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 1 });
  });

  it.each(['total_cents = 1998', 'total_cents = 2000', `currency = 'eur'`])(
    'crash point 25: who paid another amount gets it back (%s)',
    async (asked) => {
      const { who, klass, intent } = await aPaidSeat(shop);
      await app.pool.query(`update basket set ${asked} where intent_id = $1`, [intent]);
      expect(await app.money.settle(intent)).toMatchObject({ payment: { status: 'refund_due' } });
      const reason = 'The amount paid was not the amount asked for.';
      expect(await refundOf(intent)).toMatchObject({ reason, cents: 1_999 });
      expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 0 });
      expect(await enrolled(app, who)).toEqual([]);
      expect(app.logs.join('')).toContain('SECURITY: the amount at the card provider');
      await settleAll(app);
      expect(await refundOf(intent)).toMatchObject({ status: 'refunded' });
    },
  );

  it('a paid basket without a payment is never sold again', async () => {
    const { klass, intent } = await aPaidSeat(shop);
    await app.pool.query(`update basket set state = 'paid' where intent_id = $1`, [intent]);
    await expect(app.money.settle(intent)).rejects.toThrow('a basket is paid but has no payment');
    expect(await seats(app, klass.id)).toMatchObject({ held: 1, sold: 0 });
    await app.pool.query(`update basket set state = 'open' where intent_id = $1`, [intent]);
  });

  it('dates a sale that is found again by the charge', async () => {
    const charged = new Date('2026-01-02T03:04:05Z');
    const between = (cards: Cards): Cards => ({
      ...cards,
      intent: async (id) => {
        const intent = await cards.intent(id);
        expect(Math.abs(Date.now() - Number(intent?.charged))).toBeLessThan(60_000);
        return intent && { ...intent, charged };
      },
    });
    const restored = await shop.another({}, { between });
    const intent = await paidElsewhere(marks(await aUser(app), await aClass(app)));
    await restored.money.settle(intent);
    await restored.close();
    const [payment] = await rowsOf(app, 'payment', ofIntent(intent));
    expect(payment?.['date']).toEqual(charged);
  });

  it('refunds, with the reason, whom it cannot enrol', async () => {
    const [twice, full, closed] = [
      await aBoughtSeat(shop),
      await aClass(app, { capacity: 1 }),
      await aClass(app),
    ];
    await aBoughtSeat(shop, full);
    await app.db
      .updateTable('class')
      .set({ status: 'denied' })
      .where('id', '=', closed.id)
      .execute();
    const late = await aUser(app);
    for (const [buyer, klass, reason] of [
      [twice.who, twice.klass, 'You were enrolled already.'],
      [late, full, 'No seat was left.'],
      [late, closed, 'The class is no longer offered.'],
    ] as const) {
      const before = app.logs.length;
      const intent = await paidElsewhere(marks(buyer, klass));
      const settled = await app.money.settle(intent);
      expect(settled).toMatchObject({
        outcome: 'recorded',
        fresh: true,
        payment: { status: 'refund_due' },
      });
      const [payment] = await rowsOf(app, 'payment', ofIntent(intent));
      expect(await auditOf(payment?.id ?? '')).toContainEqual(
        expect.objectContaining({
          actor_id: buyer.id,
          action: 'payment to be refunded',
          detail: reason,
        }),
      );
      expect(app.logs.slice(before).join('')).toContain('a payment is being refunded');
      await settleAll(app);
      expect(await refundOf(intent)).toEqual({ status: 'refunded', reason, cents: 1_999 });
    }
    expect(await seats(app, full.id)).toMatchObject({ held: 0, sold: 1 });
    expect(await enrolled(app, late)).toEqual([]);
  });
});
