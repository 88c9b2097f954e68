// The mails of this room, from their rows at the moment when they are sent.
import { type Db, type RowOf, query, queryOne, sql } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { datesFile } from '../classes/feeds.ts';
import { withDates } from '../classes/mails.ts';
import type { Mails, Person } from '../mail/kinds.ts';
import {
  askAnsweredMail,
  basketMail,
  bookedMail,
  cancelledMail,
  type Cancelled,
  type Child,
  type Credited,
  creditedMail,
  endedMail,
  leftMail,
  type LeftSeat,
  objectionAnsweredMail,
  type Paid,
  receiptMail,
  refundMail,
  seatCreditMail,
  type Returned,
  seatEndedMail,
  type ToldLine,
  whoComesMail,
} from './texts.ts';
import { whyBack } from './cancel.ts';
import { isGuardian } from '../people/participants.ts';

/** To the payer's address and name as they are now: the payment keeps those of its day. */
async function paidBy(db: Db, payer: Person, paymentId: string): Promise<Paid | null> {
  const payment = await queryOne<Omit<Paid, 'payer'>>(db)`
    select id, item_name, amount_cents, credit_cents, swap_cents, intent_id, receipt_number, date from payment
    where id = ${paymentId} and student_id = ${payer.id}`;
  return payment && { ...payment, payer };
}

/**
 * For whom the seat of a line is. Null: the payer. Who no longer looks after the child is not told a
 * name that it got since.
 */
const childOf = (payer: Person, unknown: 'the child' | null) => sql<Child | null>`case
  when participant.id is null or participant.self_of is not null then null
  when ${isGuardian(payer.id, sql`participant.id`)} then json_build_object('id', participant.id, 'name', participant.name)
  when ${unknown !== null} then json_build_object('id', participant.id, 'name', ${unknown}::text) end`;

const seatColumns = sql`line.item_name, line.class_id, class.name as class_name, class.schedule, class.place, class.bring,
  (select name from "user" where id = class.instructor_id) as instructor`;

