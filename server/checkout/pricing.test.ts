// Uses of a coupon stay within their limits, also when many pay or give up at the same time.
import { describe, expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { aCoupon } from '../testing/discounts.ts';
import { aUser } from '../testing/factories.ts';
import { couponOf, reserveCoupon, returnCoupon } from './pricing.ts';

const app = await testApp();

const aBasket = async (studentId: string) =>
  (
    await app.db
      .insertInto('basket')
      .values({ studentId, totalCents: 1_999 })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

const usesOf = async (couponId: string) => {
  const { rows } = await app.pool.query<{ uses: number; live: number; accounts: number }>(
    `select uses, (select count(*)::int from coupon_use where discount_id = $1 and ended_at is null) as live,
       (select coalesce(max(n), 0)::int from (select count(*) as n from coupon_use
         where discount_id = $1 and ended_at is null group by student_id) each) as accounts
     from discount where id = $1`,
    [couponId],
  );
  return rows[0];
};

/** True: one more use is taken. */
const reserve = (couponId: string, studentId: string, basketId: string) =>
  app
    .transaction((db) => reserveCoupon(db, { basketId, studentId, couponId }))
    .then(
      () => true,
      (error: { code?: string }) => {
        if (error.code === 'COUPON_USED_UP') return false;
        throw error;
      },
    );
const giveBack = (basketId: string) => app.transaction((db) => returnCoupon(db, basketId));

describe('the last use of a coupon', () => {
  it('is taken once by a hundred at once; when half of them leave, uses are never above the limit', async () => {
    const { id: coupon } = await aCoupon(app, { usesMost: 1 });
    const student = await aUser(app);
    const students = await Promise.all(Array.from({ length: 100 }, () => aUser(app)));
    const baskets = await Promise.all(students.map(({ id }) => aBasket(id)));
    let paid = 0;
    await Promise.all(
      students.map(async ({ id }, index) => {
        const basket = baskets[index] ?? '';
        if (!(await reserve(coupon, id, basket))) return;
        if (index % 2 === 0) paid += 1;
        else await giveBack(basket);
      }),
    );
    expect(paid).toBeLessThanOrEqual(1);
    expect(await usesOf(coupon)).toEqual({ uses: paid, live: paid, accounts: paid });
    // What was given back can be used again.
    expect(await reserve(coupon, student.id, await aBasket(student.id))).toBe(paid === 0);
  });

  it('control: with a count that is read first, several get it', async () => {
    const { id: coupon } = await aCoupon(app, { usesMost: 1 });
    await app.pool.query('alter table discount drop constraint coupon_uses');
    const readFirst = async () => {
      const now = await usesOf(coupon);
      if ((now?.uses ?? 0) >= 1) return false;
      await app.pool.query('update discount set uses = uses + 1 where id = $1', [coupon]);
      return true;
    };
    const got = await Promise.all(Array.from({ length: 20 }, readFirst));
    expect(got.filter(Boolean).length).toBeGreaterThan(1);
    await app.pool.query('update discount set uses = 0 where id = $1', [coupon]);
    await app.pool.query(`alter table discount add constraint coupon_uses
      check (uses >= 0 and (uses_most is null or uses <= uses_most))`);
  });

  it('is refused by the table itself', async () => {
    const { id: coupon } = await aCoupon(app, { usesMost: 1 });
    const over = app.pool.query('update discount set uses = 2 where id = $1', [coupon]);
    await expect(over).rejects.toMatchObject({ constraint: 'coupon_uses' });
  });
});

describe('one account', () => {
  it('has no more uses at once than it may, in many tabs, and gets back what it left', async () => {
    const { id: coupon } = await aCoupon(app, { perAccount: 2 });
    const { id } = await aUser(app);
    const baskets = await Promise.all(Array.from({ length: 20 }, () => aBasket(id)));
    const got = await Promise.all(baskets.map((basket) => reserve(coupon, id, basket)));
    expect(got.filter(Boolean)).toHaveLength(2);
    expect(await usesOf(coupon)).toEqual({ uses: 2, live: 2, accounts: 2 });
    const left = baskets[got.indexOf(true)] ?? '';
    expect(await couponOf(app.db, left)).toBe(coupon);
    await Promise.all([giveBack(left), giveBack(left)]);
    expect(await couponOf(app.db, left)).toBeNull();
    expect(await usesOf(coupon)).toEqual({ uses: 1, live: 1, accounts: 1 });
    expect(await reserve(coupon, id, await aBasket(id))).toBe(true);
  });

  it('leaving and taking at the same time ends in no deadlock', async () => {
    const { id: coupon } = await aCoupon(app, { usesMost: 3, perAccount: 3 });
    const { id } = await aUser(app);
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        const basket = await aBasket(id);
        if (await reserve(coupon, id, basket)) await giveBack(basket);
      }),
    );
    expect(await usesOf(coupon)).toEqual({ uses: 0, live: 0, accounts: 0 });
  });

  it('cannot use a coupon that ended since it was quoted', async () => {
    const { id: coupon } = await aCoupon(app);
    await app.pool.query('update discount set ended_at = now() where id = $1', [coupon]);
    const { id } = await aUser(app);
    expect(await reserve(coupon, id, await aBasket(id))).toBe(false);
    expect((await usesOf(coupon))?.uses).toBe(0);
  });
});
