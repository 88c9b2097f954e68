// Who is told about a class. A payer who no longer looks after the child is not told where it is.
import { type Db, query } from '../platform/db/connection.ts';
import type { Jobs, MailJob } from '../platform/db/jobs.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { mail } from '../mail/kinds.ts';
import type { ClassRow, Facts } from './proposals.ts';

/** Accounts, each once, with the first class that it has booked. */
export async function familiesOf(db: Db, classIds: readonly string[]) {
  return query<{ id: string; classId: string }>(db)`
    select guardian.user_id as id, min(class_id::text) as class_id
    from enrolment join told_guardian guardian using (participant_id)
    where class_id = any (${classIds}::uuid[]) and ${activeEnrolment()}
    group by guardian.user_id order by guardian.user_id`;
}

/** Of an act: not to who does it. */
export const tell = (
  db: Db,
  jobs: Jobs,
  by: string,
  ...mails: readonly (MailJob & { ids: { to: string } })[]
) =>
  jobs.sendAll(
    db,
    'send-mail',
    mails.filter(({ ids }) => ids.to !== by),
  );

/** The admins. A blocked one learns nothing more; only digests can be turned off. */
export async function adminsToTell(db: Db, { digest = false } = {}) {
  return query<{ id: string }>(db)`
    select id from "user" where role = 'admin' and proven_at is not null and blocked_at is null
      and not (${digest} and 'digests' = any (mail_off)) order by id`;
}

export async function tellNewPlan(
  db: Db,
  jobs: Jobs,
  { id: classId, schedule, place }: ClassRow,
  values: Partial<Facts>,
): Promise<void> {
  const { schedule: when = schedule, place: where = place } = values;
  if (schedule === when && place === where) return;
  const told = { classId, before: { schedule, place } };
  const families = await familiesOf(db, [classId]);
  await jobs.sendAll(
    db,
    'send-mail',
    families.map(({ id: to }) => mail('new-plan', { to, ...told })),
  );
}
