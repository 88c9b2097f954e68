// A class that has begun costs what is left of it, until the money is asked for.
import { expect, it } from 'vitest';
import { getClass, listClasses, updateClass } from '../../contract/classes/classes.ts';
import { createIntent } from '../../contract/checkout/payments.ts';
import { sql } from '../platform/db/connection.ts';
import { aShop, intoCart } from '../testing/checkout.ts';
import { unique } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../testing/factories.ts';
import { aMeeting, inDays } from '../testing/meetings.ts';
import { createDayTurns } from './dayturns.ts';

const { app } = await aShop();
const admin = await anAdmin(app);
const dayTurns = createDayTurns(app);

/** Ten dates at 90.00, the first of them in `days`. */
async function aCourse(days: number) {
  const instructor = await anInstructor(app);
  const klass = await aClass(app, { name: unique('course'), cents: 9_000, instructor });
  for (let n = 0; n < 10; n++) await aMeeting(app, klass, { day: inDays(days + 7 * n) });
  return { ...klass, coach: instructor };
}

const seen = async (id: string) => {
  const { price, left, of, fullCents } = (await app.send(getClass, { id })).body;
  return { price, left, of, fullCents };
};
const whole = { price: 90, left: undefined, of: undefined, fullCents: undefined };
const part = { price: 63, left: 7, of: 10, fullCents: 9_000 };

it('three of ten have begun: seven tenths are asked for', async () => {
  const klass = await aCourse(-20);
  expect(await seen(klass.id)).toEqual(part);
  const found = async (asked: object) =>
    (await app.send(listClasses, { search: klass.name, ...asked })).body.result.map(
      ({ price }) => price,
    );
  expect(await found({ minPrice: '60', maxPrice: '65' })).toEqual([63]);
  expect(await found({ minPrice: '80' })).toEqual([]);
  const who = await aUser(app);
  const itemId = await intoCart(app, who, klass);
  const pay = (price: number) => app.send(createIntent, { price, itemId }, who.token);
  expect((await pay(90)).body).toMatchObject({ code: 'PRICE_CHANGED', price: 63 });
  expect((await pay(63)).status).toBe(200);
});

it('a class that has not begun, or has no dates, costs all of it', async () => {
  expect(await seen((await aCourse(3)).id)).toEqual(whole);
  expect(await seen((await aClass(app, { cents: 9_000 })).id)).toEqual(whole);
});

it('a meeting that begins makes it cheaper within the minute', async () => {
  const klass = await aCourse(-20);
  const { id } = klass;
  // As the row was a minute ago.
  await sql`update class set meetings_left = 8 where id = ${id}`.execute(app.db);
  expect((await seen(id)).price).toBe(72);
  await dayTurns();
  expect(await seen(id)).toEqual(part);
});

it('an admin can ask for all of it; a coach cannot decide', async () => {
  const { id, coach } = await aCourse(-20);
  const to = (partPrice: boolean, by = admin) => app.send(updateClass, { id, partPrice }, by.token);
  expect((await to(false, coach)).body.field).toBe('partPrice');
  expect((await to(false)).body).toEqual({ modifiedCount: 1 });
  expect(await seen(id)).toEqual({ ...part, price: 90, fullCents: undefined });
  expect((await to(true)).status).toBe(200);
  expect(await seen(id)).toEqual(part);
});
