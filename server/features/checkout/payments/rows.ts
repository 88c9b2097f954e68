// Rows of payment and enrolment: writing them, locking them, moving a payment from one status to the
// next. Not for: deciding whether a payment buys its seat (settle.ts).
import type { Payment } from '../../../../contract/payments.ts';
import { sql, type Db, type RowOf } from '../../../db/connection.ts';
import { lease } from '../../../db/lease.ts';
import type { Intent } from '../../../outside/cards.ts';
import { type Seats, unsellSeat } from '../seats/counters.ts';
import type { Hold } from '../seats/holds.ts';

export interface Recorded extends RowOf<'payment', 'id'> {
  status: Payment['status'];
}

export const paymentColumns = [
  'payment.id',
  'payment.email',
  'payment.customer',
  'payment.classId',
  'payment.intentId',
  'payment.amountCents',
  'payment.date',
  'payment.status',
  'payment.itemName',
  'payment.receiptNumber',
] as const;
const columns = sql.join(paymentColumns.map((column) => sql.ref(column)));

export type PaymentRow = Recorded &
  RowOf<
    'payment',
    | 'email'
    | 'customer'
    | 'classId'
    | 'intentId'
    | 'amountCents'
    | 'date'
    | 'itemName'
    | 'receiptNumber'
  >;

export async function insertPayment(
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
    returning ${columns}`.execute(db);
  const [payment] = rows;
  if (!payment) throw new Error('the student of a hold does not exist');
  return payment;
}

export async function paymentOf(db: Db, intentId: string): Promise<Recorded> {
  const { rows } =
    await sql<Recorded>`select id, status from payment where intent_id = ${intentId}`.execute(db);
  const [payment] = rows;
  if (!payment) throw new Error('a hold is consumed but has no payment');
  return payment;
}

/** The provider confirmed the payment, in a signed event or to the reconciler. */
export async function confirmPayment(db: Db, intentId: string): Promise<void> {
  await sql`update payment set status = 'succeeded' where intent_id = ${intentId} and status = 'pending'`.execute(
    db,
  );
}

/** Leases payments that only the browser reported, unless the provider was asked recently. */
export async function takeUnconfirmed(
  db: Db,
  olderThanSeconds: number,
  most: number,
): Promise<string[]> {
  const rows = await lease<{ intentId: string }>(db, {
    table: 'payment',
    where: sql`status = 'pending'`,
    clock: 'checked_at',
    olderThanSeconds,
    most,
    returning: sql`payment.intent_id`,
  });
  return rows.map(({ intentId }) => intentId);
}

export async function lockPayment(db: Db, which: { id: string } | { intentId: string }) {
  const matching = 'id' in which ? sql`id = ${which.id}` : sql`intent_id = ${which.intentId}`;
  const { rows } = await sql<PaymentRow>`
    select ${columns} from payment where ${matching} for update`.execute(db);
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

/** Enrols the participant and removes the class from the carts of all who wanted it for them. */
export async function enrol(
  db: Db,
  paymentId: string,
  { studentId, participantId, classId }: Pick<Hold, 'studentId' | 'participantId' | 'classId'>,
): Promise<void> {
  await sql`
    insert into enrolment (payment_id, student_id, participant_id, class_id)
    values (${paymentId}, ${studentId}, ${participantId}, ${classId})`.execute(db);
  await sql`
    delete from cart_item where participant_id = ${participantId} and class_id = ${classId}`.execute(
    db,
  );
}

/** Ends the enrolment of a payment and frees the seat. False when there was no enrolment. */
export async function endEnrolment(db: Db, paymentId: string): Promise<boolean> {
  const { rows } = await sql<RowOf<'enrolment', 'classId'>>`
    update enrolment set state = 'cancelled', ended_at = now() where payment_id = ${paymentId} and state = 'active'
    returning class_id`.execute(db);
  const [ended] = rows;
  if (!ended) return false;
  await unsellSeat(db, ended.classId);
  return true;
}
