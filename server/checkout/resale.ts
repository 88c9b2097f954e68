// The rest if resold: who left for less than all may get more, as credit, once the seat is sold again
// before the next meeting. Who left first is first.
import type { Services, Some } from '../platform/services.ts';
import { type Db, execute, query, queryOne } from '../platform/db/connection.ts';
import { mail } from '../mail/kinds.ts';
import { back, post } from './ledger.ts';
import { lockPayment } from './payments/rows.ts';
import { followPayment, leftOf, raiseBack, readLines } from './refunds/rows.ts';

interface Resale {
  lineId: string;
  classId: string;
  cents: number;
}

export const awaitResale = (db: Db, { lineId, classId, cents }: Resale) =>
  execute(db)`
    insert into resale (line_id, class_id, cents) values (${lineId}, ${classId}, ${cents})`;

/**
 * A seat of the class was sold, and the class is locked. While more was sold, and left, than there are
 * seats, the oldest is due. One is void once a meeting has begun since, or the class is cancelled.
 */
export async function seatResold(
  db: Db,
  jobs: Services['jobs'],
  classIds: readonly string[],
): Promise<void> {
  const rows = await query<{ lineId: string }>(db)`
    with open as (
      select line_id, class_id, row_number() over (partition by class_id order by since, line_id) as nth,
        count(*) over (partition by class_id) as waiting
      from resale where class_id = any (${classIds}::uuid[]) and state = 'waiting' and not exists (
        select from meeting where meeting.class_id = resale.class_id and meeting.state = 'on'
          and lower(meeting.during) > resale.since and lower(meeting.during) <= now()))
    update resale set state = 'due' from open join class on class.id = open.class_id
    where resale.line_id = open.line_id and class.status <> 'cancelled'
      and open.nth <= class.sold + open.waiting - class.capacity
    returning resale.line_id`;
  for (const { lineId } of rows) await jobs.send(db, 'resold', { lineId });
}

export function createPayResale({ db, system, jobs }: Some<'db' | 'system' | 'jobs'>) {
  return async ({ lineId }: { lineId: string }): Promise<void> => {
    const found = await queryOne<{ paymentId: string; studentId: string }>(db)`
      select payment_id, student_id from payment_line where id = ${lineId}`;
    if (!found) return;
    const { paymentId, studentId: to } = found;
    await system([to], async (db) => {
      await lockPayment(db, { id: paymentId });
      const line = (await readLines(db, paymentId)).find(({ id }) => id === lineId);
      const due = await queryOne<Pick<Resale, 'cents'>>(db)`
        update resale set state = 'paid' where line_id = ${lineId} and state = 'due' returning cents`;
      if (!line || !due) return;
      const cents = Math.min(due.cents, leftOf(line));
      await raiseBack(db, lineId, cents);
      await followPayment(db, paymentId);
      const ids = { to, lineId, cents, reason: 'Your seat was sold again' };
      if (cents > 0) await jobs.send(db, 'send-mail', mail('seat-credit', ids));
      await post(db, back(line, 'resold', cents));
    });
  };
}
