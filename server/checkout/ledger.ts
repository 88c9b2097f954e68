// The ledger: every movement of money as one row with a debit, a credit and one amount, so that a
// row cannot be out of balance. Rows are only added. Each has a key that says what happened; the
// database refuses a second row with the same key.
import { type Db, sql } from '../platform/db/connection.ts';

/**
 * `card`: money at the provider. `owed`: refunds that were not sent yet. `sales`: what lines earned.
 */
type Account = 'card' | 'owed' | 'sales';

export interface Posting {
  key: string;
  debit: Account;
  credit: Account;
  cents: number;
  studentId: string;
  paymentId: string;
  refundId?: string;
  /** The line whose sales the money leaves, or reaches. */
  fromLine?: string;
  toLine?: string;
  actorId?: string | null;
}

/** A line of a payment, as far as the ledger needs it. */
export interface PostedLine {
  id: string;
  paymentId: string;
  studentId: string;
}

/** A refund of a line, as far as the ledger needs it. */
export interface PostedRefund {
  id: string;
  paymentId: string;
  studentId: string;
  round: number;
  amountCents: number;
}

const about = ({ studentId, paymentId }: Pick<PostedLine, 'studentId' | 'paymentId'>) => ({
  studentId,
  paymentId,
});

/** Settle: the line has its seat. */
export const sale = (line: PostedLine, cents: number): Posting => ({
  ...about(line),
  key: `sale:${line.id}:card`,
  debit: 'card',
  credit: 'sales',
  cents,
  toLine: line.id,
});

/** Settle: the line has no seat, and its money is owed back. */
export const refused = (line: PostedLine, refundId: string, cents: number): Posting => ({
  ...about(line),
  key: `refused:${line.id}:card`,
  debit: 'card',
  credit: 'owed',
  cents,
  refundId,
});

/** A refund of a sold line is due. */
export const owed = (
  line: PostedLine,
  refundId: string,
  cents: number,
  actorId: string | null = null,
): Posting => ({
  ...about(line),
  key: `owed:${refundId}`,
  debit: 'sales',
  credit: 'owed',
  cents,
  refundId,
  fromLine: line.id,
  actorId,
});

/** The provider has refunded. */
export const sent = (refund: PostedRefund): Posting => ({
  ...about(refund),
  key: `sent:${refund.id}:${refund.round}`,
  debit: 'owed',
  credit: 'card',
  cents: refund.amountCents,
  refundId: refund.id,
});

/** The bank has returned a refund that had succeeded: it is owed again. */
export const returned = (refund: PostedRefund): Posting => ({
  ...about(refund),
  key: `returned:${refund.id}:${refund.round}`,
  debit: 'card',
  credit: 'owed',
  cents: refund.amountCents,
  refundId: refund.id,
});

/** A dispute is lost: the provider has taken what the line still had. */
export const lost = (line: PostedLine, cents: number): Posting => ({
  ...about(line),
  key: `lost:${line.id}`,
  debit: 'sales',
  credit: 'card',
  cents,
  fromLine: line.id,
});

/**
 * Writes them in one statement. Nothing is written for 0 cents. A repeated key fails, and with it
 * the transaction: what the repeat would have changed is undone too.
 */
export async function post(db: Db, ...postings: Posting[]): Promise<void> {
  const rows = postings.filter(({ cents }) => cents > 0);
  if (rows.length === 0) return;
  const values = rows.map(
    ({ key, debit, credit, cents, studentId, paymentId, refundId, fromLine, toLine, actorId }) =>
      sql`(${key}, ${debit}, ${credit}, ${cents}, ${studentId}, ${paymentId}, ${refundId ?? null}::uuid,
        ${fromLine ?? null}::uuid, ${toLine ?? null}::uuid, ${actorId ?? null}::uuid)`,
  );
  await sql`
    insert into ledger (key, debit, credit, cents, student_id, payment_id, refund_id, from_line, to_line, actor_id)
    values ${sql.join(values)}`.execute(db);
}

/**
 * Splits an amount by weight, so that the parts add up to the cent: the largest remainders get the
 * cents that are left; among equals the first ones.
 */
export function spread(cents: number, weights: number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  if (all === 0) return weights.map((_, index) => (index === 0 ? cents : 0));
  const exact = weights.map((weight) => BigInt(cents) * BigInt(weight));
  const parts = exact.map((part) => Number(part / BigInt(all)));
  const left = cents - parts.reduce((sum, part) => sum + part, 0);
  const remainders = exact
    .map((part, index) => ({ index, rest: Number(part % BigInt(all)) }))
    .toSorted((a, b) => b.rest - a.rest || a.index - b.index);
  for (const { index } of remainders.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}
