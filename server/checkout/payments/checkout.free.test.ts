// Baskets that cost nothing, what POST /payments takes for a basket, and what the database refuses.
import { afterAll, describe, expect, it } from 'vitest';
import { addToCart } from '../../../contract/checkout/cart.ts';
import { openBasket, payBasket, quoteBasket } from '../../../contract/checkout/checkout.ts';
import { recordPayment } from '../../../contract/checkout/payments.ts';
import { aFamily, anOpenBasket } from '../../testing/baskets.ts';
import { aShop, balanced, type Class, enrolled, seats, settleAll } from '../../testing/checkout.ts';
import { aCoupon } from '../../testing/discounts.ts';
import { aClass, aUser } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
afterAll(() => balanced(shop));

const heldSeats = async (classes: Class[]) =>
  Promise.all(classes.map(async ({ id }) => (await seats(app, id)).held));

/** A coupon of 100 %. */
async function aFreeBasket() {
  const family = await aFamily(app, 2);
  const code = `FREE-${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
  await app.pool.query(
    `insert into discount (kind, name, percent, code, uses_most) values ('coupon', 'Free', 100, $1, 1)`,
    [code],
  );
  const usesOf = async () =>
    (await app.pool.query('select uses from discount where code = $1', [code])).rows[0];
  const input = { items: family.items, total: 0, coupon: code.toLowerCase() };
  const open = () => app.send(openBasket, input, family.who.token);
  return { ...family, open, usesOf };
}

describe('a basket that costs nothing', () => {
  it('is not booked on an address that is not confirmed: seat and coupon would stay with its owner', async () => {
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
    expect(body).toMatchObject({ clientSecret: null, total: 0, card: 0, saved: 39.98 });
    expect((await free.open()).body.basketId).toBe(body.basketId);
    const pay = () => app.send(payBasket, { id: body.basketId }, free.who.token);
    const [one, other] = await Promise.all([pay(), pay()]);
    expect(new Set([one.status, other.status])).toEqual(new Set([200, 201]));
    expect(one.body.insertResult).toEqual(other.body.insertResult);
    expect(await enrolled(app, free.who)).toHaveLength(2);
    expect(await free.usesOf()).toEqual({ uses: 1 });
  });

  it('crash point 8: never booked: the seats and the coupon are given back', async () => {
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

  it('is not booked by an account that no longer looks after the child', async () => {
    const [parent, klass] = [await aUser(app), await aClass(app)];
    const child = await aChild(app, [parent, await aUser(app)]);
    const wanted = { itemId: klass.id, participantId: child.id };
    const item = (await app.send(addToCart, wanted, parent.token)).body.insertedId;
    const { code } = await aCoupon(app, { percent: 100 });
    const input = { items: [item], total: 0, coupon: code ?? '' };
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

it('POST /payments takes the item of any line, and the total as the price', async () => {
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
