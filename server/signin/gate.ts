// Who is asking: the holder of an access token, or of the session's cookie.
import type { Config } from '../platform/config.ts';
import { type Database, sql } from '../platform/db/connection.ts';
import { gather } from '../platform/db/gather.ts';
import { hashOf } from '../platform/db/hashed.ts';
import type { Asked, Caller, Gate } from '../platform/http/on.ts';
import type { Cookies } from './cookies.ts';
import { isAlive, sessionSeen } from './sessions.ts';
import type { Tokens } from './tokens.ts';

export interface IdentityGate extends Gate {
  /** The holder of the cookie, wherever the request comes from. */
  holderOf(request: Asked): Promise<Caller | null>;
}

/**
 * Where requests may come from: our public address and, while it runs on a developer's machine, the
 * address they typed.
 */
function ownOrigins({ production, publicUrl }: Config, host: string | undefined): string[] {
  const local = !production && host && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
  return local ? [publicUrl, `http://${host}`] : [publicUrl];
}

export function createGate(
  config: Config,
  database: Database,
  { tokens, cookies }: { tokens: Tokens; cookies: Cookies },
): IdentityGate {
  // With STAFF_TWO_STEP an admin is no more than a student until the second step is on; the
  // account page is open to both.
  const roleNow = config.staffTwoStep
    ? sql`case when u.role = 'admin' and not exists (
        select from login where user_id = u.id and totp_on_at is not null) then 'student' else u.role end`
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
      select s.id as session_id, u.id, u.email, u.name, ${roleNow} as role,
        u.proven_at is not null as proven
      from session s join "user" u on u.id = s.user_id
      where s.id = any (${sessionIds}::uuid[]) and ${isAlive}`,
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

  /** Looking counts as having been seen. */
  async function holderOf(request: Asked): Promise<Caller | null> {
    const secret = cookies.read(request, 'session_token');
    if (!secret) return null;
    const { rows } = await sql<Caller & { stale: boolean }>`
      select u.id, u.email, u.name, ${roleNow} as role, u.proven_at is not null as proven, s.id as session_id,
        s.seen_at < now() - interval '5 minutes' as stale
      from session s join "user" u on u.id = s.user_id
      where s.secret_hash = ${hashOf(secret)} and ${isAlive}`.execute(database.db);
    if (!rows[0]) return null;
    const { stale, ...who } = rows[0];
    if (stale) await sessionSeen(database.db, who.sessionId);
    return who;
  }

  const sessionHolderOf = async (request: Asked) =>
    sameOrigin(request) ? holderOf(request) : null;

  return { callerOf, holderOf, sessionHolderOf, sameOrigin };
}
