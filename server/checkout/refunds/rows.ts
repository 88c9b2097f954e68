// The rows of refund: each returns one line of a payment, or a part of it, to the card. States: due →
// sent → succeeded | failed. What a line and a payment may return at most is a CHECK of theirs.
import {
  type Db,
  type RowOf,
  execute,
  query,
  queryOne,
  sql,
} from '../../platform/db/connection.ts';
import { activeEnrolment } from '../../platform/db/states.ts';
import { lease } from '../../platform/db/lease.ts';
import { back, owed, post, sent } from '../ledger.ts';
import { lockCoupon, returnCoupon } from '../pricing.ts';

/** `credit`: the family took it as credit, before it was sent. */
export type RefundState = 'due' | 'sent' | 'succeeded' | 'failed' | 'credit';

/** `attempts` counts the attempts after which the refund had not succeeded. */
export interface Refund extends RowOf<
  'refund',
  'id' | 'paymentId' | 'lineId' | 'amountCents' | 'stripeRefundId' | 'round' | 'attempts' | 'reason'
> {
  state: RefundState;
  studentId: string;
  intentId: string;
}

export type PaymentLine = RowOf<
  'paymentLine',
  | 'id'
  | 'paymentId'
  | 'studentId'
  | 'participantId'
  | 'itemName'
  | 'worthCents'
  | 'movedCents'
  | 'backCents'
>;

/** What a line still has. */
export const leftOf = (line: Pick<PaymentLine, 'worthCents' | 'movedCents' | 'backCents'>) =>
  line.worthCents + line.movedCents - line.backCents;

/** After ten attempts that the provider did not accept, an admin must act. */
export const mostAttempts = 10;
/** After as many attempts that were not made, because the provider has other refunds than we. */
export const mostDisagreements = 3;

const columns = sql.raw(
  `refund.id, refund.payment_id, refund.line_id, refund.amount_cents, refund.state, refund.stripe_refund_id, refund.round, refund.attempts, refund.reason`,
);

interface Owed {
  paymentId: string;
  /** Null: credit is paid out. */
  lineId: string | null;
  amountCents: number;
  reason: string;
  askedBy?: string | null;
  /** So long the family may take it as credit, and it is not sent. */
  choiceHours?: number;
}

/** The row alone. The caller writes what the line and the payment return, and posts it. */
export async function oweRefund(
  db: Db,
  { paymentId, lineId, amountCents, reason, askedBy = null, choiceHours = 0 }: Owed,
): Promise<string> {
  const until = sql`now() + make_interval(hours => ${choiceHours})`;
  const refund = await queryOne<RowOf<'refund', 'id'>>(db)`
    insert into refund (payment_id, line_id, amount_cents, reason, asked_by, next_try, choice_until)
    values (${paymentId}, ${lineId}, ${amountCents}, ${reason}, ${askedBy}, ${until},
      case when ${choiceHours > 0} then ${until} end) returning id`;
  if (!refund) throw new Error('a refund was not written');
  return refund.id;
}

/**
 * Owes an amount of a sold line to the card. The caller has locked the payment, and calls
 * `followPayment` after it. Returns the id of the refund.
 */
export async function giveBack(
  db: Db,
  line: PaymentLine,
  { cents, askedBy, ...about }: Omit<Going, 'to' | 'nth' | 'creditCents'>,
): Promise<string> {
  const { id: lineId, paymentId } = line;
  const owing = { paymentId, lineId, amountCents: cents, askedBy, ...about };
  const refundId = await oweRefund(db, owing);
  await raiseBack(db, lineId, cents);
  await post(db, owed(line, refundId, cents, askedBy));
  return refundId;
}

/** Refunds that go to a card, or did: what the family took as credit does not. */
const toCard = sql`refund.state <> 'credit'`;

/** Of a `payment`: what its card can still get, which is what it brought less what went back or is owed. */
export const leftForCard = sql<number>`(payment.amount_cents
  - (select coalesce(sum(amount_cents), 0) from refund
      where payment_id = payment.id and ${toCard})::int
  - (select coalesce(sum(cents), 0) from ledger
      where payment_id = payment.id and debit = 'sales' and ledger.credit = 'card')::int)`;

export const cardLeft = (db: Db, paymentId: string) =>
  queryOne<{ cents: number }>(db)`
    select ${leftForCard} as cents from payment where id = ${paymentId}`;

/** How much of a line has left it so far: under the lock on the payment it tells acts apart. */
export async function postingsOf(db: Db, lineId: string): Promise<number> {
  const found = await queryOne<{ count: number }>(db)`
    select count(*)::int as count from ledger where from_line = ${lineId}`;
  return found?.count ?? 0;
}

