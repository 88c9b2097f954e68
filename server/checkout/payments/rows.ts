// Rows of payment, payment_line and enrolment: writing them, locking them.
import type { Payment } from '../../../contract/checkout/payments.ts';
import {
  type Db,
  type RowOf,
  execute,
  query,
  queryOne,
  sql,
} from '../../platform/db/connection.ts';
import { activeEnrolment, placeholder } from '../../platform/db/states.ts';
import { leaseOf } from '../../platform/db/lease.ts';
import type { Named } from '../../platform/db/write.ts';
import type { NoLonger } from '../../platform/ends.ts';
import { removedChild } from '../../people/participants.ts';
import { lockClasses, unsellSeat } from '../seats/counters.ts';
import type { Hold } from '../seats/holds.ts';
import type { Basket } from './basket.ts';

export interface Recorded extends RowOf<'payment', 'id'> {
  status: Payment['status'];
}

const columns = sql.raw('id, student_id, status');

/** The class of the first line of `payment`. */
export const firstClass = sql<string>`(select class_id from payment_line where payment_id = payment.id and place = 1)`;

export interface PaymentRow extends Recorded, RowOf<'payment', 'studentId'> {}

export async function insertPayment(
  db: Db,
  basket: Pick<Basket, 'id' | 'studentId'>,
  paid: RowOf<
    'payment',
    | 'intentId'
    | 'amountCents'
    | 'creditCents'
    | 'swapCents'
    | 'itemName'
    | 'backCents'
    | 'seats'
    | 'currency'
  > & {
    status: Payment['status'];
    /** A sale that is found later, as after a restore, keeps the date of its charge. */
    chargedAt: Date | null;
  },
): Promise<PaymentRow> {
  const payment = await queryOne<PaymentRow>(db)`
    insert into payment (basket_id, intent_id, student_id, email, customer, item_name, amount_cents, credit_cents,
      swap_cents, back_cents, seats, currency, status, date, day)
    select ${basket.id}, ${paid.intentId}, "user".id, "user".email, "user".name, ${paid.itemName}, ${paid.amountCents},
      ${paid.creditCents}, ${paid.swapCents}, ${paid.backCents}, ${paid.seats}, ${paid.currency}, ${paid.status},
      sale.date, academy_day(sale.date)
    from "user", (select case when ${paid.chargedAt}::timestamptz < now() - interval '1 minute'
      then ${paid.chargedAt}::timestamptz else now() end as date) sale where "user".id = ${basket.studentId}
    returning payment.id, student_id, status`;
  if (!payment) throw new Error('the student of a basket does not exist');
  return payment;
}

/** A seat that was paid for, as it is written on the receipt. */
export interface SoldLine {
  hold: Hold;
  itemName: string;
  /** Of which credit and card pay a part each, and the seat it was changed for the rest. */
  worthCents: number;
  creditCents: number;
  cardCents: number;
  /** Null: the seat is sold. */
  problem: string | null;
}

/** The name on the receipts of participants who are erased. Another guardian's care ends without it. */
export const forgetOnReceipts: NoLonger = async (db, participantIds, userId) => {
  if (userId !== null) return;
  await execute(db)`
    update payment_line set participant = case when participant.self_of is null then ${removedChild} else 'Deleted user' end
    from participant where participant.id = payment_line.participant_id and participant.id = any (${participantIds}::uuid[])`;
};

/** The account of a buyer is erased. What stays is the legal record: which amount, when. */
export async function forgetBuyer(db: Db, { id }: { id: string }): Promise<void> {
  await execute(db)`delete from cart_item where student_id = ${id}`;
  const { name, email } = placeholder(id);
  await execute(db)`
    update payment set email = ${email}, customer = ${name} where student_id = ${id}`;
  await execute(db)`
    update enrolment set ask = '' where student_id = ${id} and ask <> ''`;
}

