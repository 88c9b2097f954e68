// What a mail or a first step gave out: a secret that is good for one thing, once. Only its hash is
// stored. A confirmation has six digits, too, which its own session may type.
import { createHmac, randomInt } from 'node:crypto';
import { type Db, execute, query, sql, queryOne } from '../platform/db/connection.ts';
import { hashOf, newSecret } from '../platform/db/hashed.ts';

/** For how many minutes each kind lives. */
const minutes = { confirm: 24 * 60, reset: 60, address: 60, 'second-step': 5 };
export type LinkKind = keyof typeof minutes;
export const linkSeconds = (kind: LinkKind) => minutes[kind] * 60;

export const codeMinutes = 15;
export const codeTries = 5;

export interface Link {
  userId: string;
  /** The new address, of the kind `address`. */
  email: string | null;
}

/** None for an account that is erased: the link may name an address. */
export async function makeLink(
  db: Db,
  { userId, kind, email = null }: { userId: string; kind: LinkKind; email?: string | null },
): Promise<string> {
  const secret = newSecret();
  await execute(db)`
    insert into link (secret_hash, user_id, kind, email, expires_at)
    select ${hashOf(secret)}, id, ${kind}, ${email}, now() + ${minutes[kind]} * interval '1 minute'
    from "user" where id = ${userId} and erased_at is null for key share`;
  return secret;
}

const named = (kind: LinkKind, secret: string) =>
  sql`secret_hash = ${hashOf(secret)} and kind = ${kind} and expires_at > now()`;

/** It stays unspent. */
export async function findLink(db: Db, kind: LinkKind, secret: string): Promise<Link | null> {
  return queryOne<Link>(db)`
    select user_id, email from link where ${named(kind, secret)}`;
}

/** One statement: of two requests with one link the second finds none. */
export async function spendLink(db: Db, kind: LinkKind, secret: string): Promise<Link | null> {
  return queryOne<Link>(db)`
    delete from link where ${named(kind, secret)} returning user_id, email`;
}

/** All links of an account, or those of one kind. */
export const endLinks = (db: Db, userId: string, kind: LinkKind | null = null) =>
  sql`delete from link where user_id = ${userId} and kind = coalesce(${kind}, kind)`.execute(db);

/**
 * The six digits of the newest confirmation. A hash of so few digits is soon found by trying all, so it
 * is made with the server's secret; it names the account, so two accounts may have the same digits.
 */
const codeHash = (key: string, userId: string, code: string) =>
  createHmac('sha256', key)
    .update(JSON.stringify(['confirmation code', userId, code]))
    .digest();

/** A link and a code for one mail. The code of an older mail ends, its link lives on. */
export async function makeConfirmation(
  db: Db,
  { userId, key }: { userId: string; key: string },
): Promise<{ secret: string; code: string }> {
  await execute(db)`
    update link set code_hash = null where user_id = ${userId} and kind = 'confirm'`;
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const secret = await makeLink(db, { userId, kind: 'confirm' });
  await execute(db)`
    update link set code_hash = ${codeHash(key, userId, code)},
      code_until = now() + ${codeMinutes} * interval '1 minute'
    where secret_hash = ${hashOf(secret)}`;
  return { secret, code };
}

/** Counts the try before the code is compared. `over`: no code is left to be tried. */
export async function tryCode(
  db: Db,
  { userId, key, code }: { userId: string; key: string; code: string },
): Promise<'right' | 'wrong' | 'over'> {
  const rows = await query<{ right: boolean }>(db)`
    update link set code_tries = code_tries + 1
    where user_id = ${userId} and kind = 'confirm' and code_hash is not null
      and code_until > now() and code_tries < ${codeTries}
    returning code_hash = ${codeHash(key, userId, code)} as "right"`;
  if (rows.length === 0) return 'over';
  // Two mails that leave at one moment have a code each.
  return rows.some(({ right }) => right) ? 'right' : 'wrong';
}
