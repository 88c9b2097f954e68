// Confirming an address, and what ends when a password is replaced. Each change is one transaction that locks the user's row.
//
// Invariant: the person who confirms an address is the person who signed up with it. A live session or the password of the sign-up shows
// that. Any other proof of the address (a link plus a new password, a reset by mail, Google) ends what was there before it: the password,
// every session, every mailed link, the second factor, the name and the photo. No path leaves them in a stranger's hands.
//
// A reset link ends when it is used, when another one is used, and when the address is confirmed. A
// change of password with the old one does not end it: a thief of the password could delay the owner.
//
// Not for: the doors (mailedlinks.ts) and which mails carry a link (betterauth.ts).
import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { cleanName } from '../../../contract/rules.ts';
import type { Config } from '../../config.ts';
import { type Database, raw, type Sql } from '../../db/connection.ts';
import { fail } from '../../http/fail.ts';
import { promoteFirst } from '../people/users.ts';

type Settings = Pick<Config, 'secret' | 'publicUrl' | 'adminEmail'>;
type Transactions = Pick<Database, 'transaction'>;

/** The account that a proof is about. */
export interface Claimed {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
}

/** What others see of an account. */
export interface Profile {
  name: string;
  image: string | null;
}

/** The name of an account whose owner has given none. */
export const neutralName = (email: string) => cleanName(email.split('@', 1).join('')) || 'Member';

const neutral = (email: string): Profile => ({ name: neutralName(email), image: null });

const audience = 'rally-confirmation';
const keyOf = (secret: string) => new Uint8Array(hkdfSync('sha256', secret, '', 'rally confirmation link, HMAC', 32));

/** The link of the welcome mail. Its token names the account and the address, lives a day, and serves no other purpose. */
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

/** The account that the token of a confirmation link names; null for a token that is not ours or has expired. */
export async function accountOfLink(sql: Sql, { secret, publicUrl }: Settings, token: string): Promise<Claimed | null> {
  const read = await jwtVerify(token, keyOf(secret), {
    algorithms: ['HS256'],
    issuer: publicUrl,
    audience,
    clockTolerance: '30 seconds',
    requiredClaims: ['sub', 'exp', 'email'],
  }).catch(() => null);
  if (!read) return null;
  const { sub, email } = read.payload;
  const { rows } = await raw<Claimed>`
    select id, email, name, email_verified from "user" where id = ${sub} and email = ${String(email)}`.execute(sql);
  return rows[0] ?? null;
}

/** How the person shows whose sign-up it was: by its session, by its password, or not at all: then a new password replaces the old one. */
export type Shown = { sessionId: string } | { hash: string } | { newHash: string };

/** `refused`: the session or the password ended while the person was confirming. */
export function confirm(
  { transaction }: Transactions,
  config: Settings,
  user: Pick<Claimed, 'id' | 'email'>,
  shown: Shown,
): Promise<'confirmed' | 'already' | 'refused'> {
  return transaction(async (sql) => {
    const found = await lock(sql, config, user);
    if (found.emailVerified) return 'already';
    if ('newHash' in shown) {
      await replacePassword(sql, user.id, shown.newHash);
      await replaceProfile(sql, user.id, neutral(user.email));
    } else if (!(await isShown(sql, user.id, shown))) return 'refused';
    await markConfirmed(sql, config, found);
    return 'confirmed';
  });
}

/** Better Auth stores the identifier of a mailed link as a hash. */
const resetLink = (token: string) => createHash('sha256').update(`reset-password:${token}`).digest('base64url');

/** Whether a link to choose a new password still works. It stays unspent. */
export async function isResetLink(sql: Sql, token: string): Promise<boolean> {
  const { rows } =
    await raw`select from verification where identifier = ${resetLink(token)} and expires_at > now()`.execute(sql);
  return rows.length > 0;
}

/**
 * A new password by a mailed link. It proves the address, so on an unconfirmed account the second
 * factor, the name and the photo of before end, too.
 */
