// Who is told about a class: its instructor, and the guardians of those enrolled. Everybody is
// their own. A payer who no longer looks after the child is not told where it will be.
import type { Mailing } from '../../services.ts';
import { type Db, sql } from '../../db/connection.ts';
import { activeEnrolment, erasedAccount } from '../../db/states.ts';
import type { Message } from '../../outside/mail.ts';
import type { Addressed } from '../mails/common.ts';
import { newPlanMail } from '../mails/classes.ts';
import { type ClassRow, type Facts, factsOf } from './proposals.ts';

/**
 * Accounts, each once, with the first class that it has booked. Deleted accounts keep their seat but
 * have no address.
 */
export async function familiesOf(db: Db, classIds: readonly string[]) {
  const { rows } = await sql<Addressed & { classId: string }>`
    select u.id, u.email, u.name, min(class_id::text) as class_id, array_agg(participant_id) as about
    from enrolment join told_guardian guardian using (participant_id) join "user" u on u.id = guardian.user_id
    where class_id = any (${classIds}::uuid[]) and ${activeEnrolment()} and not ${erasedAccount()}
    group by u.id order by u.id`.execute(db);
  return rows;
}

/** Mails the instructor of a class, unless the account was deleted or it is their own doing. */
export async function tellInstructor(
  db: Db,
  { jobs }: Pick<Mailing, 'jobs'>,
  told: { instructorId: string; by: string; write: (person: Addressed) => Message },
): Promise<void> {
  const { rows } = await sql<Addressed>`
    select id, email, name from "user" where id = ${told.instructorId} and id <> ${told.by}
      and not ${erasedAccount('user')}`.execute(db);
  if (rows[0]) await jobs.send(db, 'send-mail', told.write(rows[0]));
}

/** The admins. A blocked one learns nothing more; only digests can be turned off. */
export async function adminsToTell(db: Db, { digest = false } = {}) {
  const { rows } = await sql<Addressed>`
    select id, email, name from "user" where role = 'admin' and email_verified and blocked_at is null
      and not (${digest} and 'digests' = any (mail_off)) order by id`.execute(db);
  return rows;
}

/** Mails the families when the words of time or place changed. */
export async function tellNewPlan(
  db: Db,
  { jobs, config }: Mailing,
  before: ClassRow,
  values: Partial<Facts>,
): Promise<void> {
  const plan = { before: factsOf(before), after: factsOf({ ...before, ...values }) };
  if (before.schedule === plan.after.schedule && before.place === plan.after.place) return;
  const families = await familiesOf(db, [before.id]);
  await jobs.sendAll(
    db,
    'send-mail',
    families.map((family) => newPlanMail(config, family, plan)),
  );
}
