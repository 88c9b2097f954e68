// An admin approves or denies a class or a change of it, or says that it is over.
import type { Services } from '../platform/services.ts';
import {
  approveClass,
  type ClassStatus,
  denyClass,
  endClass,
  refuseChange,
} from '../../contract/classes/classes.ts';
import { isDeletedAddress } from '../../contract/platform/rules.ts';
import { type Db, execute, query, sql } from '../platform/db/connection.ts';
import type { Jobs } from '../platform/db/jobs.ts';
import { type AuditLine, changed, unchanged } from '../platform/db/write.ts';
import { fail, refuseField, refusing, unknownSport } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { mail } from '../mail/kinds.ts';
import { clashesOf, refusingClashes } from './conflicts.ts';
import { storedMeetings } from './examine.ts';
import { tell, tellNewPlan } from './families.ts';
import { bookMeetings, freeMeetings, lockClass, lockPlan } from './meetings.ts';
import { approved, type ClassRow, dropProposal } from './proposals.ts';

export function decisions({ on, db, write, jobs }: Services): void {
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
      // A job releases the seats that are being paid for: we cannot call the card provider inside a
      // transaction.
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
      if (found.overAt) return unchanged;
      if (found.endsAt) refuseField('id', 'has dates: it ends with the last one');
      await execute(
        db,
      )`update class set over = true, over_at = now(), ends_at = now(), closes_at = now()
        where id = ${id}`;
      await jobs.send(db, 'class-denied', { classId: id });
      return changed({ action: 'class over', subject: id, detail: found.name });
    }),
  );
}

/** Something else waits now than what was looked at. */
function refuseOther(found: ClassRow, proposedAt: string | undefined): void {
  if (proposedAt !== undefined && proposedAt !== found.proposedAt?.toISOString())
    fail('CLASS_CHANGED');
}

interface Decision {
  id: string;
  status: 'approved' | 'denied';
  version?: number | undefined;
  dates?: number | undefined;
  proposedAt?: string | undefined;
  feedback?: string;
}

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
      : (`class ${found.status as ClassStatus} → ${status}` as const);
  return { found, audit: { action, subject: id, detail: found.name } };
}

const noInstructor =
  'The instructor of this class has left, or is none any more. Please hand the class over to another instructor first.';

/** A deletion or a block of the account, which closes the class, waits for the lock on it. */
async function hasLeft(db: Db, { instructorId }: ClassRow): Promise<boolean> {
  const { email, role, blockedAt } = await db
    .selectFrom('user')
    .select(['email', 'role', 'blockedAt'])
    .where('id', '=', instructorId)
    .executeTakeFirstOrThrow();
  return role === 'student' || blockedAt !== null || isDeletedAddress(email);
}

/** The reason may follow in some minutes; if not, the chore `notices` mails the decision alone. */
const noteDenial = (db: Db, classId: string) =>
  sql`insert into notice (kind, subject, words) values ('denied', ${classId}, '')
    on conflict (kind, subject) do update set at = now()`.execute(db);

const dropDenial = (db: Db, classId: string) =>
  sql`delete from notice where kind = 'denied' and subject = ${classId}`.execute(db);

/** The reason is stored as feedback. Whom to tell of it: the instructor, and of the same one only once. */
async function explain(db: Db, id: string, reason: string): Promise<string | undefined> {
  if (!reason) return undefined;
  const rows = await query<{ to: string }>(db)`
    update class set feedback = ${reason} where id = ${id} and feedback <> ${reason}
    returning instructor_id as to`;
  return rows[0]?.to;
}
