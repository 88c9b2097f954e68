// The ledger: every movement of money as one row with a debit, a credit and one amount, so that a
// row cannot be out of balance. Rows are only added. Each has a key that says what happened; the
// database refuses a second row with the same key.
import type { Db } from '../platform/db/connection.ts';

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

const moves = {
  /** Settle: the line has its seat. */
  sale: ['card', 'sales'],
  /** Settle: the line has no seat, and its money is owed back. */
  refused: ['card', 'owed'],
  /** A refund of a sold line is due. */
  owed: ['sales', 'owed'],
  /** The provider has refunded. */
  sent: ['owed', 'card'],
  /** The bank has returned a refund that had succeeded: it is owed again. */
  returned: ['card', 'owed'],
  /** A dispute is lost: the provider has taken what the line still had. */
  lost: ['sales', 'card'],
} as const;

export type PostedLine = Pick<Posting, 'studentId' | 'paymentId'> & { id: string };
type Back = PostedLine & { round: number; amountCents: number };
type Further = Partial<Pick<Posting, 'refundId' | 'fromLine' | 'toLine' | 'actorId'>>;

function posting(
  what: keyof typeof moves,
  { studentId, paymentId }: PostedLine,
  nth: string,
  cents: number,
  further: Further,
): Posting {
  const [debit, credit] = moves[what];
  return { studentId, paymentId, key: `${what}:${nth}`, debit, credit, cents, ...further };
}

export const sale = (line: PostedLine, cents: number) =>
  posting('sale', line, `${line.id}:card`, cents, { toLine: line.id });
export const refused = (line: PostedLine, refundId: string, cents: number) =>
  posting('refused', line, `${line.id}:card`, cents, { refundId });
export const owed = (
  line: PostedLine,
  refundId: string,
  cents: number,
  actorId: string | null = null,
) => posting('owed', line, refundId, cents, { refundId, fromLine: line.id, actorId });
export const lost = (line: PostedLine, cents: number) =>
  posting('lost', line, line.id, cents, { fromLine: line.id });

const ofRefund = (what: 'sent' | 'returned') => (refund: Back) =>
  posting(what, refund, `${refund.id}:${refund.round}`, refund.amountCents, {
    refundId: refund.id,
  });
export const sent = ofRefund('sent');
export const returned = ofRefund('returned');

/**
 * Writes them in one statement. Nothing is written for 0 cents. A repeated key fails, and with it
 * the transaction: what the repeat would have changed is undone too.
 */
export async function post(db: Db, ...postings: Posting[]): Promise<void> {
  const rows = postings.filter(({ cents }) => cents > 0);
  if (rows.length > 0) await db.insertInto('ledger').values(rows).execute();
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