interface Going {
  cents: number;
  to: 'card' | 'credit';
  /** As credit in any case, besides `cents`. */
  creditCents?: number;
  /** Tells the postings of one line apart. A repeated one fails. */
  nth: string;
  reason: string;
  askedBy: string | null;
  choiceHours?: number;
}

/**
 * Money of a sold line goes back: to the card what it can still get, the rest as credit. The caller has
 * locked the payment and ended the seat if it ends, sends `refundId` with the job `pay-back` and calls
 * `followPayment` after it.
 */
export async function giveBackTo(
  db: Db,
  line: PaymentLine,
  { cents, to, creditCents = 0, nth, ...about }: Going,
): Promise<{ card: number; credit: number; refundId: string | null }> {
  const left = to === 'card' ? ((await cardLeft(db, line.paymentId))?.cents ?? 0) : 0;
  const card = Math.min(cents, left);
  const refundId = card > 0 ? await giveBack(db, line, { cents: card, ...about }) : null;
  const credit = cents - card + creditCents;
  if (credit > 0) {
    await raiseBack(db, line.id, credit);
    // `followPayment` may give it back, and credit is locked last.
    await lockCoupon(db, sql`(select basket_id from payment where id = ${line.paymentId})`);
    await post(db, back(line, nth, credit, about.askedBy));
  }
  return { card, credit, refundId };
}

export const raiseBack = (db: Db, lineId: string, cents: number) =>
  execute(db)`update payment_line set back_cents = back_cents + ${cents} where id = ${lineId}`;

/**
 * Makes a failed refund due again, by default with the same reason. The new round has another
 * idempotency key.
 */
export const nextRound = (
  db: Db,
  { id, askedBy, reason }: { id: string; askedBy: string; reason?: string },
) =>
  execute(db)`
    update refund set state = 'due', round = round + 1, attempts = 0, next_try = now(), stripe_refund_id = null, told_at = null, asked_by = ${askedBy},
      reason = coalesce(${reason ?? null}, reason), last_error = null, ended_at = null
    where id = ${id} and state = 'failed'`;

/** The reason of refunds that were made at the provider directly. */
export const foreignReason = 'refunded at the card provider';

interface Foreign {
  cents: number;
  stripeRefundId: string;
}

/** A refund of a line that was made at the provider directly. */
export async function noteForeignRefund(
  db: Db,
  line: PaymentLine,
  foreign: Foreign,
): Promise<void> {
  const made = await insertForeign(db, { ...line, lineId: line.id }, foreign);
  await raiseBack(db, line.id, foreign.cents);
  await post(db, owed(line, made.id, foreign.cents), sent(made));
}

/**
 * A refund that was made at the provider directly has paid a part of one that is due or has failed. The
 * rest is another amount, so it has another idempotency key.
 */
export async function payPart(db: Db, refund: Refund, foreign: Foreign): Promise<void> {
  await execute(db)`
    update refund set amount_cents = amount_cents - ${foreign.cents}, round = round + 1
    where id = ${refund.id}`;
  await post(db, sent(await insertForeign(db, refund, foreign)));
}

/** A line has one row for each of them. More of it raises the row, in another round. */
async function insertForeign(
  db: Db,
  of: Pick<Refund, 'paymentId' | 'lineId' | 'studentId'>,
  { cents, stripeRefundId }: Foreign,
) {
  const refund = await queryOne<RowOf<'refund', 'id' | 'round'>>(db)`
    insert into refund (payment_id, line_id, amount_cents, reason, state, stripe_refund_id, ended_at)
    values (${of.paymentId}, ${of.lineId}, ${cents}, ${foreignReason}, 'succeeded', ${stripeRefundId}, now())
    on conflict (stripe_refund_id, line_id) where reason = ${sql.lit(foreignReason)}
    do update set amount_cents = refund.amount_cents + excluded.amount_cents, round = refund.round + 1
    returning id, round`;
  if (!refund) throw new Error('a refund was not written');
  const { paymentId, studentId } = of;
  return { ...refund, amountCents: cents, paymentId, studentId };
}

/** Leases refunds that are due, or one of them. */
export const takeRefunds = (db: Db, most: number, id?: string): Promise<Refund[]> =>
  lease<Refund>(db, {
    table: 'refund',
    // By the same clock as the choice (credit.ts): what is sent can no longer be chosen.
    where: sql`state in ('due', 'sent') and coalesce(choice_until <= now(), true)`,
    clock: 'next_try',
    leaseSeconds: 60,
    most,
    only: id,
    returning: sql`${columns}, (select intent_id from payment where payment.id = refund.payment_id) as intent_id,
      (select student_id from payment where payment.id = refund.payment_id) as student_id`,
  });

