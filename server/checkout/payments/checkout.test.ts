// Baskets of several seats through the API: N1 to N5 and N10 of docs/invariants.md, with controls.
import { afterAll, describe, expect, it } from 'vitest';
import { addToCart, removeFromCart } from '../../../contract/checkout/cart.ts';
import { openBasket, quoteBasket } from '../../../contract/checkout/checkout.ts';
import { denyClass } from '../../../contract/classes/classes.ts';
import { extendHold } from '../../../contract/checkout/payments.ts';
import { aFamily, anOpenBasket, payAll } from '../../testing/baskets.ts';
import {
  aShop,
  balanced,
  type Class,
  enrolled,
  ofIntent,
  openIntent,
  record,
  refusesCards,
  rowsOf,
  seats,
  settleAll,
} from '../../testing/checkout.ts';
import { aClass, anAdmin, aUser } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';
import { loosen, startClosing } from './basket.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterAll(() => balanced(shop));

const stateOf = async (id: string) => (await rowsOf(app, 'basket', `id = '${id}'`))[0]?.state;
const heldSeats = async (classes: Class[]) =>
  Promise.all(classes.map(async ({ id }) => (await seats(app, id)).held));
const soldSeats = async (classes: Class[]) =>
  Promise.all(classes.map(async ({ id }) => (await seats(app, id)).sold));

const id = crypto.randomUUID();

