// Updates our refund from its state at the provider, posts it and tells the family: once for all that
// one act gives back.
import type { Mailing, Services } from '../../../services.ts';
import { type Db, sql } from '../../../db/connection.ts';
import type { ProviderRefund } from '../../../outside/cards.ts';
import { audit } from '../../audit.ts';
import { post, returned, sent as sentBack } from '../ledger.ts';
import type { PaymentRow } from '../payments/rows.ts';
import { mail } from '../../mails/kinds.ts';
import { returnCoupon } from '../pricing.ts';
import { foreignReason, moveRefund, type Refund } from './rows.ts';

/**
 * The caller has locked payment and refund. True: the refund has ended, and the caller calls
 * `followPayment`.
 */
export type FollowRefund = (
  db: Db,
  payment: PaymentRow,
  refund: Refund,
  sent: ProviderRefund,
) => Promise<boolean>;

/** A failure days after a success counts too. */
export const createFollowRefund =
  ({ tellBack, log }: Services & { tellBack: TellBack }): FollowRefund =>
  async (db, payment, refund, sent) => {
    if (sent.status === 'pending') {
      if (refund.state === 'due')
        await moveRefund(db, refund.id, { state: 'sent', stripeRefundId: sent.id });
      return false;
    }
    if (refund.state === sent.status) return false;
    // A failed refund never succeeds later, so this state was read before the failure. A retry has
    // another id.
    if (refund.state === 'failed' && refund.stripeRefundId === sent.id) return false;
    if (sent.status === 'failed') {
      await moveRefund(db, refund.id, {
        state: 'failed',
        stripeRefundId: sent.id,
        error: sent.reason || 'failed',
      });
      if (refund.state === 'succeeded') await post(db, returned(refund));
      await audit(db, {
        actorId: null,
        action: 'refund failed',
        subject: payment.id,
        detail: sent.reason,
      });
      log.error({ paymentId: payment.id }, 'ALARM: a refund failed');
      await tellBack(db, payment);
      return true;
    }
    await moveRefund(db, refund.id, { state: 'succeeded', stripeRefundId: sent.id });
    await post(db, sentBack(refund));
    await tellBack(db, payment);
    await returnCouponOfAll(db, payment.id);
    await audit(db, { actorId: null, action: 'payment refunded', subject: payment.id });
    return true;
  };

/** What is back and not told yet, unless another refund of the payment waits for its first try. */
export type TellBack = (db: Db, payment: PaymentRow) => Promise<void>;

export const createTellBack =
  ({ jobs }: Pick<Mailing, 'jobs'>): TellBack =>
  async (db, { id: paymentId, studentId: to }) => {
    const { rows } = await sql<{ id: string }>`
      update refund set told_at = now()
      where payment_id = ${paymentId} and state = 'succeeded' and told_at is null
        and reason <> ${foreignReason} and not exists (
          select from refund r where r.payment_id = ${paymentId} and r.state = 'due' and r.attempts = 0)
      returning id`.execute(db);
    const refundIds = rows.map(({ id }) => id);
    if (refundIds.length > 0)
      await jobs.send(db, 'send-mail', mail('refunded', { to, paymentId, refundIds }));
  };

/** All is back at the card: the code can be used again. */
async function returnCouponOfAll(db: Db, paymentId: string): Promise<void> {
  const { rows } = await sql<{ basketId: string }>`
    select basket_id from payment where id = ${paymentId}
      and not exists (select from payment_line where payment_id = ${paymentId} and back_cents < worth_cents)
      and not exists (select from refund where payment_id = ${paymentId} and state <> 'succeeded')`.execute(
    db,
  );
  if (rows[0]) await returnCoupon(db, rows[0].basketId);
}
