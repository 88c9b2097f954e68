// A student's payments and receipts, and the admin's list of payments.
import type { Services } from '../../platform/services.ts';
import {
  exportPayments,
  getReceipt,
  listAllPayments,
  listPayments,
  type Payment,
  type ReceiptLine,
  type ReceiptRefund,
} from '../../../contract/checkout/payments.ts';
import { sumPayments } from '../../../contract/checkout/sums.ts';
import { addDays } from '../../../contract/platform/days.ts';
import { explain, type PriceRules, type Why } from '../../../contract/checkout/pricing.ts';
import { dollars, slice } from '../../../contract/platform/rules.ts';
import type { Parsed } from '../../../contract/platform/call.ts';
import { type Db, query, queryOne, sql } from '../../platform/db/connection.ts';
import { activeEnrolment } from '../../platform/db/states.ts';
import { all, type Condition, has, listing, wordsOf } from '../../platform/db/lists.ts';
import { startOf } from '../../platform/db/zone.ts';
import { clockIn, csv } from '../../platform/http/csv.ts';
import { fail } from '../../platform/http/fail.ts';
import type { Caller } from '../../platform/http/on.ts';
import { isGuardian } from '../../people/participants.ts';
import { paymentEntity, recorded } from '../spec.ts';
import { firstClass, type Recorded } from './rows.ts';

export function receiptRoutes({ on, db, config }: Services): void {
  on(listPayments, async (input, { who }) => {
    const { items, total } = await paid(db, input, sql`student_id = ${who.id}`);
    return { items: items.map(paymentEntity), total };
  });

  on(listAllPayments, (input) => paid(db, input, of(input)));

  on(sumPayments, async (input) => {
    const sums = await queryOne<{ count: number; paidCents: number; backCents: number }>(db)`
      select count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as paid_cents,
        coalesce(sum(back_cents), 0)::bigint as back_cents
      from payment where ${of(input)} and ${has('payment', wordsOf(input.search))}`;
    return sums ?? { count: 0, paidCents: 0, backCents: 0 };
  });

  on(exportPayments, async (input) => {
    const found = await listed(db)
      .where(of(input))
      .where(has('payment', wordsOf(input.search)))
      .orderBy('date', 'desc')
      .orderBy('id', 'desc')
      .limit(100_000)
      .execute();
    const words =
      'Date,Receipt,Course name,Customer,Email,Price,Status,Transaction,Refunded,Kept,Currency,Card,Credit';
    const clock = clockIn(config.timeZone);
    const lines = found.map(({ date, cents, cardCents, backCents, ...payment }) => [
      clock(date.toISOString()),
      payment.receiptNumber,
      payment.itemName,
      payment.customer,
      payment.email,
      inPlaces(cents),
      payment.status,
      payment.transactionId,
      inPlaces(backCents),
      inPlaces(cardCents - backCents),
      (config.currency ?? 'usd').toUpperCase(),
      inPlaces(cardCents),
      inPlaces(payment.creditCents),
    ]);
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
    return {
      ...present(row),
      brand: config.brand,
      refundedAt: row.refundedAt?.toISOString() ?? null,
      lines: await linesOf(db, id, who),
      refunds: await refundsOf(db, id),
    };
  });
}

export const presentRecorded = async (db: Db, payment: Recorded, who: Caller) =>
  recorded(payment, await linesOf(db, payment.id, who));

const inPlaces = (cents: number) => dollars(cents).toFixed(2);

type LineRow = Omit<ReceiptLine, 'why'> & {
  why: Why[];
  /** Of the day it was paid, with the names of the discounts. */
  rules: PriceRules;
};

