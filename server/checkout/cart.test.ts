import { afterAll, describe, expect, it } from 'vitest';
import { addToCart, getCart, listCart, removeFromCart } from '../../contract/checkout/cart.ts';
import { quoteBasket } from '../../contract/checkout/checkout.ts';
import { createIntent, extendHold } from '../../contract/checkout/payments.ts';
import { approveClass, denyClass, updateClass } from '../../contract/classes/classes.ts';
import { sql } from '../platform/db/connection.ts';
import {
  aHeldSeat,
  aPaidSeat,
  aShop,
  aShopper,
  balanced,
  type Class,
  intoCart,
  openIntent,
  record,
  refusesCards,
  seats,
} from '../testing/checkout.ts';
import { aClass, anAdmin, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, aMeetingRow } from '../testing/family.ts';
import { createClaims } from './seats/claim.ts';

const shop = await aShop();
const { app, provider } = shop;
afterAll(() => balanced(shop));

describe('adding a class to the cart', () => {
  it('takes name, picture and price from the class, not the body', async () => {
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
    expect((await app.send(getCart, {}, who.token)).body).toMatchObject([
      { classId: klass.id, name: klass.name, img: klass.img, cents: 1_999, seenCents: 1_999 },
    ]);
  });

  it('says when, where and for which ages, where that is known', async () => {
    const { who, klass, item } = await aShopper(app);
    const listed = async () => (await app.send(listCart, { email: who.email }, who.token)).body[0];
    for (const name of ['schedule', 'maxAge']) expect(await listed()).not.toHaveProperty(name);
    const known = { schedule: 'Mon · 16:00', place: 'Court 3', minAge: 5, maxAge: 8 };
    await app.db.updateTable('class').set(known).where('id', '=', klass.id).execute();
    expect(await listed()).toMatchObject(known);
    const quoted = await app.send(quoteBasket, { items: item }, who.token);
    expect(quoted.body.lines).toMatchObject([{ minAge: 5, maxAge: 8 }]);
  });

  it('holds at most fifty, however many arrive at once', async () => {
    const who = await aUser(app);
    const { id: full } = await aClass(app);
    const others = await Promise.all(Array.from({ length: 48 }, () => aUser(app)));
    const rows = others.map(({ id: participantId }) => ({
      studentId: who.id,
      participantId,
      classId: full,
      seenPriceCents: 1_999,
    }));
    await app.db.insertInto('cartItem').values(rows).execute();
    const classes = await Promise.all(Array.from({ length: 4 }, () => aClass(app)));
    const answers = await Promise.all(
      classes.map((one) => app.send(addToCart, { itemId: one.id }, who.token)),
    );
    const codes = answers.map(({ body }) => body.code ?? 'added').toSorted();
    expect(codes).toEqual(['CART_FULL', 'CART_FULL', 'added', 'added']);
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
  it('crash point 21: the card was faster: ALREADY_PAID', async () => {
    const paid = await aPaidSeat(shop);
    expect((await app.send(removeFromCart, { id: paid.item }, paid.who.token)).body.code).toMatch(
      /ALREADY_PAID|NOT_FOUND/,
    );
    expect(await seats(app, paid.klass.id)).toMatchObject({ held: 0, sold: 1 });
  });

  it('crash point 21: keeps item and seat until it is cancelled', async () => {
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

  it('reports a payment that the bank is processing', async () => {
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

/** The meeting began a minute ago. The chore, which sets `over`, has not run. */
async function itBegins(klass: { id: string; instructorId: string }) {
  await aMeetingRow(app, klass, { inMinutes: -1, minutes: 60 });
  await app.pool.query('update class set over = false where id = $1', [klass.id]);
}

const askOf = ({ id: classId, priceCents: amountCents }: Class, id: string) => ({
  claims: [{ studentId: id, participantId: id, classId, cartItemId: null, amountCents }],
  most: 3,
});

describe('a class whose last meeting has begun', () => {
  it('cannot be selected, and is hidden while it is not approved', async () => {
    const who = await aUser(app);
    const selected = async (klass: Class) => {
      await itBegins(klass);
      const { status, body } = await app.send(addToCart, { itemId: klass.id }, who.token);
      return [status, body.code];
    };
    expect(await selected(await aClass(app))).toEqual([409, 'CLASS_OVER']);
    expect(await selected(await aClass(app, { status: 'denied' }))).toEqual([404, 'NOT_FOUND']);
  });

  it('gives up a seat that was held before, and holds no other', async () => {
    const { who, klass } = await aShopper(app);
    expect((await openIntent(app, who, klass)).status).toBe(200);
    await itBegins(klass);
    expect((await openIntent(app, who, klass)).body.code).toBe('CLASS_OVER');
    expect((await openIntent(app, who, klass)).body.code).toBe('CLASS_OVER');
    expect(await seats(app, klass.id)).toMatchObject({ held: 0, sold: 0 });
  });

  it('has held no seat longer than until then, extended or not', async () => {
    const { who, klass } = await aShopper(app);
    await aMeetingRow(app, klass, { inMinutes: 5, minutes: 60 });
    expect((await openIntent(app, who, klass)).status).toBe(200);
    const until = async () => {
      const { rows } = await app.pool.query<{ id: string; same: boolean }>(
        `select hold.id, expires_at = closes_at as same from hold join class on class.id = class_id
          where class_id = $1`,
        [klass.id],
      );
      return rows[0];
    };
    const hold = await until();
    expect(hold?.same).toBe(true);
    await app.send(extendHold, { id: hold?.id ?? '' }, who.token);
    expect((await until())?.same).toBe(true);
  });

  it('is refused by the claim itself, to everybody', async () => {
    const klass = await aClass(app);
    await itBegins(klass);
    const [one, other] = [await aUser(app), await aUser(app)];
    const claim = createClaims(app.db);
    const claims = [one, other].map(({ id }) => claim(askOf(klass, id)));
    expect(await Promise.all(claims)).toEqual([null, null]);
  });

  it('control: is granted if the claim asks only for the shelf', async () => {
    const klass = await aClass(app);
    await itBegins(klass);
    const who = await aUser(app);
    const undone = new Error('undone');
    const granted: unknown[] = [];
    const run = app.db.transaction().execute(async (db) => {
      await sql`create or replace function on_sale(class) returns boolean language sql stable as
        $$ select $1.shelf = 'approved' $$`.execute(db);
      granted.push(await createClaims(db)(askOf(klass, who.id)));
      throw undone;
    });
    await expect(run).rejects.toBe(undone);
    expect(granted).toMatchObject([[{ amountCents: 1_999 }]]);
  });
});

async function aDatedClass(...inMinutes: number[]): Promise<Class> {
  const klass = await aClass(app);
  for (const start of inMinutes) await aMeetingRow(app, klass, { inMinutes: start });
  return klass;
}
const select = (who: TestUser, klass: Class, participantId: string) =>
  app.send(addToCart, { itemId: klass.id, participantId }, who.token);
const pay = (who: TestUser, itemId: string) =>
  app.send(createIntent, { price: 19.99, itemId }, who.token);
const inCart = async (who: TestUser, id: string) =>
  (await app.send(listCart, { email: who.email }, who.token)).body.find(({ _id }) => _id === id);

it('a pair of classes is told three times, not for a sibling', async () => {
  const who = await aUser(app);
  const [mia, leo] = [await aChild(app, [who]), await aChild(app, [who])];
  // Of the two meetings one overlaps, by ten minutes; the first begins when the other ends.
  const tennis = await aDatedClass(1_000, 3_000);
  const soccer = await aDatedClass(1_060, 3_050);
  const first = await select(who, tennis, mia.id);
  expect(first.body).not.toHaveProperty('clashes');
  const clash = {
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    starts: expect.stringMatching(/^\d\d:\d\d$/) as string,
    kind: 'participant',
    with: tennis.name,
    classId: tennis.id,
  };
  const second = await select(who, soccer, mia.id);
  expect(second).toMatchObject({ status: 201, body: { clashes: [clash] } });
  expect(await inCart(who, second.body.insertedId)).toMatchObject({ clashes: [clash] });
  expect(await inCart(who, first.body.insertedId)).toMatchObject({
    clashes: [{ with: soccer.name }],
  });
  expect((await pay(who, second.body.insertedId)).body.clashes).toEqual([clash]);

  const sibling = await select(who, soccer, leo.id);
  expect(sibling.body).not.toHaveProperty('clashes');
});

it('classes booked, or being paid by another, are told too', async () => {
  const [one, other] = [await aUser(app), await aUser(app)];
  const child = await aChild(app, [one, other]);
  const [tennis, soccer, yoga] = [
    await aDatedClass(2_000),
    await aDatedClass(2_000),
    await aDatedClass(2_030),
  ];
  const bought = await pay(one, (await select(one, tennis, child.id)).body.insertedId);
  await provider.confirm(bought.body.clientSecret);
  await record(app, one, bought.body.clientSecret);
  await pay(other, (await select(other, soccer, child.id)).body.insertedId);
  const { clashes = [] } = (await select(one, yoga, child.id)).body;
  expect(clashes.map((clash) => clash.with).toSorted()).toEqual(
    [tennis.name, soccer.name].toSorted(),
  );
});

it('only meetings to come count, and not the cart of another', async () => {
  const [one, other] = [await aUser(app), await aUser(app)];
  const child = await aChild(app, [one, other]);
  const klass = await aDatedClass(-2_000, 2_000);
  const past = await aDatedClass(-2_000, 5_000);
  const cancelled = await aClass(app);
  await aMeetingRow(app, cancelled, { inMinutes: 2_000, state: 'cancelled' });
  await aMeetingRow(app, cancelled, { inMinutes: 7_000 });
  for (const mine of [past, cancelled]) await select(one, mine, child.id);
  await select(other, await aDatedClass(2_000), child.id);
  expect((await select(one, klass, child.id)).body).not.toHaveProperty('clashes');
});

it('a meeting of 24 hours clashes with the day before and after', async () => {
  const who = await aUser(app);
  const [before, after, apart] = [
    await aDatedClass(3 * 1_440 - 59),
    await aDatedClass(4 * 1_440 - 1),
    await aDatedClass(4 * 1_440),
  ];
  for (const klass of [before, after, apart]) await select(who, klass, who.id);
  const camp = await aClass(app);
  await aMeetingRow(app, camp, { inMinutes: 3 * 1_440, minutes: 1_440 });
  const { body } = await select(who, camp, who.id);
  const names = new Set(body.clashes?.map(({ with: name }) => name));
  expect(names).toEqual(new Set([before.name, after.name]));
});
