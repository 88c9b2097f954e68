// A code that has been used as often as it may be is refused when the basket is priced.
import { afterAll, describe, expect, it } from 'vitest';
import { openBasket, quoteBasket } from '../../../contract/checkout/checkout.ts';
import { overrideEnrolment, refundPayment } from '../../../contract/checkout/payments.ts';
import { aFamily, type Family } from '../../testing/baskets.ts';
import { aShop, balanced, record, rowsOf, settleAll } from '../../testing/checkout.ts';
import { aCoupon } from '../../testing/discounts.ts';
import { anAdmin } from '../../testing/factories.ts';

const shop = await aShop();
const { app, provider } = shop;
afterAll(() => balanced(shop));

const quote = async ({ who, items }: Family, coupon: string) => {
  const { status, body } = await app.send(quoteBasket, { items: items.join(), coupon }, who.token);
  return status === 200 ? body.total : body;
};
const open = ({ who, items }: Family, coupon: string, total = 17.99) =>
  app.send(openBasket, { items, total, coupon }, who.token);
const usedUp = { code: 'COUPON_USED_UP', field: 'coupon' };

describe('a code that is used up', () => {
  it('is refused to others, and not to the one whose open basket has the last use', async () => {
    const { code } = await aCoupon(app, { usesMost: 1 });
    const [first, second] = [await aFamily(app, 1), await aFamily(app, 1)];
    expect(await quote(second, code ?? '')).toBe(17.99);
    expect((await open(first, code ?? '')).status).toBe(200);
    expect(await quote(second, code ?? '')).toMatchObject(usedUp);
    expect(await quote(first, code ?? '')).toBe(17.99);
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
    const part = { id: enrolment?.id ?? '', card: 5, end: false, reason: 'Rain' };
    await app.send(overrideEnrolment, part, admin.token);
    await settleAll(app);
    expect(await quote({ ...family, items: [other] }, code)).toMatchObject(usedUp);
    await app.send(refundPayment, { id, reason: 'Cancelled' }, admin.token);
    await settleAll(app);
    expect(await quote({ ...family, items: [other] }, code)).toBe(17.99);
    const [discount] = (
      await app.pool.query('select uses from discount where id = $1', [coupon.id])
    ).rows as { uses: number }[];
    expect(discount?.uses).toBe(0);
  });
});
