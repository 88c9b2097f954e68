// How many sessions an account has, and a session that goes on under another id and cookie: the tokens
// and cookies of before end with it.
// Not for: ending sessions (confirmation.ts), beginning one (Better Auth).
import { randomBytes } from 'node:crypto';
import { type Db, sql } from '../../db/connection.ts';

export interface Renewed {
  id: string;
  /** For the cookie. */
  token: string;
  /** Until it expires. */
  seconds: number;
}

/** Under the lock on the user. Null if the session has ended. */
export async function renewSession(
  db: Db,
  who: { id: string; sessionId: string },
): Promise<Renewed | null> {
  const token = randomBytes(24).toString('base64url');
  const { rows } = await sql<Omit<Renewed, 'token'>>`
    update session set id = gen_random_uuid(), token = ${token}, updated_at = now()
    where id = ${who.sessionId} and user_id = ${who.id}
    returning id, ceil(extract(epoch from expires_at - now()))::int as seconds`.execute(db);
  return rows[0] ? { ...rows[0], token } : null;
}

export const mostSessions = 100;

/** Asked at every sign-in: past the limit, the sessions that nobody used for the longest time end. */
export async function endUnusedSessions(db: Db, userId: string): Promise<void> {
  await sql`
    delete from session where id in (
      select id from session where user_id = ${userId}
      order by seen_at desc offset ${mostSessions} for update skip locked)`.execute(db);
}
