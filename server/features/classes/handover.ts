// PATCH /classes/handover/:id: an admin gives a class to another instructor, for example because
// its instructor leaves.
import type { Mailing, Services } from '../../services.ts';
import { handOverClass } from '../../../contract/classes.ts';
import { type Db, sql } from '../../db/connection.ts';
import { changed, unchanged } from '../../db/write.ts';
import { fail } from '../../http/fail.ts';
import type { Caller } from '../../http/on.ts';
import { handedOverMail, takenOverMail } from '../mails/classes.ts';
import type { Addressed } from '../mails/common.ts';
import { clashesOf, refusingClashes } from './conflicts.ts';
import { storedMeetings } from './examine.ts';
import { mayTeach } from '../people/users.ts';
import { familiesOf, tellInstructor } from './families.ts';
import { lockMeetings, lockPlan } from './meetings.ts';
import type { ClassRow } from './proposals.ts';

export function handover({ on, db, writeAccounts, ...mailing }: Services): void {
  on(handOverClass, ({ id, to }, { who }) => {
    const handOver = () =>
      writeAccounts(who, { ids: [to], lock: 'key share' }, async (db, accounts) => {
        await lockPlan(db);
        const found = await db
          .selectFrom('class')
          .select(['id', 'name', 'instructorId', 'endsAt', 'sold'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        if (!found) fail('NOT_FOUND');
        const next = accounts.find((account) => account.id === to);
        if (!next || !mayTeach(next)) fail('NOT_AN_INSTRUCTOR', { field: 'to' });
        if (found.instructorId === to) return unchanged;
        // The idempotency key was the first instructor's. The new instructor may have used the same
        // key.
        await db
          .updateTable('class')
          .set({ instructorId: to, formKey: null })
          .where('id', '=', id)
          .execute();
        await teachFrom(db, id, { from: found.instructorId, to });
        await tellAll(db, { who, found, next }, mailing);
        // Ids, not names: the audit log is kept after an account is deleted.
        const detail = `${found.name}: ${found.instructorId} → ${to}`;
        return changed({ action: 'class handed over', subject: id, detail });
      });
    return refusingClashes(handOver, async () => {
      const stored = await storedMeetings(db, id);
      const wanted = stored
        .filter(({ state, ended }) => state === 'on' && !ended)
        .map((meeting) => Object.assign(meeting, { placeId: null, instructorId: to }));
      return clashesOf(db, who, { classId: id, wanted });
    });
  });
}

type Found = Pick<ClassRow, 'id' | 'name' | 'instructorId' | 'endsAt' | 'sold'>;

/** The health facts of children change hands. Of a class that is over nobody else is told. */
async function tellAll(
  db: Db,
  { who, found, next }: { who: Caller; found: Found; next: { id: string; name: string } },
  { jobs, config }: Mailing,
) {
  const { id: classId, name: className, sold: children, instructorId, endsAt } = found;
  const write = (to: Addressed) => handedOverMail(config, to, { className, to: next.name });
  const takeOver = (to: Addressed) => takenOverMail(config, to, { className, classId, children });
  const families = endsAt !== null && endsAt < new Date() ? [] : await familiesOf(db, [classId]);
  await jobs.sendAll(db, 'send-mail', families.map(write));
  await tellInstructor(db, { jobs }, { instructorId, by: who.id, write });
  await tellInstructor(db, { jobs }, { instructorId: next.id, by: who.id, write: takeOver });
}

/**
 * The meetings to come, except those of substitutes. Of those that are over the former instructor
 * sees the people no more.
 */
async function teachFrom(db: Db, classId: string, { from, to }: { from: string; to: string }) {
  await lockMeetings(db, sql`class_id = ${classId}`);
  await sql`update meeting set instructor_id = ${to}, sequence = sequence + 1, changed_at = now()
    where class_id = ${classId} and instructor_id = ${from} and upper(during) > now()`.execute(db);
  await sql`update meeting set handed_over = true
    where class_id = ${classId} and instructor_id = ${from}`.execute(db);
}
