// The public list of instructors: all who teach.
import type { Services } from '../platform/services.ts';
import { type Instructor, listInstructors } from '../../contract/classes/instructors.ts';
import { slice } from '../../contract/platform/rules.ts';
import { type RowOf, sql } from '../platform/db/connection.ts';
import { listing } from '../platform/db/lists.ts';
import type { Handler } from '../platform/http/on.ts';
import { isCoach } from '../people/users.ts';

const taught = sql`from class where class.instructor_id = "user".id and class.shelf = 'approved'`;

/** The seats they have sold: who has the most students comes first. */
const students = `(select coalesce(sum(sold), 0) from class where class.instructor_id = "user".id)`;

export function instructors({ on, db }: Services): void {
  const list: Handler<typeof listInstructors> = async (input) => {
    const order = input.sort === 'popular' ? [`${students} desc`, 'id'] : ['name', 'id'];
    const { rows, total } = await listing(
      db,
      {
        table: 'user',
        search: input.search,
        where: (words) => sql<boolean>`(${isCoach} and ${words})`,
        order,
        ...slice(input),
      },
      (page) =>
        page
          .selectFrom('user')
          .select(['id', 'name', 'email', 'image', 'about'])
          .select([
            sql<number>`(select count(*)::int ${taught})`.as('classes'),
            sql<string[]>`array(select distinct sport ${taught} order by sport)`.as('sports'),
          ])
          .orderBy(sql.raw(order.join(', '))),
    );
    return {
      items: rows.map(present),
      total,
    };
  };
  // Approving or denying a class changes the counts, a sale changes the order by students, and
  // renaming or promoting a person changes the list. All of them clear the cache.
  on(listInstructors, list, {
    channels: ['people', 'classes', 'seats'],
    forSignedIn: () => true,
  });
}

interface Row extends RowOf<'user', 'id' | 'name' | 'email' | 'image' | 'about'> {
  classes: number;
  sports: string[];
}

const present = ({ id, name, email, image, about, classes, sports }: Row): Instructor => ({
  id,
  name,
  email,
  img: image ?? '',
  ...(about && { about }),
  classes,
  sports,
});
