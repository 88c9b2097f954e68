import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { addToCart, listCart } from '../../../contract/checkout/cart.ts';
import { openBasket } from '../../../contract/checkout/checkout.ts';
import { updateClass } from '../../../contract/classes/classes.ts';
import { createIntent } from '../../../contract/checkout/payments.ts';
import { removeGuardian } from '../../../contract/people/family.ts';
import { aClass, aUser, anAdmin } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';
import { changedMeanwhile } from '../../testing/overtaken.ts';
import {
  aBoughtSeat,
  aHeldSeat,
  aShop,
  aShopper,
  balanced,
  intoCart,
  openIntent,
  record,
  rowsOf,
  seats,
  secretOf,
} from '../../testing/checkout.ts';

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
  it('holds a seat for fifteen minutes and charges the exact price of the class', async () => {
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

  it('accepts a cart item, a class, or a price that only one item has', async () => {
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

  it('refuses a wrong price, returns the right one, and opens nothing', async () => {
    const { who, klass } = await aShopper(app, await aClass(app, { cents: 1_999 }));
    for (const price of [0.01, 19.98, 20, 1_999]) {
      const { status, body } = await app.send(createIntent, { price, itemId: klass.id }, who.token);
      expect([status, body.code, body.price]).toEqual([409, 'PRICE_CHANGED', 19.99]);
    }
    expect(await rowsOf(app, 'hold', ofClass(klass.id))).toEqual([]);
    expect(await intentsAt(klass.id)).toEqual([]);
  });

  it('reports a completed payment after a reload, by cart item and by class', async () => {
    const bought = await aBoughtSeat(shop);
    for (const itemId of [bought.item, bought.klass.id]) {
      const { body } = await app.send(createIntent, { price: 19.99, itemId }, bought.who.token);
      expect(body.code).toBe('ALREADY_ENROLLED');
    }
  });

  it('charges the price at the time of the hold, and tells a student who saw another price', async () => {
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

  it('gives a student at most three live holds, however many classes are requested at once', async () => {
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
    const another = cart.find(({ paying }) => !paying)?._id ?? '';
    const alone = { items: [another], total: 19.99 };
    expect((await app.send(openBasket, alone, who.token)).body.code).toBe('TOO_MANY_HOLDS');
    expect(await rowsOf(app, 'hold', `student_id = '${who.id}'`)).toHaveLength(3);
  });

  it('keeps no seat for a guardian who was removed while the seat was being claimed', async () => {
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
