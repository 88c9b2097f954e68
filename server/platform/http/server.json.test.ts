// A repeated key in a JSON body is refused by name, at any depth.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { aMember } from '../../testing/visitor.ts';
import { repeatedKey } from './server.ts';

it.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"x":[{"b":1},{"c":{"d":1,"d":1}}]}', 'd'],
  ['{"a\\"b":1 , "a\\"b" : 2}', 'a"b'],
  ['{"":1,"":2}', ''],
  ['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}', null],
  ['{"a":"b\\":","b":"a"}', null],
  ['["a","a"]', null],
  ['"a"', null],
  ['{}', null],
])('%s repeats %j', (text, key) => expect(repeatedKey(text)).toBe(key));

it('finds nothing in what JSON.stringify writes, until repeated', () => {
  const object = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }), {
    minKeys: 1,
  });
  const property = fc.property(object, (value) => {
    const text = JSON.stringify(value);
    expect(repeatedKey(text)).toBeNull();
    const key = Object.keys(JSON.parse(text) as object)[0] ?? '';
    expect(repeatedKey(`[${text.slice(0, -1)},${JSON.stringify(key)}:0}]`)).toBe(key);
  });
  fc.assert(property, { numRuns: 100, seed: 2026 });
});

const app = await testApp();

it('a repeated key is refused by name', async () => {
  const body = '{"email":"a@example.com","password":"x","email":"b@example.com"}';
  const headers = { 'content-type': 'application/json', origin: app.config.publicUrl };
  const answer = await app.ask({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    headers,
    payload: body,
  });
  expect(answer.json()).toMatchObject({
    code: 'INVALID_INPUT',
    field: 'email',
    message: 'email is given twice',
  });
  const broken = await app.ask({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    headers,
    payload: `${body},`,
  });
  expect([broken.statusCode, broken.json<{ code: string }>().code]).toEqual([
    400,
    'MALFORMED_JSON',
  ]);
});

it('a body for an unknown route is not read', async () => {
  const headers = { 'content-type': 'application/json' };
  for (const payload of ['{', 'x'.repeat(100_000)]) {
    const asked = { method: 'POST', url: '/api/no-such-route', headers, payload } as const;
    expect((await app.ask(asked)).statusCode).toBe(404);
  }
});

it('a session keeps at most 300 characters of the User-Agent', async () => {
  const { visitor, email, password } = await aMember(app);
  await visitor.auth('sign-in/email', { email, password }, { 'user-agent': 'x'.repeat(10_000) });
  const { rows } = await app.pool.query<{ longest: number }>(
    'select max(length(browser)) as longest from session',
  );
  expect(rows[0]?.longest).toBe(300);
});
