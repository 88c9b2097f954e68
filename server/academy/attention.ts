// What needs an admin: lists it, retries a refund, an event or a job, closes an unmatched payment.
import type { Services } from '../platform/services.ts';
import { retryEvent, retryJob, sendRefundAgain } from '../../contract/checkout/sums.ts';
import { type Attention, listAttention, resolveStray } from '../../contract/checkout/payments.ts';
import { type Db, execute, instant, query, sql, withoutNulls } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { deadQueue } from '../platform/db/jobs.ts';
import { changed, unchanged } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import { tryEventAgain } from '../checkout/provider/events.ts';
import { followPayment, foreignReason, lockRefunds, nextRound } from '../checkout/refunds/rows.ts';
import { lockPayment } from '../checkout/payments/rows.ts';
import { noLongerFits } from '../people/family.ts';
import { firstName, fitsAge, isAhead } from '../people/participants.ts';

export function attention({ on, db, write, jobs }: Services): void {
  on(listAttention, () => list(db));

  // With two requests at once, the payment's lock lets one find it failed, the other due.
  on(sendRefundAgain, ({ id }, { who }) =>
    write(who, async (db) => {
      const payment = await lockPayment(db, { id });
      const refunds = payment ? await lockRefunds(db, id) : [];
      if (refunds.length === 0) fail('NOT_FOUND');
      const failed = refunds.filter(({ state }) => state === 'failed');
      if (failed.length === 0) return unchanged;
      for (const refund of failed) {
        await nextRound(db, { id: refund.id, askedBy: who.id });
        await jobs.send(db, 'pay-back', { refundId: refund.id });
      }
      await followPayment(db, id);
      return changed(
        failed.map(({ reason }) => ({ action: 'refund sent again', subject: id, detail: reason })),
      );
    }),
  );

  on(resolveStray, ({ id, reason }, { who }) =>
    write(who, async (db) => {
      const [stray] = await query<{ resolved: boolean }>(db)`
        select resolved_at is not null as resolved from quarantine where intent_id = ${id} for update`;
      if (!stray) fail('NOT_FOUND');
      if (stray.resolved) return unchanged;
      await execute(db)`update quarantine set resolved_at = now() where intent_id = ${id}`;
      return changed({ action: 'stray payment resolved', subject: id, detail: reason });
    }),
  );

  on(retryEvent, ({ id }, { who }) =>
    write(who, async (db) => {
      const found = await tryEventAgain(db, id);
      if (found === null) fail('NOT_FOUND');
      if (found === 'not failed') return unchanged;
      await jobs.send(db, 'settle-event', { eventId: id });
      return changed({ action: 'event tried again', subject: id });
    }),
  );

  on(retryJob, ({ id }, { who }) =>
    write(who, async (db) => {
      const rows = await query<{ name: string }>(db)`
        select source_name as name from pgboss.job where id = ${id} and name = ${deadQueue} and state = 'created'`;
      if (!rows[0] || !(await jobs.revive(db, id))) fail('NOT_FOUND');
      return changed({ action: 'job tried again', subject: id, detail: rows[0].name });
    }),
  );
}

