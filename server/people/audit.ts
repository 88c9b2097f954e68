// The audit log: who changed what. Written in the transaction of the change. A trigger forbids
// changing or deleting rows.
import type { Services } from '../platform/services.ts';
import { auditActions, type AuditTopic } from '../../contract/platform/audit.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import { type AuditEntry, exportAudit, listAudit } from '../../contract/people/users.ts';
import { addDays } from '../../contract/platform/days.ts';
import { slice } from '../../contract/platform/rules.ts';
import { type Db, execute, instant, sql, withoutNulls } from '../platform/db/connection.ts';
import { all, type Condition, has, listing, wordsOf } from '../platform/db/lists.ts';
import type { AuditLine } from '../platform/db/write.ts';
import { startOf } from '../platform/db/zone.ts';
import { clockIn, csv } from '../platform/http/csv.ts';

/** Of what nobody asked for, or within an act: the frame writes the line of an act (db/write.ts). */
export async function audit(db: Db, line: AuditLine & { actorId: string | null }): Promise<void> {
  await db.insertInto('audit').values(line).execute();
}

/** For what can be done again and again: one line per actor, subject and day. */
export async function auditOnceADay(db: Db, line: AuditLine & { actorId: string }): Promise<void> {
  const { actorId, action, subject, detail = '' } = line;
  await execute(db)`
    insert into audit (actor_id, action, subject, detail) select ${actorId}, ${action}, ${subject}, ${detail}
    where not exists (select from audit where subject = ${subject} and actor_id = ${actorId} and action = ${action}
      and at >= (select date_trunc('day', now(), coalesce(time_zone, 'UTC')) from academy))`;
}

export function auditLog({ on, db, config }: Services): void {
  on(listAudit, async (input) => {
    const about = await orAbout(db, input.search);
    const { rows, total } = await listing(
      db,
      {
        table: 'audit',
        search: input.search,
        where: (said) => sql<boolean>`(${about(said)} and ${chosen(input)})`,
        order: ['audit.id desc'],
        ...slice(input),
      },
      (page) => lines(page),
    );
    return { items: rows.map(withoutNulls), total };
  });

  on(exportAudit, async (input) => {
    const about = await orAbout(db, input.search);
    const said = has('audit', wordsOf(input.search));
    const rows = await lines(db)
      .where(sql<boolean>`(${about(said)} and ${chosen(input)})`)
      .limit(100_000)
      .execute();
    const clock = clockIn(config.timeZone);
    return csv([
      ['When', 'Who', 'What', 'About', 'Subject', 'Detail'],
      ...rows.map(({ at, actor, action, about, subject, detail }) => [
        clock(at),
        actor,
        action,
        about ?? '',
        subject,
        detail,
      ]),
    ]);
  });
}

const actionsOf = (topic: AuditTopic) =>
  Object.entries(auditActions).flatMap(([action, its]) => (its === topic ? [action] : []));

/** Days are those of the academy. */
const chosen = ({ actor, what, from, to }: Parsed<typeof exportAudit>) =>
  all([
    actor === 'system' && sql`audit.actor_id is null`,
    actor !== undefined && actor !== 'system' && sql`audit.actor_id = ${actor}::uuid`,
    what !== undefined && sql`audit.action = any (${actionsOf(what)}::text[])`,
    from !== undefined && sql`audit.at >= ${startOf(from)}`,
    to !== undefined && sql`audit.at < ${startOf(addDays(to, 1))}`,
  ]);

/** Lines by an account, or about it, newest first. */
export async function linesOf(db: Db, userId: string, limit: number): Promise<AuditEntry[]> {
  const rows = await lines(db)
    .where((where) =>
      where.or([where('audit.actorId', '=', userId), where('audit.subject', '=', userId)]),
    )
    .limit(limit)
    .execute();
  return rows.map(withoutNulls);
}

const isId = sql`audit.subject ~ '^[0-9a-f-]{36}$'`;
const subjectId = sql<string>`case when ${isId} then audit.subject::uuid end`;

const lines = (db: Pick<Db, 'selectFrom'>) =>
  db
    .selectFrom('audit')
    .leftJoin('user', 'user.id', 'audit.actorId')
    // Names are joined and never stored here: the log cannot be changed, and a deleted account
    // must leave no name.
    .leftJoin('user as whom', (join) => join.on('whom.id', '=', subjectId))
    .select([
      sql<string>`audit.id::text`.as('_id'),
      instant(sql`audit.at`).as('at'),
      sql<string>`coalesce("user".name, 'System')`.as('actor'),
      'audit.action',
      'audit.subject',
      sql<string>`concat_ws(': ', whom.name, nullif(audit.detail, ''))`.as('detail'),
      sql<AuditEntry['about']>`case when whom.id is not null then 'user'
        when exists (select from class where class.id = ${subjectId}) then 'class'
        when exists (select from payment where payment.id = ${subjectId}) then 'payment' end`.as(
        'about',
      ),
    ])
    .orderBy('audit.id', 'desc');

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
