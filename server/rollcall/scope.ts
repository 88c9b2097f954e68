// Which meetings a caller may see the people of: an instructor those of their own classes and those
// in which they are the substitute, an admin all. The former instructor of a class that was handed over
// sees none, and a substitute none that can no longer be marked.
import { sql } from '../platform/db/connection.ts';
import type { Condition } from '../platform/db/lists.ts';
import type { Caller } from '../platform/http/on.ts';

/** As long as marks arrive (marks.ts): names are those of today, and need no further reader. */
const standsIn = (id: string) =>
  sql<boolean>`(meeting.instructor_id = ${id} and not meeting.handed_over
    and upper(meeting.during) > now() - interval '37 days')`;

export function mayCall({ id, role }: Pick<Caller, 'id' | 'role'>): Condition {
  if (role === 'admin') return sql<boolean>`true`;
  if (role !== 'instructor') return sql<boolean>`false`;
  return sql<boolean>`(class.instructor_id = ${id} or ${standsIn(id)})`;
}

// The meetings that mayCall() allows, as `meeting` of a list over all classes. By index: those of one
// instructor are few, and a list in the order of days would look for them among all. The offset keeps
// that order out of the subquery.
export const callable = ({ id, role }: Pick<Caller, 'id' | 'role'>) =>
  role === 'admin'
    ? sql`meeting`
    : sql`(select meeting.* from meeting
        where meeting.class_id = any (array(select class.id from class where class.instructor_id = ${id}))
      union all select meeting.* from meeting join class on class.id = meeting.class_id
        where ${standsIn(id)} and class.instructor_id <> ${id}
      offset 0) meeting`;

// The enrolment `e` was alive at the time of `meeting`, or ended shortly before it: last month's
// roster is not changed by today's refund. A class without dates may be over for them.
export const expectedAt = (slack = sql`interval '0'`): Condition =>
  sql<boolean>`(e.class_id = meeting.class_id and e.created_at < upper(meeting.during)
    and (e.ended_at is null or e.ended_at >= lower(meeting.during) - ${slack})
    and (meeting.state <> 'called' or exists (select from class
      where class.id = meeting.class_id and ends_for(class, e.created_at) > lower(meeting.during))))`;

export const came = sql<boolean>`status in ('present', 'late', 'left')`;

const besides = (time: ReturnType<typeof sql>) =>
  sql`case when meeting.state = 'called' then interval '0' else ${time} end`;

/** When care facts are open to an instructor. A roll call that was opened is 12 hours long. */
export const careOpens = sql<Date>`(lower(meeting.during) - ${besides(sql`interval '24 hours'`)})`;
export const careEnds = sql<Date>`(upper(meeting.during) + ${besides(sql`interval '12 hours'`)})`;
export const careIsOpen = sql<boolean>`(meeting.state in ('on', 'called')
  and now() between ${careOpens} and ${careEnds})`;
