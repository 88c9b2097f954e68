// Classes end: they leave the shelf and every public list, and say so on their page.
import { describe, expect, it, vi } from 'vitest';
import { getClass, listClasses } from '../../contract/classes/classes.ts';
import { sql } from '../platform/db/connection.ts';
import { testApp, unique } from '../testing/app.ts';
import { aClass, anAdmin } from '../testing/factories.ts';
import { aMeeting, inDays } from '../testing/meetings.ts';
import { createDayTurns } from './dayturns.ts';

const app = await testApp();
const dayTurns = createDayTurns(app);
const admin = await anAdmin(app);

/** As if its last meeting had ended since it was written: the chore has not run yet. */
const justEnded = (id: string) =>
  sql`update class set over = false where id = ${id}`.execute(app.db);

const listed = async (search: string, status?: string) => {
  const input = { search, ...(status && { status }) };
  const { body } = await app.send(listClasses, input, status ? admin.token : undefined);
  return body.outQueryResult.map((item) => item.name);
};

describe('a class whose last meeting has ended', () => {
  it('leaves the shelf with the chore, and its page says so', async () => {
    const klass = await aClass(app, { name: unique('ended') });
    await aMeeting(app, klass, { day: inDays(-9) });
    await justEnded(klass.id);
    expect(await listed(klass.name)).toEqual([klass.name]);
    await dayTurns();
    await vi.waitFor(async () => expect(await listed(klass.name)).toEqual([]));
    expect(await listed(klass.name, 'over')).toEqual([klass.name]);
    expect(await listed(klass.name, 'pending')).toEqual([]);
    const { status, body } = await app.send(getClass, { id: klass.id });
    expect([status, body.ended, body.status]).toEqual([200, true, 'approved']);
    expect(body.left).toBeUndefined();
  });

  it('stays while a meeting is still to come', async () => {
    const klass = await aClass(app, { name: unique('going') });
    await aMeeting(app, klass, { day: inDays(-9) });
    await aMeeting(app, klass, { day: inDays(-2) });
    await aMeeting(app, klass, { day: inDays(5) });
    await aMeeting(app, klass, { day: inDays(6), state: 'cancelled' });
    await dayTurns();
    const { body } = await app.send(getClass, { id: klass.id });
    expect([body.firstDay, body.ended, body.left, body.of]).toEqual([inDays(-9), undefined, 1, 3]);
    expect(await listed(klass.name)).toEqual([klass.name]);
  });
});

it('kept pages are made anew with the day, not every minute', async () => {
  let notes = 0;
  const client = await app.pool.connect();
  try {
    client.on('notification', () => notes++);
    await client.query('listen classes');
    const chore = createDayTurns(app);
    for (let minute = 0; minute < 3; minute++) await chore();
    await client.query('select 1');
    expect(notes).toBe(1);
  } finally {
    client.release(true);
  }
});
