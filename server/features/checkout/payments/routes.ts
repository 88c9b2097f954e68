// POST /payments, the student's payments, receipts and enrolments, and the admin's list. Not for:
// deciding whether a payment buys its seat (settle.ts), sending refunds (refunds/send.ts).
import {
  type Enrolment,
  exportPayments,
  getReceipt,
  listAllPayments,
  listEnrolments,
  listPayments,
  type Payment,
  recordPayment,
} from '../../../../contract/payments.ts';
import { cents, dollars, slice } from '../../../../contract/rules.ts';
import { counted, type Parsed } from '../../../../contract/call.ts';
import type { Config } from '../../../config.ts';
import { type Database, sql, type Db, type RowOf } from '../../../db/connection.ts';
import { type Condition, has, listing, paged, tally, wordsOf } from '../../../db/lists.ts';
import { csv } from '../../../http/csv.ts';
import { fail } from '../../../http/fail.ts';
import type { Caller, On } from '../../../http/on.ts';
import { patiently, ProviderError } from '../../../outside/cards.ts';
import { audit } from '../../audit.ts';
import { type Hold, holdOfIntent } from '../seats/holds.ts';
import { approvedFact, approvedFacts } from '../../classes/reviewed.ts';
import { isGuardian } from '../../people/participants.ts';
import { mayObject } from '../objections.ts';
import { paymentColumns, type PaymentRow, type Recorded } from './rows.ts';
import type { Settle } from './settle.ts';

type Deps = { on: On; settle: Settle; config: Pick<Config, 'brand'> } & Pick<
  Database,
  'db' | 'prepare'
>;

export function paymentRoutes({ on, db, prepare, settle, config }: Deps): void {
  const ownPayments = {
    asc: prepare('own payments, oldest first', paymentsOf('asc')),
    desc: prepare('own payments', paymentsOf('desc')),
  };
  const enrolmentsOf = prepare('enrolments', (userId: string, limit: number, offset: number) =>
    enrolments(userId, sql`true`, { limit, offset }),
  );

  on(recordPayment, async (input, { who, status }) => {
    const { transactionId } = input;
    const hold = await holdOfIntent(db, transactionId);
    // Another student's payment is answered like one that does not exist. We do not call the
    // provider for either.
    if (hold?.studentId !== who.id) fail('PAYMENT_UNKNOWN');
    await crossCheck(db, who, hold, input);
    const known = hold.state === 'consumed' ? await recorded(db, transactionId) : null;
    if (known) {
      status(200);
      return { insertResult: { insertedId: known.id }, status: known.status };
    }
    const settled = await patiently(settle(transactionId)).catch((error: unknown) => {
      if (error instanceof ProviderError) fail('PROVIDER_DOWN', {}, 2);
      throw error;
    });
    if (settled.outcome !== 'recorded') {
      const intent = settled.outcome === 'unpaid' ? settled.intent : null;
      // Only a cancelled payment can no longer be charged.
      if (intent?.status === 'canceled' && (await isDenied(db, hold.classId))) fail('CLASS_CLOSED');
      const said = intent?.said;
      fail('PAYMENT_NOT_COMPLETED', said ? { status: said } : {});
    }
    const { payment, fresh } = settled;
    if (!fresh || payment.status === 'refund_due') status(200);
    return { insertResult: { insertedId: payment.id }, status: payment.status };
  });

  on(listPayments, async (input, { who }) => {
    if (wordsOf(input.search).length > 0) {
      const own = sql<boolean>`student_id = ${who.id}`;
      return paid(db, input, own);
    }
    const { limit, offset } = slice(input);
    const order = input.sort === 'asc' ? 'asc' : 'desc';
    return withTotal(await ownPayments[order](who.id, limit, offset), present);
  });

  on(listAllPayments, (input) => paid(db, input, of(input), tally('payment', input.status)));

  on(exportPayments, async (input) => {
    const all = await db
      .selectFrom('payment')
      .select(paymentColumns)
      .where(of(input))
      .where(has('payment', wordsOf(input.search)))
      .orderBy('date', 'desc')
      .orderBy('id', 'desc')
      .limit(100_000)
      .execute();
    const head = [
      'Date',
      'Receipt',
      'Course name',
      'Customer',
      'Email',
      'Price',
      'Status',
      'Transaction',
    ];
    const lines = all
      .map((row) => present(row as PaymentRow))
      .map((row) => [
        row.date,
        row.receiptNumber,
        row.itemName,
        row.customer,
        row.email,
        row.price.toFixed(2),
        row.status,
        row.transactionId,
      ]);
    return csv([head, ...lines]);
  });

  on(getReceipt, async ({ id }, { who }) => {
    const mine = who.role === 'admin' ? sql`true` : sql`payment.student_id = ${who.id}`;
    const { rows } = await sql<
      PaymentRow &
        RowOf<'class', 'instructor' | 'schedule' | 'place'> &
        RowOf<'payment', 'refundedAt'> & { participant: string | null }
    >`
      select ${sql.join(paymentColumns.map((column) => sql.ref(column)))}, class.instructor,
        ${approvedFacts('schedule', 'place')}, payment.refunded_at,
        case when participant.id <> payment.student_id and (${who.role === 'admin'}::boolean
          or ${isGuardian(who.id, sql`participant.id`)}) then participant.name end as participant
      from payment join class on class.id = payment.class_id join hold on hold.id = payment.hold_id
        join participant on participant.id = hold.participant_id
      where payment.id = ${id} and ${mine}`.execute(db);
    const [row] = rows;
    if (!row) fail('NOT_FOUND');
    const refundedAt = row.refundedAt?.toISOString() ?? null;
    const { instructor, schedule, place, participant } = row;
    return {
      ...present(row),
      brand: config.brand,
      instructor,
      schedule,
      place,
      refundedAt,
      ...(participant !== null && { participant }),
    };
  });

  on(listEnrolments, async (input, { who }) => {
    const { limit, offset } = slice(input);
    const words = mentions(input.search);
    const rows = words
      ? (await enrolments(who.id, words, { limit, offset }).execute(db)).rows
      : await enrolmentsOf(who.id, limit, offset);
    return withTotal(rows, (row) => presentEnrolment(row, who.email));
  });
}

