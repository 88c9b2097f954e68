// Updates our refund from its state at the provider, posts it and tells the family.
import type { Config } from '../../../config.ts';
import { type Db, type RowOf, sql } from '../../../db/connection.ts';
import type { Jobs } from '../../../db/jobs.ts';
import type { ProviderRefund } from '../../../outside/cards.ts';
import { audit } from '../../audit.ts';
import { post, returned, sent as sentBack } from '../ledger.ts';
import type { Log } from '../log.ts';
import { type PaymentRow, reaching } from '../payments/rows.ts';
import { childOf } from '../payments/tell.ts';
import { refundMail } from '../../mails/money.ts';
import { moveRefund, readLines, type Refund } from './rows.ts';

type Deps = {
  jobs: Pick<Jobs, 'send'>;
  config: Pick<Config, 'brand' | 'publicUrl'>;
  log: Log;
};

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
  ({ jobs, config, log }: Deps): FollowRefund =>
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
      return true;
    }
    await moveRefund(db, refund.id, { state: 'succeeded', stripeRefundId: sent.id });
    await post(db, sentBack(refund));
    const payer = await reaching(db, payment);
    await jobs.send(db, 'send-mail', refundMail(config, payer, await partOf(db, refund)));
    await audit(db, { actorId: null, action: 'payment refunded', subject: payment.id });
    return true;
  };

/** What a mail says about a refund. */
async function partOf(db: Db, { paymentId, lineId, amountCents, paidCents, reason }: Refund) {
  const lines = await readLines(db, paymentId);
  const line = lines.find(({ id }) => id === lineId);
  const whole = amountCents === (line?.worthCents ?? paidCents);
  const { rows } = await sql<RowOf<'enrolment', 'state'>>`
    select state from enrolment where line_id = ${lineId}`.execute(db);
  return {
    amountCents,
    whole,
    itemName: line?.itemName ?? '',
    reason,
    child: line ? await childOf(db, line) : null,
    booked: rows[0] ? rows[0].state === 'active' : null,
  };
}
