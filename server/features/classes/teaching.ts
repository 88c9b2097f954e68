// Whom an instructor still teaches: asked before they stop being one.
import { type Db, sql } from '../../db/connection.ts';
import { activeEnrolment } from '../../db/states.ts';

export interface Need {
  /** Their classes that have students for whom they are not over, or a seat that is being paid for. */
  classes: number;
  /** Classes of others in which they teach a meeting to come. */
  substitute: number;
}

/** Without `holds` a seat that is being paid for does not count: it is given up. */
export async function needOf(db: Db, userId: string, holds = true): Promise<Need> {
  const { rows } = await sql<Need>`
    select (select count(*)::int from class where instructor_id = ${userId}
        and (${holds} and held > 0 or exists (select from enrolment e where class_id = class.id and ${activeEnrolment('e')}
          and ends_for(class, e.created_at) > now()))) as classes,
      (select count(distinct m.class_id)::int from meeting m join class on class.id = m.class_id
        where m.instructor_id = ${userId} and class.instructor_id <> ${userId}
          and m.state = 'on' and upper(m.during) > now()) as substitute`.execute(db);
  return rows[0] ?? { classes: 0, substitute: 0 };
}
