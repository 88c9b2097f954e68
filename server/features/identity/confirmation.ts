// Confirming an address, and what ends when a password is replaced. Each change is one transaction
// that locks the user's row.
//
// Invariant: the person who confirms an address is the person who signed up with it. A live session
// or the password of the sign-up shows that. Any other proof of the address (a link plus a new
// password, a reset by mail, Google) ends the ways in of before it: the password, every session,
// every mailed link, the second factor, the calendar feeds and open invitations. It leaves what the
// account has: name, photo, cart, children, seats, payments and care facts. Who forgot the password
// before confirming is far more often the owner than a stranger. A new password, by
// mail or with the old one, also ends the feeds and disconnects Google: it is how an owner gets
// others out.
// A reset link ends when it is used, when another one is used, and when the address is confirmed. A
// change of password does not end it: a thief of the password could delay the owner.
// Not for: the calls (mailedlinks.ts) and which mails carry a link (betterauth.ts).
import { createHash, hkdfSync } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { cleanName } from '../../../contract/rules.ts';
import type { Config } from '../../config.ts';
import { type Database, sql, type Db } from '../../db/connection.ts';
import { erasedAccount } from '../../db/states.ts';
import { fail } from '../../http/fail.ts';
import { endFeeds } from '../classes/feeds.ts';
import { endInvitations } from '../people/participants.ts';
import { endStaffInvitations, promoteFirst } from '../people/users.ts';
import { type Renewed, renewSession } from './sessions.ts';

type Settings = Pick<Config, 'secret' | 'publicUrl' | 'adminEmail'>;
type Transactions = Pick<Database, 'system'>;

/** The account that a proof is about. */
export interface Claimed {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
}

/** The name of an account whose owner has given none. */
export const neutralName = (email: string) => cleanName(email.split('@', 1).join('')) || 'Member';

const audience = 'rally-confirmation';
const keyOf = (secret: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'rally confirmation link, HMAC', 32));

/**
 * The link of the welcome mail. Its token names the account and the address, lives a day, and
 * serves no other purpose.
 */
export async function confirmationLink(
  { secret, publicUrl }: Pick<Settings, 'secret' | 'publicUrl'>,
  { id, email }: Pick<Claimed, 'id' | 'email'>,
): Promise<string> {
  const token = await new SignJWT({ email })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(publicUrl)
    .setAudience(audience)
    .setSubject(id)
    .setIssuedAt()
    .setExpirationTime('1d')
    .sign(keyOf(secret));
  return `${publicUrl}/confirm?token=${token}`;
}

/**
 * The account that the token of a confirmation link names; null for a token that is not ours or has
 * expired.
 */
