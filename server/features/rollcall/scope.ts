// Which meetings a caller may see the people of: an instructor those of their own classes and those
// in which they are the substitute, an admin all. The former instructor of a class
// that was handed over sees none.
import { sql } from '../../db/connection.ts';
import type { Condition } from '../../db/lists.ts';
import type { Caller } from '../../http/on.ts';

/** A condition on `meeting` joined with `class`. */
export function mayCall({ id, role }: Pick<Caller, 'id' | 'role'>): Condition {
  if (role === 'admin') return sql<boolean>`true`;
  if (role !== 'instructor') return sql<boolean>`false`;
  return sql<boolean>`(class.instructor_id = ${id}
    or (meeting.instructor_id = ${id} and not meeting.handed_over))`;
}

/**
 * The enrolment `e` was alive at the time of `meeting`, or ended shortly before it: last month's
 * roster is not changed by today's refund.
 */
export const expectedAt = (slack = sql`interval '0'`): Condition =>
  sql<boolean>`(e.class_id = meeting.class_id and e.created_at < upper(meeting.during)
    and (e.ended_at is null or e.ended_at >= lower(meeting.during) - ${slack}))`;

/** `mark.status` of a person who was there. */
export const came = sql<boolean>`status in ('present', 'late', 'left')`;
