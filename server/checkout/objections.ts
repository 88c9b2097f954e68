// A family says that the new dates of a class do not suit them, or asks for more than the terms of
// leaving give. An admin reads it in Needs Attention
// or on the page of the payment, and settles it with words, or refunds (refunds/end.ts).
import type { Services } from '../platform/services.ts';
import { askAboutSeat } from '../../contract/checkout/leaving.ts';
import { answerObjection, objectToDates } from '../../contract/classes/objections.ts';
import { execute, query, queryOne, sql } from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { changed, own, unchanged } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import { auditOnceADay } from '../people/audit.ts';
import { mail } from '../mail/kinds.ts';
import type { NoLonger } from '../platform/ends.ts';
import { isGuardian } from '../people/participants.ts';

/**
 * Whether a meeting was changed in the last fourteen days, after the seat was bought. Of a query
 * with `enrolment`.
 */
export const mayObject = sql<boolean>`exists (select from meeting where meeting.class_id = enrolment.class_id and meeting.state <> 'called'
  and meeting.changed_at > greatest(enrolment.created_at, now() - interval '14 days'))`;

export function objectionRoutes({ on, write, jobs }: Services): void {
  on(objectToDates, ({ id, words = '' }, { who }) =>
    write(who, async (db) => {
      const found = await queryOne<{ mayObject: boolean }>(db)`
        select ${mayObject} as may_object from enrolment
        where id = ${id} and ${activeEnrolment()}
          and ${isGuardian(who.id, sql`enrolment.participant_id`)}
        for update`;
      if (!found) fail('NOT_FOUND');
      if (!found.mayObject) fail('TOO_LATE');
      await execute(db)`
          update enrolment set asked_at = now(), ask = ${words}, ask_about = 'dates' where id = ${id}`;
      await auditOnceADay(db, { actorId: who.id, action: 'objected to new dates', subject: id });
      return own({ modifiedCount: 1 });
    }),
  );

  on(askAboutSeat, ({ id, words }, { who }) =>
    write(who, async (db) => {
      const found = await queryOne<{ active: boolean; asked: boolean }>(db)`
        select ${activeEnrolment()} as active, coalesce(asked_at > now() - interval '14 days', false) as asked
        from enrolment where id = ${id} and ${isGuardian(who.id, sql`enrolment.participant_id`)}
        for update`;
      if (!found) fail('NOT_FOUND');
      if (!found.active) fail('ENDED');
      if (found.asked) fail('ASKED_ALREADY');
      await execute(db)`
        update enrolment set asked_at = now(), ask = ${words}, ask_about = 'money' where id = ${id}`;
      return changed({ action: 'asked about a seat', subject: id });
    }),
  );

  on(answerObjection, ({ id, words }, { who }) =>
    write(who, async (db) => {
      if (!(await queryOne(db)`select from enrolment where id = ${id} for update`))
        fail('NOT_FOUND');
      const rows = await query<{ to: string | null; about: string }>(db)`
        with settled as (
          update enrolment set asked_at = null, answered_at = now(), answer = ${words}
          where id = ${id} and ${activeEnrolment()} and asked_at is not null
          returning participant_id, ask_about as about)
        select user_id as to, about from settled left join guardian using (participant_id)`;
      if (rows.length === 0) return unchanged;
      const mails = rows.flatMap(({ to, about }) => {
        const kind = about === 'money' ? 'ask-answered' : 'objection-answered';
        return to ? [mail(kind, { to, enrolmentId: id, words })] : [];
      });
      await jobs.sendAll(db, 'send-mail', mails);
      return changed({ action: 'objected dates settled', subject: id });
    }),
  );
}

/** The words of a family may name their child. Those of a guardian who goes stay: they say why. */
export const forgetObjections: NoLonger = async (db, participantIds, userId) => {
  if (userId === null)
    await execute(db)`
        update enrolment set ask = '', answer = null where participant_id = any (${participantIds}::uuid[])
      and (ask <> '' or answer is not null)`;
};