export async function accountOfLink(
  db: Db,
  { secret, publicUrl }: Settings,
  token: string,
): Promise<Claimed | null> {
  const read = await jwtVerify(token, keyOf(secret), {
    algorithms: ['HS256'],
    issuer: publicUrl,
    audience,
    clockTolerance: '30 seconds',
    requiredClaims: ['sub', 'exp', 'email'],
  }).catch(() => null);
  if (!read) return null;
  const { sub, email } = read.payload;
  const { rows } = await sql<Claimed>`
    select id, email, name, email_verified from "user" where id = ${sub} and email = ${String(email)}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/**
 * How the person shows whose sign-up it was: by its session, by its password, or not at all: then a
 * new password replaces the old one.
 */
export type Shown = { sessionId: string } | { hash: string } | { newHash: string };

/** Mails the account about its new password, in the transaction that replaces it. */
export type TellOwner = (db: Db, user: Claimed) => Promise<void>;
/** `refused`: the session or the password ended while the person was confirming. */
export function confirm(
  { system }: Transactions,
  config: Settings,
  user: Pick<Claimed, 'id' | 'email'>,
  shown: Shown,
  tell?: TellOwner,
): Promise<'confirmed' | 'already' | 'refused'> {
  return system([], async (db) => {
    const found = await lock(db, config, user);
    if (found.emailVerified) return 'already';
    if ('newHash' in shown) {
      await replacePassword(db, user.id, shown.newHash);
      await tell?.(db, found);
    } else if (!(await isShown(db, user.id, shown))) return 'refused';
    await markConfirmed(db, config, found);
    return 'confirmed';
  });
}

/** Better Auth stores the identifier of a mailed link as a hash. */
const resetLink = (token: string) =>
  createHash('sha256').update(`reset-password:${token}`).digest('base64url');

export const dropResetLink = (db: Db, token: string) =>
  sql`delete from verification where identifier = ${resetLink(token)}`.execute(db);

/** Whether a link to choose a new password still works. It stays unspent. */
export async function isResetLink(db: Db, token: string): Promise<boolean> {
  const { rows } =
    await sql`select from verification where identifier = ${resetLink(token)} and expires_at > now()`.execute(
      db,
    );
  return rows.length > 0;
}

/**
 * A new password by a mailed link. It proves the address, so on an unconfirmed account the second
 * factor of before ends, too.
 */
export function resetByLink(
  { system }: Transactions,
  config: Settings,
  { token, newHash }: { token: string; newHash: string },
  tell: TellOwner,
): Promise<Claimed> {
  return system([], async (db) => {
    const { rows } = await sql<Pick<Claimed, 'id' | 'email'>>`
      select u.id, u.email from verification v join "user" u on u.id::text = v.value
      where v.identifier = ${resetLink(token)} and v.expires_at > now()
        and not ${erasedAccount()}`.execute(db);
    const user = await lock(db, config, rows[0] ?? fail('BAD_LINK'));
    // Under the lock: of two requests with one link, or with two links of one person, the second
    // finds none.
    const spent = await dropResetLink(db, token);
    if (spent.numAffectedRows !== 1n) fail('BAD_LINK');
    await replacePassword(db, user.id, newHash);
    await endLinks(db, user.id);
    if (!user.emailVerified) await markConfirmed(db, config, user);
    // Wrong codes of others must not keep the owner of the mailbox out.
    await sql`update two_factor set failed_verification_count = 0, locked_until = null
      where user_id = ${user.id}`.execute(db);
    await tell(db, user);
    return user;
  });
}

/** The lock on an account, and what it is at that moment: the address may have changed meanwhile. */
export async function lockAccount(db: Db, id: string): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    select id, email, name, email_verified from "user" where id = ${id} for update`.execute(db);
  return rows[0];
}

/**
 * A new password by its owner. Answers the account and the session that takes the old one's place,
 * or null if the proof no longer holds.
 */
export function changePassword(
  { system }: Transactions,
  who: { id: string; sessionId: string },
  { oldHash, newHash }: { oldHash: string; newHash: string },
  tell: (db: Db, user: Claimed) => Promise<void>,
): Promise<{ user: Claimed; session: Renewed } | null> {
  return system([], async (db) => {
    const user = await lockAccount(db, who.id);
    if (!(await isShown(db, who.id, who)) || !(await isShown(db, who.id, { hash: oldHash })))
      return null;
    const session = await renewSession(db, who);
    if (!user || !session) return null;
    await replacePassword(db, who.id, newHash, session.id);
    await tell(db, user);
    return { user, session };
  });
}

/** A new name or photo by the holder of a session. False if the session has ended meanwhile. */
export function changeProfile(
  { system }: Transactions,
  who: { id: string; sessionId: string },
  given: { name?: string | undefined; image?: string | undefined },
): Promise<boolean> {
  return system([], async (db) => {
    await sql`select from "user" where id = ${who.id} for update`.execute(db);
    if (!(await isShown(db, who.id, who))) return false;
    await sql`
      update "user" set name = coalesce(${given.name ?? null}, name),
        image = coalesce(${given.image ?? null}, image), updated_at = now()
      where id = ${who.id}`.execute(db);
    return true;
  });
}

/**
 * Google has proven an address on which an unconfirmed account lies: its owner takes it over. Null
 * where there is none.
 */
export function takeOverByGoogle(
  { system }: Transactions,
  config: Settings,
  { email, sub }: { email: string; sub: string },
): Promise<Claimed | null> {
  return system([], async (db) => {
    const { rows } = await sql<Claimed>`
      select id, email, name, email_verified from "user" where email = ${email} and not email_verified
        and blocked_at is null and not exists (select from account where provider_id = 'google' and account_id = ${sub})`.execute(
      db,
    );
    if (!rows[0]) return null;
    const user = await lock(db, config, rows[0]);
    if (user.emailVerified) return null;
    await sql`delete from account where user_id = ${user.id} and provider_id = 'credential'`.execute(
      db,
    );
    await endAccess(db, user.id);
    await markConfirmed(db, config, user);
    return user;
  });
}