/** Their ids, in the order of the receipt. The names of the participants are those of this moment. */
export async function insertLines(
  db: Db,
  paymentId: string,
  lines: readonly SoldLine[],
): Promise<string[]> {
  const rows = await query<RowOf<'paymentLine', 'id'>>(db)`
    with written as (
      insert into payment_line (payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents,
      discount_cents, why, worth_cents, back_cents, outcome, place, meetings, leaving_id)
    select ${paymentId}, hold.id, hold.student_id, hold.participant_id, hold.class_id, line.item_name, participant.name, hold.list_cents,
      hold.discount_cents, hold.why, line.worth_cents, line.back_cents, line.outcome, line.place,
      (select count(*) from meeting where meeting.class_id = class.id and meeting.state = 'on' and lower(meeting.during) > now()),
      coalesce(class.leaving_id, (select leaving_id from academy))
    from unnest(
      ${lines.map(({ hold }) => hold.id)}::uuid[], ${lines.map(({ itemName }) => itemName)}::text[],
      ${lines.map(({ worthCents }) => worthCents)}::int[],
      ${lines.map(({ problem, worthCents }) => (problem === null ? 0 : worthCents))}::int[],
      ${lines.map(({ problem }) => (problem === null ? 'enrolled' : 'refused'))}::text[]
    ) with ordinality as line (hold_id, item_name, worth_cents, back_cents, outcome, place)
    join hold on hold.id = line.hold_id join participant on participant.id = hold.participant_id
    join class on class.id = hold.class_id
      returning id, place)
    select id from written order by place`;
  return rows.map(({ id }) => id);
}

export async function paymentOf(db: Db, { id }: Pick<Basket, 'id'>): Promise<Recorded> {
  const payment = await queryOne<Recorded>(db)`
    select id, status from payment where basket_id = ${id}`;
  if (!payment) throw new Error('a basket is paid but has no payment');
  return payment;
}

/** The provider confirmed the payment, in a signed event or to the reconciler. */
export const confirmPayment = (db: Db, intentId: string) =>
  execute(db)`
      update payment set status = 'succeeded' where intent_id = ${intentId} and status = 'pending'`;

/** Leases payments that only the browser reported, unless the provider was asked recently. */
export const takeUnconfirmed = (db: Db, olderThanSeconds: number, most: number) =>
  leaseOf(db, {
    table: 'payment',
    where: sql`status = 'pending'`,
    clock: 'checked_at',
    olderThanSeconds,
    most,
    returning: sql`payment.intent_id`,
  });

export const lockPayment = (db: Db, which: { id: string } | { intentId: string }) =>
  queryOne<PaymentRow>(db)`select ${columns} from payment
    where ${'id' in which ? sql`id = ${which.id}` : sql`intent_id = ${which.intentId}`} for update`;

/** Who paid, to be locked before the payment. It is always the same account. */
export async function payersOf(
  db: Db,
  which: { id: string } | { enrolmentId: string },
): Promise<Named> {
  const found =
    'id' in which
      ? sql`payment where id = ${which.id}`
      : sql`enrolment where id = ${which.enrolmentId}`;
  const rows = await query<RowOf<'payment', 'studentId'>>(db)`select student_id from ${found}`;
  return { ids: rows.map(({ studentId }) => studentId), lock: 'key share' };
}

/**
 * Enrols the participants of the lines and removes the classes from the carts of all who wanted them
 * for these participants.
 */
export async function enrol(db: Db, lineIds: readonly string[]): Promise<void> {
  if (lineIds.length === 0) return;
  await execute(db)`
    insert into enrolment (payment_id, line_id, student_id, participant_id, class_id)
    select payment_id, id, student_id, participant_id, class_id from payment_line where id = any (${lineIds}::uuid[])`;
  await execute(db)`
    delete from cart_item using payment_line line where line.id = any (${lineIds}::uuid[])
      and cart_item.participant_id = line.participant_id and cart_item.class_id = line.class_id`;
}

/** Who ended a seat, or what. */
export type EndKind = 'family' | 'withdrawn' | 'moved' | 'academy' | 'office' | 'provider';

/**
 * Ends the enrolments of a payment, or one of them, and frees the seats. Returns those that ended.
 * All classes are locked before the first seat is freed.
 */
export async function endEnrolments(
  db: Db,
  which: { paymentId: string } | { id: string },
  kind: EndKind,
): Promise<RowOf<'enrolment', 'id'>[]> {
  const matching = 'id' in which ? sql`id = ${which.id}` : sql`payment_id = ${which.paymentId}`;
  const rows = await query<RowOf<'enrolment', 'id' | 'classId'>>(db)`
    update enrolment set state = 'cancelled', ended_at = now(), end_kind = ${kind} where ${matching} and ${activeEnrolment()}
    returning id, class_id`;
  const ids = rows.map(({ classId }) => classId).toSorted();
  if (ids.length > 1) await lockClasses(db, ids);
  for (const classId of ids) await unsellSeat(db, classId);
  return rows;
}
