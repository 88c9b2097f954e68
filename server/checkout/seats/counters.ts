// The seat counters of a class: held (being paid for) and sold. Only this file and seats/grant.ts
// write them. Each change is one conditional UPDATE. A CHECK on the class is the last guard.
import {
  type Db,
  type RowOf,
  execute,
  query,
  queryOne,
  sql,
} from '../../platform/db/connection.ts';

export type Seats = RowOf<'class', 'name' | 'status' | 'free'>;

const facts = sql`class.name, status, free`;

/** Locks the class until the transaction ends. Lock the hold first (decision 20). */
export const lockSeats = (db: Db, classId: string) =>
  // NO KEY UPDATE: inserts that reference the class (cart items, other holds) do not wait.
  queryOne<Seats>(db)`select ${facts} from class where id = ${classId} for no key update`;

export async function lockClasses(db: Db, ids: readonly string[]): Promise<Map<string, Seats>> {
  const rows = await query<Seats & RowOf<'class', 'id'>>(db)`
    select id, ${facts}
    from class where id = any (${ids}::uuid[]) order by id for no key update`;
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Seats for those who wait, and whether somebody is in line now, in one update: a second one in the
 * transaction would lock the instructor after the class, by the foreign key. The class is locked, and
 * has them left.
 */
export const offerSeats = (db: Db, classId: string, count: number, queued: boolean) =>
  execute(db)`update class set held = held + ${count}, queued = ${queued}
    where id = ${classId} and (${count} > 0 or queued <> ${queued})`;

/** Somebody is in line: what is left is theirs. The classes are locked for update: a wish refers to it. */
export const setQueued = (db: Db, classIds: readonly string[], queued: boolean) =>
  execute(db)`update class set queued = ${queued}
    where id = any (${classIds}::uuid[]) and queued <> ${queued}`;

export const freeSeat = (db: Db, classId: string) =>
  moved(sql`update class set held = held - 1 where id = ${classId} and held > 0`, db);

export const sellSeat = (db: Db, classId: string, from: 'held' | 'free') =>
  from === 'held'
    ? moved(
        sql`update class set held = held - 1, sold = sold + 1 where id = ${classId} and held > 0`,
        db,
      )
    : moved(sql`update class set sold = sold + 1 where id = ${classId} and free >= 1`, db);

export const unsellSeat = (db: Db, classId: string) =>
  moved(sql`update class set sold = sold - 1 where id = ${classId} and sold > 0`, db);

/** If no row changes, the counters are already wrong. The error rolls the transaction back. */
async function moved(statement: ReturnType<typeof sql>, db: Db): Promise<void> {
  const { numAffectedRows } = await statement.execute(db);
  if (numAffectedRows !== 1n) throw new Error('the seats of a class do not add up');
}
