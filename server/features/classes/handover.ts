// PATCH /classes/handover/:id: an admin gives a class to another instructor, for example because
// its instructor leaves.
import { handOverClass } from '../../../contract/classes.ts';
import type { Database } from '../../db/connection.ts';
import { fail } from '../../http/fail.ts';
import type { On } from '../../http/on.ts';
import { audit } from '../audit.ts';

export function handover({ on, transaction }: { on: On } & Pick<Database, 'transaction'>): void {
  on(handOverClass, ({ id, to }, { who }) =>
    transaction(async (db) => {
      // Locks the class, then the users by id: the lock order of every transaction (decision 0021).
      const found = await db
        .selectFrom('class')
        .select(['name', 'instructorId'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!found) fail('NOT_FOUND');
      const people = await db
        .selectFrom('user')
        .select(['id', 'name', 'role'])
        .where('id', 'in', [found.instructorId, to])
        .orderBy('id')
        .forNoKeyUpdate()
        .execute();
      const next = people.find((person) => person.id === to);
      if (next?.role !== 'instructor') fail('NOT_AN_INSTRUCTOR', { field: 'to' });
      if (found.instructorId === to) return { modifiedCount: 0 };
      // The idempotency key was the first instructor's. The new instructor may have used the same
      // key.
      await db
        .updateTable('class')
        .set({ instructorId: to, instructor: next.name, formKey: null })
        .where('id', '=', id)
        .execute();
      // Ids, not names: the audit log is kept after an account is deleted.
      const detail = `${found.name}: ${found.instructorId} → ${to}`;
      await audit(db, { actorId: who.id, action: 'class handed over', subject: id, detail });
      return { modifiedCount: 1 };
    }),
  );
}
