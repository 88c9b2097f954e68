// An admin approves or denies a class, approves or refuses a change of it, or says that it is over.
// Its dates are booked or freed with the decision.
import type { Mailing, Services } from '../../services.ts';
import {
  approveClass,
  type ClassStatus,
  denyClass,
  endClass,
  refuseChange,
} from '../../../contract/classes.ts';
import { isDeletedAddress } from '../../../contract/rules.ts';
import { type Db, sql } from '../../db/connection.ts';
import { type AuditLine, changed, unchanged } from '../../db/write.ts';
import { fail, refuseField, refusing, unknownSport } from '../../http/fail.ts';
import type { Caller } from '../../http/on.ts';
import { mail } from '../mails/kinds.ts';
import { clashesOf, refusingClashes } from './conflicts.ts';
import { storedMeetings } from './examine.ts';
import { tellInstructor, tellNewPlan } from './families.ts';
import { bookMeetings, freeMeetings, lockClass, lockPlan } from './meetings.ts';
import { approved, type ClassRow, dropProposal } from './proposals.ts';

export function decisions({ on, db, write, ...mailing }: Services): void {
  on(approveClass, (input, { who }) =>
    refusingClashes(
      () =>
        write(who, async (db) => {
          const decided = await decide(db, { ...input, status: 'approved' }, mailing);
          if (!decided) return unchanged;
          await congratulate(db, who, decided.found, mailing);
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
      const decided = await decide(db, { id, status: 'denied' }, mailing);
      // A job releases the seats that are being paid for: we cannot call the card provider inside a
      // transaction.
      if (decided) await mailing.jobs.send(db, 'class-denied', { classId: id });
      const explained = reason ? await explain(db, id, reason, mailing) : false;
      if (decided && !explained)
        await tellDenied(db, who, { found: decided.found, reason }, mailing);
      if (decided) return changed(decided.audit);
      if (!explained) return unchanged;
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
      await tellInstructor(db, mailing, who.id, refused);
      const action = isAdmin ? 'class change refused' : 'class change withdrawn';
      return changed({ action, subject: id, detail: found.name });
    }),
  );

  on(endClass, ({ id }, { who }) =>
    write(who, async (db) => {
      const found = await lockClass(db, who, id);
      if (found.overAt) return unchanged;
      if (found.endsAt) refuseField('id', 'has dates: it ends with the last one');
      await sql`update class set over = true, over_at = now(), ends_at = now(), closes_at = now()
        where id = ${id}`.execute(db);
      await mailing.jobs.send(db, 'class-denied', { classId: id });
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
}

async function decide(
  db: Db,
  { id, status, version, dates, proposedAt }: Decision,
  mailing: Mailing,
): Promise<{ found: ClassRow; audit: AuditLine } | null> {
  await lockPlan(db);
  const found = await db
    .selectFrom('class')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!found) fail('NOT_FOUND');
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
    .$if(found.proposal !== null, (query) => query.set({ version: sql`version + 1` }))
    .where('id', '=', id)
    .execute();
  if (found.endsAt) await (status === 'approved' ? bookMeetings(db, id) : freeMeetings(db, [id]));
  await tellNewPlan(db, mailing, found, values);
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

async function congratulate(
  db: Db,
  who: Caller,
  { id: classId, instructorId: to, status }: ClassRow,
  mailing: Mailing,
): Promise<void> {
  await dropDenial(db, classId);
  const approved = mail('approved', { to, classId, isChange: status === 'approved' });
  await tellInstructor(db, mailing, who.id, approved);
}

/**
 * The reason follows the decision by some minutes, and its mail says both. If none follows, the
 * chore `notices` mails the decision alone.
 */
async function tellDenied(
  db: Db,
  who: Caller,
  { found, reason }: { found: ClassRow; reason: string },
  mailing: Mailing,
): Promise<void> {
  const { id, instructorId: to } = found;
  if (reason)
    return tellInstructor(
      db,
      mailing,
      who.id,
      mail('denied', { to, classId: id, explained: true }),
    );
  await sql`insert into notice (kind, subject, words) values ('denied', ${id}, '')
    on conflict (kind, subject) do update set at = now()`.execute(db);
}

const dropDenial = (db: Db, classId: string) =>
  sql`delete from notice where kind = 'denied' and subject = ${classId}`.execute(db);

/** The reason is stored as feedback and mailed to the instructor; the same one only once. */
async function explain(db: Db, id: string, reason: string, { jobs }: Mailing) {
  const told = await db
    .updateTable('class')
    .set({ feedback: reason })
    .where('id', '=', id)
    .where('feedback', '<>', reason)
    .returning('instructorId as to')
    .executeTakeFirst();
  if (!told) return false;
  await dropDenial(db, id);
  await jobs.send(db, 'send-mail', mail('denied', { ...told, classId: id, explained: true }));
  return true;
}
