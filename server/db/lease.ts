// Takes rows that are due, for work that any number of processes share. Taking a row moves its
// clock at once: no other process takes it before the lease ends, and a process that dies with it
// has only delayed it. Not for: what is done with the rows.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connection.ts';

interface Lease {
  table: 'hold' | 'payment' | 'refund' | 'stripe_event';
  key?: 'id' | 'event_id';
  /** Which rows want the work at all, as literals, so that the partial indexes are seen. */
  where: RawBuilder<unknown>;
  /** The time by which rows are due and in whose order they are taken. */
  clock: 'next_try' | 'checked_at';
  /** Due when the clock is at least so old. */
  olderThanSeconds?: number;
  /** The clock is set so far ahead of now. */
  leaseSeconds?: number;
  most: number;
  /** This row and no other. It is waited for; without it, locked rows are passed by. */
  only?: string | undefined;
  returning: RawBuilder<unknown>;
}

export async function lease<Row>(
  db: Db,
  { table, key = 'id', where, clock, most, only, returning, ...time }: Lease,
): Promise<Row[]> {
  const { olderThanSeconds = 0, leaseSeconds = 0 } = time;
  const [rows, id, at] = [sql.table(table), sql.ref(key), sql.ref(clock)];
  const chosen = only === undefined ? sql`true` : sql`${id} = ${only}`;
  const taken = await sql<Row>`
    with due as (
      select ${id} from ${rows}
      where ${where} and ${at} <= now() - make_interval(secs => ${olderThanSeconds}) and ${chosen}
      order by ${at} limit ${most} for update ${only === undefined ? sql`skip locked` : sql``})
    update ${rows} set ${at} = now() + make_interval(secs => ${leaseSeconds})
    from due where ${rows}.${id} = due.${id} returning ${returning}`.execute(db);
  return taken.rows;
}
