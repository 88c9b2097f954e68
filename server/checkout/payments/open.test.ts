import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Cards, ProviderError } from '../../platform/cards.ts';
import { aFamily, anOpenBasket, type Family, payAll } from '../../testing/baskets.ts';
import { addToCart, getCart, listCart } from '../../../contract/checkout/cart.ts';
import { openBasket } from '../../../contract/checkout/checkout.ts';
import { createIntent, extendHold } from '../../../contract/checkout/payments.ts';
import { denyClass, updateClass } from '../../../contract/classes/classes.ts';
import { removeGuardian } from '../../../contract/people/family.ts';
import {
  aHeldSeat,
  aPaidSeat,
  aShop,
  aShopper,
  balanced,
  dying,
  expire,
  intoCart,
  ofIntent,
  openIntent,
  record,
  refusesCards,
  rowsOf,
  seats,
  secretOf,
  settleAll,
  some,
  until,
} from '../../testing/checkout.ts';
import { aClass, anAdmin, aUser } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';
import { changedMeanwhile } from '../../testing/overtaken.ts';

const shop = await aShop();
const { app, provider } = shop;
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

const ofClass = (id: string) => `class_id = '${id}'`;
type Metadata = Record<string, string>;
/** The intents for a class, or those whose metadata pass a test. */
const intentsAt = async (wanted: string | ((metadata: Metadata) => boolean)) =>
  (await provider.list('payment_intents?limit=100')).filter(({ metadata = {} }) =>
    typeof wanted === 'string' ? metadata['l1']?.includes(wanted) : wanted(metadata),
  );

/** Another process, which opens intents in this way. */
const opening = (how: (cards: Cards) => Cards['openIntent']) =>
  shop.another({}, { between: (cards) => ({ ...cards, openIntent: how(cards) }) });

describe('opening a payment', () => {
  it('holds a seat for fifteen minutes at the price of the class', async () => {
    const { klass, who } = await aShopper(app, await aClass(app, { cents: 1_999 }));
    const { status, body } = await openIntent(app, who, klass);
    expect(status).toBe(200);
    expect(body).toMatchObject({ itemId: klass.id, name: klass.name, price: 19.99 });
    expect(new Date(body.expiresAt).getTime() - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(await provider.intent(secretOf(body.clientSecret).intent)).toMatchObject({
      amount: 1_999,
      metadata: { app: 'rally', student: who.id, l1: `${who.id} ${klass.id} 1999` },
    });
    expect(await seats(app, klass.id)).toMatchObject({ held: 1, sold: 0 });
  });

  it('asks which item is meant when two have the price', async () => {
    const { who } = await aShopper(app, await aClass(app, { cents: 4_321 }));
    await intoCart(app, who, await aClass(app, { cents: 4_321 }));
    const { body } = await app.send(createIntent, { price: 43.21 }, who.token);
    expect(body.code).toBe('ITEM_REQUIRED');
  });

  it('needs no item where one has the price', async () => {
    const { who, klass } = await aShopper(app, await aClass(app, { cents: 4_321 }));
    const { body } = await app.send(createIntent, { price: 43.21 }, who.token);
    expect(body.itemId).toBe(klass.id);
  });

  it('records a charge that nobody told us, and opens no other', async () => {
    await provider.silence();
    const paid = await aPaidSeat(shop);
    expect((await openIntent(app, paid.who, paid.klass)).body.code).toBe('ALREADY_PAID');
    expect(await seats(app, paid.klass.id)).toMatchObject({ held: 0, sold: 1 });
  });

  it('charges the price at the time of the hold', async () => {
    const admin = await anAdmin(app);
    const held = await aHeldSeat(shop, await aClass(app, { cents: 1_999 }));
    await app.send(updateClass, { id: held.klass.id, price: 25 }, admin.token);
    const saw = async (price: number) =>
      (await app.send(createIntent, { price, itemId: held.klass.id }, held.who.token)).body;
    expect(await saw(25)).toMatchObject({ code: 'PRICE_CHANGED', price: 19.99 });
    expect((await saw(19.99)).clientSecret).toBe(held.clientSecret);
    await provider.confirm(held.clientSecret);
    await record(app, held.who, held.clientSecret);
    expect(await rowsOf(app, 'payment', ofClass(held.klass.id))).toMatchObject([
      { amount_cents: 1_999 },
    ]);
  });

  it('gives a student three live holds at most, also at once', async () => {
    const who = await aUser(app);
    const classes = await Promise.all(Array.from({ length: 6 }, () => aClass(app)));
    for (const klass of classes) await intoCart(app, who, klass);
    const answers = await Promise.all(classes.map((klass) => openIntent(app, who, klass)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ body }) => body.code === 'TOO_MANY_HOLDS');
    expect(refused).toHaveLength(3);
    expect(refused[0]?.body.message).toMatch(
      /^You are paying for .+, .+ and .+ already\. Finish or remove one of them first\.$/,
    );
    const cart = (await app.send(getCart, {}, who.token)).body;
    expect(cart.filter(({ paying }) => paying)).toHaveLength(3);
    const another = cart.find(({ paying }) => !paying)?.cartItemId ?? '';
    const alone = { items: [another], totalCents: 1_999 };
    expect((await app.send(openBasket, alone, who.token)).body.code).toBe('TOO_MANY_HOLDS');
  });

  it('keeps no seat for a guardian who was removed meanwhile', async () => {
    const [one, other, klass] = [await aUser(app), await aUser(app), await aClass(app)];
    const child = await aChild(app, [one, other]);
    const wanted = { itemId: klass.id, participantId: child.id };
    const { body: item } = await app.send(addToCart, wanted, other.token);
    const asked = { price: 19.99, itemId: item.insertedId };
    const paid = await changedMeanwhile(app, {
      lock: ['select from class where id = $1 for update', [klass.id]],
      work: () => app.send(createIntent, asked, other.token),
      change: () => app.send(removeGuardian, { id: child.id, who: other.id }, one.token),
    });
    expect(paid.body.code).toBe('NOT_IN_CART');
    // The request and the job of the removal both release it. The answer does not wait for the job.
    await expect
      .poll(() => rowsOf(app, 'hold', ofClass(klass.id)))
      .toMatchObject([{ state: 'released' }]);
    // None when the job was faster than the intent.
    const intents = await intentsAt(klass.id);
    expect(intents.filter(({ status }) => status !== 'canceled')).toEqual([]);
  });
});

