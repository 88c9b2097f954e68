// The audit log: who changed what. Written inside the transaction of the change itself; the database lets nobody alter it.
import { listAudit } from '../../contract/users.ts';
import { slice } from '../../contract/rules.ts';
import { type Database, raw, type Sql } from '../db/connection.ts';
import { like } from '../db/lists.ts';
import type { On } from '../http/on.ts';

export interface AuditLine {
  /** Null when the system itself acted. */
  actorId: string | null;
  action: string;
  subject: string;
  detail?: string;
}

export async function audit(sql: Sql, line: AuditLine): Promise<void> {
  await sql.insertInto('audit').values(line).execute();
}

export function auditLog({ on, sql }: { on: On; sql: Database['sql'] }): void {
  on(listAudit, async (input) => {
    const matching = sql
      .selectFrom('audit')
      .leftJoin('user', 'user.id', 'audit.actorId')
      // Names are looked up, never written down: the log cannot be changed, and people may want to be forgotten.
      .leftJoin('user as whom', (join) =>
        join.on('whom.id', '=', raw<string>`case when audit.subject ~ '^[0-9a-f-]{36}$' then audit.subject::uuid end`),
      )
      .$if(Boolean(input.search), (query) =>
        query.where((where) =>
          where.or([
            where('audit.action', 'ilike', like(input.search)),
            where('audit.detail', 'ilike', like(input.search)),
            where('user.name', 'ilike', like(input.search)),
            where('whom.name', 'ilike', like(input.search)),
          ]),
        ),
      );
    const rows = await matching
      .select([
        raw<string>`audit.id::text`.as('id'),
        'audit.at',
        'audit.action',
        'audit.subject',
        'audit.detail',
        'user.name',
        'whom.name as whom',
      ])
      .orderBy('audit.id', 'desc')
      .limit(slice(input).limit)
      .offset(slice(input).offset)
      .execute();
    // Ids are given in order and rows never leave, so the newest id is the number of all (up to gaps of failed writes).
    const { total } = await (input.search
      ? matching.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      : sql
          .selectFrom('audit')
          .select((newest) => newest.fn.coalesce(newest.fn.max('id'), newest.val(0)).as('total'))
          .executeTakeFirstOrThrow());
    const items = rows.map((row) => ({
      _id: row.id,
      at: row.at.toISOString(),
      actor: row.name ?? 'Rally',
      action: row.action,
      subject: row.subject,
      detail: [row.whom, row.detail].filter(Boolean).join(': '),
    }));
    return { items, total: Number(total) };
  });
}
