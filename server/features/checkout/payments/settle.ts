// settle(intent): the only writer of payments and enrolments. The browser, the webhook and the
// reconciler all end here; it asks the provider itself and never believes the caller. Below it, the
// few moves a payment makes later. Not for: routes (payments/routes.ts).
import type { Payment } from '../../../../contract/payments.ts';
import type { Config } from '../../../config.ts';
import { type Database, sql, type Db } from '../../../db/connection.ts';
import type { Jobs } from '../../../db/jobs.ts';
import type { Cards, Intent } from '../../../outside/cards.ts';
import { audit } from '../../audit.ts';
import { dropFromCart } from '../cart.ts';
import {
  type Hold,
  holdOfIntent,
  isLive,
  lockHolds,
  rebuildHold,
  setState,
  startRelease,
} from '../seats/holds.ts';
import { receiptLetter } from '../../mails.ts';
import { oweRefund } from '../refunds/rows.ts';
import { freeSeat, lockSeats, type Seats, sellSeat, unsellSeat } from '../seats/counters.ts';

/** Said when money needs a human; the log is where alarms listen. */
export interface Log {
  warn(what: object, message: string): void;
  error(what: object, message: string): void;
}

export interface Recorded {
  id: string;
  status: Payment['status'];
}

export type Settled =
  | { outcome: 'recorded'; payment: Recorded; fresh: boolean }
  | { outcome: 'unpaid'; intent: Intent | null }
  /** Paid, with our name on it, and we can give it to nobody. */
  | { outcome: 'quarantined' }
  /** Not ours: another product of the same account. */
  | { outcome: 'foreign' };

export type Settle = (intentId: string) => Promise<Settled>;

type Deps = Pick<Database, 'db' | 'transaction'> & {
  cards: Pick<Cards, 'intent'>;
  jobs: Pick<Jobs, 'send'>;
  config: Pick<Config, 'brand' | 'publicUrl'>;
  log: Log;
};

/**
 * What every intent of ours carries, so that a payment can be given to its student when our own row
 * is lost.
 */
export const marksOf = (
  config: Pick<Config, 'publicUrl'>,
  hold: Pick<Hold, 'id' | 'classId' | 'studentId'>,
) => ({
  ...ownMarks(config),
  hold: hold.id,
  class: hold.classId,
  student: hold.studentId,
});
const ownMarks = ({ publicUrl }: Pick<Config, 'publicUrl'>) => ({
  app: 'rally',
  env: new URL(publicUrl).host,
});

export function isOurs(config: Pick<Config, 'publicUrl'>, { metadata }: Intent): boolean {
  return Object.entries(ownMarks(config)).every(([mark, value]) => metadata[mark] === value);
}

export function createSettle({ db, transaction, cards, jobs, config, log }: Deps): Settle {
  return async (intentId) => {
    const intent = await cards.intent(intentId);
    if (intent?.status !== 'succeeded') return { outcome: 'unpaid', intent };
    const known = await holdOfIntent(db, intentId);
    if (!known && !isOurs(config, intent)) return { outcome: 'foreign' };
    return transaction(async (db) => {
      const found = known ?? (await rebuild(db, intent));
      if (!found) return quarantine(db, intent);
      const holds = await lockHolds(db, found, true);
      const hold = holds.find(({ id }) => id === found.id);
      if (!hold) throw new Error('a hold vanished');
      if (hold.state === 'consumed')
        return { outcome: 'recorded', payment: await paymentOf(db, intentId), fresh: false };
      const payment = await record(db, hold, intent);
      // Whatever else this student was paying for the same class (an older backup was restored)
      // must not be charged as well.
      for (const other of holds)
        if (other.id !== hold.id) await startRelease(db, { id: other.id }, 'paid already');
      return { outcome: 'recorded', payment, fresh: true };
    });
  };

  async function record(db: Db, hold: Hold, intent: Intent): Promise<Recorded> {
    const seats = await lockSeats(db, hold.classId);
    if (!seats) throw new Error('the class of a hold vanished');
    const problem = await problemWith(db, hold, intent, seats);
    const payment = await insertPayment(
      db,
      hold,
      intent,
      seats,
      problem ? 'refund_due' : 'pending',
    );
    if (problem) {
      if (isLive(hold)) await freeSeat(db, hold.classId);
      const refundId = await oweRefund(db, {
        paymentId: payment.id,
        amountCents: intent.receivedCents,
        reason: problem,
      });
      await jobs.send(db, 'pay-back', { refundId });
      log.warn({ paymentId: payment.id, problem }, 'a payment is being refunded');
    } else {
      await sellSeat(db, hold.classId, isLive(hold) ? 'held' : 'free');
      await sql`
        insert into enrolment (payment_id, student_id, class_id) values (${payment.id}, ${hold.studentId}, ${hold.classId})`.execute(
        db,
      );
      await dropFromCart(db, hold);
      await jobs.send(db, 'send-mail', receiptLetter(config, payment, payment.date));
    }
    await setState(db, hold, 'consumed');
    await audit(db, {
      actorId: hold.studentId,
      action: problem ? 'payment to be refunded' : 'payment recorded',
      subject: payment.id,
      detail: problem ?? seats.name,
    });
    return { id: payment.id, status: payment.status };
  }

  async function problemWith(
    db: Db,
    hold: Hold,
    intent: Intent,
    seats: Seats,
  ): Promise<string | null> {
    if (intent.receivedCents !== hold.amountCents || intent.currency !== hold.currency) {
      log.error(
        { intentId: intent.id, holdId: hold.id },
        'SECURITY: the amount at the card provider is not the amount of the hold',
      );
      return 'The amount paid was not the amount asked for.';
    }
    // A class that went back to pending since (new words to approve) was approved when the seat was
    // held: that sale stands.
    if (seats.status === 'denied') return 'The class is no longer offered.';
    const { rows } = await sql`
      select from enrolment where student_id = ${hold.studentId} and class_id = ${hold.classId} and state = 'active'`.execute(
      db,
    );
    if (rows.length > 0) return 'You were enrolled already.';
    if (!isLive(hold) && seats.free < 1) return 'No seat was left.';
    return null;
  }

  /** Null when student or class are unknown. */
  async function rebuild(
    db: Db,
    { id, metadata, amountCents, currency }: Intent,
  ): Promise<Hold | null> {
    const { student = '', class: classId = '' } = metadata;
    const { rows } = await sql`
      select from "user", class where "user".id::text = ${student} and class.id::text = ${classId}`.execute(
      db,
    );
    if (rows.length === 0) return null;
    log.warn({ intentId: id }, 'a hold was rebuilt from what the card provider knows');
    return rebuildHold(db, { studentId: student, classId, amountCents, currency, intentId: id });
  }

  async function quarantine(db: Db, intent: Intent): Promise<Settled> {
    const { numAffectedRows } = await sql`
      insert into quarantine (intent_id, amount_cents, currency, reason)
      values (${intent.id}, ${intent.receivedCents}, ${intent.currency}, 'The student or the class it was paid for is unknown.')
      on conflict do nothing`.execute(db);
    if (numAffectedRows === 1n)
      log.error({ intentId: intent.id }, 'ALARM: a payment that belongs to nobody');
    return { outcome: 'quarantined' };
  }
}

