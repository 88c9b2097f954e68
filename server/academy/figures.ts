// The figures of the dashboard's home pages. Reads what other features own; writes nothing.
import type { Services } from '../platform/services.ts';
import type { ClassStatus } from '../../contract/classes/classes.ts';
import {
  type AdminFigures,
  adminFigures,
  type Fill,
  studentFigures,
} from '../../contract/academy/figures.ts';
import { dollars } from '../../contract/platform/rules.ts';
import { type Db, query, type RowOf, sql } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { countUpTo } from '../platform/db/lists.ts';
import { today } from '../platform/db/zone.ts';
import { fail } from '../platform/http/fail.ts';
import { changesOf } from '../classes/proposals.ts';
import { countAttention } from './attention.ts';

export function figures({ on, db }: Services): void {
  on(adminFigures, async ({ from, to }) => {
    const period = from && to ? { from, to } : { days: 30 };
    const [counts, takings, filled, waiting, attention] = await Promise.all([
      countsOf(db),
      takingsOf(db, period),
      filledClasses(db),
      waitingClasses(db),
      countAttention(db),
    ]);
    // A sold seat is an active enrolment.
    const enrolments = counts.seats.sold;
    return { ...counts, ...takings, ...filled, enrolments, waiting, ...attention };
  });

  on(studentFigures, async (_input, { who }) => {
    const rows = await query<
      Record<'cart' | 'enrolled' | 'payments' | 'refunded' | 'cents', number>
    >(db)`
      select (select count(*)::int from cart_item where student_id = ${who.id}) as cart,
             (select count(*)::int from enrolment where ${activeEnrolment()}
               and participant_id = any (array(select participant_id from guardian where user_id = ${who.id}))) as enrolled,
             (select count(*)::int from payment where student_id = ${who.id}) as payments,
             (select count(*)::int from payment
               where student_id = ${who.id} and back_cents = amount_cents and amount_cents > 0) as refunded,
             (select coalesce(sum(amount_cents - back_cents), 0)::bigint from payment
               where student_id = ${who.id}) as cents`;
    const { cents = 0, refunded = 0, ...counts } = rows[0] ?? { cart: 0, enrolled: 0, payments: 0 };
    return { ...counts, paid: dollars(cents), ...(refunded > 0 && { refunded }) };
  });
}

async function countsOf(db: Db) {
  const rows = await query<Pick<AdminFigures, 'users' | 'classes' | 'seats' | 'failedRefunds'>>(db)`
    select people.users, offer.classes, offer.seats,
      (select count(*)::int from payment where status = 'refund_failed') as failed_refunds
    from (select json_build_object('student', count(*) filter (where role = 'student'),
        'instructor', count(*) filter (where role = 'instructor'),
        'admin', count(*) filter (where role = 'admin')) as users from "user") people,
      (select json_build_object('pending', count(*) filter (where shelf = 'pending'),
          'approved', count(*) filter (where shelf = 'approved'),
          'denied', count(*) filter (where shelf = 'denied')) as classes,
        json_build_object('sold', coalesce(sum(sold), 0),
          'free', coalesce(sum(free) filter (where shelf = 'approved'), 0)) as seats
      from class) offer`;
  return rows[0] ?? fail('UNAVAILABLE');
}

type Period = { days: number } | { from: string; to: string };

/** Revenue and enrolments of a period, of as many days before, and the revenue of all time. Days are the academy's. */
async function takingsOf(db: Db, period: Period) {
  const given = 'from' in period;
  const last = given ? sql`${period.to}::date` : today;
  const days = given
    ? 1 + Math.round((Date.parse(period.to) - Date.parse(period.from)) / 86_400_000)
    : period.days;
  const first = sql`(${last} - ${2 * days - 1}::int)`;
  const rows = await query<{ day: string; enrolments: number; cents: number; all: number }>(db)`
    select to_char(day, 'YYYY-MM-DD') as day, coalesce(enrolments, 0) as enrolments, coalesce(cents, 0) as cents,
      (select coalesce(sum(amount_cents - back_cents), 0)::bigint from payment) as all
    from generate_series(${first}, ${last}, interval '1 day') day
    left join (
      select day, sum(seats)::int as enrolments, sum(amount_cents - back_cents)::bigint as cents
      from payment where day between ${first} and ${last} group by day) taken using (day)
    order by day`;
  const sum = (part: typeof rows) => ({
    enrolments: part.reduce((total, row) => total + row.enrolments, 0),
    revenue: dollars(part.reduce((total, row) => total + row.cents, 0)),
  });
  return {
    revenue: dollars(rows[0]?.all ?? 0),
    days: rows
      .slice(days)
      .map(({ day, enrolments, cents }) => ({ day, enrolments, revenue: dollars(cents) })),
    before: sum(rows.slice(0, days)),
  };
}

/** Thousandths of the seats, as the index class_fill has it. */
const fill = sql<number>`(1000 * sold / capacity)`;

async function filledClasses(db: Db) {
  // Literals, so that the partial index is seen.
  const under = sql`shelf = 'approved' and ${fill} < 300`;
  const [fullest, emptiest, underThirty] = await Promise.all([
    fills(db, sql`shelf = 'approved' and ${fill} >= 500 order by ${fill} desc, id desc`),
    fills(db, sql`${under} order by ${fill}, id`),
    countUpTo(db, sql`select from class where ${under}`),
  ]);
  return { fullest, emptiest, underThirty };
}

async function fills(db: Db, chosen: ReturnType<typeof sql>): Promise<Fill[]> {
  const rows = await query<Omit<Fill, '_id'> & { id: string }>(db)`
    select id, name, sold, capacity from class where ${chosen} limit 10`;
  return rows.map(({ id, ...row }) => Object.assign(row, { _id: id }));
}

async function waitingClasses(db: Db) {
  // As in the partial index.
  const rows = await query<
    RowOf<'class', 'id' | 'name' | 'version' | 'feedback' | 'changed' | 'proposal'> & {
      instructor: string;
      status: ClassStatus;
      since: Date;
      firstDay: string | null;
    }
  >(db)`
    select class.id, class.name, u.name as instructor, status, proposed_at as since, version, feedback, changed, proposal,
      first_day::text as first_day
    from class join "user" u on u.id = class.instructor_id
    where proposed_at is not null and not over order by proposed_at, class.id limit 20`;
  return rows.map(({ id, since, firstDay, feedback, changed, proposal, ...row }) =>
    Object.assign(row, {
      _id: id,
      since: since.toISOString(),
      firstDay: firstDay ?? undefined,
      feedback: feedback || undefined,
      changed: changesOf({ status: row.status, changed, proposal }).changed,
    }),
  );
}
