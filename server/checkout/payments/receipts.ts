// A student's payments and receipts, and the admin's list of payments. A payment of one seat
// without discounts and partial refunds looks as it did before there were lines.
import type { Services } from '../../platform/services.ts';
import {
  exportPayments,
  getReceipt,
  listAllPayments,
  listPayments,
  type Payment,
  type ReceiptLine,
  type ReceiptRefund,
  type recordPayment,
} from '../../../contract/checkout/payments.ts';
import { sumPayments } from '../../../contract/checkout/sums.ts';
import { addDays } from '../../../contract/platform/days.ts';
import { explain, type PriceRules, type Why } from '../../../contract/checkout/pricing.ts';
import { dollars, slice } from '../../../contract/platform/rules.ts';
import type { Answer, Parsed } from '../../../contract/platform/call.ts';
import { type Db, type RowOf, query, queryOne, sql } from '../../platform/db/connection.ts';
import { activeEnrolment } from '../../platform/db/states.ts';
import { type Condition, has, listing, wordsOf } from '../../platform/db/lists.ts';
import { startOf } from '../../platform/db/zone.ts';
import { clockIn, csv } from '../../platform/http/csv.ts';
import { fail } from '../../platform/http/fail.ts';
import type { Caller } from '../../platform/http/on.ts';
import { isGuardian } from '../../people/participants.ts';
import { firstClass, paymentColumns, type Recorded } from './rows.ts';

export function receiptRoutes({ on, db, config }: Services): void {
  on(listPayments, (input, { who }) => paid(db, input, sql`student_id = ${who.id}`));

  on(listAllPayments, (input) => paid(db, input, of(input)));

  on(sumPayments, async (input) => {
    const sums = await queryOne<{ count: number; paidCents: number; backCents: number }>(db)`
      select count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as paid_cents,
        coalesce(sum(back_cents), 0)::bigint as back_cents
      from payment where ${of(input)} and ${has('payment', wordsOf(input.search))}`;
    return sums ?? { count: 0, paidCents: 0, backCents: 0 };
  });

  on(exportPayments, async (input) => {
    const all = await listed(db)
      .where(of(input))
      .where(has('payment', wordsOf(input.search)))
      .orderBy('date', 'desc')
      .orderBy('id', 'desc')
      .limit(100_000)
      .execute();
    const words =
      'Date,Receipt,Course name,Customer,Email,Price,Status,Transaction,Refunded,Kept,Currency';
    const clock = clockIn(config.timeZone);
    const lines = all.map((row) => {
      const { backCents, amountCents } = row;
      const payment = present(row);
      return [
        clock(payment.date),
        payment.receiptNumber,
        payment.itemName,
        payment.customer,
        payment.email,
        payment.price.toFixed(2),
        payment.status,
        payment.transactionId,
        dollars(backCents).toFixed(2),
        dollars(amountCents - backCents).toFixed(2),
        (config.currency ?? 'usd').toUpperCase(),
      ];
    });
    return csv([words.split(','), ...lines]);
  });

  on(getReceipt, async ({ id }, { who }) => {
    const mine = sql<boolean>`(${who.role === 'admin'} or payment.student_id = ${who.id})`;
    const row = await listed(db)
      .select('refundedAt')
      .where('id', '=', id)
      .where(mine)
      .executeTakeFirst();
    if (!row) fail('NOT_FOUND');
    const lines = await linesOf(db, id, who);
    const [first] = lines;
    if (!first) throw new Error('a payment has no line');
    const { instructor, schedule, place, participant, nowFor } = first;
    const payment = present(row);
    // A full refund says enough by its status.
    const ended = first.state === 'ended' && payment.status !== 'refunded';
    const several = lines.length > 1 || first.discounts !== undefined || ended;
    const inParts = several || payment.refunded !== undefined;
    return {
      ...payment,
      brand: config.brand,
      instructor,
      schedule,
      place,
      refundedAt: row.refundedAt?.toISOString() ?? null,
      ...(participant !== undefined && lines.length === 1 && { participant }),
      ...(nowFor !== undefined && lines.length === 1 && { nowFor }),
      ...((several || who.role === 'admin') && { lines }),
      ...((inParts || who.role === 'admin') && { refunds: await refundsOf(db, id) }),
    };
  });
}

/** The answer to a recorded payment. It has lines when there are several. */
export async function presentRecorded(
  db: Db,
  { id, status }: Recorded,
  who: Caller,
): Promise<Answer<typeof recordPayment>> {
  const lines = await linesOf(db, id, who);
  const several = lines.length > 1 && { lines: lines.map(recordedLine) };
  return { insertResult: { insertedId: id }, status, ...several };
}

const recordedLine = ({ itemId, participant, state }: ReceiptLine) => ({
  itemId,
  ...(participant !== undefined && { participant }),
  outcome: state === 'refused' ? ('refused' as const) : ('enrolled' as const),
});

type LineRow = RowOf<
  'paymentLine',
  'id' | 'classId' | 'itemName' | 'listCents' | 'worthCents' | 'backCents' | 'outcome'
> &
  RowOf<'class', 'schedule' | 'place'> & {
    instructor: string;
    why: Why[];
    /** Of the day it was paid, with the names of the discounts. */
    rules: PriceRules;
    /** Null: it is the payer, or a child whom the caller does not look after. */
    participant: string | null;
    /** Null: still the one it was sold for. */
    nowFor: string | null;
    enrolmentId: string | null;
    active: boolean | null;
    objection: string | null;
  };

