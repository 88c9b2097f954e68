import { afterAll, describe, expect, it } from 'vitest';
import { addToCart, listCart, removeFromCart } from '../../../contract/cart.ts';
import { quoteBasket } from '../../../contract/checkout.ts';
import { approveClass, denyClass, updateClass } from '../../../contract/classes.ts';
import { aClass, aUser, anAdmin, anInstructor } from '../../testing/factories.ts';
import {
  aBoughtSeat,
  aHeldSeat,
  aPaidSeat,
  aShop,
  aShopper,
  balanced,
  intoCart,
  seats,
} from '../../testing/checkout.ts';

const shop = await aShop();
const { app } = shop;
afterAll(() => balanced(shop));

describe('adding a class to the cart', () => {
  it('takes name, picture and price from the class and not from the body', async () => {
    const klass = await aClass(app, { cents: 1_999 });
    const who = await aUser(app);
    const body = {
      itemId: klass.id,
      name: 'Mine',
      img: 'https://evil.example/x.png',
      price: 0.5,
      email: who.email,
    };
    expect(await app.send(addToCart, body, who.token)).toMatchObject({ status: 201 });
    expect((await app.send(listCart, { email: who.email }, who.token)).body).toMatchObject([
      {
        itemId: klass.id,
        name: klass.name,
        img: klass.img,
        price: 19.99,
        seenPrice: 19.99,
        email: who.email,
        state: 'ok',
      },
    ]);
  });

  it('says when and where, and nothing where nothing is known', async () => {
    const words = { schedule: 'Mon · 16:00', place: 'Court 3' };
    const { who, klass } = await aShopper(app);
    const listed = async () => (await app.send(listCart, { email: who.email }, who.token)).body[0];
    expect(await listed()).not.toHaveProperty('schedule');
    await app.pool.query(`update class set schedule = $2, place = $3 where id = $1`, [
      klass.id,
      words.schedule,
      words.place,
    ]);
    expect(await listed()).toMatchObject(words);
  });

  it('says for which ages the class is, and nothing where it is for everybody', async () => {
    const { who, klass } = await aShopper(app);
    const listed = async () => (await app.send(listCart, { email: who.email }, who.token)).body[0];
    expect(await listed()).not.toHaveProperty('maxAge');
    await app.pool.query('update class set min_age = 5, max_age = 8 where id = $1', [klass.id]);
    expect(await listed()).toMatchObject({ minAge: 5, maxAge: 8 });
    const quoted = await app.send(quoteBasket, {}, who.token);
    expect(quoted.body.lines).toMatchObject([{ minAge: 5, maxAge: 8 }]);
  });

  it('refuses a class that is already in the cart, not offered, sold out or paid for', async () => {
    const { who, klass } = await aShopper(app);
    expect((await app.send(addToCart, { itemId: klass.id }, who.token)).body.code).toBe(
      'ALREADY_IN_CART',
    );
    const pending = await aClass(app, { status: 'pending' });
    expect((await app.send(addToCart, { itemId: pending.id }, who.token)).body.code).toBe(
      'NOT_FOUND',
    );
    const single = await aClass(app, { capacity: 1 });
    const owner = await aBoughtSeat(shop, single);
    expect((await app.send(addToCart, { itemId: single.id }, who.token)).body.code).toBe(
      'SOLD_OUT',
    );
    expect((await app.send(addToCart, { itemId: single.id }, owner.who.token)).body.code).toBe(
      'ALREADY_ENROLLED',
    );
  });

  it('refuses the email of another user', async () => {
    const other = await aUser(app);
    const { who, klass } = await aShopper(app);
    const answer = await app.send(addToCart, { itemId: klass.id, email: other.email }, who.token);
    expect(answer.status).toBe(403);
  });

  it('holds at most fifty, however many arrive at once', async () => {
    const who = await aUser(app);
    const instructor = await anInstructor(app);
    const classes = await Promise.all(
      Array.from({ length: 55 }, () => aClass(app, { instructor })),
    );
    const answers = await Promise.all(
      classes.map((one) => app.send(addToCart, { itemId: one.id }, who.token)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(answers.filter(({ body }) => body.code === 'CART_FULL')).toHaveLength(5);
  });

  it('holds no seat', async () => {
    const { klass } = await aShopper(app);
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 0 });
  });
});

