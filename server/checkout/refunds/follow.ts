// Updates our refund from its state at the provider, posts it and tells the family: once for all that
// one act gives back.
import type { Services } from '../../platform/services.ts';
import { type Db, query } from '../../platform/db/connection.ts';
import type { ProviderRefund } from '../../platform/cards.ts';
import { audit } from '../../people/audit.ts';
import { post, returned, sent as sentBack } from '../ledger.ts';
import type { PaymentRow } from '../payments/rows.ts';
import { mail } from '../../mail/kinds.ts';
import { foreignReason, moveRefund, type Refund } from './rows.ts';

export type Follow = ReturnType<typeof createFollow>;

export function createFollow({ jobs, log }: Pick<Services, 'jobs' | 'log'>) {
  return { followRefund, tellBack };

  /**
   * The caller has locked payment and refund. True: the refund has ended, and the caller calls
   * `followPayment`. A failure days after a success counts too.
   */
  async function followRefund(
    db: Db,
    payment: PaymentRow,
    refund: Refund,
    sent: ProviderRefund,
  ): Promise<boolean> {
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
    await audit(db, { actorId: null, action: 'payment refunded', subject: payment.id });
    return true;
  }

  /** What is back and not told yet, unless another refund of the payment waits for its first try. */
  async function tellBack(db: Db, { id: paymentId, studentId: to }: PaymentRow): Promise<void> {
    const told = await query<{ id: string }>(db)`
      update refund set told_at = now()
      where payment_id = ${paymentId} and state = 'succeeded' and told_at is null
        and reason <> ${foreignReason} and not exists (
          select from refund r where r.payment_id = ${paymentId} and r.state = 'due' and r.attempts = 0
            and coalesce(r.choice_until <= now(), true))
      returning id`;
    const refundIds = told.map(({ id }) => id);
    if (refundIds.length > 0)
      await jobs.send(db, 'send-mail', mail('refunded', { to, paymentId, refundIds }));
  }
}
