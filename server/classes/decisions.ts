// An admin approves or denies a class or a change of it, or says that it is over.
import type { Services } from '../platform/services.ts';
import {
  approveClass,
  type ClassStatus,
  denyClass,
  endClass,
  refuseChange,
  handOverClass,
} from '../../contract/classes/classes.ts';
import { type Db, execute, exists, sql, queryOne } from '../platform/db/connection.ts';
import type { Jobs } from '../platform/db/jobs.ts';
import { type AuditLine, changed, unchanged } from '../platform/db/write.ts';
import { fail, refuseField, refusing, unknownSport } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { mail } from '../mail/kinds.ts';
import { clashesOf, refusingClashes } from './conflicts.ts';
import { storedMeetings } from './examine.ts';
import { tell, tellNewPlan, familiesOf } from './families.ts';
import { bookMeetings, freeMeetings, lockClass, lockPlan, lockMeetings } from './meetings.ts';
import { approved, type ClassRow, dropProposal } from './proposals.ts';
import { mayTeach } from '../people/users.ts';
import type { Parsed } from '../../contract/platform/call.ts';
import { erasedAccount } from '../platform/db/states.ts';

export function decisions(services: Services): void {
  const { on, db, write, jobs } = services;
  handover(services);
  on(approveClass, (input, { who }) =>
    refusingClashes(
      () =>
        write(who, async (db) => {
          const decided = await decide(db, who, { ...input, status: 'approved' }, jobs);
          if (!decided) return unchanged;
          const { id: classId, instructorId: to, status } = decided.found;
          await dropDenial(db, classId);
          const isChange = status === 'approved';
          await tell(db, jobs, who.id, mail('approved', { to, classId, isChange }));
          return changed(decided.audit);
        }),
      async () => {
        const stored = await storedMeetings(db, input.id);
        const wanted = stored.filter(({ state }) => state === 'proposed');
        return clashesOf(db, who, { classId: input.id, wanted });
      },
    ).catch(refusing(unknownSport)),
  );

  on(denyClass, ({ id, reason = '' }, { who }) =>
    write(who, async (db) => {
      const decided = await decide(db, who, { id, status: 'denied', feedback: reason }, jobs);
      // By a job: the card provider cannot be called inside a transaction.
      if (decided) await jobs.send(db, 'class-denied', { classId: id });
      const to = decided ? decided.found.instructorId : await explain(db, id, reason);
      if (to === undefined) return unchanged;
      if (reason) {
        await dropDenial(db, id);
        await tell(db, jobs, who.id, mail('denied', { to, classId: id, explained: true }));
      } else await noteDenial(db, id);
      if (decided) return changed(decided.audit);
      return changed({ action: 'class feedback', subject: id, detail: reason.slice(0, 200) });
    }),
  );

  on(refuseChange, ({ id, reason = '', proposedAt }, { who }) =>
    write(who, async (db) => {
      const found = await lockClass(db, who, id);
      refuseOther(found, proposedAt);
      if (!found.proposal) return unchanged;
      const isAdmin = who.role === 'admin';
      if (isAdmin && !reason) refuseField('reason', 'is required');
      await dropProposal(db, found);
      const refused = mail('change-refused', { to: found.instructorId, classId: id, reason });
      await tell(db, jobs, who.id, refused);
      const action = isAdmin ? 'class change refused' : 'class change withdrawn';
      return changed({ action, subject: id, detail: found.name });
    }),
  );

  on(endClass, ({ id }, { who }) =>
    write(who, async (db) => {
      const found = await lockClass(db, who, id);
      if (found.overAt || found.status === 'cancelled') return unchanged;
      if (found.endsAt) refuseField('id', 'has dates: it ends with the last one');
      await execute(db)`
        update class set over = true, over_at = now(), ends_at = now(), closes_at = now()
        where id = ${id}`;
      await jobs.send(db, 'class-denied', { classId: id });
      return changed({ action: 'class over', subject: id, detail: found.name });
    }),
  );
}

function refuseOther(found: ClassRow, proposedAt: string | undefined): void {
  if (proposedAt !== undefined && proposedAt !== found.proposedAt?.toISOString())
    fail('CLASS_CHANGED');
}

