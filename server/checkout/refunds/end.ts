// Ends booked seats and gives money back for them: all that a payment still has, or a part of one
// seat. The guardians of a child who did not pay for its seat are told here; the payer with the
// refund (follow.ts), or here when none is sent.
import type { Parsed } from '../../../contract/platform/call.ts';
import { overrideEnrolment, refundPayment } from '../../../contract/checkout/payments.ts';
import type { Services, Some } from '../../platform/services.ts';
import { type Db, type RowOf, execute, query, queryOne } from '../../platform/db/connection.ts';
import { type Act, changed, unchanged } from '../../platform/db/write.ts';
import { fail, refuseField } from '../../platform/http/fail.ts';
import { amount } from '../../mail/common.ts';
import { mail } from '../../mail/kinds.ts';
import { endEnrolments, type EndKind, lockPayment, payersOf } from '../payments/rows.ts';
import {
  followPayment,
  giveBackTo,
  leftOf,
  lockRefunds,
  nextRound,
  postingsOf,
  readLines,
} from './rows.ts';

type Ending = Some<'jobs', 'brand' | 'publicUrl' | 'currency'>;

export function refundRoutes(deps: Services): void {
  const { on, db, writeAccounts } = deps;

  on(refundPayment, async (asked, { who }) =>
    writeAccounts(who, await payersOf(db, { id: asked.id }), (db) =>
      giveBackPayment(db, { ...asked, askedBy: who.id }, deps),
    ),
  );

  on(overrideEnrolment, async (asked, { who }) =>
    writeAccounts(who, await payersOf(db, { enrolmentId: asked.id }), (db) =>
      giveBackSeat(db, { ...asked, askedBy: who.id }, deps),
    ),
  );
}

type Back<Asked> = Asked & { askedBy: string };
type Changed = Promise<Act<{ modifiedCount: number }>>;

/** All that a payment still has. The account that paid is locked (payersOf). */
async function giveBackPayment(
  db: Db,
  { id, reason, askedBy }: Back<Parsed<typeof refundPayment>>,
  deps: Ending,
): Changed {
  const payment = await lockPayment(db, { id });
  if (!payment) fail('NOT_FOUND');
  const failed = (await lockRefunds(db, id)).filter(({ state }) => state === 'failed');
  const rest = (await readLines(db, id)).filter((line) => leftOf(line) > 0);
  const nothing = failed.length + rest.length === 0;
  if (payment.status === 'disputed' || nothing) fail('NOT_REFUNDABLE');
  await endSeats(db, { paymentId: id }, 'office', deps);
  const due = failed.map((refund) => refund.id);
  for (const refundId of due) await nextRound(db, { id: refundId, askedBy, reason });
  for (const line of rest) {
    const going = { cents: leftOf(line), to: 'card', nth: 'refund', reason, askedBy } as const;
    const { refundId, credit: cents } = await giveBackTo(db, line, going);
    if (refundId) due.push(refundId);
    const ids = { to: payment.studentId, lineId: line.id, cents, reason };
    if (cents > 0) await deps.jobs.send(db, 'send-mail', mail('seat-credit', ids));
  }
  await followPayment(db, id);
  for (const refundId of due) await deps.jobs.send(db, 'pay-back', { refundId });
  return changed({ action: 'payment refunded by admin', subject: id, detail: reason });
}

type Override = Back<Parsed<typeof overrideEnrolment>>;

/** A part of what one seat cost, or its end, or both. The account that paid is locked (payersOf). */
async function giveBackSeat(
  db: Db,
  { id, cents, creditCents = 0, end, reason, leftCents, askedBy }: Override,
  deps: Ending,
): Changed {
  const { jobs, config } = deps;
  const all = cents + creditCents;
  if (all === 0 && !end) refuseField('cents', 'must be more than 0, or the enrolment must end');
  const seat = await queryOne<RowOf<'enrolment', 'paymentId' | 'lineId'>>(db)`
    select payment_id, line_id from enrolment where id = ${id}`;
  const payment = seat && (await lockPayment(db, { id: seat.paymentId }));
  const line = payment && (await readLines(db, payment.id)).find((one) => one.id === seat.lineId);
  if (!line) fail('NOT_FOUND');
  const rest = leftOf(line);
  if ((leftCents ?? rest) !== rest) fail('NOT_REFUNDABLE', { message: refundedMeanwhile });
  if (payment.status === 'disputed' || all > rest) fail('NOT_REFUNDABLE');
  // The reason is the answer to a family whom new dates do not suit.
  await execute(db)`update enrolment set asked_at = null, answered_at = now(), answer = ${reason}
    where id = ${id} and asked_at is not null`;
  const ended = end && (await endSeats(db, { id }, 'office', deps));
  if (all === 0 && !ended) return unchanged;
  const to = payment.studentId;
  const nth = `office ${await postingsOf(db, line.id)}`;
  const going = { cents, creditCents, to: 'card', nth, reason, askedBy } as const;
  const back = await giveBackTo(db, line, going);
  if (back.refundId) await jobs.send(db, 'pay-back', { refundId: back.refundId });
  if (back.credit > 0) {
    const ids = { to, lineId: line.id, cents: back.credit, reason };
    await jobs.send(db, 'send-mail', mail('seat-credit', ids));
  }
  if (all === 0) {
    const ids = { to, lineId: line.id, reason };
    await jobs.send(db, 'send-mail', mail('seat-ended', ids));
  }
  await followPayment(db, payment.id);
  const [given, before, now, worth] = [
    all,
    line.backCents,
    line.backCents + all,
    line.worthCents + line.movedCents,
  ].map((one) => amount(config, one));
  return changed({
    action: ended ? 'seat refunded by admin, enrolment ended' : 'seat refunded by admin',
    subject: payment.id,
    detail: `${given} (back before ${before}, now ${now} of ${worth}): ${reason}`,
  });
}

const refundedMeanwhile = 'Money of this seat was refunded meanwhile. Look at the payment again.';

/** The seats of a payment, or one of them. False when none was booked. */
export async function endSeats(
  db: Db,
  which: { paymentId: string } | { id: string },
  kind: EndKind,
  { jobs }: Pick<Ending, 'jobs'>,
): Promise<boolean> {
  const ended = await endEnrolments(db, which, kind);
  const enrolmentIds = ended.map(({ id }) => id);
  // The guardians who did not pay.
  const others = await query<{ to: string }>(db)`
    select distinct guardian.user_id as to
    from enrolment join participant on participant.id = enrolment.participant_id and participant.self_of is null
      join told_guardian guardian on guardian.participant_id = participant.id and guardian.user_id <> enrolment.student_id
    where enrolment.id = any (${enrolmentIds}::uuid[]) order by guardian.user_id`;
  const mails = others.map(({ to }) => mail('seats-ended', { to, enrolmentIds }));
  await jobs.sendAll(db, 'send-mail', mails);
  return ended.length > 0;
}