/** Admin Home counts these rows (figures.ts). */
const found = sql`
  select payment.id::text as id, 'refund' as kind, min(refund.created_at) as since, 'A refund failed: ' || payment.item_name as what,
    string_agg(distinct coalesce(refund.last_error, refund.reason), '; ') as detail,
    payment.student_id as user_id, payment.id as payment_id, payment.intent_id
  from refund join payment on payment.id = refund.payment_id where refund.state = 'failed' group by payment.id
  union all
  select payment.id::text, 'part', max(refund.created_at), 'Partly refunded at the card provider: ' || payment.item_name,
    'Decide about the seat of ' || payment.customer, payment.student_id, payment.id, payment.intent_id
  from refund join payment on payment.id = refund.payment_id
    join enrolment on enrolment.line_id = refund.line_id and ${activeEnrolment()}
  where refund.reason = ${foreignReason} and refund.asked_by is null and refund.created_at > now() - interval '30 days'
    and payment.status <> 'refunded'
  group by payment.id
  union all
  select event_id, 'event', received_at, 'An event of the card provider could not be handled: ' || type, coalesce(last_error, ''),
    null, null, object_id
  from stripe_event where state = 'failed' and received_at < now() - interval '5 minutes'
  union all
  select hold.id::text, 'intent', releasing_since, 'A seat cannot be freed: the card provider has not cancelled its payment', coalesce(intent_id, ''),
    hold.student_id, null, intent_id
  from hold left join basket on basket.id = hold.basket_id where hold.state = 'releasing' and releasing_since < now() - interval '30 minutes'
  union all
  select intent_id, 'quarantine', since, 'An unmatched payment', reason, null, null, intent_id from quarantine where resolved_at is null
  union all
  select enrolment.id::text, 'dates', enrolment.asked_at, case ask_about when 'money' then 'Asks about leaving: ' else 'New dates do not suit ' end || payment.customer || ': ' || payment_line.item_name,
    enrolment.ask, payment.student_id, payment.id, payment.intent_id
  from enrolment join payment on payment.id = enrolment.payment_id join payment_line on payment_line.id = enrolment.line_id
  where ${activeEnrolment()} and enrolment.asked_at is not null
  union all
  select u.id::text, 'coach', coalesce(u.blocked_at, max(class.updated_at)),
    case count(*) when 1 then 'A class has no coach: ' else count(*) || ' classes have no coach: ' end || u.name,
    'Families keep their seats. Hand over: ' || string_agg(class.name, ', ' order by class.name), u.id, null, null
  from class join "user" u on u.id = class.instructor_id
  where (u.blocked_at is not null or u.role = 'student') and class.sold > 0 and (class.ends_at is null or class.ends_at > now())
  group by u.id
  union all
  select class.id || '/' || min(participant.id::text), 'who', max(enrolment.created_at),
    'The same child twice? ' || min(participant.name) || ': ' || class.name, 'Same first name and birth date, typed by two accounts',
    (array_agg(enrolment.student_id order by enrolment.created_at desc))[1], null, null
  from enrolment join class on class.id = enrolment.class_id join participant on participant.id = enrolment.participant_id
  where ${isAhead} and participant.self_of is null and participant.born is not null
  group by class.id, participant.born, ${firstName('participant')} having count(*) > 1
  union all
  select enrolment.id::text, 'who', enrolment.created_at, participant.name || ' does not fit the ages of ' || class.name,
    'The birth date was changed after the booking', enrolment.student_id, enrolment.payment_id, null
  from enrolment join class on class.id = enrolment.class_id join participant on participant.id = enrolment.participant_id
  where ${isAhead} and not ${fitsAge} and exists (select from audit
    where subject = participant.id::text and action = ${sql.lit(noLongerFits)} and at > now() - interval '30 days')
  union all
  select id::text, 'job', created_on,
    case source_name when 'send-mail' then 'A mail could not be sent to ' || coalesce((select email from "user" where id::text = data -> 'ids' ->> 'to'), data -> 'ids' ->> 'email', 'somebody') else 'A job gave up: ' || source_name end,
    left(coalesce(source_output ->> 'message', ''), 500), null, null, null
  from pgboss.job where name = ${deadQueue} and state = 'created'`;

async function list(db: Db): Promise<Attention[]> {
  const rows = await query<Attention>(db)`
    select id as _id, kind, ${instant(sql`since`)} as since, what, detail, user_id, payment_id,
      substring(intent_id from '^pi_.*') as intent_id
    from (${found}) a order by a.since, id limit 500`;
  return rows.map(withoutNulls);
}

export async function countAttention(db: Db): Promise<{ attention: number; families: number }> {
  const rows = await query<{ attention: number; families: number }>(db)`
    select count(*)::int as attention, (count(*) filter (where kind = 'dates'))::int as families
    from (${found}) a`;
  return rows[0] ?? { attention: 0, families: 0 };
}
