// What an admin does to an account: makes it a student's, blocks it, unblocks it; and whether they
// teach. Not for: the two promotions of the specification (people/users.ts).
import type { Services } from '../../services.ts';
import { blockUser, makeStudent, setTeaches, unblockUser } from '../../../contract/staff.ts';
import { type Db, sql } from '../../db/connection.ts';
import { fail } from '../../http/fail.ts';
import type { Caller } from '../../http/on.ts';
import { audit } from '../audit.ts';
import { lockPlan } from '../classes/meetings.ts';
import { lockTaughtAndSubstituted, needOf } from '../classes/teaching.ts';
import { endInvitations } from '../people/participants.ts';
import { endStaffInvitations, giveRole, lockWithAdmins, refuseEnded } from '../people/users.ts';
import { endLinks, endSecondSteps } from './confirmation.ts';
import { closeClasses } from './leaving.ts';

/** In the audit log. newaddress.ts looks for it there. */
export const unblocked = 'account unblocked';

export function staffRoles({ on, transaction, jobs }: Services): void {
  on(makeStudent, ({ id, stopSale }, { who }) =>
    transaction(async (db) => {
      await lockPlan(db);
      // A sale waits for the lock on its class, so no seat is sold between the look and the change.
      await lockTaughtAndSubstituted(db, id);
      const given = await giveRole(db, who, id, 'student');
      if (given.modifiedCount === 0) return given;
      await refuseWhileNeeded(db, id, stopSale);
      await closeClasses(db, { id, by: who.id }, { jobs });
      return given;
    }),
  );

  on(setTeaches, ({ teaches }, { who }) =>
    transaction(async (db) => {
      await lockPlan(db);
      await lockTaughtAndSubstituted(db, who.id);
      const { numAffectedRows } = await sql`
        update "user" set teaches = ${teaches}
        where id = ${who.id} and role = 'admin' and teaches <> ${teaches}`.execute(db);
      await refuseEnded(db, who);
      if (numAffectedRows === 0n) return { modifiedCount: 0 };
      if (!teaches) {
        await refuseWhileNeeded(db, who.id);
        await closeClasses(db, { id: who.id, by: who.id }, { jobs });
      }
      const action = teaches ? 'teaches, too' : 'teaches no more';
      await audit(db, { actorId: who.id, action, subject: who.id });
      return { modifiedCount: 1 };
    }),
  );

  on(blockUser, ({ id, reason }, { who }) =>
    transaction(async (db) => {
      if (id === who.id) fail('OWN_ACCOUNT', { message: 'You cannot block yourself.' });
      await lockPlan(db);
      await lockTaughtAndSubstituted(db, id);
      const user = await lockOther(db, who, id);
      if (user.blockedAt) return { modifiedCount: 0 };
      await sql`update "user" set blocked_at = now() where id = ${id}`.execute(db);
      await sql`delete from session where user_id = ${id}`.execute(db);
      await endSecondSteps(db, id);
      await endLinks(db, id);
      await endStaffInvitations(db, { by: id, to: user.email });
      await endInvitations(db, { by: id });
      await jobs.dropMail(db, user.email);
      const action = 'account blocked';
      await audit(db, { actorId: who.id, action, subject: id, detail: reason ?? '' });
      await closeClasses(db, { id, by: who.id, blocked: true }, { jobs });
      return { modifiedCount: 1 };
    }),
  );

  on(unblockUser, ({ id }, { who }) =>
    transaction(async (db) => {
      const user = await lockOther(db, who, id);
      if (!user.blockedAt) return { modifiedCount: 0 };
      await sql`update "user" set blocked_at = null where id = ${id}`.execute(db);
      await audit(db, { actorId: who.id, action: unblocked, subject: id });
      return { modifiedCount: 1 };
    }),
  );
}

/** For update: a request of the user that is under way ends before, or finds its session gone. */
async function lockOther(db: Db, who: Caller, id: string) {
  const { user } = await lockWithAdmins(db, id, 'update');
  // Two admins block each other at once: the second one is blocked by now.
  await refuseEnded(db, who);
  return user;
}

async function refuseWhileNeeded(db: Db, id: string, stopSale = false): Promise<void> {
  const { classes, substitute } = await needOf(db, id);
  const parts = [
    classes > 0 &&
      !stopSale &&
      `teaches ${classes === 1 ? 'a class' : `${classes} classes`} with students`,
    substitute > 0 &&
      `is the substitute in ${substitute === 1 ? 'a class' : `${substitute} classes`}`,
  ].filter((part) => part !== false);
  if (parts.length > 0)
    fail('TEACHES_STUDENTS', {
      message: `This instructor ${parts.join(' and ')}. Another instructor must take over first.`,
    });
}
