import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { testApp, unique } from '../../testing/app.ts';
import { lease } from './lease.ts';

const { db, pool } = await testApp();

/** Events of one type, due so many seconds ago. */
async function events(...secondsAgo: number[]) {
  const type = unique('type');
  const ids: string[] = [];
  for (const seconds of secondsAgo) {
    const id = `evt_${randomUUID()}`;
    ids.push(id);
    await pool.query(
      `insert into stripe_event (event_id, type, object_id, next_try)
       values ($1, $2, 'pi_1', now() - make_interval(secs => $3))`,
      [id, type, seconds],
    );
  }
  const take = async (
    options: { most?: number; only?: string; olderThanSeconds?: number } = {},
  ) => {
    const rows = await lease<{ eventId: string }>(db, {
      table: 'stripe_event',
      key: 'event_id',
      where: sql`type = ${type}`,
      clock: 'next_try',
      leaseSeconds: 30,
      most: 10,
      returning: sql`stripe_event.event_id`,
      ...options,
    });
    return rows.map(({ eventId }) => eventId);
  };
  return { ids, take };
}

it('takes due rows, the longest due first, once in a lease', async () => {
  const { ids, take } = await events(10, 20, -60);
  expect(await take({ most: 1 })).toEqual([ids[1]]);
  expect(await take()).toEqual([ids[0]]);
  expect(await take()).toEqual([]);
  const { rows } = await pool.query<{ ahead: number }>(
    `select round(extract(epoch from next_try - now()))::int as ahead from stripe_event where event_id = $1`,
    [ids[0]],
  );
  expect(rows[0]?.ahead).toBeGreaterThan(20);
});

it('takes one row by its key, and rows of a certain age', async () => {
  const { ids, take } = await events(10, 20, 90);
  expect(await take({ only: ids[0] ?? '' })).toEqual([ids[0]]);
  expect(await take({ olderThanSeconds: 60 })).toEqual([ids[2]]);
});

it('skips locked rows, and waits for the row that is asked for', async () => {
  const { ids, take } = await events(10, 20);
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from stripe_event where event_id = $1 for update', [ids[1]]);
  expect(await take()).toEqual([ids[0]]);
  const waiting = take({ only: ids[1] ?? '' });
  await holder.query('commit');
  holder.release();
  expect(await waiting).toEqual([ids[1]]);
});
