// A class is cancelled: seats end, money goes back once, and each family has one mail.
import { expect, it } from 'vitest';
import { myCalendar } from '../../contract/classes/calendar.ts';
import { approveClass, denyClass, getClass } from '../../contract/classes/classes.ts';
import { setDates } from '../../contract/classes/meetings.ts';
import { cancelClass } from '../../contract/checkout/cancel.ts';
import { getCart } from '../../contract/checkout/cart.ts';
import {
  aBoughtSeat,
  aHeldSeat,
  aShop,
  type Class,
  enrolled,
  refusesCards,
  rowsOf,
  seats,
  until,
} from '../testing/checkout.ts';
import { aClass, anAdmin, aUser, type TestUser } from '../testing/factories.ts';
import { aChild, enrol } from '../testing/family.ts';
import { aMeeting, inDays, mailsAbout } from '../testing/meetings.ts';
import { giveBack, readLines } from './refunds/rows.ts';

const shop = await aShop();
const { app } = shop;
const admin = await anAdmin(app);

const cancel = (id: string, families: number) =>
  app.send(cancelClass, { id, reason: 'Marco is ill.', families }, admin.token);

/** Nobody is in it any more. */
const over = (id: string) =>
  until(
    () => seats(app, id),
    ({ held, sold }) => held + sold === 0,
  );
const refundsOf = (klass: Class) =>
  rowsOf(app, 'refund', `line_id in (select id from payment_line where class_id = '${klass.id}')`);
const isPast = (id: string) =>
  app.pool.query(`update meeting set day = current_date - 1 where id = $1`, [id]);

it('all that was paid for the meetings to come is owed', async () => {
  const klass = await aClass(app, { cents: 9_000 });
  const begun = await aMeeting(app, klass, { day: inDays(1) });
  await aMeeting(app, klass, { day: inDays(8) });
  await aMeeting(app, klass, { day: inDays(15) });
  const { who, paymentId } = await aBoughtSeat(shop, klass);
  await app.pool.query('update payment_line set meetings = 3 where class_id = $1', [klass.id]);
  await app.pool.query(`update enrolment set created_at = now() - interval '9 days'`);
  await isPast(begun.id);
  expect((await cancel(klass.id, 1)).body).toEqual({ modifiedCount: 1 });
  await over(klass.id);
  expect(await enrolled(app, who)).toEqual([]);
  const [refund, ...more] = await refundsOf(klass);
  expect([refund, more]).toMatchObject([{ amount_cents: 6_000, state: 'due' }, []]);
  expect(refund?.['choice_until']).toEqual(refund?.['next_try']);
  const [payment] = await rowsOf(app, 'payment', `payment.id = '${paymentId}'`);
  expect(payment).toMatchObject({ status: 'refund_due', back_cents: 6_000 });
  const { rows } = await app.pool.query('select state, told from meeting order by day');
  expect(rows.map(({ state }: { state: string }) => state)).toEqual([
    'on',
    'cancelled',
    'cancelled',
  ]);
  expect((await cancel(klass.id, 1)).body).toEqual({ modifiedCount: 0 });
});

it('each family has one mail, with all its children', async () => {
  const klass = await aClass(app, { name: 'Judo' });
  const [pia, stan] = [await aUser(app, { name: 'Pia' }), await aUser(app, { name: 'Stan' })];
  for (const name of ['Tom', 'Ana'])
    await enrol(app, klass.id, pia, await aChild(app, [pia, stan], { name }));
  await enrol(app, klass.id, stan, await aChild(app, [stan], { name: 'Quinn' }));
  await app.pool.query('update class set sold = 3 where id = $1', [klass.id]);
  // Two processes at once: whoever ends a seat is the only one to tell of it.
  const second = await shop.another();
  expect((await cancel(klass.id, 2)).status).toBe(200);
  await Promise.all([app.money.sweep(), second.money.sweep(), app.money.sweep()]);
  await over(klass.id);
  const mails = await mailsAbout(app, 'Judo is cancelled');
  const to = ({ email }: TestUser) => mails.filter((one) => one.to === email);
  expect(mails).toHaveLength(3);
  expect([to(pia).length, to(stan).length]).toEqual([1, 1]);
  expect(to(pia)[0]?.text).toMatch(
    /Marco is ill\.\n\nThis is about the seat of Ana and Tom\.\n\nYou get \$39\.98 back\. \$39\.98 goes to your card on .*\n\nUntil then you can/,
  );
  expect(to(stan)[0]?.text).toMatch(/the seat of Ana, Quinn and Tom\.\n\nYou get \$19\.99 back\./);
});

it('what is being paid for is given up, and nothing more is sold', async () => {
  const klass = await aClass(app, { capacity: 2 });
  const malik = await aHeldSeat(shop, klass);
  expect((await cancel(klass.id, 0)).status).toBe(200);
  await over(klass.id);
  await refusesCards(shop, malik.clientSecret);
  expect((await app.send(getCart, {}, malik.who.token)).body).toMatchObject([{ state: 'closed' }]);
  for (const decide of [approveClass, denyClass])
    expect((await app.send(decide, { id: klass.id }, admin.token)).body).toEqual({
      modifiedCount: 0,
    });
  const dates = { id: klass.id, version: 0, meetings: [] };
  expect((await app.send(setDates, dates, admin.token)).body.code).toBe('CLASS_CLOSED');
});

it('is not done when other families are in it than were seen', async () => {
  const { klass } = await aBoughtSeat(shop);
  expect((await cancel(klass.id, 2)).body.code).toBe('QUOTE_CHANGED');
  expect(await seats(app, klass.id)).toMatchObject({ sold: 1 });
});

it('is seen by those who had a seat: its page, its dates', async () => {
  const klass = await aClass(app);
  await aMeeting(app, klass, { day: inDays(8) });
  const { who } = await aBoughtSeat(shop, klass);
  await cancel(klass.id, 1);
  await over(klass.id);
  const page = await app.send(getClass, { id: klass.id }, who.token);
  expect(page.body).toMatchObject({ status: 'cancelled', cancelNote: 'Marco is ill.' });
  expect((await app.send(getClass, { id: klass.id }, (await aUser(app)).token)).status).toBe(404);
  const days = { from: inDays(7), to: inDays(9) };
  const { body } = await app.send(myCalendar, days, who.token);
  expect(body).toMatchObject([{ state: 'cancelled', told: 'Marco is ill.' }]);
});

it('a disputed payment gives nothing back', async () => {
  const { klass, paymentId } = await aBoughtSeat(shop);
  const dispute = `update payment set status = 'disputed', dispute = 'open' where id = $1`;
  await app.pool.query(dispute, [paymentId]);
  await cancel(klass.id, 1);
  await over(klass.id);
  expect(await refundsOf(klass)).toEqual([]);
});

it('control: the database refuses the same money twice', async () => {
  const { klass, paymentId } = await aBoughtSeat(shop);
  await cancel(klass.id, 1);
  await over(klass.id);
  const again = app.transaction(async (db) => {
    const [line] = await readLines(db, paymentId);
    if (line) await giveBack(db, line, { cents: 1_999, reason: 'again', askedBy: null });
  });
  await expect(again).rejects.toThrow('payment_line_back');
});
