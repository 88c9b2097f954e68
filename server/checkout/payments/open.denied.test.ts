// A class that is denied while a student is paying for it: what each call answers, and that the
// answer about the charge is true.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { listCart } from '../../../contract/checkout/cart.ts';
import { openBasket } from '../../../contract/checkout/checkout.ts';
import { denyClass } from '../../../contract/classes/classes.ts';
import { extendHold } from '../../../contract/checkout/payments.ts';
import { anAdmin } from '../../testing/factories.ts';
import {
  aHeldSeat,
  aPaidSeat,
  aShop,
  aShopper,
  balanced,
  ofIntent,
  openIntent,
  record,
  refusesCards,
  rowsOf,
  seats,
  settleAll,
  until,
} from '../../testing/checkout.ts';

const shop = await aShop();
const { app, provider } = shop;
const admin = await anAdmin(app);
afterEach(() => provider.heal());
afterAll(() => balanced(shop));

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
  it('crash point 22: is no longer offered, nothing was charged, and no card can be charged any more', async () => {
    const held = await aHeldSeat(shop);
    await deny(held.klass.id);
    await until(async () => (await seats(app, held.klass.id)).held === 0);
    expect(await openIntent(app, held.who, held.klass)).toMatchObject(closed);
    expect(await record(app, held.who, held.clientSecret)).toMatchObject(closed);
    expect(await app.send(extendHold, { id: held.holdId }, held.who.token)).toMatchObject(closed);
    await refusesCards(shop, held.clientSecret);
    expect(await rowsOf(app, 'payment', ofIntent(held.intent))).toEqual([]);
  });

  it('is no longer offered before the job has cancelled the payment, and asking cancels it', async () => {
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

  it('never says that nothing was charged when the card was charged: the money goes back and the answer says so', async () => {
    await provider.silence();
    const paid = await aPaidSeat(shop);
    await denyQuietly(paid.klass.id);
    expect(await openIntent(app, paid.who, paid.klass)).toMatchObject(returned);
    expect(await openIntent(app, paid.who, paid.klass)).toMatchObject(returned);
    await settleAll(app);
    expect(await openIntent(app, paid.who, paid.klass)).toMatchObject(returned);
    const [item] = (await app.send(listCart, { email: paid.who.email }, paid.who.token)).body;
    const asked = { items: [item?._id ?? ''], total: 19.99 };
    expect(await app.send(openBasket, asked, paid.who.token)).toMatchObject(returned);
    expect(await rowsOf(app, 'payment', ofIntent(paid.intent))).toMatchObject([
      { status: 'refunded' },
    ]);
  });

  it('is no longer offered to students who have it in the cart, and not found for others', async () => {
    const { who, klass } = await aShopper(app);
    await deny(klass.id);
    expect(await openIntent(app, who, klass)).toMatchObject(closed);
    const stranger = await aShopper(app);
    expect((await openIntent(app, stranger.who, klass)).body.code).toBe('NOT_FOUND');
  });
});

describe('a class that waits for a second approval', () => {
  it('cannot be paid for and says that it comes back; a seat held before is still sold', async () => {
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