export function resetByLink(
  { transaction }: Transactions,
  config: Settings,
  { token, newHash }: { token: string; newHash: string },
): Promise<Claimed> {
  return transaction(async (sql) => {
    const { rows } = await raw<Pick<Claimed, 'id' | 'email'>>`
      select u.id, u.email from verification v join "user" u on u.id::text = v.value
      where v.identifier = ${resetLink(token)} and v.expires_at > now()`.execute(sql);
    const user = await lock(sql, config, rows[0] ?? fail('BAD_LINK'));
    // Under the lock: of two requests with one link, or with two links of one person, the second finds none.
    const spent = await raw`delete from verification where identifier = ${resetLink(token)} returning id`.execute(sql);
    if (spent.rows.length === 0) fail('BAD_LINK');
    await replacePassword(sql, user.id, newHash);
    await endLinks(sql, user.id);
    if (!user.emailVerified) {
      await replaceProfile(sql, user.id, neutral(user.email));
      await markConfirmed(sql, config, user);
    }
    // Wrong codes of others must not keep the owner of the mailbox out.
    await raw`update two_factor set failed_verification_count = 0, locked_until = null
      where user_id = ${user.id}`.execute(sql);
    return user;
  });
}

/** A new password by its owner. Answers the token of the session that takes the old one's place, or null if the proof no longer holds. */
export function changePassword(
  { transaction }: Transactions,
  who: { id: string; sessionId: string },
  { oldHash, newHash }: { oldHash: string; newHash: string },
): Promise<{ token: string; seconds: number } | null> {
  return transaction(async (sql) => {
    await raw`select from "user" where id = ${who.id} for update`.execute(sql);
    if (!(await isShown(sql, who.id, who)) || !(await isShown(sql, who.id, { hash: oldHash }))) return null;
    const { rows } = await raw<{ ipAddress: string; userAgent: string; expiresAt: Date; seconds: number }>`
      select ip_address, user_agent, expires_at, ceil(extract(epoch from expires_at - now()))::int as seconds
      from session where id = ${who.sessionId}`.execute(sql);
    const [old] = rows;
    if (!old) return null;
    await replacePassword(sql, who.id, newHash);
    const token = randomBytes(24).toString('base64url');
    const { seconds, ...rest } = old;
    await sql
      .insertInto('session')
      .values({ ...rest, userId: who.id, token })
      .execute();
    return { token, seconds };
  });
}

/** A new name or photo by the holder of a session. False if the session has ended meanwhile. */
export function changeProfile(
  { transaction }: Transactions,
  who: { id: string; sessionId: string },
  given: { name?: string | undefined; image?: string | undefined },
): Promise<boolean> {
  return transaction(async (sql) => {
    await raw`select from "user" where id = ${who.id} for update`.execute(sql);
    if (!(await isShown(sql, who.id, who))) return false;
    await raw`
      update "user" set name = coalesce(${given.name ?? null}, name),
        image = coalesce(${given.image ?? null}, image), updated_at = now()
      where id = ${who.id}`.execute(sql);
    return true;
  });
}

/** Google has proven an address on which an unconfirmed account lies: its owner takes it over. Null where there is none. */
export function takeOverByGoogle(
  { transaction }: Transactions,
  config: Settings,
  { email, sub, ...profile }: { email: string; sub: string } & Profile,
): Promise<Claimed | null> {
  return transaction(async (sql) => {
    const { rows } = await raw<Claimed>`
      select id, email, name, email_verified from "user" where email = ${email} and not email_verified
        and not exists (select from account where provider_id = 'google' and account_id = ${sub})`.execute(sql);
    if (!rows[0]) return null;
    const user = await lock(sql, config, rows[0]);
    if (user.emailVerified) return null;
    await raw`delete from account where user_id = ${user.id} and provider_id = 'credential'`.execute(sql);
    await endAccess(sql, user.id);
    await replaceProfile(sql, user.id, profile);
    await markConfirmed(sql, config, user);
    return user;
  });
}

/**
 * Asked after a sign-in has made its session and before the browser gets the cookie. A password that was replaced while it was being
 * checked leaves neither a session nor a pending second step.
 */
