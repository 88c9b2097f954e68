// Whom an instructor still teaches, asked before they stop being one; and what then ends.
import type { Services } from '../platform/services.ts';
import { type Db, execute, query, type RowOf } from '../platform/db/connection.ts';
import { activeEnrolment, closedClass } from '../platform/db/states.ts';
import { audit } from '../people/audit.ts';
import { freeMeetings, handBack } from './meetings.ts';

export function teaching({ ends, jobs }: Pick<Services, 'ends' | 'jobs'>): void {
  ends.onErase((db, { id }) => closeClasses(db, { id, by: id }, { jobs }));
  ends.onBlock((db, { id, by }) => closeClasses(db, { id, by, blocked: true }, { jobs }));
}

export interface Need {
  /** Their classes that have students for whom they are not over, or a seat that is being paid for. */
  classes: number;
  /** Classes of others in which they teach a meeting to come. */
  substitute: number;
}

/** Without `holds` a seat that is being paid for does not count: it is given up. */
export async function needOf(db: Db, userId: string, holds = true): Promise<Need> {
  const rows = await query<Need>(db)`
    select (select count(*)::int from class where instructor_id = ${userId}
        and (${holds} and held > 0 or exists (select from enrolment e where class_id = class.id and ${activeEnrolment('e')}
          and ends_for(class, e.created_at) > now()))) as classes,
      (select count(distinct m.class_id)::int from meeting m join class on class.id = m.class_id
        where m.instructor_id = ${userId} and class.instructor_id <> ${userId}
          and m.state = 'on' and upper(m.during) > now()) as substitute`;
  return rows[0] ?? { classes: 0, substitute: 0 };
}

// The instructor teaches no more: nothing of theirs is sold. Seats stay, with their dates; who has
// one stands in Needs Attention. Classes that are over stay as they are: families have been there.
// `by` is who caused it.
export async function closeClasses(
  db: Db,
  { id: instructorId, by, blocked }: { id: string; by: string; blocked?: true },
  { jobs }: Pick<Services, 'jobs'>,
): Promise<void> {
  await lockClassesOf(db, instructorId);
  const open = await query<RowOf<'class', 'id' | 'name'>>(db)`
    select id, name from class where instructor_id = ${instructorId} and not ${closedClass}
      and (ends_at is null or ends_at > now()) order by id`;
  for (const { id, name } of open) {
    await execute(db)`update class set status = 'denied', proposal = null, proposed_at = null,
      updated_at = now() where id = ${id}`;
    await audit(db, {
      actorId: by,
      action: `class closed, its instructor ${blocked ? 'was blocked' : 'left'}`,
      subject: id,
      detail: name,
    });
    await jobs.send(db, 'class-denied', { classId: id });
  }
  await freeMeetings(
    db,
    open.map(({ id }) => id),
  );
  await handBack(db, instructorId);
}

/** The classes that they teach or are a substitute in, and others. A sale of a seat is waited for. */
export async function lockClassesOf(
  db: Db,
  userId: string,
  others: readonly string[] = [],
): Promise<void> {
  await execute(db)`
    select from class where instructor_id = ${userId} or id = any (${others}::uuid[])
      or id in (select class_id from meeting where instructor_id = ${userId} and upper(during) > now())
    order by id for no key update`;
}
