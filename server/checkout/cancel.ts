// Cancelling a class. Its sale and its dates end in one transaction. Its payments follow, each in a
// transaction of its own: by a job, and by the sweep while a seat of a cancelled class is active.
import { cancelClass } from '../../contract/checkout/cancel.ts';
import { leftOf } from '../../contract/checkout/leaving.ts';
import type { Services } from '../platform/services.ts';
import { type Db, type RowOf, execute, query, queryOne } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { changed, unchanged } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import { mail } from '../mail/kinds.ts';
import { audit } from '../people/audit.ts';
import { familiesOf, tell } from '../classes/families.ts';
import { callOff, lockClass, lockPlan } from '../classes/meetings.ts';
import type { ClassRow } from '../classes/proposals.ts';
import { itsMeetings } from './leaving.ts';
import { endEnrolments, lockPayment } from './payments/rows.ts';
import { followPayment, giveBackTo, type PaymentLine } from './refunds/rows.ts';

export function cancelRoutes({ on, write, jobs }: Services): void {
  on(cancelClass, ({ id, reason, families }, { who }) =>
    write(who, async (db) => {
      await lockPlan(db);
      const found = await lockClass(db, who, id);
      if (found.status === 'cancelled') return unchanged;
      if (isOver(found)) fail('CLASS_OVER');
      if ((await familiesOf(db, [id])).length !== families) fail('QUOTE_CHANGED');
      const teachers = await callOff(db, id, reason);
      await execute(db)`
        update resale set state = 'void' where class_id = ${id} and state = 'waiting'`;
      for (const job of ['class-denied', 'class-cancelled'] as const)
        await jobs.send(db, job, { classId: id });
      const told = new Set([found.instructorId, ...teachers]);
      await tell(
        db,
        jobs,
        who.id,
        ...[...told].map((to) => mail('class-called-off', { to, classId: id })),
      );
      const detail = `${found.name}: ${families} told. ${reason}`;
      return changed({ action: 'class cancelled', subject: id, detail });
    }),
  );
}

/** Its last meeting has begun, or the office said so. One of which all dates were cancelled is not. */
const isOver = ({ lastDay, closesAt, overAt }: ClassRow) =>
  overAt !== null || (lastDay !== null && closesAt !== null && closesAt <= new Date());

/** A seat of a class that is cancelled: what its line is, and how much of it is to come. */
export interface OwedLine extends PaymentLine, RowOf<'paymentLine', 'movedCents' | 'raiseCents'> {
  enrolmentId: string;
  classId: string;
  of: number;
  begun: number;
}

/** The active seats of a class, or of a payment in it. The lock on the payment is theirs, too. */
export const seatsOf = (
  db: Db,
  { classId, paymentId = null }: { classId: string; paymentId?: string | null },
) =>
  query<OwedLine>(db)`
    select line.id, line.payment_id, line.student_id, line.participant_id, line.item_name, line.worth_cents, line.back_cents,
      line.moved_cents, line.raise_cents, line.class_id, line.meetings as of, enrolment.id as enrolment_id,
      (select count(*)::int from ${itsMeetings} and lower(meeting.during) <= now()) as begun
    from enrolment join payment_line line on line.id = enrolment.line_id
    where enrolment.class_id = ${classId} and ${activeEnrolment()}
      and (${paymentId}::uuid is null or enrolment.payment_id = ${paymentId})
    order by line.payment_id, line.place`;

/** All that was paid for the meetings to come: nobody's discount is taken back. */
export function owedFor({ worthCents, backCents, movedCents, raiseCents, of, begun }: OwedLine) {
  const meetings = of === 0 ? { of: 1, left: 1 } : { of, left: Math.max(0, of - begun) };
  const { free, up } = leftOf({
    ...meetings,
    worth: worthCents,
    back: backCents,
    raise: raiseCents,
  });
  return Math.max(0, Math.min(free + up, worthCents + movedCents - backCents));
}

export function createCancelled({
  db,
  system,
  jobs,
  log,
}: Pick<Services, 'db' | 'system' | 'jobs' | 'log'>) {
  return endCancelled;

  /** Ends what is active still: fifty payments at a time, until none is left or none can be ended. */
  async function endCancelled(): Promise<void> {
    for (;;) {
      const due = await query<RowOf<'enrolment', 'paymentId' | 'classId' | 'studentId'>>(db)`
        select distinct payment_id, class_id, student_id from enrolment
        where class_id = any (array(select id from class where status = 'cancelled' and sold > 0))
          and ${activeEnrolment()} order by class_id, payment_id limit 50`;
      let ended = 0;
      for (const { studentId, ...which } of due)
        try {
          await system([studentId], (db) => endSeats(db, which));
          ended += 1;
        } catch (error) {
          log.error({ err: error, ...which }, 'a seat of a cancelled class could not be ended');
        }
      if (ended === 0) return;
    }
  }

  /** The seats of one payment. Another process may have ended them. */
  async function endSeats(db: Db, which: { paymentId: string; classId: string }): Promise<void> {
    const payment = await lockPayment(db, { id: which.paymentId });
    const lines = payment ? await seatsOf(db, which) : [];
    if (!payment || lines.length === 0) return;
    for (const { enrolmentId } of lines) await endEnrolments(db, { id: enrolmentId }, 'academy');
    // What a lost dispute takes is not given back as well: the office decides when it is won.
    const isDisputed = payment.status === 'disputed';
    const choice = await queryOne<RowOf<'academy', 'choiceHours'>>(db)`
      select choice_hours from academy`;
    const to = { to: 'card', nth: 'cancelled', reason: whyBack, askedBy: null, ...choice } as const;
    for (const line of isDisputed ? [] : lines) {
      const cents = owedFor(line);
      if (cents > 0) await giveBackTo(db, line, { cents, ...to });
    }
    await followPayment(db, payment.id);
    await tellWho(db, which.classId, lines);
    const action = 'seat ended, class cancelled';
    await audit(db, { actorId: null, action, subject: payment.id });
    if (isDisputed)
      log.warn({ paymentId: payment.id }, 'a disputed payment is of a cancelled class');
  }

  /** Each family once, when its last seat in the class has ended. The lock on the class makes it one. */
  async function tellWho(db: Db, classId: string, lines: readonly OwedLine[]): Promise<void> {
    const ids = lines.map(({ enrolmentId }) => enrolmentId);
    const whole = await query<{ to: string }>(db)`
      select told.id as to from (
        select student_id as id from enrolment where id = any (${ids}::uuid[])
        union select guardian.user_id from enrolment join told_guardian guardian using (participant_id)
        where enrolment.id = any (${ids}::uuid[])) told
      where not exists (select from enrolment where class_id = ${classId} and ${activeEnrolment()}
        and (student_id = told.id or participant_id in (
          select participant_id from guardian where user_id = told.id)))
      order by 1`;
    const mails = whole.map(({ to }) => mail('class-cancelled', { to, classId }));
    await jobs.sendAll(db, 'send-mail', mails);
  }
}

/** The reason of the refunds, in mails and on receipts. */
export const whyBack = 'The class was cancelled.';
