import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { listCart } from '../../../../contract/cart.ts';
import { denyClass, updateClass } from '../../../../contract/classes.ts';
import { createIntent } from '../../../../contract/payments.ts';
import { ProviderError } from '../../../outside/cards.ts';
import { aClass, aUser, anAdmin } from '../../../testing/factories.ts';
import {
  aBoughtSeat,
  aHeldSeat,
  aPaidSeat,
  aShop,
  aShopper,
  balanced,
  dying,
  expire,
  intoCart,
  openIntent,
  record,
  rowsOf,
  seats,
  secretOf,
  until,
} from '../../../testing/checkout.ts';

const shop = await aShop();
const { app, provider } = shop;
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

const ofClass = (id: string) => `class_id = '${id}'`;
const intentsAt = async (classId: string) =>
  (await provider.list('payment_intents?limit=100')).filter(
    ({ metadata }) => metadata?.['class'] === classId,
  );

describe('opening a payment', () => {
  it('holds a seat for fifteen minutes and charges what the class costs, to the cent', async () => {
    const { klass, who } = await aShopper(app, await aClass(app, { cents: 1_999 }));
    const { status, body } = await openIntent(app, who, klass);
    expect(status).toBe(200);
    expect(body).toMatchObject({ itemId: klass.id, name: klass.name, price: 19.99 });
    expect(new Date(body.expiresAt).getTime() - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(await provider.intent(secretOf(body.clientSecret).intent)).toMatchObject({
      amount: 1_999,
      metadata: { app: 'rally', class: klass.id, student: who.id, hold: body.holdId },
    });
    expect(await seats(app, klass.id)).toMatchObject({ held: 1, sold: 0 });
  });

  it('takes the cart item, the class, or the price of the only item that costs it', async () => {
    const { who, klass, item } = await aShopper(app, await aClass(app, { cents: 4_321 }));
    const byItem = await app.send(createIntent, { price: 43.21, itemId: item }, who.token);
    const byClass = await app.send(createIntent, { price: '43.21', itemId: klass.id }, who.token);
    const byPrice = await app.send(createIntent, { price: 43.21 }, who.token);
    expect(byItem.body.clientSecret).toBeDefined();
    expect([byClass.body.clientSecret, byPrice.body.clientSecret]).toEqual([
      byItem.body.clientSecret,
      byItem.body.clientSecret,
    ]);
    await intoCart(app, who, await aClass(app, { cents: 4_321 }));
    expect((await app.send(createIntent, { price: 43.21 }, who.token)).body.code).toBe(
      'ITEM_REQUIRED',
    );
    expect((await app.send(createIntent, { price: 1 }, who.token)).body.code).toBe('NOT_IN_CART');
  });

  it('refuses a price that is not the price, names the right one, and opens nothing', async () => {
    const { who, klass } = await aShopper(app, await aClass(app, { cents: 1_999 }));
    for (const price of [
      0.01,
      19.98,
      20,
      1_999,
      '19.990',
      '0',
      -19.99,
      '1e3',
      Number.MAX_SAFE_INTEGER,
    ]) {
      const { status, body } = await app.send(createIntent, { price, itemId: klass.id }, who.token);
      expect({ status, code: body.code, price: body.price }).toEqual(
        status === 400
          ? { status, code: 'INVALID_INPUT', price: undefined }
          : { status: 409, code: 'PRICE_CHANGED', price: 19.99 },
      );
    }
    expect(await rowsOf(app, 'hold', ofClass(klass.id))).toEqual([]);
    expect(await intentsAt(klass.id)).toEqual([]);
  });

  it('refuses what is not in the cart, not offered, not theirs or sold out', async () => {
    const { who } = await aShopper(app);
    const ask = async (itemId: string) =>
      (await app.send(createIntent, { price: 19.99, itemId }, who.token)).body.code;
    expect(await ask((await aClass(app)).id)).toBe('NOT_IN_CART');
    expect(await ask((await aClass(app, { status: 'pending' })).id)).toBe('NOT_FOUND');
    expect(await ask(crypto.randomUUID())).toBe('NOT_FOUND');
    expect(await ask((await aShopper(app)).item)).toBe('NOT_FOUND');
    const single = await aClass(app, { capacity: 1 });
    await intoCart(app, who, single);
    await aHeldSeat(shop, single);
    expect(await ask(single.id)).toBe('SOLD_OUT');
  });

  it('answers a reload after the payment with what is so, by cart item and by class', async () => {
    const bought = await aBoughtSeat(shop);
    for (const itemId of [bought.item, bought.klass.id]) {
      const { body } = await app.send(createIntent, { price: 19.99, itemId }, bought.who.token);
      expect(body.code).toBe('ALREADY_ENROLLED');
    }
  });

  it('settles instead of charging again when the card was paid and nobody said so', async () => {
    const quiet = await aPaidSeat(shop);
    const { body } = await openIntent(app, quiet.who, quiet.klass);
    expect(['ALREADY_PAID', 'ALREADY_ENROLLED']).toContain(body.code);
    expect(await seats(app, quiet.klass.id)).toMatchObject({ held: 0, sold: 1 });
  });

  it('charges the price of the day the seat was held, and says so to whoever saw another', async () => {
    const admin = await anAdmin(app);
    const held = await aHeldSeat(shop, await aClass(app, { cents: 1_999 }));
    await app.send(updateClass, { id: held.klass.id, price: 25 }, admin.token);
    const seenNew = await app.send(
      createIntent,
      { price: 25, itemId: held.klass.id },
      held.who.token,
    );
    expect(seenNew.body).toMatchObject({ code: 'PRICE_CHANGED', price: 19.99 });
    const seenOld = await app.send(
      createIntent,
      { price: 19.99, itemId: held.klass.id },
      held.who.token,
    );
    expect(seenOld.body.clientSecret).toBe(held.clientSecret);
    await provider.confirm(held.clientSecret);
    await record(app, held.who, held.clientSecret);
    expect(await rowsOf(app, 'payment', ofClass(held.klass.id))).toMatchObject([
      { amount_cents: 1_999 },
    ]);
  });

  it('gives nobody more than three live holds, however many classes they ask for at once', async () => {
    const who = await aUser(app);
    const classes = await Promise.all(Array.from({ length: 12 }, () => aClass(app)));
    for (const klass of classes) await intoCart(app, who, klass);
    const answers = await Promise.all(classes.map((klass) => openIntent(app, who, klass)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ body }) => body.code === 'TOO_MANY_HOLDS');
    expect(refused).toHaveLength(9);
    const [a, b, c] = answers.flatMap(({ status, body }) => (status === 200 ? [body.name] : []));
    for (const name of [a, b, c]) expect(refused[0]?.body.message).toContain(String(name));
    expect(refused[0]?.body.message).toMatch(
      /^You are paying for .+, .+ and .+ already\. Finish or remove one of them first\.$/,
    );
    const cart = (await app.send(listCart, { email: who.email }, who.token)).body;
    expect(cart.flatMap(({ paying, name }) => (paying ? [name] : [])).toSorted()).toEqual(
      [a, b, c].map(String).toSorted(),
    );
    expect(await rowsOf(app, 'hold', `student_id = '${who.id}'`)).toHaveLength(3);
  });
});

