// The figures of the admin's home page, against sums over all rows.
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { adminFigures } from '../../contract/academy/figures.ts';
import { testApp } from '../testing/app.ts';
import { inDays } from '../testing/meetings.ts';
import { aClass, anAdmin } from '../testing/factories.ts';
import { aHoldRow, aPaymentRow } from '../testing/rows.ts';
import { sql } from '../platform/db/connection.ts';
import { today } from '../platform/db/zone.ts';

const app = await testApp();
const admin = await anAdmin(app);
const figures = async (days?: '7' | '30' | '90') =>
  (
    await app.send(
      adminFigures,
      days ? { from: inDays(1 - Number(days)), to: inDays(0) } : {},
      admin.token,
    )
  ).body;

/** The difference of the figures to the sums. */
async function wrong() {
  const { revenue, seats } = await figures();
  const { rows } = await sql<{ cents: number; sold: number; free: number }>`
    select (select coalesce(sum(amount_cents), 0)::int from payment where status in ('pending', 'succeeded', 'disputed')) as cents,
      (select coalesce(sum(sold), 0)::int from class) as sold,
      (select coalesce(sum(free), 0)::int from class where shelf = 'approved') as free`.execute(
    app.db,
  );
  const shown = { cents: Math.round(revenue * 100), ...seats };
  return isDeepStrictEqual(shown, rows[0]) ? null : [shown, rows[0]];
}

it('revenue and seats follow sales, refunds and decisions', async () => {
  expect(await wrong()).toBeNull();
  const { id } = await aPaymentRow(app);
  await aPaymentRow(app);
  expect(await wrong()).toBeNull();
  await sql`update payment set status = 'refunded', back_cents = amount_cents where id = ${id}`.execute(
    app.db,
  );
  expect(await wrong()).toBeNull();
  const klass = await aClass(app, { capacity: 30, status: 'pending' });
  const change = (to: object) =>
    app.db.updateTable('class').set(to).where('id', '=', klass.id).execute();
  for (const to of [{ status: 'approved' }, { capacity: 40 }, { sold: 7 }, { status: 'denied' }]) {
    await change(to);
    expect(await wrong()).toBeNull();
  }
  await change({ status: 'approved', held: 1 });
  await aHoldRow(app, { classId: klass.id });
  expect(await wrong()).toBeNull();
  await app.db.deleteFrom('hold').where('classId', '=', klass.id).execute();
  await app.db.deleteFrom('class').where('id', '=', klass.id).execute();
  expect(await wrong()).toBeNull();
});

it('classes that are over are not counted', async () => {
  const before = (await figures()).classes;
  const { id } = await aClass(app, { status: 'approved' });
  await app.db.updateTable('class').set({ over: true }).where('id', '=', id).execute();
  expect((await figures()).classes).toEqual(before);
});

it('the last days end today, next to as many days before', async () => {
  const before = { '7': await figures('7'), '30': await figures('30'), '90': await figures('90') };
  const paid = [0, 6, 7, 13, 29, 30, 59, 89, 90, 179, 180].map((daysAgo) =>
    aPaymentRow(app, {
      amountCents: 1_000,
      date: sql<Date>`(${today} - ${daysAgo}::int + interval '1 second') at time zone 'Europe/Lisbon'`,
    }),
  );
  await Promise.all(paid);
  await aPaymentRow(app, { amountCents: 1_000, status: 'refunded' });
  const more = async (days: '7' | '30' | '90') => {
    const [then, now] = [before[days], await figures(days)];
    const sum = (all: typeof now.days) => all.reduce((total, { revenue }) => total + revenue, 0);
    expect(now.days).toHaveLength(Number(days));
    expect(now.days.map(({ day }) => day)).toEqual(now.days.map(({ day }) => day).toSorted());
    return [
      Math.round(sum(now.days) - sum(then.days)),
      Math.round(now.before.revenue - then.before.revenue),
    ];
  };
  expect(await more('7')).toEqual([20, 20]);
  expect(await more('30')).toEqual([50, 20]);
  expect(await more('90')).toEqual([80, 20]);
  expect((await figures()).days).toHaveLength(30);
});

it('classes on sale are ranked by the share that is sold', async () => {
  await app.db.updateTable('class').set({ status: 'denied' }).execute();
  const filled = async (sold: number, status: 'approved' | 'pending' = 'approved') => {
    const { id } = await aClass(app, { capacity: 10, status });
    await app.db.updateTable('class').set({ sold }).where('id', '=', id).execute();
    return id;
  };
  const [full, five] = [await filled(10), await filled(5)];
  await filled(4);
  const two = await filled(2);
  await filled(9, 'pending');
  const found = await figures();
  expect(found.fullest.map(({ _id, sold }) => [_id, sold])).toEqual([
    [full, 10],
    [five, 5],
  ]);
  expect(found.emptiest).toMatchObject([{ _id: two, sold: 2, capacity: 10 }]);
  expect(found.underThirty).toBe(1);
});

it('a period has both its ends, next to as many days before', async () => {
  const of = (from: string, to: string) => app.send(adminFigures, { from, to }, admin.token);
  await aPaymentRow(app, { amountCents: 1_000, date: new Date('2026-02-01T12:00:00Z') });
  await aPaymentRow(app, { amountCents: 500, date: new Date('2026-01-31T12:00:00Z') });
  const { body } = await of('2026-02-01', '2026-02-28');
  expect(body.days).toHaveLength(28);
  expect([body.days[0], body.days.at(-1)?.day]).toEqual([
    { day: '2026-02-01', enrolments: 1, revenue: 10 },
    '2026-02-28',
  ]);
  expect(body.before).toEqual({ enrolments: 1, revenue: 5 });
  for (const [from, to] of [
    ['2026-02-02', '2026-02-01'],
    ['2025-01-01', '2026-02-01'],
  ] as const)
    expect((await of(from, to)).body.field).toBe('to');
  const half = await app.send(adminFigures, { from: '2026-02-01' }, admin.token);
  expect([half.status, half.body.field]).toEqual([400, 'to']);
});

it('a payment stays on its day when the zone changes', async () => {
  await aPaymentRow(app, { amountCents: 700, date: new Date('2026-03-01T23:30:00Z') });
  const dayOf = async (day: string) => {
    const { body } = await app.send(adminFigures, { from: day, to: day }, admin.token);
    return body.days[0]?.revenue;
  };
  const setZone = (timeZone: string) => app.db.updateTable('academy').set({ timeZone }).execute();
  expect([await dayOf('2026-03-01'), await dayOf('2026-03-02')]).toEqual([7, 0]);
  try {
    await setZone('Pacific/Auckland');
    expect([await dayOf('2026-03-01'), await dayOf('2026-03-02')]).toEqual([7, 0]);
  } finally {
    await setZone('Europe/Lisbon');
  }
});