const admin = await anAdmin(app);

const closed = {
  status: 409,
  body: { code: 'CLASS_CLOSED', message: 'This class is no longer offered. Nothing was charged.' },
};
const returned = {
  status: 409,
  body: {
    code: 'PAYMENT_RETURNED',
    message: expect.stringContaining('goes back to your card in full') as string,
  },
};
const deny = (id: string) => app.send(denyClass, { id }, admin.token);
/** Changes only the row. The job that cancels the payments of the class has not run. */
const denyQuietly = (id: string) =>
  app.pool.query(`update class set status = 'denied' where id = $1`, [id]);

describe('a class denied while its student is paying', () => {
  it('crash point 22: is no longer offered, and no card is charged', async () => {
    const held = await aHeldSeat(shop);
    await deny(held.klass.id);
    await until(async () => (await seats(app, held.klass.id)).held === 0);
    expect(await openIntent(app, held.who, held.klass)).toMatchObject(closed);
    expect(await record(app, held.who, held.clientSecret)).toMatchObject(closed);
    expect(await app.send(extendHold, { id: held.holdId }, held.who.token)).toMatchObject(closed);
    await refusesCards(shop, held.clientSecret);
    expect(await rowsOf(app, 'payment', ofIntent(held.intent))).toEqual([]);
  });

  it('is no longer offered before the job ran; asking cancels it', async () => {
    const held = await aHeldSeat(shop);
    await denyQuietly(held.klass.id);
    const longer = await app.send(extendHold, { id: held.holdId }, held.who.token);
    expect(longer).toMatchObject({ status: 409, body: { code: 'CLASS_CLOSED' } });
    // The card may still be charged at this moment.
    expect(longer.body.message).not.toContain('charged');
    expect(await record(app, held.who, held.clientSecret)).toMatchObject({
      body: { code: 'PAYMENT_NOT_COMPLETED' },
    });
    expect(await openIntent(app, held.who, held.klass)).toMatchObject(closed);
    expect(await provider.intent(held.intent)).toMatchObject({ status: 'canceled' });
    expect(await rowsOf(app, 'hold', `id = '${held.holdId}'`)).toMatchObject([
      { state: 'released', ended_because: 'denied' },
    ]);
  });

  it('says that the money goes back when the card was charged', async () => {
    await provider.silence();
    const paid = await aPaidSeat(shop);
    await denyQuietly(paid.klass.id);
    expect(await openIntent(app, paid.who, paid.klass)).toMatchObject(returned);
    expect(await openIntent(app, paid.who, paid.klass)).toMatchObject(returned);
    await settleAll(app);
    expect(await openIntent(app, paid.who, paid.klass)).toMatchObject(returned);
    const [item] = (await app.send(listCart, { email: paid.who.email }, paid.who.token)).body;
    const asked = { items: [item?._id ?? ''], totalCents: 1_999 };
    expect(await app.send(openBasket, asked, paid.who.token)).toMatchObject(returned);
    expect(await rowsOf(app, 'payment', ofIntent(paid.intent))).toMatchObject([
      { status: 'refunded' },
    ]);
  });

  it('is no longer offered to who has it in the cart', async () => {
    const { who, klass } = await aShopper(app);
    await deny(klass.id);
    expect(await openIntent(app, who, klass)).toMatchObject(closed);
    const stranger = await aShopper(app);
    expect((await openIntent(app, stranger.who, klass)).body.code).toBe('NOT_FOUND');
  });
});

