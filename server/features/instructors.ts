// Instructors as visitors see them: everybody with the role, and how many approved classes they teach.
import { listInstructors } from '../../contract/instructors.ts';
import { slice } from '../../contract/rules.ts';
import { type Database, raw } from '../db/connection.ts';
import { countUpTo, like, tally } from '../db/lists.ts';
import type { Handler, On } from '../http/on.ts';

export function instructors({ on, sql }: { on: On; sql: Database['sql'] }): void {
  const list: Handler<typeof listInstructors> = async (input) => {
    const { limit, offset } = slice(input);
    const matching = sql
      .selectFrom('user')
      .where('role', '=', 'instructor')
      .$if(Boolean(input.search), (query) => query.where('name', 'ilike', like(input.search)));
    const rows = await matching
      .select(['id', 'name', 'email', 'image'])
      .select(
        raw<number>`(select count(*)::int from class where class.instructor_id = "user".id and class.status = 'approved')`.as(
          'classes',
        ),
      )
      // Popular is true: those whose classes have most students come first.
      .$if(input.sort === 'popular', (query) => query.orderBy('studentsTaught', 'desc').orderBy('id'))
      .$if(input.sort !== 'popular', (query) => query.orderBy('name').orderBy('id'))
      .limit(limit)
      .offset(offset)
      .execute();
    const total = input.search ? await countUpTo(sql, matching.select('id')) : await tally(sql, 'user', 'instructor');
    return {
      items: rows.map(({ id, name, email, image, classes }) => ({ id, name, email, img: image ?? '', classes })),
      total,
    };
  };
  // A class approved or denied changes the numbers, a person renamed or promoted the list; both drop the memory.
  on(listInstructors, list, { channels: ['people', 'classes'], forSignedIn: () => true });
}
