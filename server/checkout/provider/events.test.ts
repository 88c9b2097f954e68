import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { listAttention } from '../../../contract/checkout/payments.ts';
import { appOn, unique } from '../../testing/app.ts';
import { anAdmin } from '../../testing/factories.ts';
import {
  aHeldSeat,
  aPaidSeat,
  aShop,
  aWire,
  anEvent,
  balanced,
  dying,
  enrolled,
  ofIntent,
  rowsOf,
  signed,
  some,
  statusBecomes,
  tell,
  until,
} from '../../testing/checkout.ts';

const shop = await aShop();
const { app, provider } = shop;
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

const events = async (intent: string) => {
  const { rows } = await app.pool.query<{
    event_id: string;
    type: string;
    state: string;
    attempts: number;
    last_error: string | null;
  }>('select * from stripe_event where object_id = $1', [intent]);
  return rows;
};

const eventsBecome = (intent: string, wanted: string) =>
  until(
    () => events(intent),
    (all) => all.length > 0 && all.every(({ state }) => state === wanted),
  );

describe('a request to the webhook', () => {
  it('is accepted only with a fresh signature over the exact bytes', async () => {
    // This test delivers the events itself.
    await provider.silence();
    const { intent } = await aPaidSeat(shop);
    const event = anEvent('payment_intent.succeeded', intent);
    const old = Math.floor(Date.now() / 1_000) - 301;
    const forged = [
      signed(event, 'whsec_wrong'),
      signed(event, undefined, old),
      { ...signed(event), payload: JSON.stringify({ ...event, type: 'charge.refunded' }) },
      { ...signed(event), headers: { 'content-type': 'application/json', 'stripe-signature': '' } },
      {
        payload: '',
        headers: { 'content-type': 'application/json', 'stripe-signature': 'nonsense' },
      },
    ];
    for (const message of forged)
      expect((await tell(app, message)).json()).toMatchObject({ code: 'BAD_SIGNATURE' });
    expect(await events(intent)).toEqual([]);
    expect((await tell(app, signed(event))).statusCode).toBe(200);
    await some(() => rowsOf(app, 'payment', ofIntent(intent)));
  });

  it('is ignored when it is not about our payments', async () => {
    const { intent } = await aHeldSeat(shop);
    for (const event of [
      { ...anEvent('payment_intent.succeeded', intent), livemode: true },
      { ...anEvent('payment_intent.succeeded', intent), account: 'acct_other' },
      anEvent('customer.created', intent),
      {
        ...anEvent('charge.refunded', intent),
        data: { object: { id: 'ch_1', object: 'charge', payment_intent: null } },
      },
    ]) {
      expect((await tell(app, signed(event))).statusCode).toBe(200);
    }
    expect(await events(intent)).toEqual([]);
  });

  it('crash point 7: enrols a student who closed the browser', async () => {
    const { who, intent } = await aPaidSeat(shop);
    await some(() => enrolled(app, who));
    expect(await statusBecomes(app, intent, 'succeeded')).toBe('succeeded');
  });
});