interface PaymentRow extends Recorded {
  intentId: string;
  classId: string;
  email: string;
  customer: string;
  itemName: string;
  amountCents: number;
  date: Date;
}

async function insertPayment(
  db: Db,
  hold: Hold,
  intent: Intent,
  { name }: Seats,
  status: Payment['status'],
): Promise<PaymentRow> {
  const { rows } = await sql<PaymentRow>`
    insert into payment (hold_id, intent_id, student_id, class_id, email, customer, item_name, amount_cents, currency, status)
    select ${hold.id}, ${intent.id}, "user".id, ${hold.classId}, "user".email, "user".name, ${name}, ${intent.receivedCents}, ${intent.currency}, ${status}
    from "user" where "user".id = ${hold.studentId}
    returning id, status, intent_id, class_id, email, customer, item_name, amount_cents, date`.execute(
    db,
  );
  const [payment] = rows;
  if (!payment) throw new Error('the student of a hold vanished');
  return payment;
}

async function paymentOf(db: Db, intentId: string): Promise<Recorded> {
  const { rows } =
    await sql<Recorded>`select id, status from payment where intent_id = ${intentId}`.execute(db);
  const [payment] = rows;
  if (!payment) throw new Error('a hold is consumed but has no payment');
  return payment;
}

// ---- what becomes of a payment later ---------------------------------------------------------------------------------

/** The provider itself (a signed event, or asked by the reconciler) has said that it is paid. */
export async function confirmPayment(db: Db, intentId: string): Promise<void> {
  await sql`update payment set status = 'succeeded' where intent_id = ${intentId} and status = 'pending'`.execute(
    db,
  );
}

/**
 * Takes payments that only the browser has reported and that nobody has asked the provider about
 * for a while.
 */
export async function takeUnconfirmed(
  db: Db,
  olderThanSeconds: number,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ intentId: string }>`
    with due as (
      select id from payment where status = 'pending' and checked_at <= now() - make_interval(secs => ${olderThanSeconds})
      order by checked_at limit ${most} for update skip locked)
    update payment set checked_at = now() from due where payment.id = due.id returning payment.intent_id`.execute(
    db,
  );
  return rows.map(({ intentId }) => intentId);
}

export async function lockPayment(db: Db, which: { id: string } | { intentId: string }) {
  const matching = 'id' in which ? sql`id = ${which.id}` : sql`intent_id = ${which.intentId}`;
  const { rows } = await sql<PaymentRow>`
    select id, status, intent_id, class_id, email, customer, item_name, amount_cents, date from payment where ${matching} for update`.execute(
    db,
  );
  return rows[0] ?? null;
}

export async function movePayment(
  db: Db,
  id: string,
  to: { status: Payment['status']; dispute?: 'open' | 'won' | 'lost' },
): Promise<void> {
  await sql`
    update payment set status = ${to.status}, dispute = coalesce(${to.dispute ?? null}, dispute),
      refunded_at = case when ${to.status} = 'refunded' then coalesce(refunded_at, now()) end
    where id = ${id}`.execute(db);
}

/** Ends the enrolment that a payment bought, and gives the seat back. False when there was none. */
export async function endEnrolment(db: Db, paymentId: string): Promise<boolean> {
  const { rows } = await sql<{ classId: string }>`
    update enrolment set state = 'cancelled', ended_at = now() where payment_id = ${paymentId} and state = 'active'
    returning class_id`.execute(db);
  const [ended] = rows;
  if (!ended) return false;
  await unsellSeat(db, ended.classId);
  return true;
}
