// The frame around every change. write(): an act of a person, who is locked first and is still who
// the door saw; at its end stands the line of the audit log. writeAccounts(): the same for an act on
// other accounts. system(): what nobody asked for (chores, webhooks). No other code opens a
// transaction (checks/rules/house.ts).
import { type Selectable, sql, type Transaction } from 'kysely';
import type { AuditAction } from '../../../contract/platform/audit.ts';
import type { Role } from '../../../contract/platform/call.ts';
import { fail } from '../http/fail.ts';
import type { DB } from './schema.ts';

type Tx = Transaction<DB>;

export interface AuditLine {
  action: AuditAction;
  subject: string;
  detail?: string;
}

/**
 * What an act did. `unchanged` and `own` leave no line: nothing happened, or only to one's own cart,
 * mails or profile.
 */
export type Act<T> = { answer: T } & (
  | { audit: AuditLine | readonly AuditLine[] }
  | { unaudited: 'unchanged' | 'own' }
);

export const unchanged = { answer: { modifiedCount: 0 }, unaudited: 'unchanged' } as const;
export const changed = (audit: AuditLine | readonly AuditLine[]) => ({
  answer: { modifiedCount: 1 },
  audit,
});
export const own = <T>(answer: T) => ({ answer, unaudited: 'own' }) as const;

export interface Who {
  id: string;
  sessionId: string;
  role: Role;
}

export type Account = Pick<
  Selectable<DB['user']>,
  'id' | 'email' | 'name' | 'teaches' | 'blockedAt'
> & { role: Role };

/**
 * `update` waits for every act of these accounts that is under way, and is waited for; `key share`
 * only waits for such a lock. `admins`: with all admins, of whom one must stay.
 */
export interface Named {
  ids: readonly string[];
  lock: 'key share' | 'update';
  admins?: boolean;
}

export interface Frame {
  write: <T>(who: Who, work: (db: Tx) => Promise<Act<T>>) => Promise<T>;
  writeAccounts: <T>(
    who: Who,
    named: Named,
    work: (db: Tx, accounts: Account[]) => Promise<Act<T>>,
  ) => Promise<T>;
  /** `payers`: the accounts for which a hold, a payment or a refund is written. */
  system: <T>(payers: readonly string[], work: (db: Tx) => Promise<T>) => Promise<T>;
}

const locks = { 'key share': sql`for key share`, update: sql`for update` };

export function createFrame(transaction: <T>(work: (db: Tx) => Promise<T>) => Promise<T>): Frame {
  const writeAccounts: Frame['writeAccounts'] = (who, { ids, lock, admins = false }, work) =>
    transaction(async (db) => {
      const { rows } = await sql<Account>`
        select id, role, email, name, teaches, blocked_at from "user"
        where id = any (${[who.id, ...ids]}::uuid[]) or (${admins} and role = 'admin')
        order by id ${locks[lock]}`.execute(db);
      await refuseEnded(db, who);
      return finish(db, who, await work(db, rows));
    });
  return {
    write: (who, work) => writeAccounts(who, { ids: [], lock: 'key share' }, (db) => work(db)),
    writeAccounts,
    system: (payers, work) =>
      transaction(async (db) => {
        if (payers.length > 0)
          await sql`select from "user" where id = any (${payers}::uuid[]) order by id for key share`.execute(
            db,
          );
        return work(db);
      }),
  };
}

/**
 * A statement of its own: it sees what was written while the first one waited. Both locks hold until
 * the commit, so signing out, blocking, a new password and a demotion wait for the act.
 */
async function refuseEnded(db: Tx, { id, sessionId, role }: Who): Promise<void> {
  const { rows } = await sql<{ role: string }>`
    select u.role from session s join "user" u on u.id = s.user_id
    where s.id = ${sessionId} and u.id = ${id} and s.expires_at > now() and u.blocked_at is null
    for key share of s`.execute(db);
  const now = rows[0] ?? fail('UNAUTHENTICATED');
  if (role !== 'student' && now.role !== role) fail('FORBIDDEN');
}

async function finish<T>(db: Tx, who: Who, act: Act<T>): Promise<T> {
  const lines = 'audit' in act ? [act.audit].flat() : [];
  if (lines.length > 0)
    await db
      .insertInto('audit')
      .values(lines.map((line) => Object.assign({ actorId: who.id }, line)))
      .execute();
  return act.answer;
}