describe('a basket of three seats', () => {
  it('costs what the quote says, is paid once and enrols in all', async () => {
    const family = await aFamily(app);
    const quoted = await app.send(quoteBasket, { items: family.items.join() }, family.who.token);
    expect(quoted.body).toMatchObject({ totalCents: 5_997, savedCents: 0, nudges: [] });
    expect(quoted.body.lines).toMatchObject(
      family.items.map((cartItemId) => ({
        cartItemId,
        listCents: 1_999,
        cents: 1_999,
        state: 'ok',
      })),
    );
    expect(await heldSeats(family.classes)).toEqual([0, 0, 0]);
    const basket = await anOpenBasket(app, family);
    expect(basket).toMatchObject({ totalCents: 5_997 });
    expect((await payAll(app, family)).body).toMatchObject({ clientSecret: basket.secret });
    expect(await heldSeats(family.classes)).toEqual([1, 1, 1]);
    expect(await provider.intent(basket.intent)).toMatchObject({
      amount: 5_997,
      metadata: { basket: basket.basketId, student: family.who.id },
    });
    await provider.confirm(basket.secret);
    const { body } = await record(app, family.who, basket.secret);
    expect(body.lines).toEqual(
      family.classes.map(({ id }) => ({ itemId: id, outcome: 'enrolled' })),
    );
    expect(await record(app, family.who, basket.secret)).toMatchObject({ status: 200, body });
    expect(await enrolled(app, family.who)).toHaveLength(3);
    expect(await soldSeats(family.classes)).toEqual([1, 1, 1]);
    expect(await rowsOf(app, 'payment', ofIntent(basket.intent))).toMatchObject([
      { id: body.insertResult.insertedId, amount_cents: 5_997, back_cents: 0 },
    ]);
    const { rows: lines } = await app.pool.query(
      `select outcome, worth_cents, place from payment_line where payment_id = $1 order by place`,
      [body.insertResult.insertedId],
    );
    expect(lines).toEqual(
      [1, 2, 3].map((place) => ({ outcome: 'enrolled', worth_cents: 1_999, place })),
    );
    expect((await payAll(app, family)).body).toMatchObject({
      code: 'BASKET_REFUSED',
      lines: family.items.map(() => ({ code: 'ALREADY_ENROLLED' })),
    });
  });

  it('N4: is held as a whole or not at all; what failed is named', async () => {
    const [full, closed] = [await aClass(app, { capacity: 1 }), await aClass(app)];
    const family = await aFamily(app, 4, [full, closed]);
    await anOpenBasket(app, await aFamily(app, 1, [full]));
    await app.send(denyClass, { id: closed.id }, (await anAdmin(app)).token);
    const { status, body } = await payAll(app, family);
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'BASKET_REFUSED' });
    expect(body.lines).toEqual([
      { cartItemId: family.items[1], code: 'CLOSED' },
      { cartItemId: family.items[0], code: 'SOLD_OUT' },
    ]);
    expect(await rowsOf(app, 'hold', `student_id = '${family.who.id}'`)).toEqual([]);
  });

  it('N10: another total than the one seen is told', async () => {
    const family = await aFamily(app, 2);
    const { status, body } = await payAll(app, { ...family, totalCents: 3_997 });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'TOTAL_CHANGED' });
    expect(body.totalCents).toBe(3_998);
    expect(body.lines).toHaveLength(2);
    expect(await heldSeats(family.classes)).toEqual([0, 0]);
  });

  it.each<[string, string[]]>([
    ['no item', []],
    ['thirteen', Array.from({ length: 13 }, () => crypto.randomUUID())],
    ['one twice', [id, id]],
    ['what is no id', ['x']],
  ])('refuses %s by name', async (_case, items) => {
    const { token } = await aUser(app);
    const { status, body } = await app.send(openBasket, { items, totalCents: 1 }, token);
    expect([status, body.field?.split('.')[0]]).toEqual([400, 'items']);
  });

  it('has seats of two children in one class, and twelve at most', async () => {
    const who = await aUser(app);
    const klass = await aClass(app, { capacity: 2 });
    const children = [await aChild(app, [who]), await aChild(app, [who]), await aChild(app, [who])];
    const items = [];
    for (const { id: participantId } of children) {
      const wish = { itemId: klass.id, participantId };
      items.push((await app.send(addToCart, wish, who.token)).body.insertedId);
    }
    const refused = await app.send(openBasket, { items, totalCents: 5_997 }, who.token);
    expect(refused.body.lines).toEqual([{ cartItemId: items[2], code: 'SOLD_OUT' }]);
    const two = await app.send(
      openBasket,
      { items: items.slice(0, 2), totalCents: 3_998 },
      who.token,
    );
    expect(two.body.lines).toHaveLength(2);
    expect(await seats(app, klass.id)).toMatchObject({ held: 2 });
  });

  it('is held longer together, twice at most', async () => {
    const family = await aFamily(app, 2);
    const basket = await anOpenBasket(app, family);
    const holds = await rowsOf(app, 'hold', `basket_id = '${basket.basketId}'`);
    for (const minutes of [30, 45, 45]) {
      const { body } = await app.send(extendHold, { id: basket.holdId }, family.who.token);
      const ends = Date.parse(basket.expiresAt) + (minutes - 15) * 60_000;
      expect(Date.parse(body.expiresAt)).toBe(ends);
    }
    const later = await rowsOf(app, 'hold', `basket_id = '${basket.basketId}'`);
    expect(later.map(({ expires_at }) => Number(expires_at))).toEqual(
      holds.map(({ expires_at }) => Number(expires_at) + 30 * 60_000),
    );
  });
});

