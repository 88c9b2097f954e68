// Whether a session that has just been made may be handed out: what let it in may have ended while it
// was being checked. Each check is one transaction that locks the user's row and ends the session
// that it refuses.
// A blocked account gets none.
// Not for: what ends a password (confirmation.ts) and who is asking (gate.ts).
import { type Database, type Db, sql } from '../../db/connection.ts';
import { dropResetLink, endSecondSteps, isShown } from './confirmation.ts';
import { endUnusedSessions } from './sessions.ts';

type Transactions = Pick<Database, 'system'>;

/** What follows from a sign-in that is let in, in the transaction that decides it. */
export type Enter = (db: Db, userId: string) => Promise<void>;

/** A session that was made, and the address and the password hash that were right for it. */
interface Entry {
  userId: string;
  address: string;
  hash: string | null;
  sessionId: string | undefined;
  enter?: Enter;
}

/**
 * Asked after a sign-in has made its session and before the browser gets the cookie. A password
 * or an address that was replaced while it was being checked leaves neither a session nor a pending
 * second step.
 */
export const passwordStillHolds = ({ system }: Transactions, entry: Entry) =>
  system([], async (db) => {
    if (!(await entryHolds(db, entry))) return false;
    await letIn(db, entry);
    return true;
  });

/** The same for a sign-in without a code: two-step sign-in may have been turned on meanwhile. */
export function entersWithoutCode(
  { system }: Transactions,
  entry: Entry,
): Promise<'yes' | 'replaced' | 'blocked' | 'code wanted'> {
  return system([], async (db) => {
    if (!(await entryHolds(db, entry)))
      return (await isBlocked(db, entry.userId)) ? 'blocked' : 'replaced';
    // Better Auth has ended the session already where it wants a code.
    const { rows } = await sql`
      delete from session s using "user" u
      where s.id = ${entry.sessionId ?? null} and u.id = s.user_id and u.two_factor_enabled
      returning s.id`.execute(db);
    if (rows.length > 0) return 'code wanted';
    // Without a session the code is still to come.
    const { rows: made } = await sql`
      select from session where id = ${entry.sessionId ?? null}`.execute(db);
    if (made.length > 0) await letIn(db, entry);
    return 'yes';
  });
}

interface ByGoogle extends Omit<Entry, 'hash' | 'address'> {
  subject: string;
  joins: string | undefined;
}

/**
 * The same for a sign-in with Google. Its accounts are confirmed; an account that was deleted
 * meanwhile is not, and keeps neither the session nor the link to Google. A reset by mail may have
 * disconnected the Google account meanwhile, and another one may be connected by now. `joins` is the
 * address for which this sign-in connected it: the account may have another address by now.
 */
export function entersByGoogle(
  { system }: Transactions,
  { userId, sessionId, subject, joins, enter }: ByGoogle,
): Promise<'yes' | 'blocked' | 'second_step' | 'account_not_linked'> {
  return system([], async (db) => {
    // Waits for a deletion or a reset under way; the next statement then sees what it wrote.
    await sql`select from "user" where id = ${userId} for share`.execute(db);
    const { rows } = await sql<{ linked: boolean; isOn: boolean; blocked: boolean }>`
      select coalesce(two_factor_enabled, false) as is_on, blocked_at is not null as blocked, email_verified and email = coalesce(${joins ?? null}, email) and exists (
        select from account where user_id = u.id and provider_id = 'google' and account_id = ${subject}) as linked
      from "user" u where id = ${userId}`.execute(db);
    const [user] = rows;
    if (user?.linked && !user.isOn && !user.blocked) {
      await letIn(db, { userId, enter });
      return 'yes';
    }
    await sql`delete from session where id = ${sessionId ?? null}`.execute(db);
    if (user?.blocked) return 'blocked';
    if (user?.linked) return 'second_step';
    await sql`delete from account where user_id = ${userId} and provider_id = 'google' and account_id = ${subject}`.execute(
      db,
    );
    return 'account_not_linked';
  });
}

/**
 * Whether the account got a new address while a Google account of the old one was being connected:
 * then it is disconnected, also where the sign-in is refused before it has a session. Storing it
 * waited for the change by the foreign key, or the change waits and disconnects it (newaddress.ts).
 */
export async function hasLeftAddress(
  db: Db,
  userId: string,
  { subject, address }: { subject?: string | undefined; address?: string | undefined } = {},
): Promise<boolean> {
  const { rows } = await sql`
    delete from account a using "user" u
    where u.id = a.user_id and u.id = ${userId} and u.email <> ${address ?? null}
      and a.provider_id = 'google' and a.account_id = ${subject ?? null} returning a.id`.execute(
    db,
  );
  return rows.length > 0;
}

async function letIn(db: Db, { userId, enter }: { userId: string; enter?: Enter | undefined }) {
  await endUnusedSessions(db, userId);
  await enter?.(db, userId);
}

async function entryHolds(db: Db, { userId, address, hash, sessionId }: Entry): Promise<boolean> {
  // Waits for a replacement under way; the next statement then sees what it wrote.
  const { rows } =
    await sql`select from "user" where id = ${userId} and email = ${address} for share`.execute(db);
  const shown = rows.length > 0 && hash !== null && (await isShown(db, userId, { hash }));
  if (shown && !(await isBlocked(db, userId))) return true;
  await sql`delete from session where id = ${sessionId ?? null}`.execute(db);
  await endSecondSteps(db, userId);
  return false;
}

export async function isBlocked(db: Db, userId: string): Promise<boolean> {
  const { rows } =
    await sql`select from "user" where id = ${userId} and blocked_at is not null`.execute(db);
  return rows.length > 0;
}

/**
 * Asked when a link to choose a password is stored and before it is mailed. A new address, a block or
 * a deletion under way is waited for: it has ended all links before this one was stored. Then this
 * one ends, too.
 */
export async function mayMailLink(
  db: Db,
  { id, email }: { id: string; email: string },
  token: string,
): Promise<'yes' | 'blocked' | 'gone'> {
  const { rows } = await sql<{ blocked: boolean }>`
    select blocked_at is not null as blocked from "user"
    where id = ${id} and email = ${email} for share`.execute(db);
  if (rows[0]?.blocked === false) return 'yes';
  await dropResetLink(db, token);
  return rows[0] ? 'blocked' : 'gone';
}

/** The hash of the account's password; null where there is no account or no password. */
export async function storedHash(db: Db, email: string): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`
    select a.password as hash from "user" u join account a on a.user_id = u.id
    where u.email = ${email} and a.password is not null`.execute(db);
  return rows[0]?.hash ?? null;
}