async function linesOf(db: Db, paymentId: string, who: Caller): Promise<ReceiptLine[]> {
  const rows = await query<LineRow>(db)`
    select line.id, line.class_id, line.item_name, line.list_cents, line.worth_cents, line.back_cents, line.outcome, line.why, basket.rules,
      teacher.name as instructor, class.schedule, class.place, enrolment.id as enrolment_id, ${activeEnrolment()} as active,
      case when ${who.role === 'admin'}::boolean and ${activeEnrolment()} and objected_at is not null then objection end as objection,
      case when line.participant_id <> line.student_id and (${who.role === 'admin'}::boolean
        or ${isGuardian(who.id, sql`line.participant_id`)}) then line.participant end as participant,
      (select name from participant p where p.id = enrolment.participant_id and p.id <> line.participant_id
        and (${who.role === 'admin'}::boolean or ${isGuardian(who.id, sql`p.id`)})) as now_for
    from payment_line line join class on class.id = line.class_id join "user" teacher on teacher.id = class.instructor_id
      left join enrolment on enrolment.line_id = line.id
      join payment on payment.id = line.payment_id join basket on basket.id = payment.basket_id
    where line.payment_id = ${paymentId} order by line.place`;
  return rows.map(presentLine);
}

const presentLine = (row: LineRow): ReceiptLine => ({
  _id: row.id,
  ...(row.enrolmentId !== null && { enrolmentId: row.enrolmentId }),
  itemId: row.classId,
  name: row.itemName,
  ...(row.participant !== null && { participant: row.participant }),
  ...(row.nowFor !== null && { nowFor: row.nowFor }),
  instructor: row.instructor,
  schedule: row.schedule,
  place: row.place,
  price: dollars(row.listCents),
  ...(row.why.length > 0 && {
    discounts: explain(row.why, row.rules).map(({ text, cents }) => ({
      text,
      amount: dollars(cents),
    })),
  }),
  amount: dollars(row.worthCents),
  ...(row.backCents > 0 && { refunded: dollars(row.backCents) }),
  ...(row.objection !== null && { objection: row.objection }),
  state: row.outcome === 'refused' ? 'refused' : row.active ? 'enrolled' : 'ended',
});

type RefundRow = RowOf<'refund', 'id' | 'lineId' | 'amountCents' | 'reason'> &
  Pick<ReceiptRefund, 'state'> & { date: Date };

async function refundsOf(db: Db, paymentId: string): Promise<ReceiptRefund[]> {
  const rows = await query<RefundRow>(db)`
    select id, line_id, amount_cents, reason, state, coalesce(ended_at, created_at) as date
    from refund where payment_id = ${paymentId} order by created_at, id`;
  return rows.map(({ id, lineId, amountCents, reason, state, date }) => ({
    _id: id,
    lineId,
    amount: dollars(amountCents),
    state,
    reason,
    date: date.toISOString(),
  }));
}

const lineCount = sql<number>`(select count(*)::int from payment_line where payment_line.payment_id = payment.id)`;
/** What a list shows of a payment that is not in its own row. */
const further = [firstClass.as('classId'), lineCount.as('lines'), 'payment.backCents'] as const;
const listed = (from: Pick<Db, 'selectFrom'>) =>
  from.selectFrom('payment').select(paymentColumns).select(further);

type Listed = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number];

const present = (row: Listed): Payment => ({
  _id: row.id,
  email: row.email,
  customer: row.customer,
  itemId: row.classId,
  // A payment of nothing has no intent.
  transactionId: row.intentId ?? `credit_${row.id}`,
  price: dollars(row.amountCents),
  date: row.date.toISOString(),
  status: row.status as Payment['status'],
  itemName: row.itemName,
  receiptNumber: row.receiptNumber,
  ...(row.lines > 1 && { seats: row.lines }),
  ...(row.backCents > 0 && row.backCents < row.amountCents && { refunded: dollars(row.backCents) }),
});

type Chosen = Pick<Parsed<typeof listAllPayments>, 'status' | 'from' | 'to'>;

const of = ({ status, from, to }: Chosen): Condition => {
  const all = [
    status !== undefined && sql`payment.status = ${status}`,
    from !== undefined && sql`payment.date >= ${startOf(from)}`,
    to !== undefined && sql`payment.date < ${startOf(addDays(to, 1))}`,
  ].filter((part) => part !== false);
  return all.length === 0 ? sql`true` : sql`(${sql.join(all, sql` and `)})`;
};

type Asked = Pick<Parsed<typeof listAllPayments>, 'page' | 'limit' | 'search' | 'sort'>;

/** Sorted by (date, id), so payments with equal dates keep their order across pages. */
async function paid(db: Db, input: Asked, chosen: Condition) {
  const order = input.sort === 'asc' ? ['date', 'id'] : ['date desc', 'id desc'];
  const { rows, total } = await listing(
    db,
    {
      table: 'payment',
      search: input.search,
      where: (words) => sql<boolean>`(${chosen} and ${words})`,
      order,
      ...slice(input),
    },
    (page) => listed(page).orderBy(sql.raw(order.join(', '))),
  );
  return { items: rows.map(present), total };
}
