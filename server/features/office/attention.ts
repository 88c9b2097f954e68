// Money that needs an admin: failed refunds, failed events of the card provider, payments that stay open, payments that belong to no
// student. Lists them, sends a refund again, closes a stray payment. Not for: sending refunds (refunds/send.ts).
import { type Attention, listAttention, resolveStray, sendRefundAgain } from '../../../contract/payments.ts';
import { type Database, raw, type Sql } from '../../db/connection.ts';
import type { Jobs } from '../../db/jobs.ts';
import { fail } from '../../http/fail.ts';
import type { On } from '../../http/on.ts';
import { audit } from '../audit.ts';
import { lockRefundOf, nextRound } from '../checkout/refunds/rows.ts';
import { lockPayment, movePayment } from '../checkout/payments/settle.ts';

type Deps = Pick<Database, 'sql' | 'transaction'> & { on: On; jobs: Pick<Jobs, 'send'> };

export function attention({ on, sql, transaction, jobs }: Deps): void {
  on(listAttention, () => list(sql));

  // Two admins at once: the payment's lock lets one of them find the refund failed, the other finds it due.
  on(sendRefundAgain, ({ id }, { who }) =>
    transaction(async (sql) => {
      const payment = await lockPayment(sql, { id });
      const refund = payment && (await lockRefundOf(sql, id));
      if (!refund) fail('NOT_FOUND');
      if (refund.state !== 'failed') return { modifiedCount: 0 };
      await nextRound(sql, { id: refund.id, askedBy: who.id });
      await movePayment(sql, id, { status: 'refund_due' });
      await jobs.send(sql, 'pay-back', { refundId: refund.id });
      await audit(sql, { actorId: who.id, action: 'refund sent again', subject: id, detail: refund.reason });
      return { modifiedCount: 1 };
    }),
  );

  on(resolveStray, ({ id, reason }, { who }) =>
    transaction(async (sql) => {
      const { rows } = await raw<{ resolved: boolean }>`
        select resolved_at is not null as resolved from quarantine where intent_id = ${id} for update`.execute(sql);
      const [stray] = rows;
      if (!stray) fail('NOT_FOUND');
      if (stray.resolved) return { modifiedCount: 0 };
      await raw`update quarantine set resolved_at = now() where intent_id = ${id}`.execute(sql);
      await audit(sql, { actorId: who.id, action: 'stray payment resolved', subject: id, detail: reason });
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
const found = raw<Row>`
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
  select intent_id, 'quarantine', since, 'A payment that belongs to nobody', reason from quarantine where resolved_at is null`;

async function list(sql: Sql): Promise<Attention[]> {
  const { rows } = await raw<Row>`select * from (${found}) a order by since, id limit 500`.execute(sql);
  return rows.map(({ id, kind, since, what, detail }) => ({ _id: id, kind, since: since.toISOString(), what, detail }));
}

export async function countAttention(sql: Sql): Promise<number> {
  const { rows } = await raw<{ n: number }>`select count(*)::int as n from (${found}) a`.execute(sql);
  return rows[0]?.n ?? 0;
}
