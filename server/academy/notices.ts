// The chore `notices`: tells admins of classes to review and of things that went wrong, each kind
// once an hour at most. What was told is in `notice`, so none is told twice.
import type { Some } from '../platform/services.ts';
import { statfs } from 'node:fs/promises';
import { type Db, execute, query, sql } from '../platform/db/connection.ts';
import type { Jobs } from '../platform/db/jobs.ts';
import { mail } from '../mail/kinds.ts';
import { adminsToTell } from '../classes/families.ts';

type Kind = 'class' | 'alarm';

const leastFree = 0.05;

export const createNotices =
  ({
    system,
    jobs,
    config,
    freeDisk = freeOn,
  }: Some<'system' | 'jobs', 'brand' | 'publicUrl' | 'dataDir'> & {
    freeDisk?: (folder: string) => Promise<number>;
  }) =>
  async (): Promise<void> => {
    const free = await freeDisk(config.dataDir);
    await system([], async (db) => {
      await noteClasses(db);
      await noteAlarms(db);
      if (free < leastFree) await noteDisk(db, free);
    });
    await system([], (db) => tellDenials(db, jobs));
    for (const kind of ['class', 'alarm'] as const) await system([], (db) => tell(db, kind, jobs));
    await system([], async (db) => {
      await execute(db)`delete from notice where told_at < now() - interval '60 days'`;
    });
  };

async function freeOn(folder: string): Promise<number> {
  const disk = await statfs(folder).catch(() => null);
  return disk && disk.blocks > 0 ? disk.bavail / disk.blocks : 1;
}

/** Classes that wait for a decision. One that was changed since it was told is told again. */
const noteClasses = (db: Db) =>
  sql`
    insert into notice (kind, subject, version, words)
    select 'class', id::text, version, left(name, 250)
    from class where proposed_at is not null and not over
    on conflict (kind, subject) do update
      set version = excluded.version, words = excluded.words, at = now(), told_at = null
      where notice.version < excluded.version`.execute(db);

/** A failed refund is told again when its next round fails. Jobs that are tried once are repeated by the sweep. */
const noteAlarms = (db: Db) =>
  sql`
    insert into notice (kind, subject, words)
    select 'alarm', 'refund ' || refund.id || ' ' || refund.round, 'A refund failed: ' || left(payment.item_name, 200)
    from refund join payment on payment.id = refund.payment_id where refund.state = 'failed'
    union all
    select 'alarm', 'quarantine ' || intent_id, 'A payment of an unknown student or class'
    from quarantine where resolved_at is null
    union all
    select 'alarm', 'event ' || event_id, 'An event of the card provider could not be handled'
    from stripe_event where state = 'failed' and received_at < now() - interval '5 minutes'
    union all
    select 'alarm', 'job ' || id, case name when 'send-mail' then 'A mail could not be sent for days'
      else 'A job failed for good: ' || name end
    from pgboss.job where state = 'failed' and retry_limit > 0
    on conflict do nothing`.execute(db);

const noteDisk = (db: Db, free: number) =>
  sql`
    insert into notice (kind, subject, words)
    values ('alarm', 'disk ' || current_date, ${`The disk is nearly full: ${Math.floor(free * 100)} % are free`})
    on conflict do nothing`.execute(db);

/** Classes that were denied without a reason a while ago. A reason removes its row. */
async function tellDenials(db: Db, jobs: Jobs): Promise<void> {
  const rows = await query<{ to: string; classId: string }>(db)`
    with due as (delete from notice where kind = 'denied' and at < now() - interval '10 minutes' returning subject)
    select class.instructor_id as to, class.id as class_id
    from due join class on class.id::text = due.subject where class.status = 'denied' order by class.id`;
  const mails = rows.map((row) => mail('denied', Object.assign(row, { explained: false })));
  await jobs.sendAll(db, 'send-mail', mails);
}

const digests = { class: 'classes-to-review', alarm: 'alarms' } as const;

/** A kind that another process is telling at this moment is left to it. */
async function tell(db: Db, kind: Kind, jobs: Jobs): Promise<void> {
  const due = await query(db)`
    select from digest where kind = ${kind} and sent_at <= now() - interval '1 hour'
    for update skip locked`;
  if (due.length === 0) return;
  // A class that was decided meanwhile is not news.
  const rows = await query<{ subject: string; isNews: boolean }>(db)`
    update notice set told_at = now() where kind = ${kind} and told_at is null
    returning subject, kind <> 'class' or exists (select from class
      where id = case kind when 'class' then subject::uuid end and proposed_at is not null and not over) as is_news`;
  const subjects = rows.flatMap(({ subject, isNews }) => (isNews ? [subject] : []));
  if (subjects.length === 0) return;
  await execute(db)`update digest set sent_at = now() where kind = ${kind}`;
  const admins = await adminsToTell(db, { digest: kind === 'class' });
  const mails = admins.map(({ id: to }) => mail(digests[kind], { to, subjects }));
  await jobs.sendAll(db, 'send-mail', mails);
}
