// Reads the refunds and disputes of an intent from the provider: the state of our own refunds, and
// those made at the provider directly. Not for: sending refunds (send.ts).
import { type Database, sql, type Db } from '../../../db/connection.ts';
import type { Cards, ProviderRefund } from '../../../outside/cards.ts';
import { audit } from '../../audit.ts';
import type { Log } from '../log.ts';
import { endEnrolment, lockPayment, movePayment } from '../payments/rows.ts';
import type { FollowRefund } from './follow.ts';
import { lockRefundOf, noteForeignRefund } from './rows.ts';

type Deps = Pick<Database, 'db' | 'transaction'> & {
  cards: Pick<Cards, 'refunds' | 'dispute'>;
  followRefund: FollowRefund;
  log: Log;
};

/** Brings a payment up to date with its refunds and disputes at the provider. */
export type SyncRefunds = (intentId: string) => Promise<void>;

export function createSyncRefunds({
  db,
  transaction,
  cards,
  followRefund,
  log,
}: Deps): SyncRefunds {
  return syncRefunds;

  async function syncRefunds(intentId: string): Promise<void> {
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
    // The refund changed during the call, so the provider's answer may be older than that change.
    if (!isCurrent) await syncRefunds(intentId);
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
      if (sent) await followRefund(db, payment, owed, sent);
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
