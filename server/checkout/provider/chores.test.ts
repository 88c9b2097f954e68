import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { listAttention } from '../../../contract/checkout/payments.ts';
import { aClass, anAdmin } from '../../testing/factories.ts';
import {
  aBoughtSeat,
  aHeldSeat,
  aPaidSeat,
  aShop,
  balanced,
  expire,
  record,
  refusesCards,
  rowsOf,
  saidAfter,
  seats,
  until,
} from '../../testing/checkout.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

const holdOf = async (id: string) => (await rowsOf(app, 'hold', `id = '${id}'`))[0];

describe('an expired hold', () => {
  it('crash point 20: the sweeper is first: the card is refused', async () => {
    const held = await aHeldSeat(shop);
    await expire(app, held.holdId);
    await app.money.sweep();
    expect(await holdOf(held.holdId)).toMatchObject({ state: 'released' });
    await refusesCards(shop, held.clientSecret);
    expect((await record(app, held.who, held.clientSecret)).body).toMatchObject({
      code: 'PAYMENT_NOT_COMPLETED',
      status: 'canceled',
    });
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 0, sold: 0 });
  });

  it('crash point 20: the card is first: the student is enrolled', async () => {
    const paid = await aPaidSeat(shop);
    await expire(app, paid.holdId);
    await app.money.sweep();
    expect(await holdOf(paid.holdId)).toMatchObject({ state: 'consumed' });
    expect(await seats(app, paid.klass.id)).toMatchObject({ held: 0, sold: 1 });
  });

  it('crash point 20: no answer: the seat stays, an admin is told', async () => {
    const held = await aHeldSeat(shop, await aClass(app, { capacity: 1 }));
    await provider.fails('POST /v1/payment_intents/*/cancel');
    await expire(app, held.holdId);
    await app.money.sweep();
    expect(await holdOf(held.holdId)).toMatchObject({ state: 'releasing' });
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 1 });
    await app.pool.query(
      `update hold set releasing_since = now() - interval '31 minutes' where id = $1`,
      [held.holdId],
    );
    const admin = await anAdmin(app);
    expect((await app.send(listAttention, {}, admin.token)).body).toContainEqual(
      expect.objectContaining({ kind: 'intent', _id: held.holdId }),
    );
    // Only our request was lost: the student still pays.
    expect((await provider.confirm(held.clientSecret)).body.status).toBe('succeeded');
    await provider.heal();
    await app.money.reconcile(0);
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 0, sold: 1 });
  });

  it('is not freed early: the clock of the database decides', async () => {
    const held = await aHeldSeat(shop);
    const real = Date.now;
    Date.now = () => real() + 2 * 3_600_000;
    try {
      await app.money.sweep();
    } finally {
      Date.now = real;
    }
    expect(await holdOf(held.holdId)).toMatchObject({ state: 'held' });
  });
});

describe('several processes', () => {
  it('crash point 27: sweepers and reconcilers at once do all once', async () => {
    const twin = await shop.another();
    const klass = await aClass(app, { capacity: 60 });
    const held = [];
    for (let n = 0; n < 6; n++)
      held.push(await (n % 3 ? aHeldSeat(shop, klass) : aPaidSeat(shop, klass)));
    for (const { holdId } of held) await expire(app, holdId);
    await Promise.all(
      [app, twin, app, twin].flatMap((side) => [
        side.money.sweep(),
        side.money.reconcile(0),
        side.money.lookBack(),
      ]),
    );
    await until(
      () => seats(app, klass.id),
      (left) => left.held === 0,
    );
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 2 });
    expect(await rowsOf(app, 'payment', `class_id = '${klass.id}'`)).toHaveLength(2);
    await twin.close();
  });
});

