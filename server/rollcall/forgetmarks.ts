// Deletes marks after 24 months: the only file that does (checks/rules/house.ts).
import { type Db, execute } from '../platform/db/connection.ts';

const batch = 1_000;

export async function forgetMarks(db: Db): Promise<void> {
  for (let deleted = batch; deleted === batch;)
    deleted = await execute(db)`
      delete from mark where id in (
        select id from mark where at < now() - interval '24 months' limit ${batch})`;
}