/**
 * The server rebuilds everything but the id. If a field disagrees with our record, the client is
 * broken or malicious: refuse.
 */
async function crossCheck(
  db: Db,
  who: Caller,
  hold: Hold,
  input: Parsed<typeof recordPayment>,
): Promise<void> {
  const { email, itemId: bought, price } = input;
  const wrong = [
    email !== undefined && email !== who.email && 'email',
    bought !== undefined && bought !== hold.classId && bought !== hold.cartItemId && 'itemId',
    price !== undefined && cents(price) !== hold.amountCents && 'price',
  ].find((field) => field !== false);
  if (!wrong) return;
  await audit(db, { actorId: who.id, action: 'payment mismatch', subject: hold.id, detail: wrong });
  fail('PAYMENT_MISMATCH', { field: wrong });
}

async function isDenied(db: Db, classId: string): Promise<boolean> {
  const { rows } = await sql`select from class where id = ${classId} and status = 'denied'`.execute(
    db,
  );
  return rows.length > 0;
}

async function recorded(db: Db, intentId: string) {
  const { rows } = await sql<Recorded>`
    select id, status from payment where intent_id = ${intentId}`.execute(db);
  return rows[0] ?? null;
}

const present = (row: PaymentRow): Payment => ({
  _id: row.id,
  email: row.email,
  customer: row.customer,
  itemId: row.classId,
  transactionId: row.intentId,
  price: dollars(row.amountCents),
  date: row.date.toISOString(),
  status: row.status,
  itemName: row.itemName,
  receiptNumber: row.receiptNumber,
});

const of = ({ status }: Pick<Parsed<typeof listAllPayments>, 'status'>): Condition =>
  status ? sql`status = ${status}` : sql`true`;

/** A page and the total in one statement. Without rows on the page one row has the total only. */
type Counted<Row> = Row & { total: number };

const withTotal = <Row extends { id: string | null }, Item>(
  rows: Counted<Row>[],
  presented: (row: Row) => Item,
) => ({
  items: rows.filter(({ id }) => id !== null).map(presented),
  total: rows[0]?.total ?? 0,
});

const paymentsOf = (order: 'asc' | 'desc') => (studentId: string, limit: number, offset: number) =>
  sql<Counted<PaymentRow>>`
      select found.total, page.* from (
        select count(*)::int as total from (select from payment where student_id = ${studentId} limit ${counted + 1}) counted) found
      left join (
        select ${sql.join(paymentColumns.map((column) => sql.ref(column)))} from payment where student_id = ${studentId}
        order by date ${sql.raw(order)}, id ${sql.raw(order)} limit ${limit} offset ${offset}) page on true
      order by page.date ${sql.raw(order)}, page.id ${sql.raw(order)}`;

type Asked = Pick<Parsed<typeof listAllPayments>, 'page' | 'limit' | 'search' | 'sort'>;

