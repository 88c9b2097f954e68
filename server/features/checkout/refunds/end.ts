// Ends booked seats, and tells the guardians of a child who did not pay for its seat. The payer is
// told with the refund (follow.ts) or by who ends the seat.
import { deletedDomain } from '../../../../contract/rules.ts';
import { type Db, type RowOf, sql } from '../../../db/connection.ts';
import type { Addressed } from '../../mails/common.ts';
import { seatEndedMail } from '../../mails/money.ts';
import type { Mailing } from '../../people/guardians.ts';
import { endEnrolments } from '../payments/rows.ts';

/** The seats of a payment, or one of them. False when none was booked. */
export type EndSeats = (db: Db, which: { paymentId: string } | { id: string }) => Promise<boolean>;

export const createEndSeats =
  ({ jobs, config }: Mailing): EndSeats =>
  async (db, which) => {
    const ended = await endEnrolments(db, which);
    const others = Object.groupBy(await othersOf(db, ended), ({ id }) => id);
    const mails = Object.values(others).flatMap((seats = []) => {
      const told = seats.map(({ itemName, childId, child }) => {
        return { itemName, child: { id: childId, name: child } };
      });
      return seats[0] ? [seatEndedMail(config, seats[0], told)] : [];
    });
    if (mails.length > 0) await jobs.sendAll(db, 'send-mail', mails);
    return ended.length > 0;
  };

type Other = Addressed & { childId: string; child: string; itemName: string };

/** The guardians who did not pay, once for each seat. */
async function othersOf(db: Db, ended: readonly RowOf<'enrolment', 'id'>[]): Promise<Other[]> {
  const { rows } = await sql<Other>`
    select u.id, u.email, u.name, participant.id as child_id, participant.name as child, line.item_name
    from enrolment join payment_line line on line.id = enrolment.line_id
      join participant on participant.id = enrolment.participant_id
      join told_guardian guardian on guardian.participant_id = participant.id and guardian.user_id <> enrolment.student_id
      join "user" u on u.id = guardian.user_id
    where enrolment.id = any (${ended.map(({ id }) => id)}::uuid[]) and participant.self_of is null
      and u.email not like ${`%${deletedDomain}`} order by u.id, enrolment.id`.execute(db);
  return rows;
}
