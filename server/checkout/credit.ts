// Credit: its balance and entries, paying it out, what the office gives and takes, and refunds that a
// family takes as credit. It is spent in a basket (payments/basket.ts); each row: ledger.ts.
import {
  chooseRefund,
  type CreditEntry,
  getCredit,
  giveCredit,
  payOutCredit,
} from '../../contract/checkout/credit.ts';
import { slice } from '../../contract/platform/rules.ts';
import type { Services } from '../platform/services.ts';
import { type Db, type RowOf, execute, query, queryOne } from '../platform/db/connection.ts';
import { type AuditLine, changed, own, unchanged } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import { amount } from '../mail/common.ts';
import { mail } from '../mail/kinds.ts';
import { choose, grant, payout, post, type Posting } from './ledger.ts';
import { lockPayment } from './payments/rows.ts';
import { followPayment, oweRefund } from './refunds/rows.ts';

export function creditRoutes(deps: Services): void {
  const { on, db, write, writeAccounts, jobs, config } = deps;

  on(getCredit, async (input, { who }) => {
    const known = await queryOne<{ cents: number; reservedCents: number; total: number }>(db)`
      select coalesce((select cents from credit where student_id = ${who.id}), 0) as cents,
        (select coalesce(sum(credit_cents), 0)::int from basket
          where student_id = ${who.id} and state in ('open', 'closing')) as reserved_cents,
        (select count(*)::int from ledger where student_id = ${who.id} and credit_after is not null) as total`;
    const { limit, offset } = slice(input);
    const rows = await query<EntryRow>(db)`
      select ledger.at, ledger.key, ledger.note, ledger.credit_after as after_cents,
        case when ledger.credit = 'credit' then ledger.cents else -ledger.cents end as cents,
        basket.state as basket, payment.id as payment_id, coalesce(line.item_name, payment.item_name) as item_name
      from ledger left join basket on basket.id = ledger.basket_id
        left join payment on payment.id = ledger.payment_id or payment.basket_id = basket.id
        left join refund on refund.id = ledger.refund_id
        left join payment_line line on line.id in (ledger.from_line, refund.line_id)
      where ledger.student_id = ${who.id} and ledger.credit_after is not null
      order by ledger.id desc limit ${limit} offset ${offset}`;
    return { ...(known ?? fail('UNAUTHENTICATED')), entries: rows.map(present) };
  });

  on(payOutCredit, ({ cents }, { who }) =>
    write(who, async (db) => {
      const refunds = await payOut(db, who.id, cents);
      for (const { refundId = '' } of refunds) await jobs.send(db, 'pay-back', { refundId });
      const cardCents = refunds.reduce((sum, refund) => sum + refund.cents, 0);
      const answer = { cardCents, deskCents: cents - cardCents };
      if (cardCents === 0) return own(answer);
      const detail = amount(config, cardCents);
      return { answer, audit: { action: 'credit paid out', subject: who.id, detail } };
    }),
  );

  on(giveCredit, ({ studentId, cents, reason, key }, { who }) =>
    writeAccounts(who, { ids: [studentId], lock: 'key share' }, async (db, accounts) => {
      if (!accounts.some(({ id }) => id === studentId)) fail('NOT_FOUND');
      const before = await lockCredit(db, studentId);
      const given = grant(studentId, cents, { once: key, actorId: who.id, note: reason });
      if (await queryOne(db)`select from ledger where key = ${given.key}`)
        return own({ cents: before });
      await post(db, given);
      if (cents > 0)
        await jobs.send(db, 'send-mail', mail('credited', { to: studentId, keys: [given.key] }));
      const detail = `${amount(config, Math.abs(cents))}: ${reason}`;
      const action = cents > 0 ? 'credit given' : 'credit taken';
      return { answer: { cents: before + cents }, audit: { action, subject: studentId, detail } };
    }),
  );

  on(chooseRefund, async ({ id, to }, { who }) => {
    const found = await queryOne<RowOf<'refund', 'paymentId'>>(db)`
      select payment_id from refund join payment on payment.id = payment_id
      where refund.id = ${id} and student_id = ${who.id}`;
    if (!found) fail('NOT_FOUND');
    const { paymentId } = found;
    return write(who, async (db) => {
      await lockPayment(db, { id: paymentId });
      const taken = await (to === 'credit' ? takeAsCredit(db, id) : sendNow(db, id));
      if (!taken) {
        if (await queryOne(db)`select from refund where id = ${id} and state = ${to}`)
          return unchanged;
        return fail('TOO_LATE');
      }
      if (to === 'card') await jobs.send(db, 'pay-back', { refundId: id });
      await followPayment(db, paymentId);
      if (to === 'credit') await post(db, choose({ ...taken, id, paymentId, studentId: who.id }));
      const action = to === 'credit' ? 'refund taken as credit' : 'refund sent at once';
      return changed({ action, subject: paymentId });
    });
  });
}

