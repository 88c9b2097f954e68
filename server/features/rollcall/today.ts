// Opens a roll call of a class without dates: a meeting in the state `called`, from now for 12 hours. So
// long its instructor reads care facts (scope.ts).
import { openRollCall } from '../../../contract/rollcall.ts';
import { type Database, sql } from '../../db/connection.ts';
import { fail } from '../../http/fail.ts';
import type { On } from '../../http/on.ts';
import { audit } from '../audit.ts';
import { lockCaller } from '../people/users.ts';

type Deps = { on: On } & Pick<Database, 'transaction'>;

export const todaysRollCall = ({ on, transaction }: Deps): void =>
  on(openRollCall, ({ id }, { who }) =>
    transaction(async (db) => {
      // Waits for a hand-over, and for dates that are being set.
      const { rows } = await sql<{ dated: boolean }>`
        select ends_at is not null as dated from class
        where id = ${id} and (instructor_id = ${who.id} or ${who.role === 'admin'}) for share`.execute(
        db,
      );
      const [found] = rows;
      if (!found) fail('NOT_FOUND');
      if (found.dated) fail('DATES_CHANGED');
      await lockCaller(db, who);
      const { numAffectedRows } = await sql`
        insert into meeting (class_id, instructor_id, day, starts, minutes, state)
        select id, instructor_id, here, date_trunc('minute', here), 720, 'called'
        from class, academy, lateral (select now() at time zone time_zone as here) clock where id = ${id}
        on conflict on constraint meeting_called_once do nothing`.execute(db);
      if (numAffectedRows)
        await audit(db, { actorId: who.id, action: 'roll call opened', subject: id });
      return { modifiedCount: Number(numAffectedRows) };
    }),
  );