describe('from the seat to the secret', () => {
  it('crash point 1: a session that dies before the hold is written leaves nothing, and the retry works', async () => {
    const { who, klass } = await aShopper(app);
    const blocker = await app.pool.connect();
    await blocker.query('begin');
    await blocker.query('select from class where id = $1 for update', [klass.id]);
    const asked = openIntent(app, who, klass);
    const waiting = await until(async () => {
      const { rows } = await app.pool.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%unnest(%'`,
      );
      return rows[0]?.pid ?? 0;
    });
    await app.pool.query('select pg_terminate_backend($1)', [waiting]);
    expect((await asked).body.code).toBe('UNAVAILABLE');
    await blocker.query('rollback');
    blocker.release();
    expect(await rowsOf(app, 'hold', ofClass(klass.id))).toEqual([]);
    expect(await seats(app, klass.id)).toMatchObject({ held: 0 });
    expect((await openIntent(app, who, klass)).status).toBe(200);
  });

  it('crash point 2: no answer from the provider keeps the hold; the retry finds the same hold and the same intent', async () => {
    for (const effect of ['lose_answer', 'reset', 'rate_limit', 'error_before'] as const) {
      const { who, klass } = await aShopper(app);
      await provider.fault({
        effect,
        method: 'POST',
        path: '/v1/payment_intents',
        times: effect === 'error_before' ? 6 : 3,
      });
      const first = await openIntent(app, who, klass);
      expect(first.body.code).toBe('PROVIDER_DOWN');
      expect(await seats(app, klass.id)).toMatchObject({ held: 1 });
      await provider.heal();
      const retry = await openIntent(app, who, klass);
      expect(retry.status).toBe(200);
      expect(await rowsOf(app, 'hold', ofClass(klass.id))).toHaveLength(1);
      expect(await intentsAt(klass.id)).toHaveLength(1);
    }
  });

  it('crash point 2: without a retry the sweeper frees the seat, because nobody has the secret', async () => {
    const { who, klass } = await aShopper(app);
    await provider.fault({
      effect: 'reset',
      method: 'POST',
      path: '/v1/payment_intents',
      times: 3,
    });
    await openIntent(app, who, klass);
    const [hold] = await rowsOf(app, 'hold', ofClass(klass.id));
    await expire(app, hold?.id ?? '');
    await app.money.sweep();
    expect(await seats(app, klass.id)).toMatchObject({ held: 0 });
    expect(await rowsOf(app, 'hold', ofClass(klass.id))).toMatchObject([{ state: 'released' }]);
  });

  it('crash point 3: an intent that was made but never written down is found again by its key', async () => {
    const dead = await shop.another({}, { between: dying('openIntent', 'after') });
    const { who, klass } = await aShopper(app);
    void openIntent(dead, who, klass);
    const [lost] = await until(
      () => intentsAt(klass.id),
      (found) => found.length > 0,
    );
    const { body } = await openIntent(app, who, klass);
    expect(secretOf(body.clientSecret).intent).toBe(lost?.id);
    expect(await intentsAt(klass.id)).toHaveLength(1);
    await dead.close();
  });

  it('crash point 3: without a retry the look back cancels it', async () => {
    const dead = await shop.another({}, { between: dying('openIntent', 'after') });
    const { who, klass } = await aShopper(app);
    void openIntent(dead, who, klass);
    const [lost] = await until(
      () => intentsAt(klass.id),
      (found) => found.length > 0,
    );
    // While the hold lives the student may still come back for it.
    await app.money.lookBack();
    expect(await provider.intent(lost?.id ?? '')).toMatchObject({
      status: 'requires_payment_method',
    });
    const [hold] = await rowsOf(app, 'hold', ofClass(klass.id));
    await expire(app, hold?.id ?? '');
    await app.money.sweep();
    await app.money.lookBack();
    expect(await provider.intent(lost?.id ?? '')).toMatchObject({ status: 'canceled' });
    await dead.close();
  });

  it('crash point 4: a lost answer costs nothing: the same secret again', async () => {
    const held = await aHeldSeat(shop);
    const again = await openIntent(app, held.who, held.klass);
    expect(again.body).toMatchObject({
      clientSecret: held.clientSecret,
      holdId: held.holdId,
      expiresAt: held.expiresAt,
    });
    expect(await intentsAt(held.klass.id)).toHaveLength(1);
  });

  it('crash point 5: an intent that comes after the seat was freed is cancelled and never handed out', async () => {
    const { promise: gate, resolve: answer } = Promise.withResolvers<void>();
    const slow = await shop.another(
      {},
      {
        between: (cards) => ({
          ...cards,
          openIntent: async (wish) => gate.then(() => cards.openIntent(wish)),
        }),
      },
    );
    const { who, klass } = await aShopper(app);
    const asked = openIntent(slow, who, klass);
    const [hold] = await until(
      () => rowsOf(app, 'hold', ofClass(klass.id)),
      (rows) => rows.length > 0,
    );
    await expire(app, hold?.id ?? '');
    await app.money.sweep();
    expect(await seats(app, klass.id)).toMatchObject({ held: 0 });
    answer();
    const { body } = await asked;
    const intents = await intentsAt(klass.id);
    const late = intents.find(({ metadata }) => metadata?.['hold'] === hold?.id);
    expect(late).toMatchObject({ status: 'canceled' });
    // The student is served all the same: with a new hold and its own intent.
    expect(body.holdId).not.toBe(hold?.id);
    expect(secretOf(body.clientSecret).intent).not.toBe(late?.id);
    expect(await seats(app, klass.id)).toMatchObject({ held: 1 });
    await slow.close();
  });

  it('crash point 6: a declined card keeps seat and secret; after five the payment is cancelled', async () => {
    const held = await aHeldSeat(shop);
    expect(
      (await provider.confirm(held.clientSecret, 'visa_chargeDeclined')).body.error?.code,
    ).toBe('card_declined');
    await until(
      () => rowsOf(app, 'hold', `id = '${held.holdId}'`),
      ([hold]) => hold !== undefined && 'declines' in hold && hold.declines === 1,
    );
    expect((await openIntent(app, held.who, held.klass)).body.clientSecret).toBe(held.clientSecret);
    expect((await provider.confirm(held.clientSecret)).body.status).toBe('succeeded');

    const tester = await aHeldSeat(shop);
    for (let card = 0; card < 5; card++)
      await provider.confirm(tester.clientSecret, 'visa_chargeDeclined');
    expect(
      await until(
        () => provider.intent(tester.intent),
        ({ status }) => status === 'canceled',
      ),
    ).toMatchObject({ status: 'canceled' });
    expect(
      await until(
        () => seats(app, tester.klass.id),
        ({ held: left }) => left === 0,
      ),
    ).toMatchObject({ held: 0 });
    expect((await provider.confirm(tester.clientSecret)).body.error?.code).toBe(
      'payment_intent_unexpected_state',
    );
  });

  it('a failure that the provider has saved under our key does not last: the next attempt has another key', async () => {
    const { who, klass } = await aShopper(app);
    await provider.fault({
      effect: 'error_saved',
      method: 'POST',
      path: '/v1/payment_intents',
      times: 1,
    });
    const { status, body } = await openIntent(app, who, klass);
    expect(status).toBe(200);
    expect(await rowsOf(app, 'hold', ofClass(klass.id))).toMatchObject([
      { attempt: 2, intent_id: secretOf(body.clientSecret).intent },
    ]);
    // The intent behind the failure exists, and nobody can ever pay it.
    await app.money.lookBack();
    const others = (await intentsAt(klass.id)).filter(
      ({ id }) => id !== secretOf(body.clientSecret).intent,
    );
    expect(others).toMatchObject([{ status: 'canceled' }]);
  });

  it('two processes with two attempts at once hand out one secret, and cancel the intent that lost', async () => {
    const { promise: gate, resolve: answer } = Promise.withResolvers<void>();
    const slow = await shop.another(
      {},
      {
        between: (cards) => ({
          ...cards,
          openIntent: async (wish) => {
            const intent = await cards.openIntent(wish);
            await gate;
            return intent;
          },
        }),
      },
    );
    let failures = 1;
    const unlucky = await shop.another(
      {},
      {
        between: (cards) => ({
          ...cards,
          openIntent: async (wish) => {
            if (failures-- > 0) throw new ProviderError('broken', 'saved', null);
            return cards.openIntent(wish);
          },
        }),
      },
    );
    const { who, klass } = await aShopper(app);
    const first = openIntent(slow, who, klass);
    const [lost] = await until(
      () => intentsAt(klass.id),
      (found) => found.length > 0,
    );
    const second = await openIntent(unlucky, who, klass);
    answer();
    expect((await first).body.clientSecret).toBe(second.body.clientSecret);
    expect(secretOf(second.body.clientSecret).intent).not.toBe(lost?.id);
    expect(await provider.intent(lost?.id ?? '')).toMatchObject({ status: 'canceled' });
    await slow.close();
    await unlucky.close();
  });

  it('an intent that was cancelled at the provider makes room for a new one', async () => {
    const held = await aHeldSeat(shop);
    await provider.ask('POST', `/v1/payment_intents/${held.intent}/cancel`);
    const { body } = await openIntent(app, held.who, held.klass);
    expect(body.clientSecret).toBeDefined();
    expect(body.clientSecret).not.toBe(held.clientSecret);
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 1 });
  });

  it('a class that was denied cannot be paid for any more', async () => {
    const held = await aHeldSeat(shop);
    await app.send(denyClass, { id: held.klass.id }, (await anAdmin(app)).token);
    expect((await openIntent(app, held.who, held.klass)).body.code).toBe('CLASS_CLOSED');
    expect(
      await until(
        () => provider.intent(held.intent),
        ({ status }) => status === 'canceled',
      ),
    ).toMatchObject({ status: 'canceled' });
  });
});
