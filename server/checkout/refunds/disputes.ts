// Reads the refunds and disputes of an intent from the provider: the state of our own refunds, and
// those made at the provider directly.
import type { Services } from '../../platform/services.ts';
import { type Db, queryOne } from '../../platform/db/connection.ts';
import type { Cards, ProviderRefund } from '../../platform/cards.ts';
import { audit } from '../../people/audit.ts';
import { lost, post } from '../ledger.ts';
import { lockPayment, type PaymentRow } from '../payments/rows.ts';
import { endSeats } from './end.ts';
import type { Follow } from './follow.ts';
import { foreignOf, ownOf } from './recognise.ts';
import {
  cardLeft,
  followPayment,
  leftOf,
  lockRefunds,
  moveRefund,
  noteForeignRefund,
  payPart,
  raiseBack,
  readLines,
  type Refund,
} from './rows.ts';

/** Brings a payment up to date with its refunds and disputes at the provider. */
export type SyncRefunds = (intentId: string) => Promise<void>;

export function createSyncRefunds(deps: Services & Follow): SyncRefunds {
  const { db, system, cards, followRefund, log } = deps;
  return syncRefunds;

  async function syncRefunds(intentId: string): Promise<void> {
    const before = await queryOne<{ studentId: string; refunds: string | null }>(db)`
      select payment.student_id, string_agg(refund.id || ' ' || refund.round || ' ' || refund.state, ',' order by refund.created_at, refund.id) as refunds
      from payment left join refund on refund.payment_id = payment.id where intent_id = ${intentId} group by payment.id`;
    if (!before) return;
    const refunds = await cards.refunds(intentId);
    const dispute = await cards.dispute(intentId);
    const isCurrent = await system([before.studentId], async (db) => {
      const payment = await lockPayment(db, { intentId });
      if (!payment) return true;
      const known = await lockRefunds(db, payment.id);
      const states = known.map(({ id, round, state }) => `${id} ${round} ${state}`).join(',');
      if (states !== (before.refunds ?? '')) return false;
      await follow(db, payment, known, { refunds, dispute });
      return true;
    });
    // A refund changed during the call, so the provider's answer may be older than that change.
    if (!isCurrent) await syncRefunds(intentId);
  }

  async function follow(
    db: Db,
    payment: PaymentRow,
    rows: Refund[],
    { refunds, dispute }: { refunds: ProviderRefund[]; dispute: Dispute },
  ): Promise<void> {
    const taken = new Set<string>();
    let changed = false;
    for (const row of rows) {
      const sent = ownOf(row, refunds);
      if (!sent) continue;
      taken.add(sent.id);
      changed = (await followRefund(db, payment, row, sent)) || changed;
    }
    const foreign = foreignOf(rows, refunds).filter(({ id }) => !taken.has(id));
    for (const refund of foreign) await noteForeign(db, payment, refund);
    const moved = dispute !== 'none' && (await isMoved(db, payment, dispute)) ? dispute : null;
    if (moved === 'lost') await lose(db, payment);
    // A partial refund from the dashboard ends no enrolment: an admin decides (Needs Attention).
    if (moved === 'lost' || (foreign.length > 0 && (await isBack(db, payment))))
      await endSeats(db, { paymentId: payment.id }, 'provider', deps);
    if (moved) {
      await audit(db, { actorId: null, action: `dispute ${moved}`, subject: payment.id });
      log.warn({ paymentId: payment.id, dispute }, 'a payment is disputed');
    }
    if (changed || foreign.length > 0 || moved)
      await followPayment(db, payment.id, moved ? { dispute: moved } : {});
  }

  /**
   * A refund from the dashboard names no line: the first lines that have money left return it. What
   * no line has left was owed already, and has now been paid, or a part of it.
   */
  async function noteForeign(db: Db, payment: PaymentRow, sent: ProviderRefund): Promise<void> {
    const { id: stripeRefundId } = sent;
    let left = sent.amountCents;
    for (const line of await readLines(db, payment.id)) {
      const cents = Math.min(left, leftOf(line));
      if (cents === 0) continue;
      await noteForeignRefund(db, line, { cents, stripeRefundId });
      left -= cents;
    }
    for (const row of await lockRefunds(db, payment.id)) {
      if (left === 0 || (row.state !== 'due' && row.state !== 'failed')) continue;
      const cents = Math.min(left, row.amountCents);
      if (cents < row.amountCents) {
        await payPart(db, row, { cents, stripeRefundId });
      } else {
        // A failed one may have succeeded before, and is then in the ledger with its round.
        const round = row.state === 'failed' ? row.round + 1 : row.round;
        await moveRefund(db, row.id, { state: 'due', round });
        await followRefund(db, payment, { ...row, state: 'due', round }, sent);
      }
      left -= cents;
    }
    if (left > 0)
      log.error(
        { paymentId: payment.id, left },
        'ALARM: the card provider has returned more than is on record',
      );
    await audit(db, {
      actorId: null,
      action: 'refund seen at the card provider',
      subject: payment.id,
    });
  }
}

type Dispute = Awaited<ReturnType<Cards['dispute']>>;

const kept = ['pending', 'succeeded', 'part_refunded'];
/** The statuses of a payment that a dispute changes. Its seats are kept until it is lost. */
const moves = { open: kept, lost: [...kept, 'disputed'], won: ['disputed'] };
/** Also these, when a refund is of a part and other lines have money left. */
const owing = new Set(['refund_due', 'refund_failed']);

const isMoved = async (db: Db, payment: PaymentRow, dispute: Exclude<Dispute, 'none'>) =>
  moves[dispute].includes(payment.status) ||
  (dispute !== 'won' && owing.has(payment.status) && !(await isBack(db, payment)));

const isBack = async (db: Db, { id }: PaymentRow) =>
  (await readLines(db, id)).every((line) => leftOf(line) === 0);

/** The provider has taken what it still had of the payment: not what credit paid. */
async function lose(db: Db, payment: PaymentRow): Promise<void> {
  let left = (await cardLeft(db, payment.id))?.cents ?? 0;
  for (const line of await readLines(db, payment.id)) {
    const cents = Math.min(left, leftOf(line));
    if (cents === 0) continue;
    left -= cents;
    await raiseBack(db, line.id, cents);
    await post(db, lost(line, cents));
  }
}
