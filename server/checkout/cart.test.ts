import { afterAll, describe, expect, it } from 'vitest';
import { addToCart, listCart, removeFromCart } from '../../contract/checkout/cart.ts';
import { quoteBasket } from '../../contract/checkout/checkout.ts';
import { approveClass, denyClass, updateClass } from '../../contract/classes/classes.ts';
import { aClass, aUser, anAdmin, anInstructor } from '../testing/factories.ts';
import {
  aHeldSeat,
  aPaidSeat,
  aShop,
  aShopper,
  balanced,
  refusesCards,
  intoCart,
  seats,
} from '../testing/checkout.ts';

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

  it('says when, where and for which ages, and nothing where nothing is known', async () => {
    const { who, klass } = await aShopper(app);
    const listed = async () => (await app.send(listCart, { email: who.email }, who.token)).body[0];
    for (const name of ['schedule', 'maxAge']) expect(await listed()).not.toHaveProperty(name);
    const known = { schedule: 'Mon · 16:00', place: 'Court 3', minAge: 5, maxAge: 8 };
    await app.db.updateTable('class').set(known).where('id', '=', klass.id).execute();
    expect(await listed()).toMatchObject(known);
    const quoted = await app.send(quoteBasket, {}, who.token);
    expect(quoted.body.lines).toMatchObject([{ minAge: 5, maxAge: 8 }]);
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
});

describe('removing a class from the cart', () => {
  it('crash point 21: answers ALREADY_PAID when the card was faster, and the student is enrolled', async () => {
    const paid = await aPaidSeat(shop);
    expect((await app.send(removeFromCart, { id: paid.item }, paid.who.token)).body.code).toMatch(
      /ALREADY_PAID|NOT_FOUND/,
    );
    expect(await seats(app, paid.klass.id)).toMatchObject({ held: 0, sold: 1 });
  });

  it('crash point 21: keeps item and seat until the provider has cancelled the payment', async () => {
    const held = await aHeldSeat(shop);
    const remove = () => app.send(removeFromCart, { id: held.item }, held.who.token);
    await shop.provider.fails('POST /v1/payment_intents/*/cancel');
    expect((await remove()).body.code).toBe('PROVIDER_DOWN');
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 1 });
    await shop.provider.heal();
    expect((await remove()).body).toEqual({ deletedCount: 1 });
    expect(await shop.provider.intent(held.intent)).toMatchObject({ status: 'canceled' });
    expect(await seats(app, held.klass.id)).toMatchObject({ held: 0, sold: 0 });
    await refusesCards(shop, held.clientSecret);
  });

  it('reports a payment in progress while the bank is processing it', async () => {
    const held = await aHeldSeat(shop);
    const confirming = `POST /v1/payment_intents/${held.intent}/confirm`;
    await shop.provider.fails(confirming, { effect: 'processing', ms: 60_000, times: 1 });
    expect((await shop.provider.confirm(held.clientSecret)).body.status).toBe('processing');
    expect((await app.send(removeFromCart, { id: held.item }, held.who.token)).body.code).toBe(
      'PAYMENT_IN_PROGRESS',
    );
    await shop.provider.advance(60);
    await intoCart(app, held.who, await aClass(app));
  });
});
