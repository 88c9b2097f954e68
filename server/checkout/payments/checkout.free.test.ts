// Baskets that cost nothing, what POST /payments takes for a basket, and what the database refuses.
import { afterAll, describe, expect, it } from 'vitest';
import { addToCart } from '../../../contract/checkout/cart.ts';
import { openBasket, payBasket, quoteBasket } from '../../../contract/checkout/checkout.ts';
import {
  overrideEnrolment,
  recordPayment,
  refundPayment,
} from '../../../contract/checkout/payments.ts';
import { aFamily, anOpenBasket, type Family } from '../../testing/baskets.ts';
import {
  aShop,
  balanced,
  type Class,
  enrolled,
  record,
  rowsOf,
  seats,
  settleAll,
} from '../../testing/checkout.ts';
import { aCoupon } from '../../testing/discounts.ts';
import { aClass, anAdmin, aUser } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterAll(() => balanced(shop));

const heldSeats = async (classes: Class[]) =>
  Promise.all(classes.map(async ({ id }) => (await seats(app, id)).held));

/** A coupon of 100 %. */
async function aFreeBasket() {
  const family = await aFamily(app, 2);
  const { code } = await aCoupon(app, { percent: 100, usesMost: 1 });
  const usesOf = async () =>
    (await app.pool.query('select uses from discount where code = $1', [code])).rows[0];
  const input = { items: family.items, totalCents: 0, coupon: code?.toLowerCase() ?? '' };
  const open = () => app.send(openBasket, input, family.who.token);
  return { ...family, open, usesOf };
}

describe('a basket that costs nothing', () => {
  it('is not booked on an address that is not confirmed', async () => {
    const free = await aFreeBasket();
    const confirm = (is: boolean) =>
      app.pool.query(
        'update "user" set proven_at = case when $2::boolean then now() end where id = $1',
        [free.who.id, is],
      );
    await confirm(false);
    const { body } = await free.open();
    const pay = () => app.send(payBasket, { id: body.basketId }, free.who.token);
    expect((await pay()).body.code).toBe('EMAIL_NOT_CONFIRMED');
    await confirm(true);
    expect((await pay()).status).toBe(201);
  });

  it('is booked without a card, once', async () => {
    const free = await aFreeBasket();
    const { body } = await free.open();
    expect(body).toMatchObject({ clientSecret: null, totalCents: 0, savedCents: 3_998 });
    expect((await free.open()).body.basketId).toBe(body.basketId);
    const pay = () => app.send(payBasket, { id: body.basketId }, free.who.token);
    const [one, other] = await Promise.all([pay(), pay()]);
    expect(new Set([one.status, other.status])).toEqual(new Set([200, 201]));
    expect(one.body.insertResult).toEqual(other.body.insertResult);
    expect(await enrolled(app, free.who)).toHaveLength(2);
    expect(await free.usesOf()).toEqual({ uses: 1 });
  });

  it('crash point 8: never booked: seats and coupon are given back', async () => {
    const free = await aFreeBasket();
    const { body } = await free.open();
    await app.pool.query(`update hold set expires_at = now() where basket_id = $1`, [
      body.basketId,
    ]);
    expect((await app.send(payBasket, { id: body.basketId }, free.who.token)).body.code).toBe(
      'HOLD_EXPIRED',
    );
    await settleAll(app);
    expect(await free.usesOf()).toEqual({ uses: 0 });
    expect(await heldSeats(free.classes)).toEqual([0, 0]);
  });

  it('is not booked by who no longer looks after the child', async () => {
    const [parent, klass] = [await aUser(app), await aClass(app)];
    const child = await aChild(app, [parent, await aUser(app)]);
    const wanted = { itemId: klass.id, participantId: child.id };
    const item = (await app.send(addToCart, wanted, parent.token)).body.insertedId;
    const { code } = await aCoupon(app, { percent: 100 });
    const input = { items: [item], totalCents: 0, coupon: code ?? '' };
    const { body } = await app.send(openBasket, input, parent.token);
    // As when the job of the removal ran before the seat was held.
    await app.pool.query('delete from guardian where user_id = $1 and participant_id = $2', [
      parent.id,
      child.id,
    ]);
    const { body: paid } = await app.send(payBasket, { id: body.basketId }, parent.token);
    expect(paid.code).toBe('HOLD_EXPIRED');
    expect(await seats(app, klass.id)).toMatchObject({ sold: 0 });
    const again = await app.send(openBasket, input, parent.token);
    const quoted = await app.send(quoteBasket, { items: item }, parent.token);
    expect([again.body.code, quoted.body.code]).toEqual(['NOT_IN_CART', 'NOT_IN_CART']);
  });

  it('one that costs something is not booked without a card', async () => {
    const family = await aFamily(app, 1);
    const basket = await anOpenBasket(app, family);
    const paid = await app.send(payBasket, { id: basket.basketId }, family.who.token);
    expect(paid.body.code).toBe('PAYMENT_MISMATCH');
  });
});