const withPayment = sql`
  select ${columns}, payment.intent_id, payment.student_id
  from refund join payment on payment.id = refund.payment_id`;

export const readRefunds = (db: Db, paymentId: string) =>
  query<Refund>(db)`
    ${withPayment} where refund.payment_id = ${paymentId} order by refund.created_at, refund.id`;

/** Of a payment that is locked. */
export const lockRefunds = (db: Db, paymentId: string) =>
  query<Refund>(db)`
    ${withPayment} where refund.payment_id = ${paymentId} order by refund.created_at, refund.id for update of refund`;

/** The lines of a payment, in the order of the receipt. The lock on the payment is theirs too. */
export const readLines = (db: Db, paymentId: string) =>
  query<PaymentLine>(db)`
    select id, payment_id, student_id, participant_id, item_name, worth_cents, moved_cents, back_cents
    from payment_line
    where payment_id = ${paymentId} order by place`;

export const moveRefund = (
  db: Db,
  id: string,
  to: { state: RefundState; stripeRefundId?: string; error?: string; round?: number },
) =>
  execute(db)`
    update refund set state = ${to.state}, stripe_refund_id = coalesce(${to.stripeRefundId ?? null}, stripe_refund_id),
      last_error = ${to.error ?? null}, round = coalesce(${to.round ?? null}::int, round), ended_at = case when ${to.state} in ('succeeded', 'failed') then now() end
    where id = ${id}`;

/**
 * The refund has not succeeded yet: the next attempt is in 1 minute to 6 hours. `anotherKey`:
 * the provider failed internally and would repeat that answer under the same key for a day, longer
 * than all ten attempts take. The sender lists the refunds of the payment before each attempt, so
 * that two keys do not refund twice.
 */
export const putOffRefund = (db: Db, id: string, { anotherKey = false } = {}) =>
  execute(db)`
    update refund set attempts = attempts + 1, round = round + ${anotherKey ? 1 : 0},
      next_try = now() + least(interval '6 hours', interval '1 minute' * power(2, least(attempts, 10)))
    where id = ${id} and state in ('due', 'sent')`;

/**
 * Writes what follows for a payment from its refunds, lines and enrolments: `back_cents` is what of
 * its card went back. When no line has anything left and nothing is under way, its coupon can be used
 * again: to be called last, for the locks. An open dispute keeps its status.
 */
export async function followPayment(
  db: Db,
  id: string,
  { dispute }: { dispute?: 'open' | 'won' | 'lost' } = {},
): Promise<void> {
  const payment = await queryOne<{ basketId: string; isAllBack: boolean }>(db)`
    update payment set status = now_is.status, dispute = now_is.dispute, back_cents = now_is.back, seats = now_is.seats,
      refunded_at = case when now_is.status = 'refunded' then coalesce(refunded_at, now()) end
    from (
      select known.*, case
        when dispute = 'open' then 'disputed'
        when failed then 'refund_failed'
        when due then 'refund_due'
        when back > 0 and back = amount_cents and kept = 0 then 'refunded'
        when back > 0 then 'part_refunded'
        when before = 'pending' then 'pending'
        else 'succeeded' end as status
      from (
        select coalesce(${dispute ?? null}, p.dispute) as dispute, p.amount_cents, p.status as before,
          r.failed, r.due, r.back + (select coalesce(sum(cents), 0)::int from ledger
            where payment_id = ${id} and debit = 'sales' and ledger.credit = 'card') as back, l.kept, l.worth,
          (select count(*)::smallint from enrolment where payment_id = ${id} and ${activeEnrolment()}) as seats
        from payment p, (
          select coalesce(bool_or(state = 'failed'), false) as failed, coalesce(bool_or(state in ('due', 'sent')), false) as due,
            coalesce(sum(amount_cents) filter (where ${toCard}), 0)::int as back
          from refund where payment_id = ${id}) r, (
          select sum(worth_cents + moved_cents - back_cents)::int as kept, sum(worth_cents)::int as worth
          from payment_line where payment_id = ${id}) l
        where p.id = ${id}) known) now_is
    where payment.id = ${id} returning payment.basket_id,
      now_is.kept = 0 and now_is.worth > 0 and not now_is.failed and not now_is.due
        and payment.dispute is distinct from 'lost' and payment.status <> 'disputed' as is_all_back`;
  if (!payment) throw new Error('a payment does not exist');
  if (payment.isAllBack) await returnCoupon(db, payment.basketId);
}
