// A change of class: the difference is exact, and the old seat ends with the new one or not at all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToCart } from '../../../contract/checkout/cart.ts';
import { openBasket, payBasket, quoteBasket } from '../../../contract/checkout/checkout.ts';
import { listChanges } from '../../../contract/checkout/leaving.ts';
import { overrideEnrolment } from '../../../contract/checkout/payments.ts';
import { aShop, balanced, type Class, rowsOf, seats, secretOf } from '../../testing/checkout.ts';
import { anAdmin, aUser } from '../../testing/factories.ts';
import {
  aDatedClass,
  daysPass,
  secondChild,
  setTerms,
  someTerms,
  tomAndAna,
} from '../../testing/leaving.ts';

const shop = await aShop();
const { app, provider } = shop;
beforeAll(async () => {
  await secondChild(shop);
  await setTerms(shop, { ...someTerms, begun: { card: 0, credit: 0 } });
});
afterAll(() => balanced(shop));

type Family = Awaited<ReturnType<typeof tomAndAna>>;

/** Five of ten meetings are to come. */
async function halfway() {
  const family = await tomAndAna(shop);
  await daysPass(shop, [family.tennis, family.chess], 20 + 29);
  return family;
}

async function choose({ pia, seats: sold, tom }: Family, klass: Class, instead = sold.tom) {
  const added = { itemId: klass.id, participantId: tom.id };
  const item = (await app.send(addToCart, added, pia.token)).body.insertedId;
  const { body } = await app.send(quoteBasket, { items: item, instead }, pia.token);
  const insteadCents = (body.swap?.cents ?? 0) + (body.swap?.backCents ?? 0);
  const wanted = { items: [item], totalCents: body.totalCents, instead, insteadCents };
  const open = (changed: Partial<typeof wanted> = {}) =>
    app.send(openBasket, { ...wanted, ...changed }, pia.token);
  return { quote: body, open };
}

const stateOf = async (id: string) => {
  const [row] = await rowsOf(app, 'enrolment', `id = '${id}'`);
  return [row?.state, row?.['end_kind']];
};
const creditOf = async ({ id }: { id: string }) => {
  const { rows } = await app.pool.query('select cents from credit where student_id = $1', [id]);
  return rows[0]?.cents ?? 0;
};
const isUntouched = async (family: Family) => {
  expect(await stateOf(family.seats.tom)).toEqual(['active', null]);
  expect(await seats(app, family.tennis.id)).toMatchObject({ sold: 1 });
};

