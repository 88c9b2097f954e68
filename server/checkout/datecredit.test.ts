// A cancelled date for which families get credit: its part of the price, once.
import { expect, it } from 'vitest';
import { getClass } from '../../contract/classes/classes.ts';
import { setDates } from '../../contract/classes/meetings.ts';
import { aBoughtSeat, aShop, rowsOf, until } from '../testing/checkout.ts';
import { aClass, anAdmin, anInstructor, type TestUser } from '../testing/factories.ts';
import { aMeeting, inDays, mailsAbout } from '../testing/meetings.ts';
import { createDateCredit, shareOf } from './datecredit.ts';

const shop = await aShop();
const { app } = shop;
const admin = await anAdmin(app);

/** Avery has paid 90.00 for ten dates, of which two are still in the calendar. */
async function aBookedClass() {
  const coach = await anInstructor(app);
  const klass = await aClass(app, { cents: 9_000, instructor: coach });
  const meeting = await aMeeting(app, klass, { day: inDays(8) });
  await aMeeting(app, klass, { day: inDays(15) });
  const { who } = await aBoughtSeat(shop, klass);
  await app.pool.query('update payment_line set meetings = 10 where class_id = $1', [klass.id]);
  return { klass, who, meeting, coach };
}

/** The first date is cancelled, or takes place again. */
async function setFirst(id: string, cancelled: boolean, by: TestUser, giveBack = cancelled) {
  const { meetings = [], dates = 0 } = (await app.send(getClass, { id }, admin.token)).body;
  const sent = meetings.map(({ _id, day, starts, minutes }, n) =>
    Object.assign({ _id, day, starts, minutes }, n === 0 && { cancelled }),
  );
  const more = giveBack ? ({ giveBack } as const) : {};
  const input = { id, version: dates, meetings: sent, tell: 'Rain', ...more };
  return app.send(setDates, input, by.token);
}

const creditOf = async ({ id }: TestUser) => {
  const sql = 'select cents from credit where student_id = $1';
  return (await app.pool.query<{ cents: number }>(sql, [id])).rows[0]?.cents ?? 0;
};

it('is given once, however often the date is cancelled', async () => {
  const { klass, who, meeting } = await aBookedClass();
  expect((await setFirst(klass.id, true, admin)).body).toEqual({ modifiedCount: 1, told: 1 });
  expect(await until(() => creditOf(who))).toBe(900);
  const mails = await mailsAbout(app, klass.name);
  expect(mails.some(({ text }) => text.includes('gets its part of the price as credit'))).toBe(
    true,
  );
  expect((await setFirst(klass.id, false, admin)).status).toBe(200);
  expect((await setFirst(klass.id, true, admin)).status).toBe(200);
  const again = createDateCredit(app);
  await Promise.all([1, 2, 3].map(() => again({ meetingId: meeting.id })));
  expect(await creditOf(who)).toBe(900);
  const [line] = await rowsOf(app, 'enrolment', `class_id = '${klass.id}'`);
  const { rows } = await app.pool.query(
    'select key, credit_after from ledger where credit_after > 0',
  );
  expect(rows).toEqual([
    { key: `meeting:${meeting.id}:${String(line?.['line_id'])}`, credit_after: 900 },
  ]);
});

it('is not given without the word of an admin', async () => {
  const { klass, who, meeting, coach } = await aBookedClass();
  const refused = await setFirst(klass.id, true, coach);
  expect([refused.status, refused.body.field]).toEqual([400, 'giveBack']);
  await setFirst(klass.id, true, coach, false);
  await createDateCredit(app)({ meetingId: meeting.id });
  expect(await creditOf(who)).toBe(0);
});

it('is never more than what the seat has left', () => {
  const seat = { worthCents: 1_000, backCents: 950, movedCents: 0, of: 3 };
  expect([shareOf(seat), shareOf({ ...seat, backCents: 0 }), shareOf({ ...seat, of: 0 })]).toEqual([
    50, 333, 0,
  ]);
  expect(shareOf({ ...seat, backCents: 0 }, 2)).toBe(666);
});
