// The rows of refund: at most one per payment, always the full amount. States: due → sent →
// succeeded | failed. Not for: sending them (refunds/send.ts).
import { sql, type Db, type RowOf } from '../../../db/connection.ts';
import { lease } from '../../../db/lease.ts';

export type RefundState = 'due' | 'sent' | 'succeeded' | 'failed';

/** `attempts` counts the attempts after which the refund had not succeeded. */
export interface Refund extends RowOf<
  'refund',
  'id' | 'paymentId' | 'amountCents' | 'stripeRefundId' | 'round' | 'attempts' | 'reason'
> {
  state: RefundState;
  intentId: RowOf<'payment', 'intentId'>['intentId'];
}

/** After ten attempts that the provider did not accept, an admin must act. */
export const mostAttempts = 10;

const columns = sql.raw(
  `refund.id, refund.payment_id, refund.amount_cents, refund.state, refund.stripe_refund_id, refund.round, refund.attempts, refund.reason`,
);

/** A retry of a failed refund is a new round, with another idempotency key. */
export async function oweRefund(
  db: Db,
  {
    paymentId,
    amountCents,
    reason,
    askedBy = null,
  }: { paymentId: string; amountCents: number; reason: string; askedBy?: string | null },
): Promise<string> {
  const { rows } = await sql<RowOf<'refund', 'id'>>`
    insert into refund (payment_id, amount_cents, reason, asked_by) values (${paymentId}, ${amountCents}, ${reason}, ${askedBy})
    on conflict (payment_id) do update set state = 'due', round = refund.round + 1, attempts = 0, next_try = now(), stripe_refund_id = null,
      reason = excluded.reason, asked_by = excluded.asked_by, last_error = null, ended_at = null
    where refund.state = 'failed'
    returning id`.execute(db);
  const [refund] = rows;
  if (!refund) throw new Error('a second refund of one payment was asked for');
  return refund.id;
}

/**
 * Makes a failed refund due again, with the same reason. The new round has another idempotency key.
 */
export async function nextRound(
  db: Db,
  { id, askedBy }: { id: string; askedBy: string },
): Promise<void> {
  await sql`
    update refund set state = 'due', round = round + 1, attempts = 0, next_try = now(), stripe_refund_id = null, asked_by = ${askedBy},
      last_error = null, ended_at = null
    where id = ${id} and state = 'failed'`.execute(db);
}

/** A refund that was made at the provider directly. */
export async function noteForeignRefund(
  db: Db,
  {
    paymentId,
    amountCents,
    stripeRefundId,
  }: { paymentId: string; amountCents: number; stripeRefundId: string },
): Promise<void> {
  await sql`
    insert into refund (payment_id, amount_cents, reason, state, stripe_refund_id, ended_at)
    values (${paymentId}, ${amountCents}, 'refunded at the card provider', 'succeeded', ${stripeRefundId}, now())`.execute(
    db,
  );
}

/** Leases refunds that are due, or one of them. */
export const takeRefunds = (db: Db, most: number, id?: string): Promise<Refund[]> =>
  lease<Refund>(db, {
    table: 'refund',
    where: sql`state in ('due', 'sent')`,
    clock: 'next_try',
    leaseSeconds: 60,
    most,
    only: id,
    returning: sql`${columns}, (select intent_id from payment where payment.id = refund.payment_id) as intent_id`,
  });

export async function lockRefundOf(db: Db, paymentId: string): Promise<Refund | null> {
  const { rows } = await sql<Refund>`
    select ${columns}, payment.intent_id from refund join payment on payment.id = refund.payment_id
    where refund.payment_id = ${paymentId} for update of refund`.execute(db);
  return rows[0] ?? null;
}

export async function moveRefund(
  db: Db,
  id: string,
  to: { state: RefundState; stripeRefundId?: string | null; error?: string | null },
): Promise<void> {
  await sql`
    update refund set state = ${to.state}, stripe_refund_id = coalesce(${to.stripeRefundId ?? null}, stripe_refund_id),
      last_error = ${to.error ?? null}, ended_at = case when ${to.state} in ('succeeded', 'failed') then now() end
    where id = ${id}`.execute(db);
}

/**
 * The refund has not succeeded yet: the next attempt is in 1 minute to 6 hours. `anotherKey`:
 * the provider failed internally and would repeat that answer under the same key for a day, longer
 * than all ten attempts take. Two keys cannot refund twice: the sender first looks for an existing
 * refund, and a refund is always in full.
 */
export async function putOffRefund(db: Db, id: string, { anotherKey = false } = {}): Promise<void> {
  await sql`
    update refund set attempts = attempts + 1, round = round + ${anotherKey ? 1 : 0},
      next_try = now() + least(interval '6 hours', interval '1 minute' * power(2, least(attempts, 10)))
    where id = ${id} and state in ('due', 'sent')`.execute(db);
}
