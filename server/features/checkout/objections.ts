// A family says that the new dates of a class do not suit them. An admin reads it in Needs Attention
// and decides about the money (office/attention.ts).
import { objectToDates } from '../../../contract/payments.ts';
import { type Database, sql } from '../../db/connection.ts';
import { fail } from '../../http/fail.ts';
import type { On } from '../../http/on.ts';
import { auditOnceADay } from '../audit.ts';
import { isGuardian, type NoLonger } from '../people/participants.ts';
import { lockCaller } from '../people/users.ts';

/**
 * Whether a meeting was changed in the last fourteen days, after the seat was bought. Of a query
 * with `enrolment`.
 */
export const mayObject = sql<boolean>`exists (select from meeting where meeting.class_id = enrolment.class_id and meeting.state <> 'called'
  and meeting.changed_at > greatest(enrolment.created_at, now() - interval '14 days'))`;

type Deps = { on: On } & Pick<Database, 'transaction'>;

export function objectionRoutes({ on, transaction }: Deps): void {
  on(objectToDates, ({ id, words = '' }, { who }) =>
    transaction(async (db) => {
      // Before the enrolment, as a deletion of the account does, which erases the words.
      await lockCaller(db, who);
      const { rows } = await sql<{ mayObject: boolean }>`
        select ${mayObject} as may_object from enrolment
        where id = ${id} and state = 'active'
          and ${isGuardian(who.id, sql`enrolment.participant_id`)}
        for update`.execute(db);
      const [found] = rows;
      if (!found) fail('NOT_FOUND');
      if (!found.mayObject) fail('TOO_LATE');
      await sql`update enrolment set objected_at = now(), objection = ${words} where id = ${id}`.execute(
        db,
      );
      await auditOnceADay(db, { actorId: who.id, action: 'objected to new dates', subject: id });
      return { modifiedCount: 1 };
    }),
  );
}

/** The words of a family may name their child. Those of a guardian who goes stay: they say why. */
export const forgetObjections: NoLonger = async (db, participantIds, userId) => {
  if (userId === null)
    await sql`update enrolment set objection = '' where participant_id = any (${participantIds}::uuid[])
      and objection <> ''`.execute(db);
};