async function linesOf(db: Db, paymentId: string, who: Caller): Promise<ReceiptLine[]> {
  const isAdmin = who.role === 'admin';
  const mayName = (id: ReturnType<typeof sql>) =>
    sql`(${isAdmin}::boolean or ${isGuardian(who.id, id)})`;
  const rows = await query<LineRow>(db)`
    select line.id as line_id, line.class_id, line.item_name as name, line.list_cents, line.worth_cents as cents, line.back_cents,
      line.worth_cents + line.moved_cents - line.back_cents as left_cents, ${asCredit} as credit_cents,
      line.why, basket.rules, teacher.name as instructor, class.schedule, class.place, enrolment.id as enrolment_id,
      case when line.outcome = 'refused' then 'refused' when ${activeEnrolment()} then 'enrolled' else 'ended' end as state,
      case when ${isAdmin}::boolean and ${activeEnrolment()} and asked_at is not null then ask end as objection, coalesce(ask_about, 'dates') as objection_about,
      case when line.participant_id <> line.student_id and ${mayName(sql`line.participant_id`)} then line.participant end as participant,
      (select name from participant p where p.id = enrolment.participant_id and p.id <> line.participant_id
        and ${mayName(sql`p.id`)}) as now_for
    from payment_line line join class on class.id = line.class_id join "user" teacher on teacher.id = class.instructor_id
      left join enrolment on enrolment.line_id = line.id
      join payment on payment.id = line.payment_id join basket on basket.id = payment.basket_id
    where line.payment_id = ${paymentId} order by line.place`;
  return rows.map(({ why, rules, ...line }) => Object.assign(line, { why: explain(why, rules) }));
}

/** What of a line became credit: at once, or a refund that was to go to the card. */
const asCredit = sql`(select coalesce(sum(cents), 0)::int from ledger
    where from_line = line.id and ledger.credit = 'credit' or key = 'refused:' || line.id || ':credit')
  + (select coalesce(sum(amount_cents), 0)::int from refund where line_id = line.id and refund.state = 'credit')`;

type Dated<T> = Omit<T, 'date'> & { date: Date };

async function refundsOf(db: Db, paymentId: string): Promise<ReceiptRefund[]> {
  const rows = await query<Dated<Omit<ReceiptRefund, 'choiceUntil'>> & { choice: Date | null }>(db)`
    select id as refund_id, line_id, amount_cents as cents, reason, state, coalesce(ended_at, created_at) as date,
      case when state = 'due' and choice_until > now() then choice_until end as choice
    from refund where payment_id = ${paymentId} order by created_at, id`;
  return rows.map(({ choice, ...row }) =>
    Object.assign(present(row), { choiceUntil: choice?.toISOString() ?? null }),
  );
}

const present = <T>({ date, ...row }: T & { date: Date }) =>
  Object.assign(row, { date: date.toISOString() });

const seatsOf = sql<number>`(select count(*)::int from payment_line where payment_id = payment.id)`;
const leftCents = sql<number>`(select sum(worth_cents + moved_cents - back_cents)::int from payment_line where payment_id = payment.id)`;
const listed = (from: Pick<Db, 'selectFrom'>) =>
  from.selectFrom('payment').select([
    'payment.id as paymentId',
    'payment.email',
    'payment.customer',
    sql<number>`amount_cents + credit_cents + swap_cents`.as('cents'),
    'payment.amountCents as cardCents',
    'payment.creditCents',
    'payment.backCents',
    leftCents.as('leftCents'),
    'payment.date',
    'payment.itemName',
    'payment.receiptNumber',
    sql<Payment['status']>`payment.status`.as('status'),
    // What no card has paid has no intent.
    sql<string>`coalesce(intent_id, 'credit_' || payment.id)`.as('transactionId'),
    firstClass.as('classId'),
    seatsOf.as('seats'),
  ]);

type Chosen = Pick<Parsed<typeof listAllPayments>, 'status' | 'from' | 'to'>;

const of = ({ status, from, to }: Chosen): Condition =>
  all([
    status !== undefined && sql`payment.status = ${status}`,
    from !== undefined && sql`payment.date >= ${startOf(from)}`,
    to !== undefined && sql`payment.date < ${startOf(addDays(to, 1))}`,
  ]);

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
