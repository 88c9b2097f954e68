// Deletes marks after 24 months: the only file that does (checks/rules/house.ts).
import { type Db, sql } from '../platform/db/connection.ts';

const batch = 1_000;

export async function forgetMarks(db: Db): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from mark where id in (
        select id from mark where at < now() - interval '24 months' limit ${batch})`.execute(db);
    if (Number(numAffectedRows ?? 0n) < batch) return;
  }
}
