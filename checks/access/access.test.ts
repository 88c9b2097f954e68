// The access matrix, generated from the contract: every call × caller × owner, each with its one
// right status. A call without a row in matrix.ts fails. And no write accepts a key that it does not
// declare: added to a valid input it is refused by name, and nothing changes.
// One file: matrix.ts has one app, which is closed when the file ends.
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { accessOf } from '../../contract/platform/call.ts';
import { getClass } from '../../contract/classes/classes.ts';
import type { ErrorBody } from '../../contract/platform/errors.ts';
import { calls } from '../../contract/app/calls.ts';
import { aClass, type TestUser } from '../../server/testing/factories.ts';
import { deadQueue } from '../../server/platform/db/jobs.ts';
import {
  app,
  ask,
  bearer,
  type Headers,
  people,
  type Person,
  persons,
  refusedBy,
  type Row,
  rows,
  strangers,
  type Whose,
  whose,
} from './matrix.ts';

it('has a row for every call of the contract, and for no other', () => {
  expect(Object.keys(rows).toSorted()).toEqual(calls.map((call) => call.id).toSorted());
});

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

/**
 * Jobs of the tests before: what they write is not of the request that is judged. Those that gave up
 * wait for an admin.
 */
async function jobsUnderWay(): Promise<number | undefined> {
  const { rows } = await app.pool.query<{ n: number }>(
    `select count(*)::int as n from pgboss.job where state < 'completed' and name <> $1`,
    [deadQueue],
  );
  return rows[0]?.n;
}

// Before the matrix: every comparison reads all rows, and the matrix makes thousands.
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
    const headers = keysOf(people[person]);
    await expect.poll(jobsUnderWay).toBe(0);
    const before = await everything();
    for (const key of [...hopes.filter((name) => !declared.includes(name)), ...inPath]) {
      const answer = await ask(call, input, headers, { [key]: 'admin' });
      const { code, field } = answer.json<ErrorBody>();
      expect([answer.statusCode, code, field]).toEqual([400, 'INVALID_INPUT', key]);
    }
    expect(await everything()).toBe(before);
  });
});

describe.each(calls.filter((call) => call.id in rows).map((call) => [call.id, call] as const))(
  '%s',
  (id, call) => {
    const row = rows[id] as Row;
    const open = accessOf(call).includes('public');
    // What a stranger is refused changes nothing: the next one asks for the same.
    const asked = new Map<Whose, object | null>();
    const inputFor = async (of: Whose) => {
      if (open || !asked.has(of)) asked.set(of, await row.input('student', of));
      return asked.get(of);
    };

    it.each(Object.entries(strangers))('treats %s as a stranger', async (_who, token) => {
      for (const of of whose) {
        const input = await inputFor(of);
        if (!input) continue;
        const right = open ? (row.visitor?.(of) ?? row.expected('student', of)) : 401;
        expect([of, (await ask(call, input, bearer(token))).statusCode]).toEqual([of, right]);
      }
    });

    it.each(persons)('answers the %s as declared', async (person) => {
      for (const of of whose) {
        const input = await row.input(person, of);
        if (!input) continue;
        const right = refusedBy(call, person) ?? row.expected(person, of);
        const { statusCode } = await ask(call, input, bearer(people[person].token));
        expect([of, statusCode]).toEqual([of, right]);
      }
    });
  },
);

/**
 * Everything of a response except what is new in each: the id of the request, and the nonce and the
 * time in its headers.
 */
const likeness = ({ statusCode, body, headers }: Awaited<ReturnType<typeof ask>>) => ({
  statusCode,
  body: body.replace(/"requestId":"[\da-f-]{36}"/, ''),
  headers: { ...headers, date: '', 'content-security-policy': '' },
});

const refuses = (id: string, person: Person, of: Whose) =>
  (rows[id]?.expected(person, of) ?? 0) >= 400;

// An admin may see most of what belongs to others; for the others it must look as if it did not
// exist.
const hidden = calls.flatMap((call) =>
  persons
    .filter((person) => refusedBy(call, person) === null)
    .filter((person) =>
      ["someone else's", 'unknown'].every((of) => refuses(call.id, person, of as Whose)),
    )
    .map((person) => [call.id, person, call] as const),
);

it.each(hidden)(
  "%s does not tell the %s whether what is someone else's exists",
  async (id, person, call) => {
    const answers: object[] = [];
    for (const of of ["someone else's", 'unknown'] as const) {
      const input = (await rows[id]?.input(person, of)) ?? {};
      answers.push(likeness(await ask(call, input, bearer(people[person].token))));
    }
    expect(answers[0]).toEqual(answers[1]);
  },
);

it.each(Object.entries(strangers))(
  'shows %s an approved class, and no other',
  async (_who, token) => {
    for (const [status, right] of [
      ['approved', 200],
      ['pending', 404],
      ['denied', 404],
    ] as const) {
      const { id } = await aClass(app, { instructor: people.instructor, status });
      const { statusCode, body } = await ask(getClass, { id }, bearer(token));
      expect([status, statusCode]).toEqual([status, right]);
      expect(body).not.toContain('feedback');
    }
  },
);
