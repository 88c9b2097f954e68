// What needs an admin: failed refunds, failed events of the card provider, payments that stay open,
// unmatched payments, families whom new dates do not suit. Lists them, retries a refund, closes an unmatched payment.
import {
  type Attention,
  listAttention,
  resolveStray,
  sendRefundAgain,
} from '../../../contract/payments.ts';
import { type Database, sql, type Db } from '../../db/connection.ts';
import type { Jobs } from '../../db/jobs.ts';
import { fail } from '../../http/fail.ts';
import type { On } from '../../http/on.ts';
import { audit } from '../audit.ts';
import { lockRefundOf, nextRound } from '../checkout/refunds/rows.ts';
import { lockPayment, movePayment } from '../checkout/payments/rows.ts';

type Deps = Pick<Database, 'db' | 'transaction'> & { on: On; jobs: Pick<Jobs, 'send'> };

export function attention({ on, db, transaction, jobs }: Deps): void {
  on(listAttention, () => list(db));

  // With two concurrent requests, the payment's lock lets one find the refund failed and the other
  // find it due.
  on(sendRefundAgain, ({ id }, { who }) =>
    transaction(async (db) => {
      const payment = await lockPayment(db, { id });
      const refund = payment && (await lockRefundOf(db, id));
      if (!refund) fail('NOT_FOUND');
      if (refund.state !== 'failed') return { modifiedCount: 0 };
      await nextRound(db, { id: refund.id, askedBy: who.id });
      await movePayment(db, id, { status: 'refund_due' });
      await jobs.send(db, 'pay-back', { refundId: refund.id });
      await audit(db, {
        actorId: who.id,
        action: 'refund sent again',
        subject: id,
        detail: refund.reason,
      });
      return { modifiedCount: 1 };
    }),
  );

  on(resolveStray, ({ id, reason }, { who }) =>
    transaction(async (db) => {
      const { rows } = await sql<{ resolved: boolean }>`
        select resolved_at is not null as resolved from quarantine where intent_id = ${id} for update`.execute(
        db,
      );
      const [stray] = rows;
      if (!stray) fail('NOT_FOUND');
      if (stray.resolved) return { modifiedCount: 0 };
      await sql`update quarantine set resolved_at = now() where intent_id = ${id}`.execute(db);
      await audit(db, {
        actorId: who.id,
        action: 'stray payment resolved',
        subject: id,
        detail: reason,
      });
      return { modifiedCount: 1 };
    }),
  );
}

interface Row {
  id: string;
  kind: Attention['kind'];
  since: Date;
  what: string;
  detail: string;
}

/** The figures page counts these rows (features/figures.ts). */
const found = sql<Row>`
  select refund.payment_id::text as id, 'refund' as kind, refund.created_at as since,
    'A refund failed: ' || payment.item_name as what, coalesce(refund.last_error, refund.reason) as detail
  from refund join payment on payment.id = refund.payment_id where refund.state = 'failed'
  union all
  select event_id, 'event', received_at, 'An event of the card provider could not be handled: ' || type, coalesce(last_error, '')
  from stripe_event where state = 'failed' and received_at < now() - interval '5 minutes'
  union all
  select id::text, 'intent', releasing_since, 'A seat cannot be freed: the card provider has not cancelled its payment', coalesce(intent_id, '')
  from hold where state = 'releasing' and releasing_since < now() - interval '30 minutes'
  union all
  select intent_id, 'quarantine', since, 'An unmatched payment', reason from quarantine where resolved_at is null
  union all
  select payment.intent_id, 'dates', enrolment.objected_at, 'New dates do not suit ' || payment.customer || ': ' || payment.item_name,
    enrolment.objection
  from enrolment join payment on payment.id = enrolment.payment_id
  where enrolment.state = 'active' and enrolment.objected_at > now() - interval '30 days'`;

async function list(db: Db): Promise<Attention[]> {
  const { rows } = await sql<Row>`select * from (${found}) a order by since, id limit 500`.execute(
    db,
  );
  return rows.map(({ id, kind, since, what, detail }) => ({
    _id: id,
    kind,
    since: since.toISOString(),
    what,
    detail,
  }));
}

export async function countAttention(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${found}) a`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
}
