// A cancelled date for which families get its part of the price: always as credit, and once. By a job;
// each seat in a transaction of its own, with a key that is posted once.
import type { Services } from '../platform/services.ts';
import { type Db, type RowOf, exists, query, queryOne } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { ofMeeting, post } from './ledger.ts';
import { lockPayment } from './payments/rows.ts';
import { followPayment, raiseBack } from './refunds/rows.ts';

type Share = RowOf<'paymentLine', 'worthCents' | 'backCents' | 'movedCents'> & { of: number };

/** What one date is worth to a seat. A seat that was sold before the class had dates has no such part. */
export const shareOf = ({ worthCents, backCents, movedCents, of }: Share, dates = 1) =>
  of === 0 ? 0 : Math.min(dates * Math.round(worthCents / of), worthCents + movedCents - backCents);

export function createDateCredit({ db, system }: Pick<Services, 'db' | 'system'>) {
  return async ({ meetingId }: { meetingId: string }): Promise<void> => {
    // Who bought later did not pay for this date.
    const due = await query<RowOf<'enrolment', 'paymentId' | 'lineId' | 'studentId'>>(db)`
      select payment_id, line_id, student_id from meeting join enrolment using (class_id)
      where meeting.id = ${meetingId} and give_back and enrolment.created_at < meeting.changed_at
        and ${activeEnrolment()}
        and not exists (select from ledger where key = 'meeting:' || meeting.id || ':' || line_id)
      order by payment_id, line_id`;
    for (const { studentId, ...seat } of due)
      await system([studentId], (db) => giveBack(db, { ...seat, meetingId }));
  };
}

async function giveBack(
  db: Db,
  { meetingId, paymentId, lineId }: { meetingId: string; paymentId: string; lineId: string },
): Promise<void> {
  const payment = await lockPayment(db, { id: paymentId });
  // What a lost dispute takes is not given back as well.
  if (!payment || payment.status === 'disputed') return;
  const line = await queryOne<Share & { id: string; studentId: string; paymentId: string }>(db)`
    select line.id, line.student_id, line.payment_id, worth_cents, back_cents, moved_cents, line.meetings as of
    from payment_line line join enrolment on enrolment.line_id = line.id and ${activeEnrolment()}
    where line.id = ${lineId}`;
  if (!line) return;
  const posting = ofMeeting(line, meetingId, shareOf(line));
  const isGiven = await exists(db)`select from ledger where key = ${posting.key}`;
  if (isGiven || posting.cents <= 0) return;
  await raiseBack(db, line.id, posting.cents);
  await followPayment(db, paymentId);
  await post(db, posting);
}
