// The worker of the lists on the database: who is offered a seat, in which order, and what ends.
import { afterAll, describe, expect, it } from 'vitest';
import { aShop, balanced, seats } from '../../testing/checkout.ts';
import { aUser } from '../../testing/factories.ts';
import { aChild } from '../../testing/family.ts';
import {
  aFullClass,
  buy,
  inLine,
  moreSeats,
  runsOut,
  sayNo,
  statesOf,
} from '../../testing/waiting.ts';

const shop = await aShop({}, { tells: false });
const { app } = shop;
afterAll(() => balanced(shop));

const someone = () => aUser(app);
const queued = async ({ id }: { id: string }) =>
  (await app.pool.query<{ queued: boolean }>('select queued from class where id = $1', [id]))
    .rows[0]?.queued;

describe('a seat that is free', () => {
  it('is offered to the first, then to the next', async () => {
    const tennis = await aFullClass(shop);
    const [pia, stan] = [await someone(), await someone()];
    const first = await inLine(app, pia, [tennis]);
    const second = await inLine(app, stan, [tennis]);
    await moreSeats(app, tennis);
    expect(await statesOf(app, first, tennis)).toEqual(['offered']);
    expect(await statesOf(app, second, tennis)).toEqual(['waiting']);
    await runsOut(app, tennis);
    expect(await statesOf(app, first, tennis)).toEqual(['expired']);
    expect(await statesOf(app, second, tennis)).toEqual(['offered']);
    expect((await sayNo(app, stan, second, tennis)).body).toEqual({ modifiedCount: 1 });
    await app.money.tend([tennis.id]);
    expect(await statesOf(app, second, tennis)).toEqual(['declined']);
    expect(await seats(app, tennis.id)).toEqual({ held: 0, sold: 1, capacity: 2 });
    expect(await queued(tennis)).toBe(false);
  });

  it('pauses the other classes of a wait until it is paid', async () => {
    const [tuesday, thursday] = [await aFullClass(shop), await aFullClass(shop)];
    const [pia, stan] = [await someone(), await someone()];
    const both = await inLine(app, pia, [tuesday, thursday]);
    const behind = await inLine(app, stan, [thursday]);
    await moreSeats(app, tuesday);
    expect(await statesOf(app, both, tuesday, thursday)).toEqual(['offered', 'paused']);
    // Who is paused is not in line.
    await moreSeats(app, thursday);
    expect(await statesOf(app, behind, thursday)).toEqual(['offered']);
    await runsOut(app, tuesday);
    expect(await statesOf(app, both, tuesday, thursday)).toEqual(['expired', 'waiting']);
    await moreSeats(app, thursday);
    expect((await buy(shop, pia, thursday)).status).toBe(201);
    expect(await statesOf(app, both, thursday)).toEqual(['enrolled']);
  });

  it('is offered by the sweep when nobody was told', async () => {
    const tennis = await aFullClass(shop);
    const wait = await inLine(app, await someone(), [tennis]);
    await app.pool.query('alter table class disable trigger note_line');
    await app.pool.query('update class set capacity = 2 where id = $1', [tennis.id]);
    await app.pool.query('alter table class enable trigger note_line');
    expect(await statesOf(app, wait, tennis)).toEqual(['waiting']);
    await app.money.sweep();
    expect(await statesOf(app, wait, tennis)).toEqual(['offered']);
  });

  it('is gathered for a group, which is passed in time', async () => {
    const tennis = await aFullClass(shop);
    const [pia, stan] = [await someone(), await someone()];
    const people = [await aChild(app, [pia]), await aChild(app, [pia])];
    const group = await inLine(app, pia, [tennis], { people, together: true });
    const single = await inLine(app, stan, [tennis]);
    await moreSeats(app, tennis);
    expect(await statesOf(app, group, tennis)).toEqual(['gathering']);
    await runsOut(app, tennis);
    expect(await statesOf(app, group, tennis)).toEqual(['passed']);
    expect(await statesOf(app, single, tennis)).toEqual(['offered']);
    await moreSeats(app, tennis, 2);
    expect(await statesOf(app, group, tennis)).toEqual(['offered']);
  });
});
