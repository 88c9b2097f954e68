import { afterEach, describe, expect, it } from 'vitest';
import { addDiscount, endDiscount, listDiscounts } from '../../contract/checkout/discounts.ts';
import { type Input } from '../../contract/platform/call.ts';
import { addDays } from '../../contract/platform/days.ts';
import { testApp } from '../testing/app.ts';
import { aCode, aCoupon } from '../testing/discounts.ts';
import { aClass, anAdmin, aUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { createFindCoupon, nudgesFor, reserveCoupon, returnCoupon, rulesFor } from './pricing.ts';

const app = await testApp();
const admin = await anAdmin(app);
const today = new Date().toJSON().slice(0, 10);
const inDays = (count: number) => addDays(today, count);

const add = (input: Input<typeof addDiscount>) => app.send(addDiscount, input, admin.token);
const end = (id: string) => app.send(endDiscount, { id, ended: true }, admin.token);
const list = async () => (await app.send(listDiscounts, {}, admin.token)).body;
type Added = Input<typeof addDiscount>;
const siblings: Added = { kind: 'siblings', name: 'Siblings', steps: steps(2, 10) };
const classes: Added = { kind: 'classes', name: 'Two classes', steps: steps(2, 5) };

afterEach(() => app.pool.query('update discount set ended_at = now() where ended_at is null'));

describe('a discount', () => {
  it('is added, listed with its last day, and ended', async () => {
    const { insertedId } = (
      await add({
        kind: 'early',
        name: 'Before spring',
        percent: 20,
        sport: 'Tennis',
        until: inDays(10),
      })
    ).body;
    expect((await list())[0]).toMatchObject({
      discountId: insertedId,
      kind: 'early',
      percent: 20,
      sport: 'Tennis',
      until: inDays(10),
      uses: 0,
      givenCents: 0,
      state: 'on',
    });
    expect((await end(insertedId)).body).toEqual({ modifiedCount: 1 });
    expect((await end(insertedId)).body).toEqual({ modifiedCount: 0 });
    const all = await list();
    expect(all.find(({ discountId }) => discountId === insertedId)?.state).toBe('ended');
  });

  it('counts until its last day ends, by the academy’s clock', async () => {
    const { body } = await add({ kind: 'early', name: 'Today', percent: 5, until: today });
    const { rows } = await app.pool.query<{ local: string }>(
      `select (until at time zone 'Europe/Lisbon')::text as local from discount where id = $1`,
      [body.insertedId],
    );
    expect(rows[0]?.local).toBe(`${addDays(today, 1)} 00:00:00`);
  });

  it('of the kind siblings replaces the one before', async () => {
    const { body: first } = await add(siblings);
    const both = await Promise.all([add(siblings), add({ ...siblings, name: 'Newer' })]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    const all = await list();
    expect(all.filter(({ kind, state }) => kind === 'siblings' && state === 'on')).toHaveLength(1);
    expect(all.find(({ discountId }) => discountId === first.insertedId)?.state).toBe('ended');
  });

  it('shows what it has given, from the lines of payments', async () => {
    const { insertedId: rule } = (await add(siblings)).body;
    const student = await aUser(app);
    const { id: classId } = await aClass(app);
    await enrol(app, classId, student);
    const why = JSON.stringify([
      { rule, kind: 'siblings', cents: 250 },
      { rule: null, kind: 'small', cents: 10 },
    ]);
    await app.pool.query(
      `update payment_line set why = $1, discount_cents = 260, worth_cents = list_cents - 260 where class_id = $2`,
      [why, classId],
    );
    expect((await list())[0]).toMatchObject({ discountId: rule, uses: 1, givenCents: 250 });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['steps that fall', { ...siblings, steps: steps(2, 20, 3, 10) }, 'steps'],
    ['steps twice for one rank', { ...siblings, steps: steps(2, 10, 2, 20) }, 'steps'],
    ['a step for the first child', { ...siblings, steps: steps(1, 10) }, 'steps.0.rank'],
    ['more than 100 %', { ...classes, steps: steps(2, 101) }, 'steps.0.percent'],
    ['no steps', { kind: 'classes', name: 'x' }, 'steps'],
    ['a percentage for siblings', { ...siblings, percent: 10 }, 'percent'],
    ['no last day', { kind: 'early', name: 'x', percent: 10 }, 'until'],
    ['a day that is over', { kind: 'early', name: 'x', percent: 5, until: '2020-01-01' }, 'until'],
    ['a coupon without a code', { kind: 'coupon', name: 'x', percent: 10 }, 'code'],
    ['a coupon that gives nothing', { kind: 'coupon', name: 'x', code: 'ABCD' }, 'percent'],
    ['a coupon for one sport', { ...coupon('ABCD'), sport: 'Tennis' }, 'sport'],
    ['a code of 25 characters', coupon('A'.repeat(25)), 'code'],
    ['a code with a sign', coupon('50%-OFF'), 'code'],
    ['an amount of nothing', { ...coupon('ABCD'), percent: undefined, cents: 0 }, 'cents'],
    ['an amount of a billion', { ...coupon('ABCD'), percent: undefined, cents: 1e9 }, 'cents'],
    ['a part of a cent', { ...coupon('ABCD'), percent: undefined, cents: 0.5 }, 'cents'],
    ['an empty name', { ...siblings, name: ' ' }, 'name'],
    ['an unknown kind', { ...siblings, kind: 'loyalty' }, 'kind'],
  ])('with %s is refused, and the field is named', async (_what, input, field) => {
    const { status, body } = await add(input as Added);
    expect([status, body.code, body.field]).toEqual([400, 'INVALID_INPUT', field]);
  });

  it('for a class that does not exist is refused', async () => {
    const classId = '00000000-0000-4000-8000-000000000000';
    const { body } = await add({ kind: 'early', name: 'x', percent: 5, until: today, classId });
    expect([body.code, body.field]).toEqual(['NOT_FOUND', 'classId']);
  });

  it('with a code that was used before is refused, in any spelling', async () => {
    const code = aCode();
    const { body } = await add(coupon(code));
    await end(body.insertedId);
    const again = await add(coupon(` ${code.toLowerCase()} `));
    expect([again.status, again.body.code, again.body.field]).toEqual([409, 'CODE_TAKEN', 'code']);
  });
});

function steps(...numbers: number[]) {
  return numbers.flatMap((rank, index) =>
    index % 2 === 0 ? [{ rank, percent: numbers[index + 1] ?? 0 }] : [],
  );
}
function coupon(code: string) {
  return { kind: 'coupon', name: 'Coupon', percent: 10, code } as const;
}

describe('the rules of an account', () => {
  it('leave out what has ended or is over', async () => {
    await end((await add(siblings)).body.insertedId);
    await add({ kind: 'early', name: 'x', percent: 5, until: today });
    await app.pool.query(`update discount set until = now() where kind = 'early'`);
    expect(await rulesFor(app.db, (await aUser(app)).id)).toEqual({ early: [] });
  });

  it('count the enrolments of the family, the first one first', async () => {
    await add(siblings);
    const parent = await aUser(app);
    const [mia, leo, other] = [
      await aChild(app, [parent]),
      await aChild(app, [parent]),
      await aChild(app, [await aUser(app)]),
    ];
    const [tennis, yoga, over] = [await aClass(app), await aClass(app), await aClass(app)];
    await app.pool.query(`update class set ends_at = now() where id = $1`, [over.id]);
    for (const [klass, child] of [
      [tennis, leo],
      [tennis, mia],
      [yoga, leo],
      [over, mia],
      [tennis, other],
    ] as const)
      await enrol(app, klass.id, parent, child);
    const { earlier, siblings: rule } = await rulesFor(app.db, parent.id);
    expect(earlier).toEqual([
      { participantId: leo.id, oneself: false, classes: 2 },
      { participantId: mia.id, oneself: false, classes: 1 },
    ]);
    expect(rule).toMatchObject({ name: 'Siblings', steps: [{ rank: 2, percent: 10 }] });
  });

  it('suggest the child who is not in the basket', async () => {
    await add(siblings);
    const parent = await aUser(app);
    const [mia, leo] = [
      await aChild(app, [parent], { name: 'Mia' }),
      await aChild(app, [parent], { name: 'Leo' }),
    ];
    const klass = await aClass(app, { sport: 'Archery' });
    const line = (child: { id: string }) => ({
      participantId: child.id,
      classId: klass.id,
      sport: 'Archery',
      cents: klass.priceCents,
    });
    const nudges = async (...children: { id: string }[]) =>
      nudgesFor(app.db, parent.id, children.map(line), await rulesFor(app.db, parent.id));
    expect(await nudges(mia)).toMatchObject([{ name: 'Leo', another: false, percent: 10 }]);
    expect(await nudges(mia, leo)).toEqual([]);
    await app.pool.query(`update class set held = capacity where id = $1`, [klass.id]);
    expect(await nudges(mia)).toEqual([]);
  });
});

describe('a code', () => {
  const find = createFindCoupon({ rateLimit: true });
  const outcome = (studentId: string, code: string) =>
    find(app.db, studentId, code).then(
      ({ name }) => name,
      (error: { code: string; retryAfter?: number }) => error,
    );

  it('that is unknown and one that has ended get the same answer', async () => {
    const [ended, over, alive] = [aCode(), aCode(), aCode()];
    await end((await add(coupon(ended))).body.insertedId);
    await add({ ...coupon(over), until: today });
    await app.pool.query(`update discount set until = now() where code = $1`, [over]);
    await add(coupon(alive));
    const { id } = await aUser(app);
    expect(await outcome(id, alive)).toBe('Coupon');
    const unknown = await outcome(id, 'UNKNOWN');
    expect(unknown).toMatchObject({ code: 'COUPON_UNKNOWN' });
    expect(await outcome(id, ended)).toEqual(unknown);
    expect(await outcome(id, over)).toEqual(unknown);
  });

  it('cannot be guessed: ten wrong ones stop the account', async () => {
    const alive = aCode();
    await add(coupon(alive));
    const [guesser, other] = [await aUser(app), await aUser(app)];
    const guesses = Array.from({ length: 20 }, (_, n) => outcome(guesser.id, `WRONG-${n}`));
    const codes = (await Promise.all(guesses)).map((one) => (one as { code: string }).code);
    expect(codes.filter((code) => code === 'COUPON_UNKNOWN')).toHaveLength(10);
    expect(await outcome(guesser.id, alive)).toMatchObject({ code: 'RATE_LIMITED' });
    // A right one does not count.
    for (let n = 0; n < 15; n++) expect(await outcome(other.id, alive)).toBe('Coupon');
  });
});

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
  it('is taken once by many at once, also when half of them leave', async () => {
    const { id: coupon } = await aCoupon(app, { usesMost: 1 });
    const student = await aUser(app);
    const students = await Promise.all(Array.from({ length: 30 }, () => aUser(app)));
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
  it('has no more uses than it may, and gets back what it left', async () => {
    const { id: coupon } = await aCoupon(app, { perAccount: 2 });
    const { id } = await aUser(app);
    const baskets = await Promise.all(Array.from({ length: 20 }, () => aBasket(id)));
    const got = await Promise.all(baskets.map((basket) => reserve(coupon, id, basket)));
    expect(got.filter(Boolean)).toHaveLength(2);
    expect(await usesOf(coupon)).toEqual({ uses: 2, live: 2, accounts: 2 });
    const left = baskets[got.indexOf(true)] ?? '';
    await Promise.all([giveBack(left), giveBack(left)]);
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
