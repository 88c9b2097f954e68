// Ends booked seats, and tells the guardians of a child who did not pay for its seat. The payer is
// told with the refund (follow.ts) or by who ends the seat.
import type { Mailing } from '../../../services.ts';
import { type Db, type RowOf, sql } from '../../../db/connection.ts';
import { erasedAccount } from '../../../db/states.ts';
import type { Addressed } from '../../mails/common.ts';
import { seatEndedMail } from '../../mails/money.ts';
import { endEnrolments } from '../payments/rows.ts';

/** The seats of a payment, or one of them. False when none was booked. */
export type EndSeats = (db: Db, which: { paymentId: string } | { id: string }) => Promise<boolean>;

export const createEndSeats =
  ({ jobs, config }: Mailing): EndSeats =>
  async (db, which) => {
    const ended = await endEnrolments(db, which);
    const mails = (await othersOf(db, ended)).map(({ seats, ...person }) =>
      seatEndedMail(config, person, seats),
    );
    if (mails.length > 0) await jobs.sendAll(db, 'send-mail', mails);
    return ended.length > 0;
  };

/** The guardians who did not pay, each with the seats of the children they look after. */
async function othersOf(db: Db, ended: readonly RowOf<'enrolment', 'id'>[]) {
  const { rows } = await sql<Addressed & { seats: Parameters<typeof seatEndedMail>[2] }>`
    select u.id, u.email, u.name, json_agg(json_build_object('itemName', line.item_name,
      'child', json_build_object('id', participant.id, 'name', participant.name)) order by enrolment.id) as seats
    from enrolment join payment_line line on line.id = enrolment.line_id
      join participant on participant.id = enrolment.participant_id
      join told_guardian guardian on guardian.participant_id = participant.id and guardian.user_id <> enrolment.student_id
      join "user" u on u.id = guardian.user_id
    where enrolment.id = any (${ended.map(({ id }) => id)}::uuid[]) and participant.self_of is null
      and not ${erasedAccount()} group by u.id order by u.id`.execute(db);
  return rows;
}