describe('regrouping', () => {
  it('N3: in two tabs: the later one can be paid, no seat is lost', async () => {
    const first = await aClass(app);
    const family = await aFamily(app, 3, [first]);
    const alone = await openIntent(app, family.who, first);
    const all = await anOpenBasket(app, family);
    await refusesCards(shop, alone.body.clientSecret);
    const holds = await rowsOf(app, 'hold', `student_id = '${family.who.id}'`);
    expect(holds.map(({ id }) => id)).toContain(alone.body.holdId);
    expect(holds).toHaveLength(3);
    const again = await openIntent(app, family.who, first);
    expect(again.body.holdId).toBe(alone.body.holdId);
    await refusesCards(shop, all.secret);
    expect(await heldSeats(family.classes)).toEqual([1, 1, 1]);
    await provider.confirm(again.body.clientSecret);
    await record(app, family.who, again.body.clientSecret);
    expect(await soldSeats(family.classes)).toEqual([1, 0, 0]);
  });

  it('at the same moment: never two payments that can be paid', async () => {
    const first = await aClass(app);
    const family = await aFamily(app, 2, [first]);
    const second = await shop.another();
    await Promise.all(
      [app, second, app, second].flatMap((side) => [
        openIntent(side, family.who, first),
        payAll(side, family),
      ]),
    );
    const { rows } = await app.pool.query<{ intent_id: string; state: string }>(
      'select intent_id, state from basket where student_id = $1 and intent_id is not null',
      [family.who.id],
    );
    const open = [];
    for (const { intent_id: id } of rows)
      if ((await provider.intent(id)).status !== 'canceled') open.push(id);
    expect(open.length).toBeLessThanOrEqual(1);
    expect(rows.filter(({ state }) => state === 'open').map((row) => row.intent_id)).toEqual(open);
    await second.close();
  });

  it('crash point 5: that meets a confirmation is ALREADY_PAID', async () => {
    const first = await aClass(app);
    const family = await aFamily(app, 2, [first]);
    const alone = await openIntent(app, family.who, first);
    await provider.confirm(alone.body.clientSecret);
    expect((await payAll(app, family)).body.code).toBe('ALREADY_PAID');
    expect(await soldSeats(family.classes)).toEqual([1, 0]);
    expect((await payAll(app, family)).body).toMatchObject({
      code: 'BASKET_REFUSED',
      lines: [{ code: 'ALREADY_ENROLLED' }],
    });
  });

  it('crash points 4, 6: dies while it closes: the sweeper closes', async () => {
    const family = await aFamily(app, 2);
    const basket = await anOpenBasket(app, family);
    await app.cards.cancel(basket.intent);
    await startClosing(app.db, basket.basketId, 'regrouped');
    await app.money.sweep();
    expect(await stateOf(basket.basketId)).toBe('closed');
    expect(await heldSeats(family.classes)).toEqual([1, 1]);
    const next = await anOpenBasket(app, family);
    expect(next.basketId).not.toBe(basket.basketId);
    expect(next.holdId).toBe(basket.holdId);
  });
});

it('a basket that we close keeps its seats', async () => {
  const family = await aFamily(app, 2);
  const basket = await anOpenBasket(app, family);
  await startClosing(app.db, basket.basketId, 'regrouped');
  await app.cards.cancel(basket.intent);
  await app.money.sync(basket.intent);
  expect(await stateOf(basket.basketId)).toBe('closed');
  expect(await heldSeats(family.classes)).toEqual([1, 1]);
  // Control: a basket that the provider cancelled on its own frees them.
  const next = await anOpenBasket(app, family);
  await app.cards.cancel(next.intent);
  await app.money.sync(next.intent);
  expect(await heldSeats(family.classes)).toEqual([0, 0]);
});

