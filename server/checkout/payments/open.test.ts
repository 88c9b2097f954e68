import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { addToCart, getCart, listCart } from '../../../contract/checkout/cart.ts';
import { openBasket } from '../../../contract/checkout/checkout.ts';
import { createIntent, extendHold } from '../../../contract/checkout/payments.ts';
import { denyClass, updateClass } from '../../../contract/classes/classes.ts';
import { removeGuardian } from '../../../contract/people/family.ts';
import {
  aBoughtSeat,
  aHeldSeat,
  aPaidSeat,
  aShop,
  aShopper,
  balanced,
  intoCart,
  ofIntent,
  openIntent,
  record,
  refusesCards,
  rowsOf,
  seats,
  secretOf,
  settleAll,
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
const intentsAt = async (classId: string) =>
  (await provider.list('payment_intents?limit=100')).filter(({ metadata }) =>
    metadata?.['l1']?.includes(classId),
  );

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

  it('accepts a cart item, a class, or the price of one item only', async () => {
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

  it('refuses a wrong price, returns the right one, opens nothing', async () => {
    const { who, klass } = await aShopper(app, await aClass(app, { cents: 1_999 }));
    for (const price of [0.01, 19.98, 20, 1_999]) {
      const { status, body } = await app.send(createIntent, { price, itemId: klass.id }, who.token);
      expect([status, body.code, body.price]).toEqual([409, 'PRICE_CHANGED', 19.99]);
    }
    expect(await rowsOf(app, 'hold', ofClass(klass.id))).toEqual([]);
    expect(await intentsAt(klass.id)).toEqual([]);
  });

  it('reports a completed payment after a reload', async () => {
    const bought = await aBoughtSeat(shop);
    for (const itemId of [bought.item, bought.klass.id]) {
      const { body } = await app.send(createIntent, { price: 19.99, itemId }, bought.who.token);
      expect(body.code).toBe('ALREADY_ENROLLED');
    }
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