export function passwordStillHolds(
  { transaction }: Transactions,
  { userId, hash, sessionId }: { userId: string; hash: string | null; sessionId: string | undefined },
): Promise<boolean> {
  return transaction(async (sql) => {
    // Waits for a replacement under way; the next statement then sees what it wrote.
    await raw`select from "user" where id = ${userId} for share`.execute(sql);
    if (hash !== null && (await isShown(sql, userId, { hash }))) return true;
    await raw`delete from session where id = ${sessionId ?? null}`.execute(sql);
    await endSecondSteps(sql, userId);
    return false;
  });
}

export async function isConfirmed(sql: Sql, userId: string): Promise<boolean> {
  const { rows } = await raw`select from "user" where id = ${userId} and email_verified`.execute(sql);
  return rows.length > 0;
}

export async function passwordOf(sql: Sql, userId: string): Promise<string | null> {
  const { rows } = await raw<{ password: string | null }>`
    select password from account where user_id = ${userId} and provider_id = 'credential'`.execute(sql);
  return rows[0]?.password ?? null;
}

/** With ADMIN_EMAIL the admins are locked as well, in the order of users.ts. */
async function lock(sql: Sql, { adminEmail }: Settings, { id, email }: Pick<Claimed, 'id' | 'email'>) {
  const { rows } = await raw<Claimed>`
    select id, email, name, email_verified from "user"
    where id = ${id} or (${email === adminEmail} and role = 'admin') order by id for update`.execute(sql);
  return rows.find((row) => row.id === id && row.email === email) ?? fail('BAD_LINK');
}

/** Asked under the lock on the user: whether what a person has shown still holds. */
export async function isShown(
  sql: Sql,
  userId: string,
  shown: { sessionId: string } | { hash: string },
): Promise<boolean> {
  if ('hash' in shown) return (await passwordOf(sql, userId)) === shown.hash;
  const { rows } =
    await raw`select from session where id = ${shown.sessionId} and user_id = ${userId} and expires_at > now()`.execute(
      sql,
    );
  return rows.length > 0;
}

async function replacePassword(sql: Sql, userId: string, hash: string): Promise<void> {
  const { rows } = await raw`
    update account set password = ${hash}, updated_at = now()
    where user_id = ${userId} and provider_id = 'credential' returning id`.execute(sql);
  if (rows.length === 0)
    await raw`insert into account (user_id, account_id, provider_id, password)
      values (${userId}, ${userId}, 'credential', ${hash})`.execute(sql);
  await endAccess(sql, userId);
}

/** Every session and every pending second step. Mailed links go on: see endLinks(). */
export async function endAccess(sql: Sql, userId: string): Promise<void> {
  await raw`delete from session where user_id = ${userId}`.execute(sql);
  await endSecondSteps(sql, userId);
}

const secondStep = 'second-step:';

/** How a pending second step is stored: hashed like a link, with a prefix that tells the two apart. */
export const secondStepKey = (challenge: string) =>
  secondStep + createHash('sha256').update(challenge).digest('base64url');

const endSecondSteps = (sql: Sql, userId: string) =>
  raw`delete from verification where value = ${userId} and starts_with(identifier, ${secondStep})`.execute(sql);

/**
 * The name and the photo of before may be a stranger's. The account counts as registered from now on:
 * POST /users names an account once, and a stranger's may be under way.
 */
const replaceProfile = (sql: Sql, userId: string, { name, image }: Profile) =>
  raw`update "user" set name = ${name}, image = ${image}, registered_at = coalesce(registered_at, now())
    where id = ${userId}`.execute(sql);

/** Links to choose a password and pending second steps: their rows hold the user's id and nothing else. */
const endLinks = (sql: Sql, userId: string) => raw`delete from verification where value = ${userId}`.execute(sql);

/** A factor set before the confirmation may be a stranger's. */
async function markConfirmed(sql: Sql, { adminEmail }: Settings, { id, email }: Claimed): Promise<void> {
  await raw`delete from two_factor where user_id = ${id}`.execute(sql);
  await endLinks(sql, id);
  await raw`update "user" set email_verified = true, two_factor_enabled = false, updated_at = now()
    where id = ${id}`.execute(sql);
  if (email === adminEmail) await promoteFirst(sql, email);
}