export async function isConfirmed(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from "user" where id = ${userId} and email_verified`.execute(
    db,
  );
  return rows.length > 0;
}

export async function passwordOf(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ password: string | null }>`
    select password from account where user_id = ${userId} and provider_id = 'credential'`.execute(
    db,
  );
  return rows[0]?.password ?? null;
}

/**
 * The account. With ADMIN_EMAIL the admins are locked as well, in the order of users.ts.
 */
export async function lock(
  db: Db,
  { adminEmail }: Settings,
  { id, email }: Pick<Claimed, 'id' | 'email'>,
): Promise<Claimed> {
  const { rows } = await sql<Claimed & { blocked: boolean }>`
    select id, email, name, email_verified, blocked_at is not null as blocked from "user"
    where id = ${id} or (${email === adminEmail} and role = 'admin') order by id for update`.execute(
    db,
  );
  const found = rows.find((row) => row.id === id && row.email === email) ?? fail('BAD_LINK');
  return found.blocked ? fail('ACCOUNT_BLOCKED') : found;
}

/** Asked under the lock on the user: whether what a person has shown still holds. */
export async function isShown(
  db: Db,
  userId: string,
  shown: { sessionId: string } | { hash: string },
): Promise<boolean> {
  if ('hash' in shown) return (await passwordOf(db, userId)) === shown.hash;
  const { rows } =
    await sql`select from session where id = ${shown.sessionId} and user_id = ${userId} and expires_at > now()`.execute(
      db,
    );
  return rows.length > 0;
}

/** Ends every session but the one that is kept. */
export async function replacePassword(
  db: Db,
  userId: string,
  hash: string,
  kept?: string,
): Promise<void> {
  const { rows } = await sql`
    update account set password = ${hash}, updated_at = now()
    where user_id = ${userId} and provider_id = 'credential' returning id`.execute(db);
  if (rows.length === 0)
    await sql`insert into account (user_id, account_id, provider_id, password)
      values (${userId}, ${userId}, 'credential', ${hash})`.execute(db);
  await disconnectGoogle(db, userId);
  await endAccess(db, userId, kept);
}

export const disconnectGoogle = (db: Db, userId: string) =>
  sql`delete from account where user_id = ${userId} and provider_id = 'google'`.execute(db);

/**
 * Every session but the one that is kept, every pending second step, set-up of a second factor that no
 * code has proven, calendar feed and open invitation. Mailed links go on: see endLinks().
 */
export async function endAccess(db: Db, userId: string, kept?: string): Promise<void> {
  await sql`delete from session where user_id = ${userId} and id is distinct from ${kept ?? null}`.execute(
    db,
  );
  await endSecondSteps(db, userId);
  await sql`delete from two_factor where user_id = ${userId} and verified is false`.execute(db);
  await endFeeds(db, userId);
  await endStaffInvitations(db, { by: userId });
  await endInvitations(db, { by: userId });
}

/**
 * Everything but this session, under the lock on the user: a request of another one that is under
 * way makes nothing more. False if the session has ended meanwhile.
 */
export function endOthers(
  { system }: Transactions,
  who: { id: string; sessionId: string },
): Promise<boolean> {
  return system([], async (db) => {
    await sql`select from "user" where id = ${who.id} for update`.execute(db);
    if (!(await isShown(db, who.id, who))) return false;
    await endAccess(db, who.id, who.sessionId);
    return true;
  });
}

const secondStep = 'second-step:';

/**
 * How a pending second step is stored: hashed like a link, with a prefix that tells the two apart.
 */
export const secondStepKey = (challenge: string) =>
  secondStep + createHash('sha256').update(challenge).digest('base64url');

export const endSecondSteps = (db: Db, userId: string) =>
  sql`delete from verification where value = ${userId} and starts_with(identifier, ${secondStep})`.execute(
    db,
  );

/**
 * Links to choose a password and pending second steps: their rows hold the user's id and nothing
 * else.
 */
export const endLinks = (db: Db, userId: string) =>
  sql`delete from verification where value = ${userId}`.execute(db);

/** A factor set before the confirmation may be a stranger's. */
export async function markConfirmed(
  db: Db,
  { adminEmail }: Settings,
  { id, email }: Claimed,
): Promise<void> {
  await sql`delete from two_factor where user_id = ${id}`.execute(db);
  await endLinks(db, id);
  await sql`update "user" set email_verified = true, two_factor_enabled = false, updated_at = now()
    where id = ${id}`.execute(db);
  if (email === adminEmail) await promoteFirst(db, email);
}