describe('when it goes wrong', () => {
  it('crash point 14: is answered 503 while the database is down', async () => {
    const wire = await aWire(app.url);
    const behind = await appOn(wire.url, {}, { sandbox: shop.sandbox.url });
    try {
      await provider.silence();
      const { who, intent } = await aPaidSeat(shop);
      const message = signed(anEvent('payment_intent.succeeded', intent));
      wire.cut();
      const away = await tell(behind, message);
      expect(away.statusCode).toBe(503);
      expect(away.headers['retry-after']).toBeDefined();
      wire.mend();
      const taken = until(async () => (await tell(behind, message)).statusCode === 200);
      expect(await taken).toBe(true);
      expect(await some(() => enrolled(app, who))).toHaveLength(1);
    } finally {
      await behind.close();
      await wire.close();
    }
  });

  it('crash point 15: an event whose worker died is taken over', async () => {
    await provider.silence();
    const dead = await shop.another({}, { between: dying('intent', 'after') });
    const { who, intent } = await aPaidSeat(shop);
    await app.pool.query(
      `insert into stripe_event (event_id, type, object_id) values ($1, 'payment_intent.succeeded', $2)`,
      [unique('evt'), intent],
    );
    const ahead = async () => {
      const { rows } = await app.pool.query<{ ahead: number }>(
        'select extract(epoch from next_try - now())::float as ahead from stripe_event where object_id = $1',
        [intent],
      );
      return rows[0]?.ahead ?? 0;
    };
    try {
      for (let death = 0; death < 2; death++) {
        void dead.money.events.work();
        // Thirty seconds, by a clock that may have been read shortly before the lease was written.
        expect(await until(ahead, (seconds) => seconds > 0)).toBeLessThan(35);
        expect(await app.money.events.work()).toBe(0);
        await app.pool.query('update stripe_event set next_try = now() where object_id = $1', [
          intent,
        ]);
      }
      await app.money.sweep();
      expect(await enrolled(app, who)).toHaveLength(1);
      expect(await events(intent)).toMatchObject([{ state: 'done' }]);
    } finally {
      await dead.close();
    }
  });

  it('crash point 16: what fails is shown, and done later', async () => {
    await provider.silence();
    const { who, intent } = await aPaidSeat(shop);
    await provider.fails(`GET /v1/payment_intents/${intent}`);
    await tell(app, signed(anEvent('payment_intent.succeeded', intent)));
    const [failed] = await eventsBecome(intent, 'failed');
    expect(failed?.last_error).toContain('card provider');
    const admin = await anAdmin(app);
    const shown = async () =>
      (await app.send(listAttention, {}, admin.token)).body.map(({ _id }) => _id);
    expect(await shown()).not.toContain(failed?.event_id);
    await app.pool.query(
      `update stripe_event set received_at = now() - interval '6 minutes', next_try = now() where object_id = $1`,
      [intent],
    );
    await app.money.events.work(failed?.event_id);
    expect(app.logs.join('')).toContain('ALARM: an event cannot be handled');
    expect(await shown()).toContain(failed?.event_id);
    await provider.heal();
    await app.pool.query('update stripe_event set next_try = now() where object_id = $1', [intent]);
    await app.money.sweep();
    expect(await enrolled(app, who)).toHaveLength(1);
    expect(await shown()).not.toContain(failed?.event_id);
  });

  it('crash point 16: a failed event that comes again is due again', async () => {
    await provider.silence();
    const { who, intent } = await aPaidSeat(shop);
    await provider.fails(`GET /v1/payment_intents/${intent}`, { times: 3 });
    const message = signed(anEvent('payment_intent.succeeded', intent));
    await tell(app, message);
    await eventsBecome(intent, 'failed');
    await provider.heal();
    await tell(app, message);
    expect(await some(() => enrolled(app, who))).toHaveLength(1);
  });

  it('crash point 18: a late failure does not undo a payment', async () => {
    const { who, intent } = await aPaidSeat(shop);
    await some(() => enrolled(app, who));
    await tell(app, signed(anEvent('payment_intent.payment_failed', intent)));
    await tell(app, signed(anEvent('payment_intent.canceled', intent)));
    await eventsBecome(intent, 'done');
    expect(await enrolled(app, who)).toHaveLength(1);
    expect(await rowsOf(app, 'payment', ofIntent(intent))).toMatchObject([{ status: 'succeeded' }]);
  });

  it('crash point 19: a webhook that is off for days loses nothing', async () => {
    await provider.pointTo('http://127.0.0.1:9/nobody');
    const { who, intent } = await aPaidSeat(shop);
    await app.money.reconcile(0);
    expect(await enrolled(app, who)).toHaveLength(1);
    await app.money.lookBack();
    const read = await until(
      () => events(intent),
      (all) =>
        all.some(({ type, state }) => type === 'payment_intent.succeeded' && state === 'done'),
    );
    expect(read).toContainEqual(
      expect.objectContaining({ type: 'payment_intent.succeeded', state: 'done' }),
    );
    await provider.pointTo(shop.webhook);
  });
});
