import { expect, it } from 'vitest';
import { seats } from '../../testing/checkout.ts';
import { aClass } from '../../testing/factories.ts';
import { testApp } from '../../testing/app.ts';
import { freeSeat, lockSeats, sellSeat, unsellSeat } from './counters.ts';

const app = await testApp();
const held = (db: typeof app.db, id: string) => sellSeat(db, id, 'held');
const free = (db: typeof app.db, id: string) => sellSeat(db, id, 'free');

async function aClassWith(counters: { held: number; sold: number }) {
  const { id, name } = await aClass(app, { capacity: 3 });
  await app.db.updateTable('class').set(counters).where('id', '=', id).execute();
  return { id, name };
}

it.each([
  ['freed', { held: 2, sold: 1 }, freeSeat, { held: 1, sold: 1 }],
  ['sold to the student who held it', { held: 2, sold: 1 }, held, { held: 1, sold: 2 }],
  ['sold to a student who did not hold it', { held: 1, sold: 1 }, free, { held: 1, sold: 2 }],
  ['given back', { held: 1, sold: 2 }, unsellSeat, { held: 1, sold: 1 }],
])('a seat is %s', async (_what, before, move, after) => {
  const { id } = await aClassWith(before);
  const other = await aClassWith(before);
  await move(app.db, id);
  expect(await seats(app, id)).toMatchObject(after);
  expect(await seats(app, other.id)).toMatchObject(before);
});

it.each([
  ['freed when none is held', { held: 0, sold: 1 }, freeSeat],
  ['sold as held when none is held', { held: 0, sold: 1 }, held],
  ['sold when none is free', { held: 1, sold: 2 }, free],
  ['given back when none is sold', { held: 1, sold: 0 }, unsellSeat],
])('a seat is not %s: the counters are already wrong', async (_what, before, move) => {
  const { id } = await aClassWith(before);
  await expect(move(app.db, id)).rejects.toThrow('the seats of a class do not add up');
  expect(await seats(app, id)).toMatchObject(before);
});

it('locking a class returns its facts; an unknown one is null', async () => {
  const { id, name } = await aClassWith({ held: 1, sold: 1 });
  await app.transaction(async (db) => {
    expect(await lockSeats(db, id)).toMatchObject({ name, status: 'approved', free: 1 });
    const { rows } = await app.pool.query(
      'select from class where id = $1 for no key update skip locked',
      [id],
    );
    expect(rows).toEqual([]);
  });
  expect(await lockSeats(app.db, crypto.randomUUID())).toBeNull();
});
