// No request, however malformed, is answered with a 5xx, a stack trace, or a body that breaks its declared shape.
// FUZZ_REQUESTS=200000 for the long form; FUZZ_SEED repeats a run.
import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { type AnyCall, address } from '../contract/call.ts';
import { errors } from '../contract/errors.ts';
import { calls } from '../contract/index.ts';
import { createSandbox } from '../sandbox/sandbox.ts';
import { testApp, testKeys } from '../server/testing/app.ts';
import { aClass, anAdmin, anInstructor, aUser } from '../server/testing/factories.ts';
import { bodies, inputs, oddHeaders, types } from './fuzz.ts';

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 4_000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);

const sandbox = await createSandbox(testKeys);
afterAll(() => sandbox.close());
const app = await testApp({}, { sandbox: sandbox.url });
const people = [await aUser(app), await anInstructor(app), await anAdmin(app), await aUser(app)];
const made = [
  await aClass(app),
  await aClass(app, { status: 'pending' }),
  await aClass(app, { instructor: people[1] ?? (await anInstructor(app)) }),
];
const known = [...people.flatMap(({ id, email }) => [id, email]), ...made.map(({ id }) => id)];
const tokens = fc.constantFrom(undefined, ...people.map(({ token }) => token));

interface Answer {
  statusCode: number;
  body: string;
  headers: Record<string, unknown>;
}

/** Null when the answer is as it must be, else what is wrong with it. */
function complaint(call: AnyCall | null, { statusCode, body, headers }: Answer): string | null {
  if (statusCode >= 500) return `status ${statusCode}: ${body.slice(0, 300)}`;
  if (/\bat .*\.(ts|js):\d+|node_modules|SELECT |syntax error at/.test(body))
    return `leaks its inside: ${body.slice(0, 300)}`;
  if (statusCode === 304 || statusCode === 204) return null;
  if (statusCode >= 400) {
    if (!String(headers['content-type']).includes('json'))
      return `a refusal that is no JSON: ${statusCode} ${body.slice(0, 100)}`;
    const { error, code, message, requestId } = JSON.parse(body) as Record<string, unknown>;
    const known =
      error === true &&
      typeof code === 'string' &&
      code in errors &&
      typeof message === 'string' &&
      typeof requestId === 'string';
    return known ? null : `a refusal in another shape: ${body.slice(0, 200)}`;
  }
  if (!call || call.media) return null;
  const parsed = call.response.safeParse(JSON.parse(body));
  return parsed.success ? null : `an answer in another shape: ${JSON.stringify(parsed.error.issues.slice(0, 2))}`;
}

const share = (part: number) => Math.max(50, Math.round(requests * part));

it(`answers every input of every call as declared (seed ${seed})`, async () => {
  const runs = Math.ceil(share(0.7) / calls.length);
  for (const call of calls) {
    await fc.assert(
      fc.asyncProperty(inputs(call, known), tokens, async (input, token) => {
        const named = (name: string) => call.path.includes(`:${name}`);
        const sendable = Object.entries(input).map(([name, value]) => [name, named(name) ? pathPart(value) : value]);
        const { path, rest } = address(call, Object.fromEntries(sendable) as object);
        const inQuery = call.method === 'GET' || call.method === 'DELETE';
        const query = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, wellFormed(value)]));
        const answer = await app.ask({
          method: call.method,
          url: inQuery ? `${path}?${new URLSearchParams(query)}` : path,
          ...(inQuery ? {} : { payload: JSON.stringify(rest) ?? '{}' }),
          headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
        });
        expect(complaint(call, answer)).toBeNull();
      }),
      { numRuns: runs, seed },
    );
  }
}, 3_600_000);

/** An empty part or dots would name another call. */
const pathPart = (value: unknown) => wellFormed(value).replace(/^[.\s]*$/, 'x');

const wellFormed = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();

it(`answers bodies, types and headers that make no sense (seed ${seed})`, async () => {
  const writes = [
    ...calls.filter((call) => call.method !== 'GET').map((call) => [call.method, `/api${call.path}`] as const),
    ...authDoors,
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...writes),
      bodies,
      types,
      oddHeaders,
      tokens,
      async ([method, path], payload, type, headers, token) => {
        const url = path.replace(/:\w+/g, () => known[Math.floor(Math.random() * known.length)] ?? 'x');
        const answer = await app.ask({
          method,
          url,
          payload,
          headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers, 'content-type': type },
        });
        expect(complaint(null, answer)).toBeNull();
      },
    ),
    { numRuns: share(0.2), seed },
  );
}, 3_600_000);

const authDoors = (
  [
    'sign-up/email',
    'sign-in/email',
    'sign-in/social',
    'sign-out',
    'update-user',
    'change-password',
    'request-password-reset',
    'reset-password',
  ] as const
).map((door) => ['POST', `/api/auth/${door}`] as const);

it(`answers addresses that lead nowhere (seed ${seed})`, async () => {
  const parts = fc.array(
    fc.oneof(
      fc.constantFrom('api', 'classes', 'auth', '..', '%2e%2e', '.env', 'users', '%00', '%ff', 'dev', 'sandbox'),
      fc.webSegment(),
    ),
    { maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'HEAD') as fc.Arbitrary<'GET'>,
      parts,
      async (method, path) => {
        const answer = await app.ask({ method, url: `/${path.join('/')}` });
        expect(answer.statusCode).toBeLessThan(500);
      },
    ),
    { numRuns: share(0.1), seed },
  );
}, 3_600_000);