it('POST /payments takes the item of any line, and the total', async () => {
  const family = await aFamily(app, 2);
  const basket = await anOpenBasket(app, family);
  await provider.confirm(basket.secret);
  const send = (input: object) =>
    app.send(recordPayment, { transactionId: basket.intent, ...input }, family.who.token);
  expect((await send({ price: 19.99 })).body.code).toBe('PAYMENT_MISMATCH');
  expect((await send({ itemId: crypto.randomUUID() })).body.code).toBe('PAYMENT_MISMATCH');
  const [, second = ''] = family.items;
  expect((await send({ itemId: second, price: 39.98 })).status).toBe(201);
});

it.each([
  ['freed in a basket', `state = 'released'`, 'hold_freed_loose'],
  ['sold outside of one', `state = 'consumed', basket_id = null`, 'hold_sold_in_basket'],
  ['cheaper than nothing', `discount_cents = list_cents + 1`, 'hold_discount'],
  ['the thirteenth', `slot = 13`, 'hold_slot_check'],
])('N2: a seat that is %s is refused by the database', async (_case, set, constraint) => {
  const basket = await anOpenBasket(app, await aFamily(app, 1));
  const change = app.pool.query(`update hold set ${set} where id = $1`, [basket.holdId]);
  await expect(change).rejects.toMatchObject({ constraint });
});

const quote = async ({ who, items }: Family, coupon: string) => {
  const { status, body } = await app.send(quoteBasket, { items: items.join(), coupon }, who.token);
  return status === 200 ? body.totalCents : body;
};
const open = ({ who, items }: Family, coupon: string, totalCents = 1_799) =>
  app.send(openBasket, { items, totalCents, coupon }, who.token);
const usedUp = { code: 'COUPON_USED_UP', field: 'coupon' };

describe('a code that is used up', () => {
  it('is refused to others than the one who has the last use', async () => {
    const { code } = await aCoupon(app, { usesMost: 1 });
    const [first, second] = [await aFamily(app, 1), await aFamily(app, 1)];
    expect(await quote(second, code ?? '')).toBe(1_799);
    expect((await open(first, code ?? '')).status).toBe(200);
    expect(await quote(second, code ?? '')).toMatchObject(usedUp);
    expect(await quote(first, code ?? '')).toBe(1_799);
  });

  it('is refused to the account that has paid with it', async () => {
    const { code } = await aCoupon(app, { perAccount: 1 });
    const family = await aFamily(app, 2);
    const [item = '', other = ''] = family.items;
    const { body } = await open({ ...family, items: [item] }, code ?? '');
    await provider.confirm(body.clientSecret ?? '');
    expect((await record(app, family.who, body.clientSecret ?? '')).status).toBe(201);
    expect(await quote({ ...family, items: [other] }, code ?? '')).toMatchObject(usedUp);
  });

  it('is good again once all is refunded, and not for a part', async () => {
    const [admin, coupon] = [await anAdmin(app), await aCoupon(app, { usesMost: 1 })];
    const code = coupon.code ?? '';
    const family = await aFamily(app, 2);
    const [item = '', other = ''] = family.items;
    const { body } = await open({ ...family, items: [item] }, code);
    await provider.confirm(body.clientSecret ?? '');
    const { insertResult } = (await record(app, family.who, body.clientSecret ?? '')).body;
    const id = insertResult.insertedId;
    const [enrolment] = await rowsOf(app, 'enrolment', `payment_id = '${id}'`);
    const part = { id: enrolment?.id ?? '', cents: 500, end: false, reason: 'Rain' };
    await app.send(overrideEnrolment, part, admin.token);
    await settleAll(app);
    expect(await quote({ ...family, items: [other] }, code)).toMatchObject(usedUp);
    await app.send(refundPayment, { id, reason: 'Cancelled' }, admin.token);
    await settleAll(app);
    expect(await quote({ ...family, items: [other] }, code)).toBe(1_799);
    const [discount] = (
      await app.pool.query('select uses from discount where id = $1', [coupon.id])
    ).rows as { uses: number }[];
    expect(discount?.uses).toBe(0);
  });
});
