// Who is asking: the holder of an access token, or of the identity provider's cookie.
// Not for: how one gets them (routes.ts), roles and profiles (people/users.ts).
import type { Config } from '../../config.ts';
import { type Database, sql } from '../../db/connection.ts';
import { gather } from '../../db/gather.ts';
import { cookieOf, signed } from '../../http/cookies.ts';
import type { Asked, Caller, Gate } from '../../http/on.ts';
import { cookiePrefix, idleHours, ownOrigins } from './betterauth.ts';
import type { Tokens } from './tokens.ts';

export interface IdentityGate extends Gate {
  /** The holder of the cookie, wherever the request comes from. */
  holderOf(request: Asked): Promise<Caller | null>;
}

export function createGate(config: Config, database: Database, tokens: Tokens): IdentityGate {
  const prefix = cookiePrefix(config);
  // With REQUIRE_ADMIN_TOTP an admin is no more than a student until the second step is on; the
  // account page is open to both.
  const roleNow = config.requireAdminTotp
    ? sql`case when u.role = 'admin' and u.two_factor_enabled is not true then 'student' else u.role end`
    : sql`u.role`;

  const sameOrigin = (request: Asked) => {
    const { origin, host, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    // Without an Origin it is no browser's cross-site request: those always name one, and JSON
    // makes them ask first.
    return origin === undefined || ownOrigins(config, host).includes(origin);
  };

  // Read at every request of a signed-in user; those of requests that arrive together, together.
  const callersIn = database.prepare(
    'callers',
    (sessionIds: string[]) => sql<Caller>`
      select s.id as session_id, u.id, u.email, u.name, ${roleNow} as role from session s join "user" u on u.id = s.user_id
      where s.id = any (${sessionIds}::uuid[]) and u.blocked_at is null
        and s.expires_at > now() and s.seen_at > now() - ${idleHours} * interval '1 hour'`,
  );
  const callerIn = gather(
    async (sessionIds) =>
      new Map((await callersIn(sessionIds)).map((caller) => [caller.sessionId, caller])),
  );

  async function callerOf(request: Asked): Promise<Caller | null> {
    const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(request.headers.authorization ?? '');
    const claims = bearer?.[1] ? await tokens.verify(bearer[1]) : null;
    if (!claims) return null;
    const who = await callerIn(claims.sessionId);
    return who?.id === claims.userId ? who : null;
  }

  /**
   * The person behind the cookie. Looking counts as having been seen; one who was away too long is
   * signed out.
   */
  async function holderOf(request: Asked): Promise<Caller | null> {
    const token = signed(config.secret, cookieOf(request, `${prefix}.session_token`));
    if (!token) return null;
    const { rows } = await sql<Caller & { idle: boolean; stale: boolean }>`
      select u.id, u.email, u.name, ${roleNow} as role, s.id as session_id,
        s.seen_at < now() - ${idleHours} * interval '1 hour' as idle, s.seen_at < now() - interval '5 minutes' as stale
      from session s join "user" u on u.id = s.user_id where s.token = ${token} and s.expires_at > now()
        and u.blocked_at is null
    `.execute(database.db);
    const found = rows[0];
    if (!found) return null;
    const { idle, stale, ...who } = found;
    if (idle) await sql`delete from session where id = ${who.sessionId}`.execute(database.db);
    else if (stale)
      await sql`update session set seen_at = now() where id = ${who.sessionId}`.execute(
        database.db,
      );
    return idle ? null : who;
  }

  const sessionHolderOf = async (request: Asked) =>
    sameOrigin(request) ? holderOf(request) : null;

  return { callerOf, holderOf, sessionHolderOf, sameOrigin };
}