describe('a change of class', () => {
  it('L9: to a dearer one: the difference, and only then', async () => {
    const family = await halfway();
    const swim = await aDatedClass(shop, { cents: 9_500 });
    const { quote, open } = await choose(family, swim);
    expect(quote).toMatchObject({ totalCents: 9_500, swap: { cents: 4_500, backCents: 0 } });
    await isUntouched(family);
    const { body } = await open();
    expect(body).toMatchObject({ cardCents: 5_000 });
    expect((await open()).body.clientSecret).toBe(body.clientSecret);
    await isUntouched(family);
    const { intent } = secretOf(body.clientSecret ?? '');
    await provider.silence();
    await provider.confirm(body.clientSecret ?? '');
    await isUntouched(family);
    await Promise.all([app.money.settle(intent), app.money.settle(intent)]);
    await provider.heal();
    expect(await stateOf(family.seats.tom)).toEqual(['cancelled', 'moved']);
    expect(await seats(app, family.tennis.id)).toMatchObject({ held: 0, sold: 0 });
    expect(await seats(app, swim.id)).toMatchObject({ held: 0, sold: 1 });
    const { rows } = await app.pool.query(
      `select amount_cents, swap_cents from payment where intent_id = $1`,
      [intent],
    );
    expect(rows).toEqual([{ amount_cents: 5_000, swap_cents: 4_500 }]);
  });

  it('to a cheaper one, now second to Ana: the rest is credit', async () => {
    const family = await halfway();
    const yoga = await aDatedClass(shop, { cents: 4_000 });
    const { quote, open } = await choose(family, yoga);
    expect(quote.swap).toEqual({ cents: 3_600, backCents: 900 });
    const { body } = await open();
    expect(body).toMatchObject({ cardCents: 0, clientSecret: null });
    await isUntouched(family);
    const paid = await app.send(payBasket, { id: body.basketId }, family.pia.token);
    expect(paid.status).toBe(201);
    expect(await stateOf(family.seats.tom)).toEqual(['cancelled', 'moved']);
    expect(await creditOf(family.pia)).toBe(900);
  });

  it('less than 0.50 is not charged; a second child stays one', async () => {
    const family = await halfway();
    const near = await aDatedClass(shop, { cents: 5_033 });
    const { quote } = await choose(family, near);
    expect(quote).toMatchObject({ totalCents: 4_500, swap: { cents: 4_500, backCents: 0 } });
    const golf = await aDatedClass(shop, { cents: 7_000 });
    const { ana, seats: sold } = family;
    const anas = await choose({ ...family, tom: ana }, golf, sold.ana);
    expect(anas.quote).toMatchObject({ totalCents: 6_300, swap: { cents: 3_600 } });
  });

  it('the old seat ended meanwhile: the card gets all back', async () => {
    const family = await halfway();
    const swim = await aDatedClass(shop, { cents: 9_500 });
    const { body } = await (await choose(family, swim)).open();
    const end = { id: family.seats.tom, cents: 9_000, end: true, reason: 'Ill' };
    await app.send(overrideEnrolment, end, (await anAdmin(app)).token);
    await provider.confirm(body.clientSecret ?? '');
    const { intent } = secretOf(body.clientSecret ?? '');
    await app.money.settle(intent);
    await expect.poll(async () => (await provider.refunds(intent)).length).toBe(1);
    expect(await provider.refunds(intent)).toMatchObject([{ amount: 5_000 }]);
    expect(await seats(app, swim.id)).toMatchObject({ held: 0, sold: 0 });
    expect(await creditOf(family.pia)).toBe(0);
  });

  it('two tabs change one seat for two classes: one has it', async () => {
    const family = await halfway();
    const [one, other] = [
      await aDatedClass(shop, { cents: 4_000 }),
      await aDatedClass(shop, { cents: 3_000 }),
    ];
    const opened = [
      (await (await choose(family, one)).open()).body,
      (await (await choose(family, other)).open()).body,
    ];
    const paid = await Promise.all(
      opened.map(({ basketId: id }) => app.send(payBasket, { id }, family.pia.token)),
    );
    expect(paid.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    const [mine] = await rowsOf(app, 'enrolment', `id = '${family.seats.tom}'`);
    expect(mine?.state).toBe('cancelled');
    const sold = await Promise.all([seats(app, one.id), seats(app, other.id)]);
    expect(sold.reduce((sum, klass) => sum + klass.sold, 0)).toBe(1);
  });

  it('L7: a meeting begins between quote and Pay', async () => {
    const family = await halfway();
    const swim = await aDatedClass(shop, { cents: 9_500 });
    const { open } = await choose(family, swim);
    await daysPass(shop, [family.tennis], 7);
    expect((await open()).body.code).toBe('QUOTE_CHANGED');
    await isUntouched(family);
  });

  it('the list says each difference, and what is full', async () => {
    const family = await halfway();
    const [dear, full] = [
      await aDatedClass(shop, { cents: 9_500 }),
      await aDatedClass(shop, { cents: 5_000, capacity: 1 }),
    ];
    await app.pool.query('update class set sold = 1 where id = $1', [full.id]);
    const { body } = await app.send(listChanges, { id: family.seats.tom }, family.pia.token);
    const said = (klass: Class) => body.find(({ classId }) => classId === klass.id);
    expect(said(dear)).toMatchObject({ payCents: 5_000, backCents: 0, full: false });
    expect(said(full)).toMatchObject({ payCents: 0, full: true });
    expect(said(family.tennis)).toBeUndefined();
    await app.pool.query('update class set sold = 0 where id = $1', [full.id]);
  });

  it('refused: the same class, another child, a seat of others', async () => {
    const family = await halfway();
    const swim = await aDatedClass(shop, { cents: 9_500 });
    const { open } = await choose(family, swim);
    expect((await open({ instead: family.seats.ana })).body.code).toBe('INVALID_INPUT');
    const malik = await aUser(app);
    const item = (await app.send(addToCart, { itemId: swim.id }, malik.token)).body.insertedId;
    const theirs = { items: item, instead: family.seats.tom };
    expect((await app.send(quoteBasket, theirs, malik.token)).status).toBe(404);
  });
});
