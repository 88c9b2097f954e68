// Refunds of single lines at the same moment as other refunds of the line, and as payments for the
// same classes are settled. Each guard has a control in which it is off.
import { afterAll, describe, expect, it } from 'vitest';
import { overrideEnrolment, refundPayment } from '../../../contract/checkout/payments.ts';
import { aBoughtBasket, aFamily, anOpenBasket } from '../../testing/baskets.ts';
import { aShop, balanced, type Class, rowsOf, seats, settleAll } from '../../testing/checkout.ts';
import { aClass, anAdmin } from '../../testing/factories.ts';
import { waiters } from '../../testing/overtaken.ts';
import { followPayment, giveBack, readLines } from './rows.ts';

const shop = await aShop({}, { tells: false });
const { app, provider } = shop;
const second = await shop.another();
const admin = await anAdmin(app);
afterAll(async () => {
  await second.close();
  await balanced(shop);
});
const sideOf = (place: number) => (place % 2 === 0 ? app : second);

/** A family that has paid for the classes; we do not know of it yet. */
async function aPaidBasket(classes: Class[]) {
  const family = await aFamily(app, classes.length, classes);
  const { intent, secret } = await anOpenBasket(app, family);
  await provider.confirm(secret);
  return { ...family, intent };
}

async function aSettledBasket(classes: Class[]) {
  const paid = await aPaidBasket(classes);
  await app.money.settle(paid.intent);
  const enrolments = await rowsOf(app, 'enrolment', `student_id = '${paid.who.id}'`);
  return { ...paid, enrolments };
}

const override = (place: number, id: string, leftCents: number, cents: number) =>
  sideOf(place).send(
    overrideEnrolment,
    { id, cents, leftCents, end: true, reason: 'Rain' },
    admin.token,
  );

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => '',
    (error: { code?: string }) => error.code,
  );

describe('twenty refunds of one line at once', () => {
  it('that all saw the same amount left: one is made', async () => {
    const { intent, paymentId, lines } = await aBoughtBasket(shop);
    const [line] = lines;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, place) => override(place, line?.enrolment ?? '', 1_999, 400)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'NOT_REFUNDABLE')).toHaveLength(19);
    await settleAll(app);
    expect(await provider.refunds(intent)).toMatchObject([{ amount: 400 }]);
    expect(await seats(app, line?.class_id ?? '')).toMatchObject({ sold: 0 });
    expect(await rowsOf(app, 'payment', `payment.id = '${paymentId}'`)).toMatchObject([
      { back_cents: 400, status: 'part_refunded' },
    ]);
  });

  it('control: without the lock on the payment all are made', async () => {
    const { intent, paymentId } = await aBoughtBasket(shop);
    const { promise: allSaw, resolve: go } = Promise.withResolvers<void>();
    let waiting = 3;
    await Promise.all(
      Array.from({ length: waiting }, () =>
        app.transaction(async (db) => {
          const [line] = await readLines(db, paymentId);
          waiting -= 1;
          if (waiting === 0) go();
          await allSaw;
          if (line?.backCents !== 0) return;
          await giveBack(db, line, { cents: 400, reason: 'Rain', askedBy: admin.id });
          await followPayment(db, paymentId);
        }),
      ),
    );
    await settleAll(app);
    expect(await provider.refunds(intent)).toHaveLength(3);
  });
});

describe('refunds while other baskets of the same classes are settled', () => {
  it('each does what it says, whatever the order of the lines', async () => {
    const [one, two] = [await aClass(app, { capacity: 9 }), await aClass(app, { capacity: 9 })];
    const bought = [];
    const paid = [];
    for (const classes of [
      [one, two],
      [two, one],
    ]) {
      bought.push(await aSettledBasket(classes));
      paid.push(await aPaidBasket(classes));
    }
    const reason = 'Rain';
    const [part, whole] = bought.map(({ enrolments: [first] }) => first);
    const ended = [
      app.send(
        overrideEnrolment,
        { id: part?.id ?? '', cents: 50, end: true, reason },
        admin.token,
      ),
      second.send(refundPayment, { id: String(whole?.['payment_id']), reason }, admin.token),
    ];
    const settled = paid.flatMap(({ intent }) => [
      app.money.settle(intent),
      second.money.settle(intent),
    ]);
    expect((await Promise.all(ended)).map(({ status }) => status)).toEqual([200, 200]);
    for (const { outcome } of await Promise.all(settled)) expect(outcome).toBe('recorded');
    await settleAll(app);
    for (const { who } of paid)
      expect(
        await rowsOf(app, 'enrolment', `student_id = '${who.id}' and state = 'active'`),
      ).toHaveLength(2);
    // Four baskets of two seats: one has lost a seat, one both.
    const sold = (await seats(app, one.id)).sold + (await seats(app, two.id)).sold;
    expect(sold).toBe(5);
  });

  it('control: classes locked in another order stop a settle', async () => {
    const [one, two] = [await aClass(app), await aClass(app)].toSorted((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    if (!one || !two) throw new Error('no class');
    const { intent } = await aPaidBasket([one, two]);
    const wrong = await app.pool.connect();
    const lock = (id: string) =>
      wrong.query('select from class where id = $1 for no key update', [id]);
    await wrong.query('begin');
    await lock(two.id);
    const settled = codeOf(app.money.settle(intent));
    await waiters(app, 1);
    const other = await codeOf(lock(one.id));
    await wrong.query('rollback');
    wrong.release();
    expect([other, await settled]).toContain('40P01');
  });

  it('a freed seat is sold once to those who lost theirs', async () => {
    const klass = await aClass(app, { capacity: 4 });
    const bought = await aSettledBasket([klass]);
    const late = [];
    for (let n = 0; n < 3; n++) late.push(await aPaidBasket([klass]));
    // As after the restore of a backup: their baskets are unknown, and the class is full.
    const students = late.map(({ who }) => who.id);
    for (const table of ['hold', 'basket'])
      await app.pool.query(`delete from ${table} where student_id = any($1)`, [students]);
    await app.pool.query('update class set held = 0, capacity = 1 where id = $1', [klass.id]);
    const [enrolment] = bought.enrolments;
    await Promise.all([
      app.send(
        overrideEnrolment,
        { id: enrolment?.id ?? '', cents: 1_999, end: true, reason: 'Ill' },
        admin.token,
      ),
      ...late.map(({ intent }, place) => sideOf(place).money.settle(intent)),
    ]);
    await settleAll(app);
    const { sold } = await seats(app, klass.id);
    const active = await rowsOf(app, 'enrolment', `class_id = '${klass.id}' and state = 'active'`);
    expect([active.length, sold <= 1]).toEqual([sold, true]);
    for (const { intent, who } of late) {
      const has = active.some((row) => row['student_id'] === who.id);
      expect(await provider.refunds(intent)).toHaveLength(has ? 0 : 1);
    }
  });
});
