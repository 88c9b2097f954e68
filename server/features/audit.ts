// The audit log: who changed what. Written in the transaction of the change. A trigger forbids
// changing or deleting rows.
import { listAudit } from '../../contract/users.ts';
import { slice } from '../../contract/rules.ts';
import { type Database, sql, type Db } from '../db/connection.ts';
import { type Condition, has, listing, paged, wordsOf } from '../db/lists.ts';
import type { On } from '../http/on.ts';

export interface AuditLine {
  /** Null when the system itself acted. */
  actorId: string | null;
  action: string;
  subject: string;
  detail?: string;
}

export async function audit(db: Db, line: AuditLine): Promise<void> {
  await db.insertInto('audit').values(line).execute();
}

/** For what is read again and again: one line per actor, subject and day. */
export async function auditOnceADay(db: Db, line: AuditLine & { actorId: string }): Promise<void> {
  const { actorId, action, subject, detail = '' } = line;
  await sql`
    insert into audit (actor_id, action, subject, detail) select ${actorId}, ${action}, ${subject}, ${detail}
    where not exists (select from audit where subject = ${subject} and actor_id = ${actorId} and action = ${action}
      and at >= (select date_trunc('day', now(), coalesce(time_zone, 'UTC')) from academy))`.execute(
    db,
  );
}

export function auditLog({ on, db }: { on: On; db: Database['db'] }): void {
  on(listAudit, async (input) => {
    const { rows, total } = await listing(
      db,
      {
        table: 'audit',
        search: input.search,
        where: await orAbout(db, input.search),
        page: paged('audit.id desc', slice(input)),
        offset: slice(input).offset,
        all: newest,
      },
      (page) =>
        page
          .selectFrom('audit')
          .leftJoin('user', 'user.id', 'audit.actorId')
          // Names are joined and never stored here: the log cannot be changed, and a deleted account
          // must leave no name.
          .leftJoin('user as whom', (join) =>
            join.on(
              'whom.id',
              '=',
              sql<string>`case when audit.subject ~ '^[0-9a-f-]{36}$' then audit.subject::uuid end`,
            ),
          )
          .select([
            sql<string>`audit.id::text`.as('id'),
            'audit.at',
            'audit.action',
            'audit.subject',
            'audit.detail',
            'user.name',
            'whom.name as whom',
          ])
          .orderBy('audit.id', 'desc'),
    );
    const items = rows.map((row) => ({
      _id: row.id,
      at: row.at.toISOString(),
      actor: row.name ?? 'Rally',
      action: row.action,
      subject: row.subject,
      detail: [row.whom, row.detail].filter(Boolean).join(': '),
    }));
    return { items, total };
  });
}

/** Lines with these words, or by or about users with these words in their name. */
async function orAbout(db: Db, search: string | undefined) {
  const words = wordsOf(search);
  const named = db.selectFrom('user').select('id').where(has('user', words)).limit(100);
  const people = words.length > 0 ? await named.execute() : [];
  const ids = people.map(({ id }) => id);
  // With an empty list of users, the planner would still read the whole log.
  if (ids.length === 0) return (said: Condition) => said;
  return (said: Condition) =>
    sql<boolean>`(${said} or audit.actor_id = any (${ids}::uuid[]) or audit.subject = any (${ids}::text[]))`;
}

/**
 * Ids are sequential and rows are never deleted, so the newest id is the total (except gaps of
 * failed writes).
 */
const newest = sql<number>`(select coalesce(max(id), 0)::int from audit)`;
