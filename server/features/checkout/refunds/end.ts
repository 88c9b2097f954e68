// Ends booked seats, and tells the guardians of a child who did not pay for its seat. The payer is
// told with the refund (follow.ts) or by who ends the seat.
import type { Mailing } from '../../../services.ts';
import { type Db, sql } from '../../../db/connection.ts';
import { mail } from '../../mails/kinds.ts';
import { endEnrolments } from '../payments/rows.ts';

/** The seats of a payment, or one of them. False when none was booked. */
export type EndSeats = (db: Db, which: { paymentId: string } | { id: string }) => Promise<boolean>;

export const createEndSeats =
  ({ jobs }: Pick<Mailing, 'jobs'>): EndSeats =>
  async (db, which) => {
    const ended = await endEnrolments(db, which);
    const enrolmentIds = ended.map(({ id }) => id);
    const others = await othersOf(db, enrolmentIds);
    const mails = others.map((to) => mail('seats-ended', { to, enrolmentIds }));
    if (mails.length > 0) await jobs.sendAll(db, 'send-mail', mails);
    return ended.length > 0;
  };

/** The guardians who did not pay. */
async function othersOf(db: Db, enrolmentIds: readonly string[]) {
  const { rows } = await sql<{ to: string }>`
    select distinct guardian.user_id as to
    from enrolment join participant on participant.id = enrolment.participant_id and participant.self_of is null
      join told_guardian guardian on guardian.participant_id = participant.id and guardian.user_id <> enrolment.student_id
    where enrolment.id = any (${enrolmentIds}::uuid[]) order by guardian.user_id`.execute(db);
  return rows.map(({ to }) => to);
}
