// Sessions: begun, kept alive, ended. Only the hash of the cookie's secret is stored.
// A family's session lives 60 days after the last visit. A session of staff ends 12 hours after the
// last visit and 7 days after it began: staff read facts about children.
import { type Db, execute, exists, query, sql } from '../platform/db/connection.ts';
import { hashOf, newSecret } from '../platform/db/hashed.ts';
import { networkOf } from '../platform/http/limits.ts';
import type { Asked } from '../platform/http/on.ts';

export const familyDays = 60;
export const staffHours = 12;
export const staffDays = 7;
export const mostSessions = 100;

/** Of `session s` and `user u`. A role that is given later counts from then on. */
export const isAlive = sql<boolean>`(s.expires_at > now() and u.blocked_at is null and (u.role = 'student'
  or s.seen_at > now() - ${sql.lit(staffHours)} * interval '1 hour'
  and s.made_at > now() - ${sql.lit(staffDays)} * interval '1 day'))`;

/** A session, as its cookie has it. */
export interface Begun {
  id: string;
  userId: string;
  secret: string;
  /** It outlives the browser. */
  kept: boolean;
  /** Until it ends without a visit. */
  seconds: number;
}

const seconds = familyDays * 24 * 3_600;
const later = sql`now() + ${sql.lit(seconds)} * interval '1 second'`;

/**
 * In the transaction that holds the user's row `for key share` and has judged there what lets the
 * person in: whatever ends this way in waits, or has ended it before.
 */
export async function startSession(
  db: Db,
  { userId, kept, request }: { userId: string; kept: boolean; request: Asked },
): Promise<Begun> {
  const secret = newSecret();
  const browser = request.headers['user-agent']?.slice(0, 300) ?? null;
  const rows = await query<{ id: string }>(db)`
    insert into session (user_id, secret_hash, kept, network, browser, expires_at)
    values (${userId}, ${hashOf(secret)}, ${kept}, ${networkOf(request.ip)}, ${browser}, ${later})
    returning id`;
  await execute(db)`
    update login set last_network = ${networkOf(request.ip)} where user_id = ${userId}`;
  // The sessions that nobody used for the longest time end.
  await execute(db)`
    delete from session where id in (
      select id from session where user_id = ${userId}
      order by seen_at desc offset ${mostSessions} for update skip locked)`;
  return { id: rows[0]?.id ?? '', userId, secret, kept, seconds };
}

/** The network of a live session of the account, or of its last one. */
export function isOwnNetwork(db: Db, email: string, ip: string): Promise<boolean> {
  const network = networkOf(ip);
  return exists(db)`
    select from "user" u left join login on login.user_id = u.id
    where u.email = ${email} and (login.last_network = ${network} or exists (
      select from session s where s.user_id = u.id and s.network = ${network} and ${isAlive}))`;
}

/**
 * Under the lock on the user: the session goes on under another id and secret, and the tokens and
 * cookies of before end. Null if it has ended.
 */
export async function renewSession(
  db: Db,
  who: { id: string; sessionId: string },
): Promise<Begun | null> {
  const secret = newSecret();
  const rows = await query<{ id: string; kept: boolean }>(db)`
    update session set id = gen_random_uuid(), secret_hash = ${hashOf(secret)}
    where id = ${who.sessionId} and user_id = ${who.id} and expires_at > now()
    returning id, kept`;
  return rows[0] ? { ...rows[0], userId: who.id, secret, seconds } : null;
}

/** Somebody has come back: the session lives on from now. */
export const sessionSeen = (db: Db, id: string) =>
  sql`update session set seen_at = now(), expires_at = ${later} where id = ${id}`.execute(db);

/** All sessions of an account but the one that is kept. */
export const endSessions = (db: Db, userId: string, kept?: string) =>
  sql`delete from session where user_id = ${userId} and id is distinct from ${kept ?? null}`.execute(
    db,
  );

/** Once a day: sessions, links and counters whose time is over. */
export async function forgetSignIns(db: Db): Promise<void> {
  await execute(db)`delete from session where expires_at < now()`;
  await execute(db)`delete from link where expires_at < now()`;
  await execute(db)`delete from sign_in_attempt where ends_at < now()`;
}
