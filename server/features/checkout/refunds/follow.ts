// Updates our refund and its payment from the state of the refund at the provider.
import type { Config } from '../../../config.ts';
import type { Db } from '../../../db/connection.ts';
import type { Jobs } from '../../../db/jobs.ts';
import type { ProviderRefund } from '../../../outside/cards.ts';
import { audit } from '../../audit.ts';
import { refundMail } from '../../mails.ts';
import type { Log } from '../log.ts';
import { movePayment, type PaymentRow } from '../payments/rows.ts';
import { moveRefund, type Refund } from './rows.ts';

type Deps = {
  jobs: Pick<Jobs, 'send'>;
  config: Pick<Config, 'brand' | 'publicUrl'>;
  log: Log;
};

/** The caller has locked payment and refund. */
export type FollowRefund = (
  db: Db,
  payment: PaymentRow,
  refund: Refund,
  sent: ProviderRefund,
) => Promise<void>;

/** A failure days after a success counts too. */
export const createFollowRefund =
  ({ jobs, config, log }: Deps): FollowRefund =>
  async (db, payment, refund, sent) => {
    if (sent.status === 'pending') {
      if (refund.state === 'due')
        await moveRefund(db, refund.id, { state: 'sent', stripeRefundId: sent.id });
      return;
    }
    if (refund.state === sent.status) return;
    // A failed refund never succeeds later, so this state was read before the failure. A retry has
    // another id.
    if (refund.state === 'failed' && refund.stripeRefundId === sent.id) return;
    if (sent.status === 'failed') {
      await moveRefund(db, refund.id, {
        state: 'failed',
        stripeRefundId: sent.id,
        error: sent.reason || 'failed',
      });
      await movePayment(db, payment.id, { status: 'refund_failed' });
      await audit(db, {
        actorId: null,
        action: 'refund failed',
        subject: payment.id,
        detail: sent.reason,
      });
      log.error({ paymentId: payment.id }, 'ALARM: a refund failed');
      return;
    }
    await moveRefund(db, refund.id, { state: 'succeeded', stripeRefundId: sent.id });
    await movePayment(db, payment.id, { status: 'refunded' });
    await jobs.send(db, 'send-mail', refundMail(config, payment, refund.reason));
    await audit(db, { actorId: null, action: 'payment refunded', subject: payment.id });
  };