describe('a class that waits for a second approval', () => {
  it('cannot be paid for; a seat held before is still sold', async () => {
    const [early, late] = [await aHeldSeat(shop), await aShopper(app)];
    const again = `update class set status = 'pending', proposed_at = now() where id = any ($1)`;
    await app.pool.query(again, [[early.klass.id, late.klass.id]]);
    expect(await openIntent(app, late.who, late.klass)).toMatchObject({
      status: 409,
      body: {
        code: 'CLASS_IN_REVIEW',
        message: 'This class is being checked by the academy. It will be back soon.',
      },
    });
    expect((await openIntent(app, early.who, early.klass)).body.clientSecret).toBe(
      early.clientSecret,
    );
  });
});

describe('from the seat to the secret', () => {
  it('crash point 2: no answer keeps the hold; the retry finds all', async () => {
    for (const effect of ['lose_answer', 'rate_limit'] as const) {
      const { who, klass } = await aShopper(app);
      await provider.fails('POST /v1/payment_intents', { effect });
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

  it('crash points 3, B2, B3, B6: a lost intent is found or ended', async () => {
    const dead = await shop.another({}, { between: dying('openIntent', 'after') });
    const lostFor = async (family: Family) => {
      void payAll(dead, family);
      const found = await some(() =>
        intentsAt((metadata) => metadata['student'] === family.who.id),
      );
      return found[0]?.id ?? '';
    };
    const [retries, leaves] = [await aFamily(app), await aFamily(app)];
    const [lost, stray] = [await lostFor(retries), await lostFor(leaves)];
    expect((await anOpenBasket(app, retries)).intent).toBe(lost);
    // While the seats are held, the student may still retry.
    await app.money.lookBack();
    expect(await provider.intent(stray)).toMatchObject({ status: 'requires_payment_method' });
    const holds = await rowsOf(app, 'hold', `student_id = '${leaves.who.id}'`);
    expect(holds.map(({ state }) => state)).toEqual(['held', 'held', 'held']);
    for (const { id } of holds) await expire(app, id);
    await app.money.sweep();
    await app.money.lookBack();
    expect(await provider.intent(stray)).toMatchObject({ status: 'canceled' });
    for (const { id } of leaves.classes) expect(await seats(app, id)).toMatchObject({ held: 0 });
    for (const { id } of retries.classes) expect(await seats(app, id)).toMatchObject({ held: 1 });
    expect(await rowsOf(app, 'basket', `student_id = '${leaves.who.id}'`)).toMatchObject([
      { state: 'closed', intent_id: null },
    ]);
    await dead.close();
  });

  it('crash point 5: an intent that comes too late is cancelled', async () => {
    const { promise: gate, resolve: answer } = Promise.withResolvers<void>();
    const slow = await opening((cards) => (wish) => gate.then(() => cards.openIntent(wish)));
    const { who, klass } = await aShopper(app);
    const asked = openIntent(slow, who, klass);
    const [hold] = await some(() =>
      rowsOf(app, 'hold', `${ofClass(klass.id)} and basket_id is not null`),
    );
    await expire(app, hold?.id ?? '');
    await app.money.sweep();
    expect(await seats(app, klass.id)).toMatchObject({ held: 0 });
    answer();
    const { body } = await asked;
    const intents = await intentsAt(klass.id);
    const late = intents.find(({ metadata }) => metadata?.['basket'] === hold?.['basket_id']);
    expect(late).toMatchObject({ status: 'canceled' });
    // The student gets a new hold with its own intent.
    expect(body.holdId).not.toBe(hold?.id);
    expect(secretOf(body.clientSecret).intent).not.toBe(late?.id);
    expect(await seats(app, klass.id)).toMatchObject({ held: 1 });
    await slow.close();
  });

  it('crash point 6: a declined card keeps the seat, five do not', async () => {
    const held = await aHeldSeat(shop);
    expect(
      (await provider.confirm(held.clientSecret, 'visa_chargeDeclined')).body.error?.code,
    ).toBe('card_declined');
    expect((await openIntent(app, held.who, held.klass)).body.clientSecret).toBe(held.clientSecret);
    expect((await provider.confirm(held.clientSecret)).body.status).toBe('succeeded');

    const tester = await aHeldSeat(shop);
    for (let card = 0; card < 5; card++)
      await provider.confirm(tester.clientSecret, 'visa_chargeDeclined');
    await until(async () => (await seats(app, tester.klass.id)).held === 0);
    expect(await seats(app, tester.klass.id)).toMatchObject({ held: 0 });
    await refusesCards(shop, tester.clientSecret);
  });

  it('a failure stored under our key: the next try uses another', async () => {
    const { who, klass } = await aShopper(app);
    await provider.fails('POST /v1/payment_intents', { effect: 'error_saved', times: 1 });
    const { status, body } = await openIntent(app, who, klass);
    expect(status).toBe(200);
    const { intent } = secretOf(body.clientSecret);
    expect(await rowsOf(app, 'basket', ofIntent(intent))).toMatchObject([
      { attempt: 2, student_id: who.id },
    ]);
    // The intent behind the failure exists, and it can never be paid.
    await app.money.lookBack();
    const others = (await intentsAt(klass.id)).filter(
      ({ id }) => id !== secretOf(body.clientSecret).intent,
    );
    expect(others).toMatchObject([{ status: 'canceled' }]);
  });

  it('two processes at once return one secret', async () => {
    const { promise: gate, resolve: answer } = Promise.withResolvers<void>();
    const slow = await opening((cards) => async (wish) => {
      const intent = await cards.openIntent(wish);
      await gate;
      return intent;
    });
    let failures = 1;
    const unlucky = await opening((cards) => async (wish) => {
      if (failures-- > 0) throw new ProviderError('broken', 'saved', null);
      return cards.openIntent(wish);
    });
    const { who, klass } = await aShopper(app);
    const first = openIntent(slow, who, klass);
    const [lost] = await some(() => intentsAt(klass.id));
    const second = await openIntent(unlucky, who, klass);
    answer();
    expect((await first).body.clientSecret).toBe(second.body.clientSecret);
    expect(secretOf(second.body.clientSecret).intent).not.toBe(lost?.id);
    expect(await provider.intent(lost?.id ?? '')).toMatchObject({ status: 'canceled' });
    await slow.close();
    await unlucky.close();
  });

  it('an intent cancelled at the provider is replaced', async () => {
    const held = await aHeldSeat(shop);
    await provider.ask('POST', `/v1/payment_intents/${held.intent}/cancel`);
    const { body } = await openIntent(app, held.who, held.klass);
    expect(body.clientSecret).toBeDefined();
    expect(body.clientSecret).not.toBe(held.clientSecret);
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 1 });
  });
});
