// The check of the books finds a planted fault in the dates of classes (TP9), in who looks after
// whom (FA9) and in whose seat was paid for. Seats and money: checkout/provider/chores.test.ts.
import { afterAll, expect, it } from 'vitest';
import { checkBooks } from './books.ts';
import { type Database, sql } from './db/connection.ts';
import { aBoughtSeat, aShop, balanced } from './testing/checkout.ts';
import { aClass, aUser } from './testing/factories.ts';
import { aChild, aMeetingRow } from './testing/family.ts';

const shop = await aShop({}, { tells: false });
const { app } = shop;
afterAll(() => balanced(shop));

const check = (db: Database['db']) =>
  checkBooks(db, app.cards, { ...app.config, graceSeconds: 0, since: new Date(0) });

/** What the check says while these statements hold. They are undone. */
async function saidAfter(...planted: string[]): Promise<string> {
  const undone = new Error('undone');
  const said: string[] = [];
  const run = app.db.transaction().execute(async (db) => {
    for (const statement of planted) await sql.raw(statement).execute(db);
    said.push(...(await check(db)));
    throw undone;
  });
  await expect(run).rejects.toBe(undone);
  return said.join('\n');
}

it('TP9: the days, end, slots and plan of a class are those of its meetings, cancelled ones left out', async () => {
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
  expect(await check(app.db)).toEqual([]);
  for (const wrong of [
    `first_day = first_day + 1`,
    `last_day = last_day - 1`,
    `ends_at = ends_at - interval '1 minute'`,
    `slots = slots # 1`,
    `plan = '[[1, "09:00", 60]]'`,
    `first_day = null, last_day = null, ends_at = null, slots = 0, plan = null`,
  ])
    expect(await saidAfter(`update class set ${wrong} where id = '${dated.id}'`)).toBe(
      `class ${dated.id}: its dates are not those of its meetings`,
    );
  expect(await saidAfter(`update class set ends_at = null where id = '${cancelled.id}'`)).toContain(
    'not those of its meetings',
  );
});

it('FA9: everybody who is not erased is looked after', async () => {
  const who = await aUser(app);
  const child = await aChild(app, [who]);
  const alone = `delete from guardian where participant_id = '${child.id}'`;
  expect(await saidAfter(alone)).toBe(`participant ${child.id}: nobody looks after them`);
  const erased = `update participant set erased_at = now() where id = '${child.id}'`;
  expect(await saidAfter(alone, erased)).toBe('');
});

it('an enrolment is that of the participant whose seat was paid for, once', async () => {
  const { who, paymentId, klass } = await aBoughtSeat(shop);
  const child = await aChild(app, [who]);
  expect(
    await saidAfter(
      `update enrolment set participant_id = '${child.id}' where payment_id = '${paymentId}'`,
    ),
  ).toContain('its participant is not the one whose seat was paid for');
  const twice = await saidAfter(
    'drop index hold_one_per_class',
    `insert into hold (student_id, participant_id, class_id, list_cents, slot)
     select '${who.id}', '${child.id}', '${klass.id}', 1999, n from generate_series(1, 2) n`,
  );
  expect(twice).toContain(`participant ${child.id}: 2 live holds of class ${klass.id}`);
});
