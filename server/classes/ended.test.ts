// When a class without dates is over.
import { expect, it } from 'vitest';
import { deleteAccount } from '../../contract/signin/account.ts';
import { addToCart } from '../../contract/checkout/cart.ts';
import { endClass, listClasses } from '../../contract/classes/classes.ts';
import { removeParticipant } from '../../contract/people/family.ts';
import { getRoster, openRollCall } from '../../contract/rollcall/rollcall.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../testing/factories.ts';
import { aChild, aMeetingRow, enrol } from '../testing/family.ts';

const app = await testApp();
const admin = await anAdmin(app);

/** A child in a class without dates. */
async function aSeat() {
  const coach = await anInstructor(app);
  const klass = await aClass(app, { instructor: coach });
  const parent = await aUser(app);
  const child = await aChild(app, [parent]);
  await enrol(app, klass.id, parent, child);
  return { klass, coach, parent, child };
}
type Seat = Awaited<ReturnType<typeof aSeat>>;

/** Whom the coach sees, and what a removal of the child and a deletion of the coach answer. */
async function held({ klass, coach, parent, child }: Seat) {
  const { body } = await app.send(getRoster, { id: klass.id }, coach.token);
  const removed = await app.send(removeParticipant, { id: child.id }, parent.token);
  const left = await app.send(deleteAccount, { email: coach.email }, coach.token);
  return [body.people.length, removed.status, left.status];
}

it('a class without dates ends for a child after a year', async () => {
  const seat = await aSeat();
  expect(await held(seat)).toEqual([1, 409, 409]);
  await app.pool.query(
    `update enrolment set created_at = now() - interval '1 year 1 day' where class_id = $1`,
    [seat.klass.id],
  );
  await app.send(openRollCall, { id: seat.klass.id }, seat.coach.token);
  expect(await held(seat)).toEqual([0, 200, 200]);
});

it('a class without dates ends for all when the office says so', async () => {
  const seat = await aSeat();
  const { id } = seat.klass;
  expect((await app.send(endClass, { id }, seat.coach.token)).status).toBe(403);
  expect((await app.send(endClass, { id }, admin.token)).body).toEqual({ modifiedCount: 1 });
  expect(await held(seat)).toEqual([0, 200, 200]);
  const { body } = await app.send(listClasses, { instructor: seat.coach.id });
  expect(body.result).toEqual([]);
  const late = await app.send(addToCart, { itemId: id }, (await aUser(app)).token);
  expect(late.body.code).toBe('CLASS_OVER');
});

it('a class with dates ends with them', async () => {
  const klass = await aClass(app);
  await aMeetingRow(app, klass);
  const { status, body } = await app.send(endClass, { id: klass.id }, admin.token);
  expect([status, body.field]).toEqual([400, 'id']);
});