describe('the reconciler', () => {
  it('asks after a pause, also about what the browser reported', async () => {
    const [paid, bought] = [await aPaidSeat(shop), await aBoughtSeat(shop)];
    await app.money.reconcile();
    expect(await seats(app, paid.klass.id)).toMatchObject({ sold: 0 });
    await app.pool.query(
      `update basket set checked_at = now() - interval '46 seconds' where intent_id = $1`,
      [paid.intent],
    );
    await app.pool.query(
      `update payment set checked_at = now() - interval '46 seconds' where id = $1`,
      [bought.paymentId],
    );
    await app.money.reconcile();
    expect(await seats(app, paid.klass.id)).toMatchObject({ sold: 1 });
    expect(await rowsOf(app, 'payment', `id = '${bought.paymentId}'`)).toMatchObject([
      { status: 'succeeded' },
    ]);
  });

  it('leaves intents of other shops on the same account alone', async () => {
    const { body } = await provider.ask('POST', '/v1/payment_intents', {
      amount: '700',
      currency: 'usd',
      'payment_method_types[0]': 'card',
      'metadata[app]': 'rally',
      'metadata[env]': 'another.example.org',
    });
    await app.money.lookBack();
    expect(await provider.intent(body.id)).toMatchObject({ status: 'requires_payment_method' });
  });

  it('continues with the rest when one request fails', async () => {
    const [first, second] = [await aPaidSeat(shop), await aPaidSeat(shop)];
    await provider.fails(`GET /v1/payment_intents/${first.intent}`);
    await app.money.reconcile(0);
    expect(await seats(app, second.klass.id)).toMatchObject({ sold: 1 });
    expect(await seats(app, first.klass.id)).toMatchObject({ sold: 0, held: 1 });
    await provider.heal();
    await app.money.reconcile(0);
    expect(await seats(app, first.klass.id)).toMatchObject({ sold: 1 });
  });
});

describe('the checker of the books', () => {
  it('finds what is wrong', async () => {
    const klass = await aClass(app, { capacity: 5 });
    const { paymentId } = await aBoughtSeat(shop, klass);
    const [paid, held] = [await aPaidSeat(shop, klass), await aHeldSeat(shop, klass)];
    const [ofClass, ofPayment] = [`where id = '${klass.id}'`, `where payment_id = '${paymentId}'`];
    const ofHeld = `where id = '${held.holdId}'`;
    const itsBasket = `where id = (select basket_id from hold ${ofHeld})`;
    const faults: [planted: string[], said: RegExp][] = [
      [[`update class set held = held + 1 ${ofClass}`], /held is 3, but 2 holds/],
      [[`update class set sold = sold - 1 ${ofClass}`], /sold is 0, but 1 enrolments/],
      [
        [`update payment set amount_cents = 1 where id = '${paymentId}'`],
        /1999 received, 1 on record/,
      ],
      [
        [`update enrolment set state = 'cancelled', end_kind = 'office' ${ofPayment}`],
        /with 0 active enrolments, 0 refunds/,
      ],
      [
        [
          `insert into refund (payment_id, line_id, amount_cents, reason, state)
           select payment_id, id, 2000, '', 'succeeded' from payment_line ${ofPayment}`,
        ],
        /2000 cents of a payment of 1999[\s\S]*0 sent back, 2000 on record/,
      ],
      [[], /paid, but nobody has it on record/],
      [
        [`update hold set expires_at = now() - interval '1 second' where id = '${paid.holdId}'`],
        /is still held/,
      ],
      [
        [`update basket set state = 'closed' ${itsBasket}`],
        /can still be paid, but its basket is closed/,
      ],
      [
        [
          `update basket set state = 'closing', intent_id = null ${itsBasket}`,
          `update hold set state = 'releasing', next_try = now() ${ofHeld}`,
        ],
        /ours, requires_payment_method, and unknown here/,
      ],
      [
        [
          `insert into stripe_event (event_id, type, object_id, received_at)
           values ('evt_old', 'x', 'y', now() - interval '2 minutes')`,
          `insert into quarantine (intent_id, amount_cents, currency, reason) values ('pi_lost', 1, 'usd', '')`,
        ],
        /event evt_old[\s\S]*pi_lost[\s\S]*nobody/,
      ],
    ];
    for (const [planted, said] of faults) expect(await saidAfter(app, ...planted)).toMatch(said);
  });

  it('raises an alarm in the night', async () => {
    const { id } = await aClass(app);
    const hold = (held: number) =>
      app.pool.query('update class set held = $1 where id = $2', [held, id]);
    await hold(1);
    await app.jobs.send(app.db, 'check-books', null);
    const alarm = 'ALARM: the books do not balance';
    expect(await until(async () => app.logs.join('').includes(alarm))).toBe(true);
    await hold(0);
  });
});