interface EntryRow extends Omit<CreditEntry, 'at' | 'why'> {
  at: Date;
  key: string;
  note: string;
  basket: string | null;
  itemName: string | null;
}

/** By the first word of the key of its posting (ledger.ts). */
const whys: Record<string, (row: EntryRow) => string> = {
  reserve: ({ basket, itemName }) =>
    basket === 'paid'
      ? `Paid for ${itemName}`
      : basket === 'closed'
        ? 'Kept for a payment'
        : 'In a payment under way',
  unreserve: () => 'That payment was not made',
  refused: ({ itemName }) => `Not all seats could be booked: ${itemName}`,
  choose: ({ itemName }) => `Back for ${itemName}, not to the card`,
  payout: () => 'Paid out to your card',
  grant: ({ note }) => note,
};

const present = ({ key, note, basket, itemName, ...row }: EntryRow): CreditEntry => {
  const why = whys[key.split(':')[0] ?? ''] ?? (() => `Back for ${itemName}`);
  const about = { ...row, key, note, basket, itemName };
  return { ...row, at: row.at.toISOString(), why: why(about) };
};

/** What could pay for these seats: the credit, and what their own baskets have reserved of it. */
export async function spendable(
  db: Db,
  studentId: string,
  seats: readonly { holdBasketId: string | null }[],
): Promise<number> {
  const baskets = seats.flatMap(({ holdBasketId }) => holdBasketId ?? []);
  const found = await queryOne<{ cents: number }>(db)`
    select coalesce((select cents from credit where student_id = ${studentId}), 0)
      + (select coalesce(sum(credit_cents), 0)::int from basket where id = any (${baskets}::uuid[])) as cents`;
  return found?.cents ?? 0;
}

/** The balance, locked: the last lock of a transaction. */
async function lockCredit(db: Db, studentId: string): Promise<number> {
  await execute(db)`
    insert into credit (student_id, cents) values (${studentId}, 0) on conflict do nothing`;
  const row = await queryOne<{ cents: number }>(db)`
    select cents from credit where student_id = ${studentId} for update`;
  return row?.cents ?? 0;
}

/** Who leaves for good has it paid out first, or renounces it. */
export async function refuseCredit(db: Db, { id }: { id: string }): Promise<void> {
  if (await queryOne(db)`select from credit where student_id = ${id} and cents > 0`)
    fail('CREDIT_LEFT');
}

/** In the transaction that erases the account. Credit may have come meanwhile. */
export async function renounceCredit(
  db: Db,
  { id }: { id: string },
  renounces: boolean,
): Promise<AuditLine[]> {
  const cents = await lockCredit(db, id);
  if (cents === 0) return [];
  if (!renounces) fail('CREDIT_LEFT');
  await post(db, grant(id, -cents, { once: `renounced:${id}`, actorId: id, note: 'Renounced' }));
  return [{ action: 'credit renounced', subject: id }];
}

/** Newest payments first, to each card at most what it paid and has not got back. */
async function payOut(db: Db, studentId: string, cents: number): Promise<Posting[]> {
  const rows = await query<{ id: string; left: number; date: Date }>(db)`
    select id, amount_cents - back_cents as left, date from payment
    where student_id = ${studentId} and amount_cents > back_cents and dispute is distinct from 'open'
    order by id for update`;
  const postings: Posting[] = [];
  let left = cents;
  for (const payment of rows.toSorted((a, b) => b.date.getTime() - a.date.getTime())) {
    const amountCents = Math.min(left, payment.left);
    if (amountCents === 0) break;
    const owing = { paymentId: payment.id, lineId: null, amountCents, askedBy: studentId };
    const id = await oweRefund(db, { ...owing, reason: 'Credit paid out' });
    postings.push(payout({ id, studentId, paymentId: payment.id, amountCents }));
    left -= amountCents;
  }
  for (const { paymentId = '' } of postings) await followPayment(db, paymentId);
  if ((await lockCredit(db, studentId)) < cents) fail('TOO_LITTLE_CREDIT');
  await post(db, ...postings);
  return postings;
}

/**
 * Null: too late. By the clock at this moment, also after waiting for the row: what the sender has
 * leased since (refunds/rows.ts) is past its choice.
 */
const takeAsCredit = (db: Db, id: string) =>
  queryOne<RowOf<'refund', 'amountCents'>>(db)`
    update refund set state = 'credit', ended_at = now()
    where id = ${id} and state = 'due' and clock_timestamp() < choice_until returning amount_cents`;

const sendNow = (db: Db, id: string) =>
  queryOne<RowOf<'refund', 'amountCents'>>(db)`
    update refund set choice_until = now(), next_try = now()
    where id = ${id} and state = 'due' and clock_timestamp() < choice_until returning amount_cents`;
