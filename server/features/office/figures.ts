// The figures of the dashboard's home pages. Reads what other features own; writes nothing.
import type { Changeable } from '../../../contract/classes.ts';
import { adminFigures, studentFigures } from '../../../contract/figures.ts';
import { dollars } from '../../../contract/rules.ts';
import { type Database, sql } from '../../db/connection.ts';
import type { On } from '../../http/on.ts';
import { countAttention } from './attention.ts';

export function figures({ on, db }: { on: On; db: Database['db'] }): void {
  on(adminFigures, async () => {
    const [tallies, seats, money, days, waiting, attention] = await Promise.all([
      db.selectFrom('tally').selectAll().execute(),
      sql<{ sold: number; free: number }>`
        select coalesce(sum(sold), 0)::int as sold, coalesce(sum(free) filter (where status = 'approved'), 0)::int as free
        from class`.execute(db),
      sql<{ revenue: number; enrolments: number }>`
        select (select coalesce(sum(amount_cents), 0)::bigint from payment where status in ('pending', 'succeeded', 'disputed')) as revenue,
               (select count(*)::int from enrolment where state = 'active') as enrolments`.execute(
        db,
      ),
      sql<{ day: string; enrolments: number; cents: number }>`
        select to_char(day, 'YYYY-MM-DD') as day, count(payment.id)::int as enrolments, coalesce(sum(amount_cents), 0)::bigint as cents
        from generate_series(current_date - 29, current_date, interval '1 day') day
        left join payment on payment.date >= day and payment.date < day + interval '1 day'
          and payment.status in ('pending', 'succeeded', 'disputed')
        group by day order by day`.execute(db),
      db
        .selectFrom('class')
        .select(['id', 'name', 'instructor', 'handedInAt', 'version', 'feedback', 'changed'])
        .where(sql<boolean>`status = 'pending'`) // a literal, so that the partial index is seen
        .orderBy('handedInAt')
        .orderBy('id')
        .limit(20)
        .execute(),
      countAttention(db),
    ]);
    const tally = (kind: string, key: string) =>
      Number(tallies.find((row) => row.kind === kind && row.key === key)?.n ?? 0);
    return {
      users: {
        student: tally('user', 'student'),
        instructor: tally('user', 'instructor'),
        admin: tally('user', 'admin'),
      },
      classes: {
        pending: tally('class', 'pending'),
        approved: tally('class', 'approved'),
        denied: tally('class', 'denied'),
      },
      seats: seats.rows[0] ?? { sold: 0, free: 0 },
      revenue: dollars(money.rows[0]?.revenue ?? 0),
      enrolments: money.rows[0]?.enrolments ?? 0,
      days: days.rows.map(({ day, enrolments, cents }) => ({
        day,
        enrolments,
        revenue: dollars(cents),
      })),
      waiting: waiting.map((row) => ({
        _id: row.id,
        name: row.name,
        instructor: row.instructor,
        since: row.handedInAt.toISOString(),
        version: row.version,
        feedback: row.feedback || undefined,
        changed: row.changed.length > 0 ? (row.changed as Changeable[]) : undefined,
      })),
      attention,
    };
  });

  on(studentFigures, async (_input, { who }) => {
    const { rows } = await sql<{
      cart: number;
      enrolled: number;
      payments: number;
      refunded: number;
      cents: number;
    }>`
      select (select count(*)::int from cart_item where student_id = ${who.id}) as cart,
             (select count(*)::int from enrolment where student_id = ${who.id} and state = 'active') as enrolled,
             (select count(*)::int from payment where student_id = ${who.id}) as payments,
             (select count(*)::int from payment
               where student_id = ${who.id} and status in ('refund_due', 'refunded', 'refund_failed')) as refunded,
             (select coalesce(sum(amount_cents), 0)::bigint from payment
               where student_id = ${who.id} and status in ('pending', 'succeeded', 'disputed')) as cents`.execute(
      db,
    );
    const { cents = 0, refunded = 0, ...counts } = rows[0] ?? { cart: 0, enrolled: 0, payments: 0 };
    return { ...counts, paid: dollars(cents), ...(refunded > 0 && { refunded }) };
  });
}
