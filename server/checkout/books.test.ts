// The check of the books finds a planted fault in the dates of classes (TP9), in who looks after
// whom (FA9) and in whose seat was paid for. Seats and money: checkout/provider/chores.test.ts.
import { afterAll, expect, it } from 'vitest';
import { aBoughtSeat, aShop, balanced, booksOf, saidAfter } from '../testing/checkout.ts';
import { aClass, aUser } from '../testing/factories.ts';
import { aChild, aMeetingRow } from '../testing/family.ts';

const shop = await aShop({}, { tells: false });
const { app } = shop;
afterAll(() => balanced(shop));

it('TP9: the dates of a class are those of its meetings', async () => {
  const dated = await aClass(app);
  for (const [inMinutes, state] of [
    [-5_000, 'on'],
    [700, 'on'],
    [1_500, 'on'],
    [10_780, 'on'],
    [20_000, 'cancelled'],
    [12_000, 'proposed'],
  ] as const)
    await aMeetingRow(app, dated, { inMinutes, state });
  const cancelled = await aClass(app);
  await aMeetingRow(app, cancelled, { state: 'cancelled' });
  await aClass(app);
  expect(await booksOf(app)).toEqual([]);
  for (const wrong of [
    `first_day = first_day + 1`,
    `last_day = last_day - 1`,
    `ends_at = ends_at - interval '1 minute'`,
    `slots = slots # 1`,
    `plan = '[[1, "09:00", 60]]'`,
    `first_day = null, last_day = null, ends_at = null, slots = 0, plan = null`,
  ])
    expect(await saidAfter(app, `update class set ${wrong} where id = '${dated.id}'`)).toBe(
      `class ${dated.id}: its dates are not those of its meetings`,
    );
  expect(
    await saidAfter(app, `update class set ends_at = null where id = '${cancelled.id}'`),
  ).toContain('not those of its meetings');
});

it('FA9: everybody who is not erased is looked after', async () => {
  const who = await aUser(app);
  const child = await aChild(app, [who]);
  const alone = `delete from guardian where participant_id = '${child.id}'`;
  expect(await saidAfter(app, alone)).toBe(`participant ${child.id}: nobody looks after them`);
  const erased = `update participant set erased_at = now() where id = '${child.id}'`;
  expect(await saidAfter(app, alone, erased)).toBe('');
});

it('an enrolment is that of whose seat was paid for, once', async () => {
  const { who, paymentId, klass } = await aBoughtSeat(shop);
  const child = await aChild(app, [who]);
  expect(
    await saidAfter(
      app,
      `update enrolment set participant_id = '${child.id}' where payment_id = '${paymentId}'`,
    ),
  ).toContain('its participant is not the one whose seat was paid for');
  const twice = await saidAfter(
    app,
    'drop index hold_one_per_class',
    `insert into hold (student_id, participant_id, class_id, list_cents, slot)
     select '${who.id}', '${child.id}', '${klass.id}', 1999, n from generate_series(1, 2) n`,
  );
  expect(twice).toContain(`participant ${child.id}: 2 live holds of class ${klass.id}`);
});
