// What an admin does to an account: makes it a student's, blocks it, unblocks it; and whether they
// teach.
import type { Services } from '../platform/services.ts';
import { blockUser, makeStudent, setTeaches, unblockUser } from '../../contract/people/staff.ts';
import { type Db, execute } from '../platform/db/connection.ts';
import { changed, unchanged } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import { lockPlan } from '../classes/meetings.ts';
import { closeClasses, needOf } from '../classes/teaching.ts';
import { endInvitations } from '../people/participants.ts';
import { accountOf, endStaffInvitations, giveRole, withAdmins } from '../people/users.ts';
import { endLinks } from './links.ts';
import { endSessions } from './sessions.ts';

export function staffRoles({ on, writeAccounts, jobs, ends }: Services): void {
  on(makeStudent, ({ id, stopSale }, { who }) =>
    writeAccounts(who, withAdmins(id), async (db, accounts) => {
      const given = await giveRole(db, who, { accounts, id, role: 'student' });
      if (given === unchanged) return unchanged;
      await stopTeaching(db, { id, by: who.id, stopSale }, jobs);
      return given;
    }),
  );

  on(setTeaches, ({ teaches }, { who }) =>
    writeAccounts(who, { ids: [], lock: 'update' }, async (db) => {
      const count = await execute(db)`
        update "user" set teaches = ${teaches}
        where id = ${who.id} and role = 'admin' and teaches <> ${teaches}`;
      if (count === 0) return unchanged;
      if (!teaches) await stopTeaching(db, { id: who.id, by: who.id }, jobs);
      return changed({ action: teaches ? 'teaches, too' : 'teaches no more', subject: who.id });
    }),
  );

  on(blockUser, ({ id, reason }, { who }) => {
    if (id === who.id) fail('OWN_ACCOUNT', { message: 'You cannot block yourself.' });
    return writeAccounts(who, withAdmins(id), async (db, accounts) => {
      const user = accountOf(accounts, id);
      if (user.blockedAt) return unchanged;
      await lockPlan(db);
      await execute(db)`update "user" set blocked_at = now() where id = ${id}`;
      await endSessions(db, id);
      await endLinks(db, id);
      await endStaffInvitations(db, { by: id, to: user.email });
      await endInvitations(db, { by: id });
      await ends.block(db, { id, by: who.id });
      return changed({ action: 'account blocked', subject: id, detail: reason ?? '' });
    });
  });

  on(unblockUser, ({ id }, { who }) =>
    writeAccounts(who, withAdmins(id), async (db, accounts) => {
      if (!accountOf(accounts, id).blockedAt) return unchanged;
      await execute(db)`update "user" set blocked_at = null where id = ${id}`;
      return changed({ action: 'account unblocked', subject: id });
    }),
  );
}

/** A sale waits for the classes that are closed here, so what needs a teacher is counted after it. */
async function stopTeaching(
  db: Db,
  { id, by, stopSale }: { id: string; by: string; stopSale?: boolean | undefined },
  jobs: Services['jobs'],
): Promise<void> {
  await lockPlan(db);
  await closeClasses(db, { id, by }, { jobs });
  await refuseWhileNeeded(db, id, stopSale);
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
