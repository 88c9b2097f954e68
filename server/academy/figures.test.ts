// The figures of the admin's home page.
import { expect, it } from 'vitest';
import { adminFigures } from '../../contract/academy/figures.ts';
import { testApp } from '../testing/app.ts';
import { inDays } from '../testing/meetings.ts';
import { aClass, anAdmin } from '../testing/factories.ts';
import { aPaymentRow } from '../testing/rows.ts';
import { execute, sql } from '../platform/db/connection.ts';
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

it('revenue is what was paid and did not go back, seats are sold', async () => {
  const before = await figures();
  await aPaymentRow(app, { amountCents: 1_000 });
  await aPaymentRow(app, { amountCents: 700, backCents: 700, status: 'refunded' });
  const klass = await aClass(app, { capacity: 30 });
  await execute(app.db)`update class set sold = 7 where id = ${klass.id}`;
  const { revenue, seats } = await figures();
  expect(Math.round(100 * (revenue - before.revenue))).toBe(1_000);
  expect(seats.sold - before.seats.sold).toBeGreaterThanOrEqual(7);
  await execute(app.db)`update class set status = 'denied' where id = ${klass.id}`;
  expect((await figures()).seats).toEqual({ sold: seats.sold, free: seats.free - 23 });
});

it('classes that are over are not counted', async () => {
  const before = (await figures()).classes;
  const { id } = await aClass(app, { status: 'approved' });
  await execute(app.db)`update class set over = true where id = ${id}`;
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
    await execute(app.db)`update class set sold = ${sold} where id = ${id}`;
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
  await setZone('Pacific/Auckland');
  expect([await dayOf('2026-03-01'), await dayOf('2026-03-02')]).toEqual([7, 0]);
});
