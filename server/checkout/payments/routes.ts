// POST /payments and the enrolments.
import type { Services } from '../../platform/services.ts';
import {
  type Enrolment,
  listEnrolments,
  recordPayment,
} from '../../../contract/checkout/payments.ts';
import { cents, dollars, slice } from '../../../contract/platform/rules.ts';
import type { Parsed } from '../../../contract/platform/call.ts';
import { type Db, type RowOf, query, queryOne, sql } from '../../platform/db/connection.ts';
import { activeEnrolment } from '../../platform/db/states.ts';
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
    const rows = await enrolments(db, who.id, input);
    return {
      items: rows.filter(({ id }) => id !== null).map((row) => presentEnrolment(row, who.email)),
      total: rows[0]?.total ?? 0,
    };
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
      select from class where id::text = any (${ids}::text[]) and status = 'denied' limit 1`;
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
 * Of the participants in the account's care, also when another guardian paid. They are read first, as
 * an array: then the index of enrolments is used, whatever the planner estimates.
 */
function enrolments(db: Db, userId: string, input: Parsed<typeof listEnrolments>) {
  const { limit, offset } = slice(input);
  const from = sql`
    from enrolment join class on class.id = enrolment.class_id join payment on payment.id = enrolment.payment_id
      join payment_line line on line.id = enrolment.line_id
    where enrolment.participant_id = any (array(select participant_id from guardian where user_id = ${userId}))
      and ${activeEnrolment()} and ${mentions(input.search)}`;
  // Without rows on the page one row has the total only.
  return query<EnrolmentRow & { total: number }>(db)`
    select found.total, page.*, ${nextOf(userId)} as next from (select count(*)::int as total ${from}) found
    left join (
      select enrolment.id, enrolment.class_id, enrolment.payment_id, enrolment.created_at, enrolment.participant_id,
        (select name from participant where id = enrolment.participant_id and id <> ${userId}) as participant,
        class.name, class.img, class.schedule, class.place, payment.student_id = ${userId} as paid,
        payment.email, line.worth_cents as amount_cents,
        payment.student_id = ${userId} and not ${hasBegun} as may_change_who, ${mayObject} as may_object, enrolment.objected_at
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
    mayChangeWho: boolean;
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
  ...(row.mayChangeWho && { mayChangeWho: true as const }),
  ...(row.mayObject && { mayObject: true as const }),
  ...(row.objectedAt && { objected: true as const }),
});
