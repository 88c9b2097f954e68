// No write accepts a key that it does not declare: added to a valid input it is refused by name,
// and nothing changes. Every call of the contract except GETs is tested, also those added later.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { accessOf } from '../contract/call.ts';
import type { ErrorBody } from '../contract/errors.ts';
import { calls } from '../contract/index.ts';
import type { TestUser } from '../server/testing/factories.ts';
import { app, ask, bearer, type Headers, people, refusedBy, type Row, rows } from './matrix.ts';

// What an attacker might try to set: names of columns, of wire fields and of similar fields
// elsewhere.
const hopes = `
  _id id role isAdmin admin email emailVerified userId studentId instructorId status state price priceCents amount amountCents
  currency seenPriceCents intentId seat capacity sold held enrolled feedback createdAt expiresAt slot constructor`
  .trim()
  .split(/\s+/);

/** Both credentials: calls need the token, those before a token exists the cookie. */
async function keysOf({ token, sessionId }: TestUser): Promise<Headers> {
  const { token: session } = await app.db
    .selectFrom('session')
    .select('token')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  const mark = createHmac('sha256', app.config.secret).update(session).digest('base64');
  return {
    ...bearer(token),
    cookie: `rally.session_token=${encodeURIComponent(`${session}.${mark}`)}`,
  };
}

/**
 * Every row of ours and every job, as one hash: if two are equal, nothing has changed in between.
 */
async function everything(): Promise<string> {
  const { rows: tables } = await app.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'public' or (schemaname, tablename) = ('pgboss', 'job')`,
  );
  expect(tables.length).toBeGreaterThan(10);
  const parts = tables.map(
    ({ name }) => `(select string_agg(t::text, ';' order by t::text) from ${name} t)`,
  );
  const { rows } = await app.pool.query<{ mark: string }>(
    `select md5(concat_ws('|', ${parts.join(', ')})) as mark`,
  );
  return rows[0]?.mark ?? '';
}

describe.each(
  calls.filter(({ method }) => method !== 'GET').map((call) => [call.id, call] as const),
)('%s accepts nothing that it does not declare', (id, call) => {
  const roles = ['student', 'instructor', 'admin'] as const;
  const may = roles.filter(
    (person) => accessOf(call).includes('session') || refusedBy(call, person) === null,
  );

  it.each(may)('from the %s', async (person) => {
    const input = (await (rows[id] as Row).input(person, 'own')) as object;
    expect(call.input.safeParse(input).success).toBe(true);
    const declared = call.input instanceof z.ZodMiniObject ? Object.keys(call.input.shape) : [];
    // What is in the path must not be repeated in the body, where it could differ.
    const inPath = declared.filter((name) => call.path.includes(`:${name}`));
    const headers = await keysOf(people[person]);
    const before = await everything();
    for (const key of [...hopes.filter((name) => !declared.includes(name)), ...inPath]) {
      const answer = await ask(call, input, headers, { [key]: 'admin' });
      const { code, field } = answer.json<ErrorBody>();
      expect([answer.statusCode, code, field]).toEqual([400, 'INVALID_INPUT', key]);
    }
    expect(await everything()).toBe(before);
  });
});
