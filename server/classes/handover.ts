// PATCH /classes/handover/:id: an admin gives a class to another instructor.
import type { Services } from '../platform/services.ts';
import { handOverClass } from '../../contract/classes/classes.ts';
import { type Db, execute, sql } from '../platform/db/connection.ts';
import type { Jobs } from '../platform/db/jobs.ts';
import { changed, unchanged } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import { mail } from '../mail/kinds.ts';
import { clashesOf, refusingClashes } from './conflicts.ts';
import { storedMeetings } from './examine.ts';
import { mayTeach } from '../people/users.ts';
import { familiesOf, tell } from './families.ts';
import { lockClass, lockMeetings, lockPlan } from './meetings.ts';
import type { ClassRow } from './proposals.ts';

export function handover({ on, db, writeAccounts, jobs }: Services): void {
  on(handOverClass, ({ id, to }, { who }) => {
    const handOver = () =>
      writeAccounts(who, { ids: [to], lock: 'key share' }, async (db, accounts) => {
        await lockPlan(db);
        const found = await lockClass(db, who, id);
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
        await tellAll(db, jobs, { by: who.id, found, to });
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

/** The health facts of children change hands. Of a class that is over nobody else is told. */
async function tellAll(
  db: Db,
  jobs: Jobs,
  { by, found, to: teacher }: { by: string; found: ClassRow; to: string },
) {
  const { id: classId, instructorId: from, endsAt } = found;
  const handedOver = (to: string) => mail('handed-over', { to, classId, from, teacher });
  const families = endsAt !== null && endsAt < new Date() ? [] : await familiesOf(db, [classId]);
  await jobs.sendAll(
    db,
    'send-mail',
    families.map(({ id }) => handedOver(id)),
  );
  await tell(db, jobs, by, handedOver(from), mail('class-taken-over', { to: teacher, classId }));
}

/** Of meetings that are over the former instructor sees the people no more. */
async function teachFrom(db: Db, classId: string, { from, to }: { from: string; to: string }) {
  await lockMeetings(db, sql`class_id = ${classId}`);
  await execute(
    db,
  )`update meeting set instructor_id = ${to}, sequence = sequence + 1, changed_at = now()
    where class_id = ${classId} and instructor_id = ${from} and upper(during) > now()`;
  await execute(db)`update meeting set handed_over = true
    where class_id = ${classId} and instructor_id = ${from}`;
}