describe('one line less', () => {
  it('removed from the cart: the others stay held and can be paid', async () => {
    const family = await aFamily(app);
    const basket = await anOpenBasket(app, family);
    const [gone = '', ...items] = family.items;
    expect((await app.send(removeFromCart, { id: gone }, family.who.token)).status).toBe(200);
    expect(await stateOf(basket.basketId)).toBe('closed');
    expect(await heldSeats(family.classes)).toEqual([0, 1, 1]);
    const rest = await anOpenBasket(app, { ...family, items, totalCents: 3_998 });
    await provider.confirm(rest.secret);
    await record(app, family.who, rest.secret);
    expect(await soldSeats(family.classes)).toEqual([0, 1, 1]);
  });

  it('removed while the card is confirmed: all or nothing', async () => {
    const family = await aFamily(app, 2);
    const basket = await anOpenBasket(app, family);
    const [id = ''] = family.items;
    const [confirmed, removed] = await Promise.all([
      provider.confirm(basket.secret),
      app.send(removeFromCart, { id }, family.who.token),
    ]);
    await settleAll(app);
    const paid = confirmed.body.status === 'succeeded';
    expect([paid, removed.status]).toEqual([paid, paid ? 409 : 200]);
    expect(await soldSeats(family.classes)).toEqual(paid ? [1, 1] : [0, 0]);
  });

  it('crash point 9: denied before the card: the others stay held', async () => {
    const family = await aFamily(app);
    const basket = await anOpenBasket(app, family);
    const [first] = family.classes;
    await app.send(denyClass, { id: first?.id ?? '' }, (await anAdmin(app)).token);
    await settleAll(app);
    expect(await stateOf(basket.basketId)).toBe('closed');
    expect(await heldSeats(family.classes)).toEqual([0, 1, 1]);
    expect((await payAll(app, family)).body.lines).toEqual([
      { cartItemId: family.items[0], code: 'CLOSED' },
    ]);
    await anOpenBasket(app, { ...family, items: family.items.slice(1), totalCents: 3_998 });
  });

  it('N5: denied after the card: refunded, the others are enrolled', async () => {
    const family = await aFamily(app);
    const basket = await anOpenBasket(app, family);
    await provider.confirm(basket.secret);
    const [first] = family.classes;
    await app.pool.query(`update class set status = 'denied' where id = $1`, [first?.id]);
    const { body } = await record(app, family.who, basket.secret);
    expect(body.status).toBe('refund_due');
    expect(body.lines?.map(({ outcome }) => outcome)).toEqual(['refused', 'enrolled', 'enrolled']);
    expect(await enrolled(app, family.who)).toHaveLength(2);
    expect(
      await rowsOf(app, 'refund', `payment_id = '${body.insertResult.insertedId}'`),
    ).toMatchObject([{ amount_cents: 1_999, reason: 'The class is no longer offered.' }]);
    await settleAll(app);
    expect(await rowsOf(app, 'payment', ofIntent(basket.intent))).toMatchObject([
      { status: 'part_refunded', amount_cents: 5_997, back_cents: 1_999 },
    ]);
    expect(await soldSeats(family.classes)).toEqual([0, 1, 1]);
  });
});

describe('crash points', () => {
  it('1: seats claimed and never attached are found again', async () => {
    const family = await aFamily(app, 2);
    const basket = await anOpenBasket(app, family);
    await app.cards.cancel(basket.intent);
    await app.transaction(async (db) => {
      const { id: studentId } = family.who;
      await loosen(db, { id: basket.basketId, studentId, creditCents: 0 });
    });
    expect((await anOpenBasket(app, family)).holdId).toBe(basket.holdId);
    expect(await heldSeats(family.classes)).toEqual([1, 1]);
  });

  it('7: settled, the answer is lost: the later one is the same', async () => {
    const family = await aFamily(app);
    const basket = await anOpenBasket(app, family);
    await provider.confirm(basket.secret);
    const settled = await app.money.settle(basket.intent);
    if (settled.outcome !== 'recorded') throw new Error(`a basket is ${settled.outcome}`);
    const { body } = await record(app, family.who, basket.secret);
    expect(body.insertResult.insertedId).toBe(settled.payment.id);
    const ofPayment = `payment_id = '${settled.payment.id}'`;
    const ledger = `select from ledger where ${ofPayment}`;
    const counted = async () => [
      (await rowsOf(app, 'enrolment', ofPayment)).length,
      (await app.pool.query(ledger)).rowCount,
    ];
    expect(await counted()).toEqual([3, 3]);
    expect(await soldSeats(family.classes)).toEqual([1, 1, 1]);
    // Control: when the basket forgets that it was paid, the database refuses a second payment.
    await app.pool.query(`update basket set state = 'closing' where id = $1`, [basket.basketId]);
    await expect(app.money.settle(basket.intent)).rejects.toThrow('payment_');
    expect(await counted()).toEqual([3, 3]);
    await app.pool.query(`update basket set state = 'paid' where id = $1`, [basket.basketId]);
  });
});
