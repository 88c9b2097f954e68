// The access matrix, generated from the contract: every call × caller × owner, each with its one
// right status. And no write accepts a key that it does not declare.
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { accessOf, type AnyCall } from '../../contract/platform/call.ts';
import { getClass } from '../../contract/classes/classes.ts';
import type { ErrorBody } from '../../contract/platform/errors.ts';
import { calls } from '../../contract/app/calls.ts';
import { deadQueue } from '../../server/platform/db/jobs.ts';
import { aClass, aUser, type TestUser } from '../../server/testing/factories.ts';
import {
  app,
  ask,
  bearer,
  callers,
  expected,
  type Headers,
  inputOf,
  people,
  refusedBy,
  strangers,
  toVisitor,
  type Whose,
  whose,
} from './matrix.ts';

type Answer = Awaited<ReturnType<typeof ask>>;

// What an attacker might try to set: names of columns, of wire fields and of similar fields
// elsewhere.
const hopes = `
  _id id role isAdmin admin email emailVerified userId studentId instructorId status state price priceCents amount amountCents
  currency seenPriceCents intentId seat capacity sold held enrolled feedback createdAt expiresAt slot constructor`
  .trim()
  .split(/\s+/);

/** Both credentials: calls need the token, those before a token exists the cookie. */
const keysOf = ({ token, secret }: TestUser): Headers => ({
  ...bearer(token),
  cookie: `rally.session_token=${secret}`,
});

/** Every row of ours and every job, as a hash by table. */
async function everything(): Promise<Record<string, string>> {
  const { rows: tables } = await app.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'public' or (schemaname, tablename) = ('pgboss', 'job')`,
  );
  expect(tables.length).toBeGreaterThan(10);
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(string_agg(t::text, ';' order by t::text)) as mark from ${name} t`,
  );
  const { rows } = await app.pool.query<{ name: string; mark: string }>(parts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, mark }) => [name, mark]));
}

/**
 * Jobs of what was made: what they write is not of the requests that are judged. Those that gave up
 * wait for an admin.
 */
async function jobsUnderWay(): Promise<number | undefined> {
  const { rows } = await app.pool.query<{ n: number }>(
    `select count(*)::int as n from pgboss.job where state < 'completed' and name <> $1`,
    [deadQueue],
  );
  return rows[0]?.n;
}

// Before the matrix, which makes hundreds of rows.
it('accepts no key that a write does not declare', async () => {
  const asked: [AnyCall, TestUser, object, string[]][] = [];
  for (const [nth, call] of calls.filter(({ method }) => method !== 'GET').entries()) {
    const person = callers.find(
      (one) => accessOf(call).includes('session') || refusedBy(call, one) === null,
    );
    if (!person) throw new Error(`Nobody may ask for ${call.id}`);
    const input = (await inputOf(call, person, 'own')) ?? {};
    const declared = call.input instanceof z.ZodMiniObject ? Object.keys(call.input.shape) : [];
    const unknown = hopes.filter((name) => !declared.includes(name));
    const taken = ['', ...unknown].filter(
      (key) => call.input.safeParse(key ? { ...input, [key]: 'admin' } : input).success,
    );
    expect([call.id, taken]).toEqual([call.id, ['']]);
    // What is in the path must not be repeated in the body, where it could differ.
    const inPath = declared.filter((name) => call.path.includes(`:${name}`));
    const sent = [unknown[nth % unknown.length] ?? '', 'constructor', ...inPath];
    asked.push([call, people[person], input, sent]);
  }
  await expect.poll(jobsUnderWay).toBe(0);
  const before = await everything();
  for (const [call, who, input, keys] of asked)
    for (const key of keys) {
      const answer = await ask(call, input, keysOf(who), { [key]: 'admin' });
      const { code, field } = answer.json<ErrorBody>();
      const found = [call.id, answer.statusCode, code, field];
      expect(found).toEqual([call.id, 400, 'INVALID_INPUT', key]);
    }
  expect(await everything()).toEqual(before);
  // Control: one row more is seen.
  await aUser(app);
  expect(await everything()).not.toEqual(before);
});

/**
 * Everything of a response except what is new in each: the id of the request, and the nonce and the
 * time in its headers.
 */
const likeness = ({ statusCode, body, headers }: Answer) => ({
  statusCode,
  body: body.replace(/"requestId":"[\da-f-]{36}"/, ''),
  headers: { ...headers, date: '', 'content-security-policy': '' },
});

it.each(calls.map((call) => [call.id, call] as const))(
  '%s answers by caller',
  async (_id, call) => {
    const isOpen = accessOf(call).includes('public');
    const [found, right]: [unknown[], unknown[]] = [[], []];
    const refused: Partial<Record<Whose, object | null>> = {};
    for (const of of whose) {
      // What is refused changes nothing: the next one asks for the same.
      refused[of] = await inputOf(call, 'student', of);
      for (const [nth, [who, token]] of Object.entries(strangers).entries()) {
        // A token that is worth nothing makes a visitor, whatever is asked.
        if (nth > 0 && of !== 'own') break;
        const input = isOpen && nth > 0 ? await inputOf(call, 'student', of) : refused[of];
        if (!input) continue;
        found.push([who, of, (await ask(call, input, bearer(token))).statusCode]);
        right.push([who, of, isOpen ? toVisitor(call, of) : 401]);
      }
    }
    for (const person of callers) {
      const mayNot = refusedBy(call, person);
      const answers: Partial<Record<Whose, Answer>> = {};
      for (const of of whose) {
        const input = mayNot ? refused[of] : await inputOf(call, person, of);
        if (!input) continue;
        answers[of] = await ask(call, input, bearer(people[person].token));
        found.push([person, of, answers[of].statusCode]);
        right.push([person, of, mayNot ?? expected(call, person, of)]);
      }
      // What is someone else's must look as if it did not exist, unless they may see it.
      const { "someone else's": foreign, unknown } = answers;
      if (!foreign || !unknown || foreign.statusCode < 400) continue;
      found.push(likeness(foreign));
      right.push(likeness(unknown));
    }
    expect(found).toEqual(right);
  },
);

it('shows strangers an approved class, and no other', async () => {
  for (const [status, right] of [
    ['approved', 200],
    ['pending', 404],
    ['denied', 404],
  ] as const) {
    const { id } = await aClass(app, { instructor: people.instructor, status });
    for (const token of Object.values(strangers)) {
      const { statusCode, body } = await ask(getClass, { id }, bearer(token));
      expect([status, statusCode]).toEqual([status, right]);
      expect(body).not.toContain('feedback');
    }
  }
});
