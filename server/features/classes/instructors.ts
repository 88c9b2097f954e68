// The public list of instructors: all who teach, and how many approved classes of
// which sports they teach.
import { type Instructor, listInstructors } from '../../../contract/instructors.ts';
import { slice } from '../../../contract/rules.ts';
import { type Database, type RowOf, sql } from '../../db/connection.ts';
import { listing, paged } from '../../db/lists.ts';
import type { Handler, On } from '../../http/on.ts';
import { isCoach } from '../people/users.ts';

const taught = sql`from class where class.instructor_id = "user".id and class.shelf = 'approved'`;

export function instructors({ on, db }: { on: On; db: Database['db'] }): void {
  const list: Handler<typeof listInstructors> = async (input) => {
    // With popular=true, instructors with the most students come first.
    const order = input.sort === 'popular' ? 'students_taught desc, id' : 'name, id';
    const { rows, total } = await listing(
      db,
      {
        table: 'user',
        search: input.search,
        where: (words) => sql<boolean>`(${isCoach} and ${words})`,
        page: paged(order, slice(input)),
        offset: slice(input).offset,
        all: sql`(select count(*)::int from "user" where ${isCoach})`,
      },
      (page) =>
        page
          .selectFrom('user')
          .select(['id', 'name', 'email', 'image', 'about'])
          .select([
            sql<number>`(select count(*)::int ${taught})`.as('classes'),
            sql<string[]>`array(select distinct sport ${taught} order by sport)`.as('sports'),
          ])
          .orderBy(sql.raw(order)),
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
