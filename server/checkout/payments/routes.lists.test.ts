import { describe, expect, it } from 'vitest';
import {
  exportPayments,
  listAllPayments,
  listEnrolments,
  listPayments,
} from '../../../contract/checkout/payments.ts';
import { sumPayments } from '../../../contract/checkout/sums.ts';
import { testApp } from '../../testing/app.ts';
import { aClass, aUser, anAdmin } from '../../testing/factories.ts';
import { aMeeting, anEnrolled, inDays } from '../../testing/meetings.ts';
import { aPaymentRow } from '../../testing/rows.ts';

const app = await testApp();

describe('lists', () => {
  it('sorts both ways, keeps the order of equal dates, pages', async () => {
    const who = await aUser(app);
    const klass = await aClass(app, { name: 'Zumba of the Lists' });
    const date = new Date(Date.now() - 24 * 3_600_000);
    const given = { studentId: who.id, classId: klass.id, status: 'succeeded', date };
    await Promise.all(Array.from({ length: 25 }, () => aPaymentRow(app, given)));
    const ask = (input: object) => app.send(listPayments, input, who.token);
    const newest = [];
    for (const page of [1, 2, 3]) newest.push(...(await ask({ limit: 10, page })).body);
    const oldest = (await ask({ sort: 'asc' })).body;
    expect(newest.map(({ _id }) => _id)).toEqual(oldest.map(({ _id }) => _id).toReversed());
    expect((await ask({ limit: 10 })).headers['x-total-count']).toBe('25');
    expect((await ask({ search: 'zum list' })).headers['x-total-count']).toBe('25');
    expect((await ask({ search: 'nothing' })).body).toEqual([]);
    expect((await ask({ sort: 'desc' })).status).toBe(400);
    const admin = await anAdmin(app);
    const all = await app.send(listAllPayments, { limit: 5, status: 'succeeded' }, admin.token);
    expect(all.headers['x-total-count']).toBe('25');
    // Each payment has a number of its own, and the search finds it.
    const numbers = newest.map(({ receiptNumber }) => receiptNumber);
    expect(new Set(numbers).size).toBe(25);
    const byNumber = await app.send(listAllPayments, { search: numbers[7] ?? '' }, admin.token);
    expect(byNumber.body.map(({ paymentId }) => paymentId)).toEqual([newest[7]?._id]);
    const found = await app.send(listAllPayments, { search: who.email }, admin.token);
    expect(found.headers['x-total-count']).toBe('25');
  });

  it('exports what a search and a status find, newest first', async () => {
    const [admin, klass] = [await anAdmin(app), await aClass(app, { name: 'Exported' })];
    await Promise.all(
      [1, 2, 3].map((day) =>
        aPaymentRow(app, {
          classId: klass.id,
          amountCents: 1_000 + day,
          status: day === 3 ? 'refunded' : 'succeeded',
          date: new Date(`2026-01-0${day}T10:00:00Z`),
        }),
      ),
    );
    const { body, headers } = await app.send(
      exportPayments,
      { search: 'exported', status: 'succeeded' },
      admin.token,
    );
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const [head, ...lines] = String(body).trim().split('\r\n');
    expect(head).toContain('"Date","Receipt","Course name","Customer"');
    expect(lines.map((line) => line.split(',')[5])).toEqual(['"10.02"', '"10.01"']);
    expect(head).toMatch(/"Refunded","Kept","Currency","Card","Credit"$/);
    const period = { search: 'exported', from: '2026-01-02', to: '2026-01-03' };
    const listed = await app.send(listAllPayments, period, admin.token);
    expect(listed.body.map(({ cents }) => cents)).toEqual([1_003, 1_002]);
    const sum = await app.send(sumPayments, period, admin.token);
    expect(sum.body).toEqual({ count: 2, paidCents: 2_005, backCents: 1_003 });
    const inPeriod = await app.send(exportPayments, period, admin.token);
    expect(inPeriod.body.trim().split('\r\n')[1]).toMatch(
      /^"2026-01-03 10:00",.*"10\.03","0\.00","USD","10\.03","0\.00"$/,
    );
  });
});

it('what comes next is the first enrolment', async () => {
  const who = await aUser(app);
  const days = { Late: 9, Undated: null, Soon: 2, Past: -2 };
  for (const [name, after] of Object.entries(days)) {
    const klass = await aClass(app, { name });
    if (after !== null) await aMeeting(app, klass, { day: inDays(after) });
    await anEnrolled(app, klass.id, who);
  }
  const { body } = await app.send(listEnrolments, {}, who.token);
  expect(body.map(({ name, next }) => [name, next?.day])).toEqual([
    ['Soon', inDays(2)],
    ['Late', inDays(9)],
    ['Past', undefined],
    ['Undated', undefined],
  ]);
});