type Decision = Parsed<typeof approveClass> & {
  status: 'approved' | 'denied';
  feedback?: string;
};

async function decide(
  db: Db,
  who: Caller,
  { id, status, version, dates, proposedAt, feedback }: Decision,
  jobs: Jobs,
): Promise<{ found: ClassRow; audit: AuditLine } | null> {
  await lockPlan(db);
  const found = await lockClass(db, who, id);
  if (dates !== undefined && dates !== found.dates) fail('DATES_CHANGED');
  if (version !== undefined && version !== found.version) fail('CLASS_CHANGED');
  refuseOther(found, proposedAt);
  if (found.status === 'cancelled') return null;
  // An approved class may have a change or dates that wait.
  if (found.status === status && (status === 'denied' || !found.proposedAt)) return null;
  if (status === 'approved' && (await hasLeft(db, found)))
    fail('NOT_AN_INSTRUCTOR', { message: noInstructor });
  const values = status === 'approved' ? approved(found) : {};
  await db
    .updateTable('class')
    .set({ ...values, status, changed: [], proposal: null, proposedAt: null })
    .set({ updatedAt: sql`now()` })
    // In one statement: a second one would lock the instructor after the class, by the foreign key.
    .$if(Boolean(feedback), (query) => query.set({ feedback }))
    .$if(found.proposal !== null, (query) => query.set({ version: sql`version + 1` }))
    .where('id', '=', id)
    .execute();
  if (found.endsAt) await (status === 'approved' ? bookMeetings(db, id) : freeMeetings(db, [id]));
  await tellNewPlan(db, jobs, found, values);
  const action =
    found.status === status
      ? 'class change approved'
      : (`class ${found.status as Exclude<ClassStatus, 'cancelled'>} → ${status}` as const);
  return { found, audit: { action, subject: id, detail: found.name } };
}

const noInstructor =
  'The instructor of this class has left, or is none any more. Please hand the class over to another instructor first.';

/** A deletion or a block of the account, which closes the class, waits for the lock on it. */
const hasLeft = (db: Db, { instructorId }: ClassRow) =>
  exists(db)`select from "user" where id = ${instructorId}
    and (role = 'student' or blocked_at is not null or ${erasedAccount('user')})`;

/** The reason may follow in some minutes; if not, the chore `notices` mails the decision alone. */
const noteDenial = (db: Db, classId: string) =>
  execute(db)`insert into notice (kind, subject, words) values ('denied', ${classId}, '')
    on conflict (kind, subject) do update set at = now()`;

const dropDenial = (db: Db, classId: string) =>
  execute(db)`delete from notice where kind = 'denied' and subject = ${classId}`;

/** The reason is stored as feedback. Whom to tell of it: the instructor, and of the same one only once. */
async function explain(db: Db, id: string, reason: string): Promise<string | undefined> {
  if (!reason) return undefined;
  const found = await queryOne<{ to: string }>(db)`
    update class set feedback = ${reason}
    where id = ${id} and feedback <> ${reason} and status <> 'cancelled'
    returning instructor_id as to`;
  return found?.to;
}

function handover({ on, db, writeAccounts, jobs }: Services): void {
  on(handOverClass, ({ id, to }, { who }) => {
    const handOver = () =>
      writeAccounts(who, { ids: [to], lock: 'key share' }, async (db, accounts) => {
        await lockPlan(db);
        const found = await lockClass(db, who, id);
        const next = accounts.find((account) => account.id === to);
        if (!next || !mayTeach(next)) fail('NOT_AN_INSTRUCTOR', { field: 'to' });
        if (found.instructorId === to) return unchanged;
        // The idempotency key was the first instructor's; the new one may have used the same.
        await execute(db)`update class set instructor_id = ${to}, form_key = null where id = ${id}`;
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
  await execute(db)`
    update meeting set instructor_id = ${to}, sequence = sequence + 1, changed_at = now()
    where class_id = ${classId} and instructor_id = ${from} and upper(during) > now()`;
  await execute(db)`update meeting set handed_over = true
    where class_id = ${classId} and instructor_id = ${from}`;
}
