// Who is asking: the holder of an access token, or of the session's cookie.
import { setImmediate as turn } from 'node:timers/promises';
import type { Config } from '../platform/config.ts';
import { type Database, query, sql } from '../platform/db/connection.ts';
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

  const caller = sql`s.id as session_id, u.id, u.email, u.name, ${roleNow} as role,
    u.proven_at is not null as proven`;

  const sameOrigin = (request: Asked) => {
    const { origin, host, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    // Without an Origin it is no browser's cross-site request: those always name one, and JSON
    // makes them ask first.
    return origin === undefined || ownOrigins(config, host).includes(origin);
  };

  /** The sessions of the requests that arrive in one turn of the event loop, read together. */
  let asked: { sessionIds: string[]; found: Promise<Caller[]> } | null = null;

  function ask() {
    const sessionIds: string[] = [];
    const read = async () => {
      await turn();
      // A request that arrives from now on must not get what was read before.
      asked = null;
      return query<Caller>(database.db)`
        select ${caller} from session s join "user" u on u.id = s.user_id
        where s.id = any (${sessionIds}::uuid[]) and ${isAlive}`;
    };
    return { sessionIds, found: read() };
  }

  async function callerIn(sessionId: string): Promise<Caller | undefined> {
    asked ??= ask();
    asked.sessionIds.push(sessionId);
    const found = await asked.found;
    // Each goes on in a turn of its own: the rate limit would judge it by the number of all.
    await turn();
    return found.find((caller) => caller.sessionId === sessionId);
  }

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
    const rows = await query<Caller & { stale: boolean }>(database.db)`
      select ${caller}, s.seen_at < now() - interval '5 minutes' as stale
      from session s join "user" u on u.id = s.user_id
      where s.secret_hash = ${hashOf(secret)} and ${isAlive}`;
    if (!rows[0]) return null;
    const { stale, ...who } = rows[0];
    if (stale) await sessionSeen(database.db, who.sessionId);
    return who;
  }

  const sessionHolderOf = async (request: Asked) =>
    sameOrigin(request) ? holderOf(request) : null;

  return { callerOf, holderOf, sessionHolderOf, sameOrigin };
}