export const checkoutMails = {
  receipt: async ({ paymentId }, { db, config, person }) => {
    const lines = await query<ToldLine & { className: string }>(db)`
      select ${seatColumns}, line.worth_cents, ${childOf(person, 'the child')} as child,
        case when line.outcome = 'refused' then coalesce((select reason from refund where line_id = line.id
          order by created_at limit 1), '') end as problem
      from payment_line line join class on class.id = line.class_id
        join participant on participant.id = line.participant_id
      where line.payment_id = ${paymentId} order by line.place`;
    const payment = await paidBy(db, person, paymentId);
    const [one, another] = lines;
    if (!one || !payment) return null;
    if (another) {
      const sold = lines.filter(({ problem }) => problem === null);
      const ids = [...new Set(sold.map(({ classId }) => classId))];
      return withDates(db, config, { ids, message: basketMail(config, payment, lines) });
    }
    const calendar = await datesFile(db, config, { ids: [one.classId], name: one.className });
    return receiptMail(config, payment, one, { calendar, child: one.child });
  },
  booked: async ({ paymentId }, { db, config, person }) => {
    const rows = await query<ToldLine & { child: Child }>(db)`
      select ${seatColumns}, json_build_object('id', participant.id, 'name', participant.name) as child
      from enrolment join payment_line line on line.id = enrolment.line_id join class on class.id = line.class_id
        join participant on participant.id = enrolment.participant_id
      where enrolment.payment_id = ${paymentId} and ${activeEnrolment()} and participant.self_of is null
        and ${isGuardian(person.id, sql`participant.id`)} order by participant.id, line.place`;
    if (rows.length === 0) return null;
    const ids = [...new Set(rows.map(({ classId }) => classId))];
    return withDates(db, config, { ids, message: bookedMail(config, person, rows) });
  },
  refunded: async ({ paymentId, refundIds }, { db, config, person }) => {
    const rows = await query<Returned>(db)`
      select coalesce(line.item_name, 'your credit') as item_name, refund.amount_cents, refund.reason,
        refund.amount_cents = line.worth_cents as whole,
        ${activeEnrolment()} as booked, ${childOf(person, null)} as child
      from refund left join payment_line line on line.id = refund.line_id
        left join participant on participant.id = line.participant_id
        left join enrolment on enrolment.line_id = line.id
      where refund.id = any (${refundIds}::uuid[]) order by line.place`;
    const payment = await paidBy(db, person, paymentId);
    return payment && rows.length > 0 ? refundMail(config, payment, rows) : null;
  },
  credited: async ({ keys }, { db, config, person }) => {
    const rows = await query<Credited>(db)`
      select ledger.cents, ledger.note, line.item_name, (select cents from credit where student_id = ${person.id}) as now_cents
      from ledger left join payment_line line on line.id = from_line
      where key = any (${keys}::text[]) and ledger.student_id = ${person.id} and ledger.credit = 'credit' order by ledger.id`;
    return rows.length > 0 ? creditedMail(config, person, rows) : null;
  },
  'seat-ended': async ({ lineId, reason }, { db, config, person }) => {
    const rows = await query<Pick<Returned, 'itemName' | 'child'> & { paymentId: string }>(db)`
      select line.item_name, line.payment_id, ${childOf(person, null)} as child
      from payment_line line join participant on participant.id = line.participant_id
      where line.id = ${lineId}`;
    const [line] = rows;
    const payment = line && (await paidBy(db, person, line.paymentId));
    return payment ? endedMail(config, payment, { ...line, reason }) : null;
  },
  'seats-ended': async ({ enrolmentIds }, { db, config, person }) => {
    const rows = await query<{ itemName: string; child: Child }>(db)`
      select line.item_name, json_build_object('id', participant.id, 'name', participant.name) as child
      from enrolment join payment_line line on line.id = enrolment.line_id
        join participant on participant.id = enrolment.participant_id
      where enrolment.id = any (${enrolmentIds}::uuid[]) and not ${activeEnrolment()} and participant.self_of is null
        and ${isGuardian(person.id, sql`participant.id`)} order by enrolment.id`;
    return rows.length > 0 ? seatEndedMail(config, person, rows) : null;
  },
  // Nobody is told the name of a child of others, but who teaches.
  'who-comes': async ({ enrolmentId, before, now }, { db, config, person }) => {
    const rows = await query<RowOf<'participant', 'id' | 'name'> & { className: string }>(db)`
      select p.id, p.name, class.name as class_name
      from enrolment join class on class.id = enrolment.class_id
        join participant p on p.id in (${before}, ${now}) and p.erased_at is null
          and (class.instructor_id = ${person.id} or ${isGuardian(person.id, sql`p.id`)})
      where enrolment.id = ${enrolmentId}`;
    const [seat] = rows;
    const nameOf = (id: string) => rows.find((row) => row.id === id)?.name ?? null;
    return seat
      ? whoComesMail(config, person, { ...seat, before: nameOf(before), now: nameOf(now) })
      : null;
  },
  left: async ({ enrolmentId, ...given }, { db, config, person }) => {
    const seat = await queryOne<Omit<LeftSeat, keyof typeof given>>(db)`
      select line.item_name, line.payment_id, enrolment.ended_at, enrolment.end_kind = 'withdrawn' as withdrawn,
        ${childOf(person, null)} as child
      from enrolment join payment_line line on line.id = enrolment.line_id
        join participant on participant.id = line.participant_id
      where enrolment.id = ${enrolmentId} and enrolment.ended_at is not null`;
    const payment = seat && (await paidBy(db, person, seat.paymentId));
    return payment ? leftMail(config, payment, { ...seat, ...given }) : null;
  },
  'seat-credit': async ({ lineId, ...given }, { db, config, person }) => {
    const rows = await query<Pick<LeftSeat, 'itemName' | 'child' | 'paymentId'>>(db)`
      select line.item_name, line.payment_id, ${childOf(person, null)} as child
      from payment_line line join participant on participant.id = line.participant_id
      where line.id = ${lineId}`;
    const [line] = rows;
    const payment = line && (await paidBy(db, person, line.paymentId));
    return payment ? seatCreditMail(config, payment, { ...line, ...given }) : null;
  },
  'ask-answered': async ({ enrolmentId, words }, { db, config, person }) => {
    const seat = await queryOne<RowOf<'paymentLine', 'itemName'>>(db)`
      select item_name from enrolment join payment_line line on line.id = enrolment.line_id
      where enrolment.id = ${enrolmentId} and ${activeEnrolment()}
        and ${isGuardian(person.id, sql`enrolment.participant_id`)}`;
    return seat ? askAnsweredMail(config, person, { ...seat, words }) : null;
  },
  'class-cancelled': async ({ classId }, { db, config, person }) => {
    const found = await queryOne<Cancelled & { ended: number }>(db)`
      select class.name, cancel_note as reason, seats.*, back.*, coalesce((select sum(cents) from ledger
          where ledger.key = any (seats.keys)), 0)::int as credit
      from class cross join lateral (
        select count(*)::int as ended, array_agg('back:' || line_id || ':cancelled') filter (where e.student_id = ${person.id}) as keys,
          coalesce(array_agg(participant.name order by participant.name) filter (where participant.self_of is null
            and ${isGuardian(person.id, sql`participant.id`)}), '{}') as children
        from enrolment e join participant on participant.id = e.participant_id
        where e.class_id = class.id and e.end_kind = 'academy' and e.ended_at >= class.cancelled_at
          and (e.student_id = ${person.id} or ${isGuardian(person.id, sql`participant.id`)})) seats
      cross join lateral (
        select coalesce(sum(cents), 0)::int as card, max(until) as until, coalesce(json_agg(json_build_object(
          'paymentId', payment_id, 'cents', cents) order by payment_id) filter (where until is not null), '[]') as choices
        from (select refund.payment_id, sum(refund.amount_cents)::int as cents, max(refund.choice_until) as until
          from refund join payment_line line on line.id = refund.line_id
          where line.class_id = class.id and line.student_id = ${person.id} and refund.created_at >= class.cancelled_at
            and refund.reason = ${whyBack} and refund.state <> 'credit' group by refund.payment_id) paid) back
      where class.id = ${classId} and class.status = 'cancelled'`;
    return found && found.ended > 0 ? cancelledMail(config, person, found) : null;
  },
  'objection-answered': async ({ enrolmentId, words }, { db, config, person }) => {
    const seat = await queryOne<RowOf<'paymentLine', 'itemName'>>(db)`
      select item_name from enrolment join payment_line line on line.id = enrolment.line_id
      where enrolment.id = ${enrolmentId} and ${activeEnrolment()}
        and ${isGuardian(person.id, sql`enrolment.participant_id`)}`;
    return seat ? objectionAnsweredMail(config, person, { ...seat, words }) : null;
  },
} satisfies Partial<Mails>;
