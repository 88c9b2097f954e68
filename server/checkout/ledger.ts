// The ledger: every movement of money as one row with a debit, a credit and one amount, so that a
// row cannot be out of balance. Rows are only added. Each has a key that says what happened; the
// database refuses a second row with the same key.
import { type Db, queryOne, sql } from '../platform/db/connection.ts';
import { fail } from '../platform/http/fail.ts';

/**
 * `card`: money at the provider. `owed`: refunds that were not sent yet. `sales`: what lines earned.
 * `credit`: what families have to spend. `reserved`: of it, in baskets. `grants`: what the office gave.
 */
type Account = 'card' | 'owed' | 'sales' | 'credit' | 'reserved' | 'grants';

export interface Posting {
  key: string;
  debit: Account;
  credit: Account;
  cents: number;
  studentId: string;
  paymentId?: string;
  basketId?: string;
  refundId?: string;
  /** The line whose sales the money leaves, or reaches. */
  fromLine?: string;
  toLine?: string;
  actorId?: string | null;
  note?: string;
}

const moves = {
  /** Settle: the line has its seat. */
  sale: ['card', 'sales'],
  /** Settle: the line has no seat, and its money is owed back. */
  refused: ['card', 'owed'],
  /** A refund of a sold line is due. */
  owed: ['sales', 'owed'],
  /** What a line earned becomes credit of who paid. */
  back: ['sales', 'credit'],
  /** A seat ends, and the discount of another seat of the payment with it. */
  raise: ['sales', 'sales'],
  /** So does the part of a cancelled date. */
  meeting: ['sales', 'credit'],
  /** A seat is changed for another one, and helps to pay it. */
  swap: ['sales', 'sales'],
  /** The provider has refunded. */
  sent: ['owed', 'card'],
  /** The bank has returned a refund that had succeeded: it is owed again. */
  returned: ['card', 'owed'],
  /** A dispute is lost: the provider has taken what the line still had. */
  lost: ['sales', 'card'],
  /** A basket is made, closed without a payment, paid, or paid for a line without a seat. */
  reserve: ['credit', 'reserved'],
  unreserve: ['reserved', 'credit'],
  spent: ['reserved', 'sales'],
  unspent: ['reserved', 'credit'],
  /** A refund that was to go to the card is taken as credit. */
  choose: ['owed', 'credit'],
  /** Credit goes to a card. */
  payout: ['credit', 'owed'],
  /** The office gives credit, or takes it; who leaves for good renounces it. */
  give: ['grants', 'credit'],
  take: ['credit', 'grants'],
} as const;

export type PostedLine = Pick<Posting, 'studentId'> & { id: string; paymentId: string };
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
/** `nth` tells the postings of one line apart. */
export const back = (line: PostedLine, nth: string, cents: number, actorId: string | null = null) =>
  posting('back', line, `${line.id}:${nth}`, cents, { fromLine: line.id, actorId });
export const ofMeeting = (line: PostedLine, meetingId: string, cents: number) =>
  posting('meeting', line, `${meetingId}:${line.id}`, cents, { fromLine: line.id });
export const lost = (line: PostedLine, cents: number) =>
  posting('lost', line, line.id, cents, { fromLine: line.id });

export const swapped = (line: PostedLine, newLine: string, cents: number) =>
  posting('swap', line, line.id, cents, { fromLine: line.id, toLine: newLine });
/** Below 0 the other seat gives back what was taken for it before. */
export const raised = (line: PostedLine, other: string, enrolmentId: string, cents: number) =>
  posting('raise', line, `${other}:${enrolmentId}`, Math.abs(cents), {
    fromLine: cents > 0 ? line.id : other,
    toLine: cents > 0 ? other : line.id,
  });

const ofRefund = (what: 'sent' | 'returned') => (refund: Back) =>
  posting(what, refund, `${refund.id}:${refund.round}`, refund.amountCents, {
    refundId: refund.id,
  });
export const sent = ofRefund('sent');
export const returned = ofRefund('returned');

type Reserving = Pick<Posting, 'studentId'> & { id: string; creditCents: number };
const ofBasket = (what: 'reserve' | 'unreserve') => (basket: Reserving) => {
  const { id: basketId, studentId, creditCents: cents } = basket;
  const [debit, credit] = moves[what];
  return { key: `${what}:${basketId}`, debit, credit, cents, studentId, basketId };
};
export const reserve = ofBasket('reserve');
export const unreserve = ofBasket('unreserve');
type Spent = PostedLine & { basketId: string };
export const spent = ({ basketId, ...line }: Spent, cents: number): Posting => ({
  ...posting('spent', line, '', cents, { toLine: line.id }),
  key: `sale:${line.id}:credit`,
  basketId,
});
export const unspent = ({ basketId, ...line }: Spent, cents: number): Posting => ({
  ...posting('unspent', line, '', cents, {}),
  key: `refused:${line.id}:credit`,
  basketId,
});

type Owed = Pick<Back, 'id' | 'studentId' | 'paymentId' | 'amountCents'>;
const creditOf = (what: 'choose' | 'payout') => (refund: Owed) =>
  posting(what, refund, refund.id, refund.amountCents, { refundId: refund.id });
export const choose = creditOf('choose');
export const payout = creditOf('payout');

/** More than 0: given. `once` is the key of who gives: asked again, it is refused. */
export function grant(
  studentId: string,
  cents: number,
  further: { once: string } & Required<Pick<Posting, 'actorId' | 'note'>>,
): Posting {
  const { once, ...by } = further;
  const [debit, credit] = moves[cents > 0 ? 'give' : 'take'];
  return { key: `grant:${once}`, debit, credit, cents: Math.abs(cents), studentId, ...by };
}

/**
 * Writes them in one statement. Nothing is written for 0 cents. A repeated key fails, and with it
 * the transaction: what the repeat would have changed is undone too.
 */
export async function post(db: Db, ...postings: Posting[]): Promise<void> {
  const rows = postings.filter(({ cents }) => cents > 0);
  const plain = rows.filter((row) => !isCredit(row));
  if (plain.length > 0) await db.insertInto('ledger').values(plain).execute();
  for (const row of rows.filter(isCredit)) await postCredit(db, row);
}

const isCredit = ({ debit, credit }: Posting) => debit === 'credit' || credit === 'credit';

/**
 * The balance and its row in one statement: the update waits for the row and reads it again, so two
 * tabs never spend the same cent. A CHECK of `credit` is the last guard.
 */
async function postCredit(db: Db, row: Posting): Promise<void> {
  const { key, debit, credit, cents, studentId, ...ids } = row;
  const moved =
    credit === 'credit'
      ? sql`insert into credit (student_id, cents) values (${studentId}, ${cents})
          on conflict (student_id) do update set cents = credit.cents + excluded.cents returning cents`
      : sql`update credit set cents = cents - ${cents}
          where student_id = ${studentId} and cents >= ${cents} returning cents`;
  const written = await queryOne(db)`
    with moved as (${moved})
    insert into ledger (key, debit, credit, cents, student_id, payment_id, basket_id, refund_id, from_line, to_line,
      actor_id, note, credit_after)
    select ${key}, ${debit}, ${credit}, ${cents}, ${studentId}, ${ids.paymentId ?? null}, ${ids.basketId ?? null},
      ${ids.refundId ?? null}, ${ids.fromLine ?? null}, ${ids.toLine ?? null}, ${ids.actorId ?? null}, ${ids.note ?? ''},
      moved.cents from moved returning id`;
  if (!written) fail('TOO_LITTLE_CREDIT');
}
