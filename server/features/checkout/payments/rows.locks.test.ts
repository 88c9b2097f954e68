// The lock order of docs/locking.md for payments: class, then user, then tally, and the rows of
// tally by key. Each test locks one row and checks which rows the other transaction has locked.
import type { PoolClient } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { aPaidSeat, aShop, balanced } from '../../../testing/checkout.ts';
import { aPaymentRow } from '../../../testing/rows.ts';
import { testApp } from '../../../testing/app.ts';
import { confirmPayment } from './rows.ts';

const shop = await aShop({}, { tells: false });
afterAll(() => balanced(shop));

type Pool = typeof shop.app.pool;

/** Locks the tally of pending payments, lets `work` wait for it, then checks another row. */
async function whileTallyIsLocked(pool: Pool, work: () => Promise<unknown>, row: string) {
  const first = await pool.connect();
  const second = await pool.connect();
  try {
    await first.query('begin');
    await first.query(`select from tally where kind = 'payment' and key = 'pending' for update`);
    const done = work();
    await expect
      .poll(async () => {
        const { rows } = await second.query<{ waiting: boolean }>(
          `select exists (select from pg_stat_activity where datname = current_database()
             and $1 = any (pg_blocking_pids(pid))) as waiting`,
          [await pidOf(first)],
        );
        return rows[0]?.waiting;
      })
      .toBe(true);
    const isFree = await second.query(`select from ${row} for no key update nowait`).then(
      () => true,
      (error: { code?: string }) => (error.code === '55P03' ? false : Promise.reject(error)),
    );
    await first.query('rollback');
    await done;
    return isFree;
  } finally {
    first.release(true);
    second.release(true);
  }
}

const pidOf = async (client: PoolClient) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

it('settle locks the instructor before it counts the payment, as a refund does', async () => {
  const { klass, intent } = await aPaidSeat(shop);
  const instructor = `"user" where id = (select instructor_id from class where id = '${klass.id}')`;
  const settle = () => shop.app.money.settle(intent);
  expect(await whileTallyIsLocked(shop.app.pool, settle, instructor)).toBe(false);
});

it('a status change does not lock a later row of the tally while it waits for an earlier one', async () => {
  const app = await testApp();
  const { intentId } = await aPaymentRow(app);
  // Stored after the row it must be locked before, in a table that is read in the stored order.
  await app.pool.query(`with pending as (
      delete from tally where kind = 'payment' and key = 'pending' returning *)
    insert into tally select * from pending`);
  await app.pool.query('analyze tally');
  const later = `tally where kind = 'payment' and key = 'succeeded'`;
  const confirm = () => confirmPayment(app.db, intentId);
  expect(await whileTallyIsLocked(app.pool, confirm, later)).toBe(true);
});

it('payments of a status are counted in eight rows, of which a status change waits for one', async () => {
  const app = await testApp();
  const { id, intentId } = await aPaymentRow(app);
  const rows = (which: string) =>
    `tally where kind = 'payment' and shard ${which} shard('${id}') order by key, shard`;
  const others = await app.pool.connect();
  try {
    await others.query('begin');
    await others.query(`select from ${rows('<>')} for update`);
    await confirmPayment(app.db, intentId);
    const { rows: counted } = await app.pool.query(`select key, n from ${rows('=')}`);
    expect(counted).toEqual(counted.map(({ key }) => ({ key, n: key === 'succeeded' ? 1 : 0 })));
    expect(counted).toHaveLength(7);
  } finally {
    others.release(true);
  }
});
