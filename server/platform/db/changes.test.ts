// Which changes are told on which channel, and when.
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { aClass, aUser } from '../../testing/factories.ts';
import { aWire } from '../../testing/wire.ts';
import { type Channel, gatherNotes, listenForChanges } from './changes.ts';

const app = await testApp();
const changes = await listenForChanges(app.url, { gatherSeatsMs: 1 });
afterAll(() => changes.close());
const told = new Set<Channel>();
for (const channel of ['classes', 'people', 'seats'] as const)
  changes.on(channel, () => void told.add(channel));

/** The channels that are told of a change, in alphabetical order. */
async function toldOf(change: () => Promise<unknown>): Promise<Channel[]> {
  const all = async () => {
    // Notes arrive in the order of the commits: after this one there is none of what was before.
    told.delete('people');
    await aUser(app);
    await expect.poll(() => told.has('people'), { interval: 2 }).toBe(true);
    // Those of seats are gathered.
    await expect.poll(() => changes.seatsWait(), { interval: 2 }).toBe(false);
  };
  await all();
  told.clear();
  await change();
  await all();
  return [...told].filter((channel) => channel !== 'people').toSorted();
}

it('counters are told as seats, all else as classes', async () => {
  const { id } = await aClass(app);
  const update = (values: object) =>
    app.db.updateTable('class').set(values).where('id', '=', id).execute();
  expect(await toldOf(() => update({ held: 1 }))).toEqual(['seats']);
  expect(await toldOf(() => update({ held: 0, sold: 1 }))).toEqual(['seats']);
  expect(await toldOf(() => update({ held: 0, sold: 1 }))).toEqual([]);
  expect(await toldOf(() => update({ capacity: 20 }))).toEqual(['classes', 'seats']);
  expect(await toldOf(() => update({ priceCents: 2_500 }))).toEqual(['classes']);
  expect(await toldOf(() => update({ status: 'denied' }))).toEqual(['classes', 'seats']);
  expect(await toldOf(() => update({ held: 1 }))).toEqual(['seats']);
  expect(await toldOf(() => update({ sold: 2, name: 'Another' }))).toEqual(['classes', 'seats']);
  expect(await toldOf(() => aClass(app))).toContain('classes');
});

it('closed while it connects again, it keeps no connection', async () => {
  const open = async () => {
    const { rows } = await app.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'rally-changes' order by pid`,
    );
    return rows.map(({ pid }) => pid);
  };
  const before = await open();
  const wire = await aWire(app.url);
  const own = await listenForChanges(wire.url);
  wire.cut();
  await expect.poll(open).toEqual(before);
  wire.mend();
  // The new connection is there long before its first query is answered.
  wire.slow(300);
  await expect.poll(open).toHaveLength(before.length + 1);
  await own.close();
  await expect.poll(open).toEqual(before);
  await wire.close();
});

it('every column of a class is told', async () => {
  const columnsOf = async (trigger: string) => {
    const { rows } = await app.pool.query<{ name: string }>(
      `select attname as name from pg_trigger join pg_attribute a on a.attrelid = tgrelid and a.attnum = any (tgattr)
       where tgrelid = 'class'::regclass and tgname = $1 order by 1`,
      [trigger],
    );
    return rows.map(({ name }) => name);
  };
  const { rows } = await app.pool.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'class'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by 1`,
  );
  // Of every column, but only of changes of these: whatever changes held or sold, changes one of them.
  const { rows: seats } = await app.pool.query<{ def: string }>(
    `select pg_get_triggerdef(oid) as def from pg_trigger where tgname = 'note_seats'`,
  );
  const watched = [...(seats[0]?.def ?? '').matchAll(/old\.(\w+) IS DISTINCT FROM new\.\1/g)];
  expect(watched.map(([, name]) => name)).toEqual(['free', 'sold', 'shelf', 'dates']);
  const counters = ['held', 'queued', 'sold'];
  expect([...(await columnsOf('note_change')), ...counters].toSorted()).toEqual(
    rows.map(({ name }) => name).toSorted(),
  );
});

it('a new name of an instructor is told, of a student not', async () => {
  const rename = ({ id }: { id: string }) =>
    app.db.updateTable('user').set({ name: 'New' }).where('id', '=', id).execute();
  const [coach, student] = [await aUser(app, { role: 'instructor' }), await aUser(app)];
  expect(await toldOf(() => rename(coach))).toEqual(['classes']);
  expect(await toldOf(() => rename(student))).toEqual([]);
});

it('names approved classes, and one that leaves once as 0', async () => {
  const notes: (string | null)[] = [];
  changes.onSeats((note) => notes.push(note));
  const { id } = await aClass(app, { capacity: 10 });
  const { id: hidden } = await aClass(app, { status: 'pending', capacity: 10 });
  const update = (values: object) =>
    app.db.updateTable('class').set(values).where('id', 'in', [id, hidden]).execute();
  await update({ held: 1 });
  await update({ sold: 2 });
  await update({ held: 0, sold: 3 });
  await update({ dates: 4 });
  await update({ name: 'Not about seats' });
  await update({ status: 'denied' });
  await update({ sold: 4 });
  await update({ status: 'approved' });
  await expect.poll(() => notes.length).toBe(7);
  expect(notes.slice(0, 5)).toEqual([
    `${id} 9 0`,
    `${id} 7 0`,
    `${id} 7 0`,
    `${id} 7 4`,
    `${id} 0 4`,
  ]);
  // The rows of one statement come in any order.
  expect(new Set(notes.slice(5))).toEqual(new Set([`${id} 6 4`, `${hidden} 6 4`]));
});

describe('notes of seats', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('are told at once after a pause, and otherwise together', () => {
    let told = 0;
    const seats = gatherNotes(() => void (told += 1), 250);
    seats.note();
    expect([told, seats.waits()]).toEqual([1, false]);
    for (let note = 0; note < 100; note++) seats.note();
    expect([told, seats.waits()]).toEqual([1, true]);
    vi.advanceTimersByTime(249);
    expect(told).toBe(1);
    vi.advanceTimersByTime(1);
    expect([told, seats.waits()]).toEqual([2, false]);
    // The time after a gathered one is gathered too, so that a rush is told four times a second.
    seats.note();
    expect([told, seats.waits()]).toEqual([2, true]);
    vi.advanceTimersByTime(250);
    expect([told, seats.waits()]).toEqual([3, false]);
    vi.advanceTimersByTime(250);
    seats.note();
    expect([told, seats.waits()]).toEqual([4, false]);
  });
});

// Last: statements that return all columns of class fail once after it.
it('a column that a migration adds makes lists old, too', async () => {
  const { id } = await aClass(app);
  const parked = () => app.pool.query(`update class set parking = 'x' where id = $1`, [id]);
  await app.pool.query('alter table class add column parking text');
  expect(await toldOf(parked)).toEqual([]);
  await app.pool.query('select note_columns()');
  expect(await toldOf(parked)).toEqual(['classes']);
});
