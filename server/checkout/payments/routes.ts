// POST /payments and the enrolments.
import type { Services } from '../../platform/services.ts';
import {
  type Enrolment,
  listEnrolments,
  recordPayment,
} from '../../../contract/checkout/payments.ts';
import { cents, slice } from '../../../contract/platform/rules.ts';
import type { Parsed } from '../../../contract/platform/call.ts';
import { type Db, query, queryOne, sql } from '../../platform/db/connection.ts';
import { activeEnrolment, closedClass } from '../../platform/db/states.ts';
import { wordsOf } from '../../platform/db/lists.ts';
import { fail } from '../../platform/http/fail.ts';
import type { Caller } from '../../platform/http/on.ts';
import { auditOnceADay } from '../../people/audit.ts';
import { type Basket, readBasket } from './basket.ts';
import { inTime } from './intent.ts';
import { mayObject } from '../objections.ts';
import { hasBegun } from '../who.ts';
import { linesOf } from './metadata.ts';
import { presentRecorded } from './receipts.ts';
import { paymentOf } from './rows.ts';
import type { Settle, Settled } from './settle.ts';

export function paymentRoutes({ on, db, settle }: Services & { settle: Settle }): void {
  on(recordPayment, async (input, { who, status }) => {
    const { transactionId } = input;
    const basket = await readBasket(db, { intentId: transactionId });
    // Another student's payment is answered like one that does not exist. We do not call the
    // provider for either.
    if (basket?.studentId !== who.id) fail('PAYMENT_UNKNOWN');
    await crossCheck(db, who, basket, input);
    if (basket.state === 'paid') {
      status(200);
      return presentRecorded(db, await paymentOf(db, basket), who);
    }
    const settled = await inTime(settle(transactionId));
    if (settled.outcome !== 'recorded') return refuseUnpaid(db, settled);
    const { payment, fresh } = settled;
    if (!fresh || payment.status === 'refund_due') status(200);
    return presentRecorded(db, payment, who);
  });

  on(listEnrolments, async (input, { who }) => {
    const rows = await enrolments(db, who, input);
    const items = rows.filter((row) => row.enrolmentId !== null).map(presentEnrolment);
    return { items, total: rows[0]?.total ?? 0 };
  });
}

/**
 * The server rebuilds everything but the id. If a field disagrees with our record, the client is
 * broken or malicious: refuse.
 */
async function crossCheck(
  db: Db,
  who: Caller,
  { id, totalCents }: Basket,
  { email, itemId, price }: Parsed<typeof recordPayment>,
): Promise<void> {
  // Its classes and the cart items they came from. None when it is closed.
  const rows = await query<{ known: boolean }>(db)`
    select ${itemId ?? null}::uuid in (class_id, item_id) as known from hold where basket_id = ${id}`;
  const wrong = [
    email !== undefined && email !== who.email && 'email',
    itemId !== undefined && rows.length > 0 && !rows.some(({ known }) => known) && 'itemId',
    price !== undefined && cents(price) !== totalCents && 'price',
  ].find((field) => field !== false);
  if (!wrong) return;
  const action = 'payment mismatch';
  await auditOnceADay(db, { actorId: who.id, action, subject: id, detail: wrong });
  fail('PAYMENT_MISMATCH', { field: wrong });
}

async function refuseUnpaid(db: Db, settled: Exclude<Settled, { outcome: 'recorded' }>) {
  const intent = settled.outcome === 'unpaid' ? settled.intent : null;
  // Only a cancelled payment can no longer be charged.
  if (intent?.status === 'canceled') {
    const ids = linesOf(intent).map(({ classId }) => classId);
    const denied = await queryOne(db)`
      select from class where id::text = any (${ids}::text[]) and ${closedClass} limit 1`;
    if (denied) fail('CLASS_CLOSED');
  }
  return fail('PAYMENT_NOT_COMPLETED', intent?.said ? { status: intent.said } : {});
}

/** A student has few enrolments, so no index is needed. */
function mentions(search: string | undefined) {
  const words = wordsOf(search);
  if (words.length === 0) return sql`true`;
  const facts = sql`class.name, class.sport, class.place,
    (select name from "user" where id = class.instructor_id), (select name from participant where id = enrolment.participant_id and self_of is null)`;
  return sql`split_words(concat_ws(' ', ${facts})) @@ words_wanted(${words.join(' & ')})`;
}

/**
 * Of the participants in the account's care, also when another guardian paid, by what comes next. They
 * are read first, as an array: then the index of enrolments is used, whatever the planner estimates.
 */
function enrolments(db: Db, { id, email }: Caller, input: Parsed<typeof listEnrolments>) {
  const { limit, offset } = slice(input);
  const from = sql`
    from enrolment join class on class.id = enrolment.class_id join payment on payment.id = enrolment.payment_id
      join payment_line line on line.id = enrolment.line_id left join ${coming}
    where enrolment.participant_id = any (array(select participant_id from guardian where user_id = ${id}))
      and ${activeEnrolment()} and ${mentions(input.search)}`;
  const paid = sql`payment.student_id = ${id}`;
  // Without rows on the page one row has the total only.
  return query<EnrolmentRow & { total: number }>(db)`
    select found.total, page.* from (select count(*)::int as total ${from}) found
    left join (
      select enrolment.id as enrolment_id, enrolment.class_id, case when ${paid} then enrolment.payment_id end as payment_id,
        enrolment.created_at as date, enrolment.participant_id,
        (select name from participant where id = enrolment.participant_id and id <> ${id}) as participant,
        class.name, class.img, class.schedule, class.place, case when ${paid} then payment.email else ${email} end as email,
        case when ${paid} then line.worth_cents end as cents, ${paid} and not ${hasBegun} as may_change_who,
        ${mayObject} as may_object, enrolment.asked_at is not null and ask_about = 'dates' as objected,
        enrolment.asked_at is not null and ask_about = 'money' as asked, coming.next,
        row_number() over (order by coming.at, (select name from participant where id = enrolment.participant_id),
          enrolment.created_at desc, enrolment.id) as nth
      ${from} order by nth limit ${limit} offset ${offset}) page on true
    order by page.nth`;
}

/** The next meeting of the class. What has none comes last. */
const coming = sql`lateral (
  select lower(meeting.during) as at, jsonb_build_object('day', meeting.day, 'starts',
    to_char(meeting.starts, 'HH24:MI'), 'place', place.name) as next
  from meeting left join place on place.id = meeting.place_id
  where meeting.class_id = class.id and meeting.state = 'on' and upper(meeting.during) > now()
  order by lower(meeting.during), meeting.id limit 1) coming on true`;

type EnrolmentRow = Omit<Enrolment, 'date'> & { date: Date };
const presentEnrolment = (row: EnrolmentRow): Enrolment =>
  Object.assign({}, row, { date: row.date.toISOString() });
