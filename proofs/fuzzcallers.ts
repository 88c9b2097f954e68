// The callers of a fuzzed server. Whatever a request did to them (deleted, demoted, blocked, signed out),
// they are restored before the next one: otherwise all following requests would be refused.
import { createHmac } from 'node:crypto';
import { cookiePrefix } from '../server/features/identity/betterauth.ts';
import { createTokens } from '../server/features/identity/tokens.ts';
import type { TestApp } from '../server/testing/app.ts';
import type { TestUser } from '../server/testing/factories.ts';

export type Credentials = { authorization: string; cookie: string };

/** Credentials: a token that has not expired, and the cookie of the session. */
export async function credentialsOf(app: TestApp, who: TestUser): Promise<Credentials> {
  const session = (await sessionOf(app, who)) ?? (await revive(app, who));
  const token = await tokenOf(app, who);
  const mac = createHmac('sha256', app.config.secret).update(session).digest('base64');
  return {
    authorization: `Bearer ${token}`,
    cookie: `${cookiePrefix(app.config)}.session_token=${encodeURIComponent(`${session}.${mac}`)}`,
  };
}

/** Used for a third of its lifetime. */
const fresh = new Map<string, { token: string; until: number }>();

async function tokenOf(app: TestApp, { id, sessionId }: TestUser): Promise<string> {
  const kept = fresh.get(sessionId);
  if (kept && kept.until > Date.now()) return kept.token;
  const token = await createTokens(app.config).sign({ userId: id, sessionId });
  fresh.set(sessionId, { token, until: Date.now() + 300_000 });
  return token;
}

async function sessionOf(
  app: TestApp,
  { sessionId, email, role }: TestUser,
): Promise<string | undefined> {
  const { rows } = await app.pool.query<{ token: string }>(
    `select s.token from session s join "user" u on u.id = s.user_id
     where s.id = $1 and u.email = $2 and u.role = $3 and u.blocked_at is null and s.expires_at > now() + interval '1 minute'`,
    [sessionId, email, role],
  );
  return rows[0]?.token;
}

async function revive(
  app: TestApp,
  { id, name, email, role, sessionId }: TestUser,
): Promise<string> {
  await app.pool.query(
    'update "user" set name = $2, email = $3, role = $4, blocked_at = null where id = $1',
    [id, name, email, role],
  );
  const session = `session of ${id}`;
  await app.pool.query(
    `insert into session (id, user_id, token, expires_at) values ($1, $2, $3, now() + interval '1 hour')
     on conflict (id) do update set token = excluded.token, expires_at = excluded.expires_at`,
    [sessionId, id, session],
  );
  return session;
}