/**
 * Sorted by (date, id), so payments with equal dates keep their order across pages. `all` is the
 * total without a search, where it is kept.
 */
async function paid(db: Db, input: Asked, chosen: Condition, all?: ReturnType<typeof tally>) {
  const order = input.sort === 'asc' ? 'date, id' : 'date desc, id desc';
  const { rows, total } = await listing(
    db,
    {
      table: 'payment',
      search: input.search,
      where: (words) => sql<boolean>`(${chosen} and ${words})`,
      page: paged(order, slice(input)),
      offset: slice(input).offset,
      all,
    },
    (page) => page.selectFrom('payment').select(paymentColumns).orderBy(sql.raw(order)),
  );
  return { items: rows.map((row) => present(row as PaymentRow)), total };
}

/**
 * Like class.words, from the approved facts. A student has few enrolments, so no index is needed.
 */
function mentions(search: string | undefined): Condition | null {
  const words = wordsOf(search);
  if (words.length === 0) return null;
  const facts = sql.join(
    [
      approvedFact('name'),
      sql`class.instructor`,
      approvedFact('sport'),
      approvedFact('place'),
      sql`(select name from participant where id = enrolment.participant_id and self_of is null)`,
    ],
    sql`, `,
  );
  return sql`to_tsvector('simple', concat_ws(' ', ${facts})) @@ to_tsquery('simple', ${words.join(' & ')})`;
}

/**
 * Of the participants in the account's care, also when another guardian paid. They are read first, as
 * an array: then the index of enrolments is used, whatever the planner estimates.
 */
function enrolments(
  userId: string,
  matching: Condition,
  { limit, offset }: ReturnType<typeof slice>,
) {
  const from = sql`
    from enrolment join class on class.id = enrolment.class_id join payment on payment.id = enrolment.payment_id
    where enrolment.participant_id = any (array(select participant_id from guardian where user_id = ${userId}))
      and enrolment.state = 'active' and ${matching}`;
  return sql<Counted<EnrolmentRow>>`
    select found.total, page.*, ${nextOf(userId)} as next from (select count(*)::int as total ${from}) found
    left join (
      select enrolment.id, enrolment.class_id, enrolment.payment_id, enrolment.created_at, enrolment.participant_id,
        (select name from participant where id = enrolment.participant_id and id <> ${userId}) as participant,
        ${approvedFacts('name', 'img', 'schedule', 'place')}, payment.student_id = ${userId} as paid,
        payment.email, payment.amount_cents, ${mayObject} as may_object, enrolment.objected_at
      ${from} order by enrolment.created_at desc, enrolment.id limit ${limit} offset ${offset}) page on true
    order by page.created_at desc, page.id`;
}

/** The next meeting of the class of `page`. An account without children gets what it got before. */
const nextOf = (userId: string) => sql`(
  select jsonb_strip_nulls(jsonb_build_object('day', meeting.day, 'starts', to_char(meeting.starts, 'HH24:MI'),
    'minutes', meeting.minutes, 'place', place.name))
  from meeting left join place on place.id = meeting.place_id
  where meeting.class_id = page.class_id and meeting.state = 'on' and upper(meeting.during) > now()
    and exists (select from guardian where user_id = ${userId} and participant_id <> ${userId})
  order by lower(meeting.during), meeting.id limit 1)`;

type EnrolmentRow = RowOf<
  'enrolment',
  'id' | 'classId' | 'participantId' | 'paymentId' | 'createdAt' | 'objectedAt'
> &
  RowOf<'class', 'name' | 'img' | 'schedule' | 'place'> &
  RowOf<'payment', 'email' | 'amountCents'> & {
    /** By the account that asks. */
    paid: boolean;
    /** Null: it is oneself. */
    participant: string | null;
    next: Enrolment['next'] | null;
    mayObject: boolean;
  };

const presentEnrolment = (row: EnrolmentRow, email: string): Enrolment => ({
  _id: row.id,
  itemId: row.classId,
  paymentId: row.paid ? row.paymentId : '',
  name: row.name,
  email: row.paid ? row.email : email,
  price: row.paid ? dollars(row.amountCents) : null,
  date: row.createdAt.toISOString(),
  img: row.img,
  schedule: row.schedule,
  place: row.place,
  ...(row.participant !== null && {
    participantId: row.participantId,
    participant: row.participant,
  }),
  ...(row.next && { next: row.next }),
  ...(row.mayObject && { mayObject: true as const }),
  ...(row.objectedAt && { objected: true as const }),
});
