// Sends refunds that are due, and serves the admin's refund. Not for: the rows of refund
// (refunds/rows.ts).
import { refundPayment } from '../../../../contract/payments.ts';
import { type Database, type Db } from '../../../db/connection.ts';
import type { Jobs } from '../../../db/jobs.ts';
import { fail } from '../../../http/fail.ts';
import type { On } from '../../../http/on.ts';
import { type Cards, ProviderError, type ProviderRefund } from '../../../outside/cards.ts';
import { audit } from '../../audit.ts';
import {
  lockRefundOf,
  mostAttempts,
  moveRefund,
  oweRefund,
  putOffRefund,
  type Refund,
  takeRefunds,
} from './rows.ts';
import type { Log } from '../log.ts';
import type { FollowRefund } from './follow.ts';
import { endEnrolment, lockPayment, movePayment } from '../payments/rows.ts';

type RouteDeps = Pick<Database, 'transaction'> & { on: On; jobs: Pick<Jobs, 'send'> };

export function refundRoute({ on, transaction, jobs }: RouteDeps): void {
  on(refundPayment, ({ id, reason }, { who }) =>
    transaction(async (db) => {
      const payment = await lockPayment(db, { id });
      if (!payment) fail('NOT_FOUND');
      if (!['pending', 'succeeded', 'refund_failed'].includes(payment.status))
        fail('NOT_REFUNDABLE');
      await endEnrolment(db, id);
      const refundId = await oweRefund(db, {
        paymentId: id,
        amountCents: payment.amountCents,
        reason,
        askedBy: who.id,
      });
      await movePayment(db, id, { status: 'refund_due' });
      await jobs.send(db, 'pay-back', { refundId });
      await audit(db, {
        actorId: who.id,
        action: 'payment refunded by admin',
        subject: id,
        detail: reason,
      });
      return { modifiedCount: 1 };
    }),
  );
}

type Deps = Pick<Database, 'db' | 'transaction'> & {
  cards: Pick<Cards, 'refund' | 'refunds'>;
  followRefund: FollowRefund;
  log: Log;
};

/** Sends the refunds that are due, or one of them. Returns how many were leased. */
export type SendRefunds = (refundId?: string) => Promise<number>;

export function createSendRefunds({
  db,
  transaction,
  cards,
  followRefund,
  log,
}: Deps): SendRefunds {
  return async (refundId) => {
    const due = await takeRefunds(db, 20, refundId);
    for (const refund of due) await sendOne(refund);
    return due.length;
  };

  async function sendOne(refund: Refund): Promise<void> {
    try {
      const sent = await ensure(refund);
      await record(refund, sent);
      if (sent.status === 'pending') await putOffRefund(db, refund.id);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const gaveUp = refund.state === 'due' && refund.attempts + 1 >= mostAttempts;
      await transaction((db) => note(db, refund, error, gaveUp));
    }
  }

  /**
   * Returns the existing refund at the provider (a process may have died after sending it) or
   * creates one. Never refunds twice.
   */
  async function ensure(refund: Refund): Promise<ProviderRefund> {
    const there = await usable(refund);
    if (there) return there;
    const key =
      refund.round === 1
        ? `refund:${refund.intentId}`
        : `refund:${refund.intentId}:${refund.round}`;
    try {
      return await cards.refund(refund.intentId, key);
    } catch (error) {
      const settled =
        error instanceof ProviderError && error.kind === 'refused'
          ? await usable(refund)
          : undefined;
      if (!settled) throw error;
      return settled;
    }
  }

  async function usable({
    intentId,
    amountCents,
    stripeRefundId,
  }: Refund): Promise<ProviderRefund | undefined> {
    const all = await cards.refunds(intentId);
    const own = all.find(({ id }) => id === stripeRefundId);
    return (
      own ??
      all.find(({ status, amountCents: sent }) => status !== 'failed' && sent === amountCents)
    );
  }

  async function record(refund: Refund, sent: ProviderRefund): Promise<void> {
    await transaction(async (db) => {
      const payment = await lockPayment(db, { id: refund.paymentId });
      const now = await lockRefundOf(db, refund.paymentId);
      if (payment && now && now.round === refund.round) await followRefund(db, payment, now, sent);
    });
  }

  async function note(
    db: Db,
    refund: Refund,
    { kind, message }: ProviderError,
    gaveUp: boolean,
  ): Promise<void> {
    await lockPayment(db, { id: refund.paymentId });
    const now = await lockRefundOf(db, refund.paymentId);
    if (now?.state !== refund.state || now.round !== refund.round) return;
    await moveRefund(db, refund.id, { state: gaveUp ? 'failed' : refund.state, error: message });
    if (!gaveUp) return putOffRefund(db, refund.id, { anotherKey: kind === 'broken' });
    await movePayment(db, refund.paymentId, { status: 'refund_failed' });
    await audit(db, {
      actorId: null,
      action: 'refund failed',
      subject: refund.paymentId,
      detail: message,
    });
    log.error({ paymentId: refund.paymentId }, 'ALARM: a refund could not be sent');
  }
}
