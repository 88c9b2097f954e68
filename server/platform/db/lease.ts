// Takes rows that are due, for work that several processes share. Taking a row moves its clock: no
// other process takes it before the lease ends, and if a process dies the row is only delayed.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connection.ts';

interface Lease {
  table: 'basket' | 'hold' | 'payment' | 'refund' | 'stripe_event';
  key?: 'id' | 'event_id';
  /** Which rows need the work, as literals, so that the partial indexes are used. */
  where: RawBuilder<unknown>;
  clock: 'next_try' | 'checked_at';
  olderThanSeconds?: number;
  /** The clock is set this far ahead of now. */
  leaseSeconds?: number;
  most: number;
  /** Only this row. A lock on it is waited for; otherwise locked rows are skipped. */
  only?: string | undefined;
  returning: RawBuilder<unknown>;
}

/** When what failed `tries` times before is tried again: in 5 seconds, then later, at most `most`. */
export const backOff = (tries: 'tries' | 'attempts', most: string) =>
  sql`now() + least(${sql.lit(most)}::interval, interval '5 seconds' * power(2, least(${sql.ref(tries)}, 10)))`;

/** Of each row one column. */
export const leaseOf = async (db: Db, { returning, ...given }: Lease): Promise<string[]> =>
  (await lease<{ of: string }>(db, { ...given, returning: sql`${returning} as of` })).map(
    (row) => row.of,
  );

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
