// Sends refunds that are due.
import type { Services } from '../../platform/services.ts';
import type { Db } from '../../platform/db/connection.ts';
import { ProviderError, type ProviderRefund } from '../../platform/cards.ts';
import { audit } from '../../people/audit.ts';
import { lockPayment } from '../payments/rows.ts';
import type { SyncRefunds } from './disputes.ts';
import type { Follow } from './follow.ts';
import { agrees, ownOf } from './recognise.ts';
import {
  followPayment,
  lockRefunds,
  mostAttempts,
  mostDisagreements,
  moveRefund,
  putOffRefund,
  readRefunds,
  type Refund,
  takeRefunds,
} from './rows.ts';

/** Sends the refunds that are due, or one of them. Returns how many were leased. */
export type SendRefunds = (refundId?: string) => Promise<number>;

/** The provider has returned another sum than our rows say: an admin must look before more is sent. */
class Disagreement extends Error {
  readonly kind = 'disagreement';
  constructor() {
    super('The card provider has returned another sum than is on record. Nothing was sent.');
  }
}

export function createSendRefunds({
  db,
  system,
  cards,
  followRefund,
  tellBack,
  syncRefunds,
  log,
}: Services & Follow & { syncRefunds: SyncRefunds }): SendRefunds {
  return async (refundId) => {
    const due = await takeRefunds(db, 20, refundId);
    for (const refund of due) await sendOne(refund);
    return due.length;
  };

  async function sendOne(refund: Refund): Promise<void> {
    try {
      const sent = await ensure(refund);
      if (!sent) return;
      await record(refund, sent);
      if (sent.status === 'pending') await putOffRefund(db, refund.id);
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof Disagreement)) throw error;
      const most = error instanceof Disagreement ? mostDisagreements : mostAttempts;
      const gaveUp = refund.state === 'due' && refund.attempts + 1 >= most;
      await system([refund.studentId], (db) => note(db, refund, error, gaveUp));
    }
  }

  /**
   * Returns the existing refund at the provider (a process may have died after sending it) or
   * creates one. Never refunds twice: the provider forgets a key after a day, so nothing is sent
   * unless all that it has returned is on record. Null: another process has ended the refund.
   */
  async function ensure(refund: Refund): Promise<ProviderRefund | null> {
    const first = await look(refund);
    if (first.own) return first.own;
    if (!first.agreed) {
      // Refunds made in the dashboard are recorded first; one may be what this row waits for.
      await syncRefunds(refund.intentId);
      const again = await look(refund);
      if (!again.waits) return null;
      if (again.own) return again.own;
      if (!again.agreed) throw new Disagreement();
    }
    const { intentId, amountCents, id: refundId, round } = refund;
    try {
      return await cards.refund(intentId, {
        amountCents,
        refundId,
        key: `refund:${refundId}:${round}`,
      });
    } catch (error) {
      const settled =
        error instanceof ProviderError && error.kind === 'refused'
          ? ownOf(refund, await cards.refunds(intentId))
          : undefined;
      if (!settled) throw error;
      return settled;
    }
  }

  async function look(refund: Refund) {
    const rows = await readRefunds(db, refund.paymentId);
    const there = await cards.refunds(refund.intentId);
    const waits = rows.some(
      ({ id, round, state }) =>
        id === refund.id && round === refund.round && state === refund.state,
    );
    return { own: ownOf(refund, there), agreed: agrees(rows, there), waits };
  }

  async function record(refund: Refund, sent: ProviderRefund): Promise<void> {
    await system([refund.studentId], async (db) => {
      const payment = await lockPayment(db, { id: refund.paymentId });
      const now = await lockedNow(db, refund);
      if (!payment || now?.round !== refund.round) return;
      if (await followRefund(db, payment, now, sent)) await followPayment(db, payment.id);
    });
  }

  async function note(
    db: Db,
    refund: Refund,
    { kind, message }: ProviderError | Disagreement,
    gaveUp: boolean,
  ): Promise<void> {
    const payment = await lockPayment(db, { id: refund.paymentId });
    const now = await lockedNow(db, refund);
    if (now?.state !== refund.state || now.round !== refund.round) return;
    await moveRefund(db, refund.id, { state: gaveUp ? 'failed' : refund.state, error: message });
    if (!gaveUp) await putOffRefund(db, refund.id, { anotherKey: kind === 'broken' });
    if (payment) await tellBack(db, payment);
    if (!gaveUp) return;
    await followPayment(db, refund.paymentId);
    await audit(db, {
      actorId: null,
      action: 'refund failed',
      subject: refund.paymentId,
      detail: message,
    });
    log.error({ paymentId: refund.paymentId }, 'ALARM: a refund could not be sent');
  }
}

const lockedNow = async (db: Db, { id, paymentId }: Refund) =>
  (await lockRefunds(db, paymentId)).find((row) => row.id === id);
