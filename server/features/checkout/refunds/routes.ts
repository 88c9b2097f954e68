// The admin's refunds: of all that a payment still has, and of a part of one seat. Not for: sending
// them (send.ts).
import type { Services } from '../../../services.ts';
import { overrideEnrolment, refundPayment } from '../../../../contract/payments.ts';
import { type Db, type RowOf, sql } from '../../../db/connection.ts';
import { fail, refuseField } from '../../../http/fail.ts';
import { audit } from '../../audit.ts';
import { lockPayment } from '../payments/rows.ts';
import { amount } from '../../mails/common.ts';
import { mail } from '../../mails/kinds.ts';
import { refuseEnded } from '../../people/users.ts';
import type { EndSeats } from './end.ts';
import { followPayment, giveBack, lockRefunds, nextRound, readLines } from './rows.ts';

export function refundRoutes({
  on,
  transaction,
  jobs,
  config,
  endSeats,
}: Services & { endSeats: EndSeats }): void {
  const inWords = (cents: number) => amount(config, cents);

  on(refundPayment, ({ id, reason }, { who }) =>
    transaction(async (db) => {
      const payment = await lockPayment(db, { id });
      if (!payment) fail('NOT_FOUND');
      const failed = (await lockRefunds(db, id)).filter(({ state }) => state === 'failed');
      const rest = (await readLines(db, id)).filter((line) => line.worthCents > line.backCents);
      const nothing = failed.length + rest.length === 0;
      if (payment.status === 'disputed' || nothing) fail('NOT_REFUNDABLE');
      await endSeats(db, { paymentId: id });
      const due = failed.map((refund) => refund.id);
      for (const refundId of due) await nextRound(db, { id: refundId, askedBy: who.id, reason });
      for (const line of rest) {
        const cents = line.worthCents - line.backCents;
        due.push(await giveBack(db, line, { cents, reason, askedBy: who.id }));
      }
      await followPayment(db, id);
      for (const refundId of due) await jobs.send(db, 'pay-back', { refundId });
      await audit(db, {
        actorId: who.id,
        action: 'payment refunded by admin',
        subject: id,
        detail: reason,
      });
      await refuseEnded(db, who);
      return { modifiedCount: 1 };
    }),
  );

  on(overrideEnrolment, ({ id, card, end, reason, left }, { who }) =>
    transaction(async (db) => {
      if (card === 0 && !end) refuseField('card', 'must be more than 0, or the enrolment must end');
      const seat = await seatOf(db, id);
      const payment = seat && (await lockPayment(db, { id: seat.paymentId }));
      const line =
        payment && (await readLines(db, payment.id)).find((one) => one.id === seat.lineId);
      if (!line) fail('NOT_FOUND');
      const rest = line.worthCents - line.backCents;
      if (left !== undefined && left !== rest) fail('NOT_REFUNDABLE', { message: changed });
      if (payment.status === 'disputed' || card > rest) fail('NOT_REFUNDABLE');
      // The reason is the answer to a family whom new dates do not suit.
      await sql`update enrolment set objected_at = null where id = ${id}`.execute(db);
      const ended = end && (await endSeats(db, { id }));
      if (card === 0 && !ended) return { modifiedCount: 0 };
      if (card > 0) {
        const refundId = await giveBack(db, line, { cents: card, reason, askedBy: who.id });
        await jobs.send(db, 'pay-back', { refundId });
      } else {
        const ids = { to: payment.studentId, lineId: line.id, reason };
        await jobs.send(db, 'send-mail', mail('seat-ended', ids));
      }
      await followPayment(db, payment.id);
      const back = line.backCents + card;
      await audit(db, {
        actorId: who.id,
        action: `seat refunded by admin${ended ? ', enrolment ended' : ''}`,
        subject: payment.id,
        detail: `${inWords(card)} (back before ${inWords(line.backCents)}, now ${inWords(back)} of ${inWords(line.worthCents)}): ${reason}`,
      });
      await refuseEnded(db, who);
      return { modifiedCount: 1 };
    }),
  );
}

const changed = 'Money of this seat was refunded meanwhile. Look at the payment again.';

async function seatOf(db: Db, id: string) {
  const { rows } = await sql<RowOf<'enrolment', 'paymentId' | 'lineId'>>`
    select payment_id, line_id from enrolment where id = ${id}`.execute(db);
  return rows[0] ?? null;
}
