// Proof of an address, and what ends with a password. Each change is one transaction that locks the
// user's row.
//
// Rule: who proves an address by a mail alone may be another person than who signed up with it. So
// proveAddress() ends every way in of before: the password, every session, Google, the second step, every
// mailed link, the calendar feeds and open invitations. It leaves what the account has: name, photo,
// cart, children, seats, payments and care facts. Who forgot the password before the first proof is far
// more often the owner than a stranger. A session or the password of the sign-up beside the mail
// shows that both are one person: then nothing ends.
import { type Db, execute, exists, query, sql, queryOne } from '../platform/db/connection.ts';
import { cleanName } from '../../contract/platform/rules.ts';
import { endFeeds } from '../classes/feeds.ts';
import { endInvitations } from '../people/participants.ts';
import { endStaffInvitations, promoteFirst } from '../people/users.ts';
import { fail } from '../platform/http/fail.ts';
import { endLinks, findLink, type LinkKind } from './links.ts';
import { endSessions } from './sessions.ts';

/** The account that a proof is about. */
export interface Claimed {
  id: string;
  email: string;
  name: string;
  proven: boolean;
  blocked: boolean;
  /** It has signed in before. */
  registered: boolean;
}

const columns = sql`id, email, name, proven_at is not null as proven, blocked_at is not null as blocked,
  registered_at is not null as registered`;

/** The name of an account whose owner has given none. */
export const neutralName = (email: string) => cleanName(email.split('@', 1).join('')) || 'Member';

/** The account now, without a lock. */
export async function accountOn(db: Db, email: string): Promise<Claimed | null> {
  return queryOne<Claimed>(db)`
    select ${columns} from "user" where email = ${email}`;
}

/** The account that a mailed link is for. */
export async function accountOfLink(
  db: Db,
  kind: LinkKind,
  secret: string,
): Promise<Claimed | null> {
  const link = await findLink(db, kind, secret);
  return queryOne<Claimed>(db)`
    select ${columns} from "user" where id = ${link?.userId ?? null} and erased_at is null`;
}

/**
 * The lock for whatever ends a way in or proves an address. The owner of ADMIN_EMAIL becomes the first
 * admin by it, so the admins are locked as well, in the order of users.ts. Undefined where the account
 * is gone or has left this address.
 */
export async function lockAccount(
  db: Db,
  { id, email, adminEmail = null }: { id: string; email?: string; adminEmail?: string | null },
): Promise<Claimed | undefined> {
  const rows = await query<Claimed>(db)`
    select ${columns} from "user"
    where id = ${id} or (${email !== undefined && email === adminEmail} and role = 'admin')
    order by id for update`;
  return rows.find((row) => row.id === id && row.email === (email ?? row.email));
}

/** Whether this session of the locked account still lives. */
export const isSession = (db: Db, who: { id: string; sessionId: string }) => exists(db)`
    select from session where id = ${who.sessionId} and user_id = ${who.id} and expires_at > now()`;

export async function passwordOf(db: Db, userId: string): Promise<string | null> {
  const rows = await query<{ hash: string | null }>(db)`
    select password_hash as hash from login where user_id = ${userId}`;
  return rows[0]?.hash ?? null;
}

/** The address is proven by whoever signed up with it. The caller has refused a blocked account. */
export async function markProven(
  db: Db,
  { id, email }: Pick<Claimed, 'id' | 'email'>,
  { adminEmail }: { adminEmail: string | null },
): Promise<void> {
  // Opened again, the link that has proven it says so.
  await execute(db)`delete from link where user_id = ${id} and kind <> 'confirm'`;
  await execute(db)`update "user" set proven_at = now(), updated_at = now()
    where id = ${id} and proven_at is null`;
  if (email === adminEmail) await promoteFirst(db, email);
}

/** The address is proven by its mailbox or by Google alone: every way in of before ends. */
export async function proveAddress(
  db: Db,
  user: Claimed,
  by: { adminEmail: string | null; newHash?: string; googleSub?: string },
): Promise<void> {
  if (user.blocked) fail('ACCOUNT_BLOCKED');
  await endAccess(db, user.id);
  await execute(db)`
    insert into login (user_id, password_hash, google_sub)
    values (${user.id}, ${by.newHash ?? null}, ${by.googleSub ?? null})
    on conflict (user_id) do update set password_hash = excluded.password_hash,
      google_sub = excluded.google_sub, totp_secret = null, totp_on_at = null, backup_hashes = '{}',
      last_network = null`;
  await markProven(db, user, by);
}

/**
 * Ends Google, every session but the one that is kept, and links to a new address, which a thief may
 * have asked for. Other mailed links go on: see endLinks().
 */
export async function replacePassword(
  db: Db,
  userId: string,
  { newHash, kept }: { newHash: string; kept?: string | undefined },
): Promise<void> {
  await execute(db)`
    insert into login (user_id, password_hash) values (${userId}, ${newHash})
    on conflict (user_id) do update set password_hash = excluded.password_hash, google_sub = null`;
  await endLinks(db, userId, 'address');
  await endAccess(db, userId, kept);
}

/**
 * Every session but the one that is kept, every pending second step, every link to a new address, a
 * second step that no code has proven, every calendar feed and open invitation.
 */
export async function endAccess(db: Db, userId: string, kept?: string): Promise<void> {
  await endSessions(db, userId, kept);
  await endLinks(db, userId, 'second-step');
  await endLinks(db, userId, 'address');
  await execute(db)`update login set totp_secret = null, backup_hashes = '{}'
    where user_id = ${userId} and totp_on_at is null`;
  await endFeeds(db, userId);
  await endStaffInvitations(db, { by: userId });
  await endInvitations(db, { by: userId });
}
