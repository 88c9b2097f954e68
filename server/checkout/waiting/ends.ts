// Nobody waits for an account that is deleted or blocked, nor for who is not its own to look after any
// more. The worker finds out and ends it; here it is told where to look, in the transaction.
import type { Services } from '../../platform/services.ts';
import { type Db, query, sql } from '../../platform/db/connection.ts';

export function endsOfLists({ ends, jobs }: Pick<Services, 'ends' | 'jobs'>): void {
  const look = async (db: Db, whose: ReturnType<typeof sql>) => {
    const rows = await query<{ classId: string }>(db)`
      select distinct class_id from wish join wait on wait.id = wish.wait_id
      where state <> 'ended' and ${whose}`;
    const classIds = rows.map(({ classId }) => classId);
    if (classIds.length > 0) await jobs.send(db, 'tend', { classIds });
  };
  const ofAccount = (db: Db, { id }: { id: string }) => look(db, sql`student_id = ${id}`);
  ends.onErase(ofAccount);
  ends.onBlock(ofAccount);
  ends.onNoLonger((db, participantIds) =>
    look(
      db,
      sql`exists (select from waiter where waiter.wait_id = wish.wait_id and waiter.class_id = wish.class_id
        and participant_id = any (${participantIds}::uuid[]))`,
    ),
  );
}
