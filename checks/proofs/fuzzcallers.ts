// The callers of a fuzzed server. Whatever a request did to them (deleted, demoted, blocked, signed out),
// they are restored before the next one: otherwise all following requests would be refused.
import { hashOf } from '../../server/platform/db/hashed.ts';
import { createTokens } from '../../server/signin/tokens.ts';
import type { TestApp } from '../../server/testing/app.ts';
import type { TestUser } from '../../server/testing/factories.ts';

export type Credentials = { authorization: string; cookie: string };

/** Credentials: a token that has not expired, and the cookie of the session. */
export async function credentialsOf(app: TestApp, who: TestUser): Promise<Credentials> {
  if (!(await isThere(app, who))) await revive(app, who);
  return {
    authorization: `Bearer ${await tokenOf(app, who)}`,
    cookie: `rally.session_token=${who.secret}`,
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

async function isThere(
  app: TestApp,
  { sessionId, secret, email, role, proven }: TestUser,
): Promise<boolean> {
  const { rows } = await app.pool.query(
    `select from session s join "user" u on u.id = s.user_id
     where s.id = $1 and s.secret_hash = $2 and u.email = $3 and u.role = $4 and u.blocked_at is null
       and (u.proven_at is not null) = $5
       and s.expires_at > now() + interval '1 minute'`,
    [sessionId, hashOf(secret), email, role, proven],
  );
  return rows.length > 0;
}

async function revive(app: TestApp, who: TestUser): Promise<void> {
  const { id, name, email, role, proven, sessionId, secret } = who;
  await app.pool.query(
    `update "user" set name = $2, email = $3, role = $4, blocked_at = null, erased_at = null,
       proven_at = case when $5::boolean then now() end where id = $1`,
    [id, name, email, role, proven],
  );
  await app.pool.query(
    `insert into session (id, user_id, secret_hash, expires_at) values ($1, $2, $3, now() + interval '1 hour')
     on conflict (id) do update set secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`,
    [sessionId, id, hashOf(secret)],
  );
}
