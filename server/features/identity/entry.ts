// Whether a session that has just been made may be handed out: what let it in may have ended while it
// was being checked. Each check is one transaction that locks the user's row and ends the session
// that it refuses.
// Not for: what ends a password (confirmation.ts) and who is asking (gate.ts).
import { type Database, type Db, sql } from '../../db/connection.ts';
import { endSecondSteps, isShown } from './confirmation.ts';

type Transactions = Pick<Database, 'transaction'>;

/** A session that was made, and the password hash that was right for it. */
interface Entry {
  userId: string;
  hash: string | null;
  sessionId: string | undefined;
}

/**
 * Asked after a sign-in has made its session and before the browser gets the cookie. A password
 * that was replaced while it was being checked leaves neither a session nor a pending second step.
 */
export const passwordStillHolds = ({ transaction }: Transactions, entry: Entry) =>
  transaction((db) => entryHolds(db, entry));

/** The same for a sign-in without a code: two-step sign-in may have been turned on meanwhile. */
export function entersWithoutCode(
  { transaction }: Transactions,
  entry: Entry,
): Promise<'yes' | 'replaced' | 'code wanted'> {
  return transaction(async (db) => {
    if (!(await entryHolds(db, entry))) return 'replaced';
    // Better Auth has ended the session already where it wants a code.
    const { rows } = await sql`
      delete from session s using "user" u
      where s.id = ${entry.sessionId ?? null} and u.id = s.user_id and u.two_factor_enabled
      returning s.id`.execute(db);
    return rows.length === 0 ? 'yes' : 'code wanted';
  });
}

/**
 * The same for a sign-in with Google. Its accounts are confirmed; an account that was deleted
 * meanwhile is not, and keeps neither the session nor the link to Google. A reset by mail may have
 * disconnected the Google account meanwhile, and another one may be connected by now.
 */
export function entersByGoogle(
  { transaction }: Transactions,
  { userId, sessionId, subject }: Pick<Entry, 'userId' | 'sessionId'> & { subject: string },
): Promise<'yes' | 'second_step' | 'account_not_linked'> {
  return transaction(async (db) => {
    // Waits for a deletion or a reset under way; the next statement then sees what it wrote.
    await sql`select from "user" where id = ${userId} for share`.execute(db);
    const { rows } = await sql<{ linked: boolean; isOn: boolean }>`
      select coalesce(two_factor_enabled, false) as is_on, email_verified and exists (
        select from account where user_id = u.id and provider_id = 'google' and account_id = ${subject}) as linked
      from "user" u where id = ${userId}`.execute(db);
    const [user] = rows;
    if (user?.linked && !user.isOn) return 'yes';
    await sql`delete from session where id = ${sessionId ?? null}`.execute(db);
    if (user?.linked) return 'second_step';
    await sql`delete from account where user_id = ${userId} and provider_id = 'google' and account_id = ${subject}`.execute(
      db,
    );
    return 'account_not_linked';
  });
}

async function entryHolds(db: Db, { userId, hash, sessionId }: Entry): Promise<boolean> {
  // Waits for a replacement under way; the next statement then sees what it wrote.
  await sql`select from "user" where id = ${userId} for share`.execute(db);
  if (hash !== null && (await isShown(db, userId, { hash }))) return true;
  await sql`delete from session where id = ${sessionId ?? null}`.execute(db);
  await endSecondSteps(db, userId);
  return false;
}
