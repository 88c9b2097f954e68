import { afterEach, describe, expect, it } from 'vitest';
import type { Input } from '../../contract/platform/call.ts';
import { addDays } from '../../contract/platform/days.ts';
import { addDiscount, endDiscount, listDiscounts } from '../../contract/checkout/discounts.ts';
import { testApp } from '../testing/app.ts';
import { aCode } from '../testing/discounts.ts';
import { aClass, anAdmin, aUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { createFindCoupon, nudgesFor, rulesFor } from './pricing.ts';

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
      _id: insertedId,
      kind: 'early',
      percent: 20,
      sport: 'Tennis',
      until: inDays(10),
      uses: 0,
      given: 0,
      state: 'on',
    });
    expect((await end(insertedId)).body).toEqual({ modifiedCount: 1 });
    expect((await end(insertedId)).body).toEqual({ modifiedCount: 0 });
    const all = await list();
    expect(all.find(({ _id }) => _id === insertedId)?.state).toBe('ended');
  });

  it('counts until the end of its last day, by the academy’s clock', async () => {
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
    expect(all.find(({ _id }) => _id === first.insertedId)?.state).toBe('ended');
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
    expect((await list())[0]).toMatchObject({ _id: rule, uses: 1, given: 2.5 });
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
    ['an amount below 0', { ...coupon('ABCD'), percent: undefined, amount: -1 }, 'amount'],
    ['an amount of a billion', { ...coupon('ABCD'), percent: undefined, amount: 1e9 }, 'amount'],
    [
      'an amount with a comma',
      { ...coupon('AB-D'), percent: undefined, amount: '81,00' },
      'amount',
    ],
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
  it('are empty without a discount', async () => {
    expect(await rulesFor(app.db, (await aUser(app)).id)).toEqual({ early: [] });
  });

  it('leave out what has ended or is over', async () => {
    await end((await add(siblings)).body.insertedId);
    await add({ kind: 'early', name: 'x', percent: 5, until: today });
    await app.pool.query(`update discount set until = now() where kind = 'early'`);
    expect(await rulesFor(app.db, (await aUser(app)).id)).toEqual({ early: [] });
  });

  it('count the enrolments of the family, in the order of the first one', async () => {
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

  it('suggest the child who is not in the basket, at most one class', async () => {
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

  it('cannot be guessed: ten wrong ones, also at once, stop the account, and no other', async () => {
    const alive = aCode();
    await add(coupon(alive));
    const [guesser, other] = [await aUser(app), await aUser(app)];
    const guesses = Array.from({ length: 50 }, (_, n) => outcome(guesser.id, `WRONG-${n}`));
    const codes = (await Promise.all(guesses)).map((one) => (one as { code: string }).code);
    expect(codes.filter((code) => code === 'COUPON_UNKNOWN')).toHaveLength(10);
    expect(await outcome(guesser.id, alive)).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await outcome(other.id, alive)).toBe('Coupon');
  });

  it('that is right does not count', async () => {
    const [alive, user] = [aCode(), await aUser(app)];
    await add(coupon(alive));
    for (let n = 0; n < 15; n++) expect(await outcome(user.id, alive)).toBe('Coupon');
  });
});