describe('reading the cart', () => {
  it('returns the current state of each class', async () => {
    const admin = await anAdmin(app);
    const { who, klass, item } = await aShopper(app);
    const state = async () =>
      (await app.send(listCart, { email: who.email }, who.token)).body.find(
        ({ _id }) => _id === item,
      );
    expect(await state()).toMatchObject({ state: 'ok' });
    await app.send(updateClass, { id: klass.id, price: 25 }, admin.token);
    expect(await state()).toMatchObject({ state: 'price-changed', price: 25, seenPrice: 19.99 });
    await app.send(denyClass, { id: klass.id }, admin.token);
    expect(await state()).toMatchObject({ state: 'closed' });
    expect(await state()).not.toHaveProperty('inReview');
    await app.pool.query(`update class set status = 'pending', proposed_at = now() where id = $1`, [
      klass.id,
    ]);
    expect(await state()).toMatchObject({ state: 'closed', inReview: true });
    await app.send(approveClass, { id: klass.id }, admin.token);
    await app.send(updateClass, { id: klass.id, price: 19.99, seat: 1 }, admin.token);
    await aHeldSeat(shop, { ...klass, capacity: 1 });
    expect(await state()).toMatchObject({ state: 'sold-out', seat: 0 });
  });

  it('returns only the caller’s own cart', async () => {
    const [mine, other] = [await aShopper(app), await aShopper(app)];
    expect((await app.send(listCart, { email: other.who.email }, mine.who.token)).status).toBe(403);
    expect((await app.send(listCart, {}, mine.who.token)).body).toEqual([]);
    expect((await app.send(listCart, { email: mine.who.email }, mine.who.token)).body).toHaveLength(
      1,
    );
  });
});

describe('removing a class from the cart', () => {
  it('deletes the item once; another student’s item is not found', async () => {
    const [mine, other] = [await aShopper(app), await aShopper(app)];
    expect((await app.send(removeFromCart, { id: other.item }, mine.who.token)).status).toBe(404);
    expect((await app.send(removeFromCart, { id: mine.item }, mine.who.token)).body).toEqual({
      deletedCount: 1,
    });
    expect((await app.send(removeFromCart, { id: mine.item }, mine.who.token)).status).toBe(404);
  });

  it('crash point 21: first cancels an open payment and frees the seat', async () => {
    const held = await aHeldSeat(shop);
    expect((await app.send(removeFromCart, { id: held.item }, held.who.token)).body).toEqual({
      deletedCount: 1,
    });
    expect(await shop.provider.intent(held.intent)).toMatchObject({ status: 'canceled' });
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 0, sold: 0 });
    expect((await shop.provider.confirm(held.clientSecret)).body.error?.code).toBe(
      'payment_intent_unexpected_state',
    );
  });

  it('crash point 21: answers ALREADY_PAID when the card was faster, and the student is enrolled', async () => {
    const paid = await aPaidSeat(shop);
    expect((await app.send(removeFromCart, { id: paid.item }, paid.who.token)).body.code).toMatch(
      /ALREADY_PAID|NOT_FOUND/,
    );
    expect(await seats(app, paid.klass.id)).toMatchObject({ held: 0, sold: 1 });
  });

  it('keeps item and seat while the provider does not answer, and removes both when it does', async () => {
    const held = await aHeldSeat(shop);
    await shop.provider.fault({
      effect: 'error_before',
      method: 'POST',
      path: '/v1/payment_intents/*/cancel',
      times: null,
    });
    expect((await app.send(removeFromCart, { id: held.item }, held.who.token)).body.code).toBe(
      'PROVIDER_DOWN',
    );
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 1 });
    await shop.provider.heal();
    expect((await app.send(removeFromCart, { id: held.item }, held.who.token)).body).toEqual({
      deletedCount: 1,
    });
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 0 });
  });

  it('reports a payment in progress while the bank is processing it', async () => {
    const held = await aHeldSeat(shop);
    await shop.provider.fault({
      effect: 'processing',
      method: 'POST',
      path: `/v1/payment_intents/${held.intent}/confirm`,
      ms: 60_000,
    });
    expect((await shop.provider.confirm(held.clientSecret)).body.status).toBe('processing');
    expect((await app.send(removeFromCart, { id: held.item }, held.who.token)).body.code).toBe(
      'PAYMENT_IN_PROGRESS',
    );
    await shop.provider.advance(60);
    await intoCart(app, held.who, await aClass(app));
  });
});
