// Sending money back: the refunds we owe, the admin's refund, and what somebody did at the provider
// itself (refunds, disputes).
// Not for: the refund rows (refunds/rows.ts), nor for why a payment is refunded (settle.ts).
import { refundPayment } from '../../../../contract/payments.ts';
import type { Config } from '../../../config.ts';
import { type Database, sql, type Db } from '../../../db/connection.ts';
import type { Jobs } from '../../../db/jobs.ts';
import { fail } from '../../../http/fail.ts';
import type { On } from '../../../http/on.ts';
import { type Cards, ProviderError, type ProviderRefund } from '../../../outside/cards.ts';
import { audit } from '../../audit.ts';
import { refundMail } from '../../mails.ts';
import {
  lockRefundOf,
  mostAttempts,
  moveRefund,
  noteForeignRefund,
  oweRefund,
  putOffRefund,
  type Refund,
  takeRefunds,
} from './rows.ts';
import type { Log } from '../log.ts';
import { endEnrolment, lockPayment, movePayment } from '../payments/rows.ts';

type Deps = Pick<Database, 'db' | 'transaction'> & {
  on: On;
  cards: Pick<Cards, 'refund' | 'refunds' | 'dispute'>;
  jobs: Pick<Jobs, 'send'>;
  config: Pick<Config, 'brand' | 'publicUrl'>;
  log: Log;
};

export interface Refunds {
  /** Sends the refunds that are due, or one of them; hands back how many were taken. */
  send: (refundId?: string) => Promise<number>;
  /** Brings a payment in step with refunds and disputes at the provider. */
  readBack: (intentId: string) => Promise<void>;
}

type Payment = NonNullable<Awaited<ReturnType<typeof lockPayment>>>;

export function createRefunds({ on, db, transaction, cards, jobs, config, log }: Deps): Refunds {
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

  return {
    async send(refundId) {
      const due = await takeRefunds(db, 20, refundId);
      for (const refund of due) await sendOne(refund);
      return due.length;
    },

    readBack,
  };

  async function readBack(intentId: string): Promise<void> {
    const { rows } = await sql<{ refund: string | null }>`
      select refund.round || ' ' || refund.state as refund from payment left join refund on refund.payment_id = payment.id
      where intent_id = ${intentId}`.execute(db);
    const [before] = rows;
    if (!before) return;
    const refunds = await cards.refunds(intentId);
    const dispute = await cards.dispute(intentId);
    const isCurrent = await transaction(async (db) => {
      const payment = await lockPayment(db, { intentId });
      const owed = payment && (await lockRefundOf(db, payment.id));
      if ((owed ? `${owed.round} ${owed.state}` : null) !== before.refund) return false;
      await followRefunds(db, intentId, refunds);
      if (dispute !== 'none') await followDispute(db, intentId, dispute);
      return true;
    });
    // The refund was moved while the provider was asked: its answer may be older than that move.
    if (!isCurrent) await readBack(intentId);
  }

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
   * The refund at the provider: the one that is there (somebody may have died after sending it), or
   * a new one. Never pays twice.
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
      if (payment && now && now.round === refund.round) await follow(db, payment, now, sent);
    });
  }

  /** Our refund, as the provider has it now. A failure days after a success counts too. */
  async function follow(
    db: Db,
    payment: Payment,
    refund: Refund,
    sent: ProviderRefund,
  ): Promise<void> {
    if (sent.status === 'pending') {
      if (refund.state === 'due')
        await moveRefund(db, refund.id, { state: 'sent', stripeRefundId: sent.id });
      return;
    }
    if (refund.state === sent.status) return;
    // A refund that failed never succeeds later: this was read before it failed. Another one is
    // sent under another id.
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
  }

  async function note(
    db: Db,
    refund: Refund,
    { kind, message }: ProviderError,
    gaveUp: boolean,
  ): Promise<void> {
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

  async function followRefunds(db: Db, intentId: string, refunds: ProviderRefund[]): Promise<void> {
    const payment = await lockPayment(db, { intentId });
    if (!payment) return;
    const owed = await lockRefundOf(db, payment.id);
    if (owed) {
      const own = refunds.find(({ id }) => id === owed.stripeRefundId);
      const same = refunds.find(
        ({ status, amountCents }) => status !== 'failed' && amountCents === owed.amountCents,
      );
      const sent = own ?? (owed.state === 'due' ? same : undefined);
      if (sent) await follow(db, payment, owed, sent);
      return;
    }
    const done = refunds.filter(({ status }) => status === 'succeeded');
    const back = done.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const [last] = done;
    if (!last || back < payment.amountCents) return;
    await endEnrolment(db, payment.id);
    await noteForeignRefund(db, {
      paymentId: payment.id,
      amountCents: back,
      stripeRefundId: last.id,
    });
    await movePayment(db, payment.id, { status: 'refunded' });
    await audit(db, {
      actorId: null,
      action: 'refund seen at the card provider',
      subject: payment.id,
    });
  }

  /** The seat is kept until the dispute is lost. */
  async function followDispute(
    db: Db,
    intentId: string,
    dispute: 'open' | 'won' | 'lost',
  ): Promise<void> {
    const payment = await lockPayment(db, { intentId });
    if (!payment) return;
    const moves = {
      open: ['pending', 'succeeded'],
      lost: ['pending', 'succeeded', 'disputed'],
      won: ['disputed'],
    };
    const status = { open: 'disputed', lost: 'refunded', won: 'succeeded' } as const;
    if (!moves[dispute].includes(payment.status)) return;
    if (dispute === 'lost') await endEnrolment(db, payment.id);
    await movePayment(db, payment.id, { status: status[dispute], dispute });
    await audit(db, { actorId: null, action: `dispute ${dispute}`, subject: payment.id });
    log.warn({ paymentId: payment.id, dispute }, 'a payment is disputed');
  }
}
