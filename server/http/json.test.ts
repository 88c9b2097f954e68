// A repeated key in a JSON body is refused by name, at any depth.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { aUser } from '../testing/factories.ts';
import { aMember, Visitor } from '../testing/visitor.ts';
import { isTooMuch, repeatedKey } from './json.ts';

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

it('finds nothing in the output of JSON.stringify, and finds a repeated key', () => {
  const object = fc.dictionary(
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.jsonValue({ maxDepth: 3 }),
    {
      minKeys: 1,
    },
  );
  const property = fc.property(object, (value) => {
    const text = JSON.stringify(value);
    expect(repeatedKey(text)).toBeNull();
    const key = Object.keys(JSON.parse(text) as object)[0] ?? '';
    expect(repeatedKey(`[${text.slice(0, -1)},${JSON.stringify(key)}:0}]`)).toBe(key);
  });
  fc.assert(property, { numRuns: 1_000, seed: 2026 });
});

const isTooDeep = (text: string) => isTooMuch(text, 3_000);

it.each([
  ['[', ']'],
  ['{"":', '}'],
])('a text of %s%s with more than 32 levels is too deep', (open, close) => {
  const nested = (levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;
  expect([isTooDeep(nested(32)), isTooDeep(nested(33))]).toEqual([false, true]);
  expect(isTooDeep(`[${Array(90).fill(nested(31)).join()}]`)).toBe(false);
  expect(isTooDeep(JSON.stringify(nested(100)))).toBe(false);
  expect(isTooDeep(`["\\\\",${nested(32)}]`)).toBe(true);
});

it.each([100, 3_000])('a text with more than %d values is too much', (bound) => {
  const most = Array.from({ length: bound }, () => 'a,[{');
  expect(isTooMuch(JSON.stringify(most), bound)).toBe(false);
  expect(isTooMuch(JSON.stringify([...most, 1]), bound)).toBe(true);
  expect(isTooMuch(`[${'[],'.repeat(bound / 2)}1]`, bound)).toBe(true);
});

it('throws for no text', () => {
  const parts = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', '\\u00', ' ', '1');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(parts).map((all) => all.join('')),
  );
  const property = fc.property(text, (value) => {
    expect(() => [repeatedKey(value), isTooMuch(value, 100)]).not.toThrow();
  });
  fc.assert(property, { numRuns: 2_000, seed: 2026 });
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

const post = (url: string, payload: string) =>
  app.ask({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload });

it('a body that is too deep is refused, and one for an unknown route is not read', async () => {
  const deep = await post('/api/auth/sign-in/email', '['.repeat(30_000));
  expect([deep.statusCode, deep.json<{ message: string }>().message]).toEqual([
    400,
    'The request body has too many levels or values.',
  ]);
  for (const payload of ['{', '['.repeat(30_000), 'x'.repeat(100_000)])
    expect((await post('/api/no-such-route', payload)).statusCode).toBe(404);
});

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`key${nth}`, 0]));

it('a body has a hundred values, and that of a call for staff 3,000', async () => {
  const [family, coach] = [await aUser(app), await aUser(app, { role: 'instructor' })];
  const codeOf = async (url: string, input: object, { token } = family) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.ask({ method: 'POST', url, headers, payload: input });
    return answer.json<{ code: string }>().code;
  };
  const few = keys(100);
  const many = { guardians: Array.from({ length: 29 }, () => few) };
  const tooMany = { ...many, more: few };
  expect(await codeOf('/api/participants', few)).toBe('INVALID_INPUT');
  expect(await codeOf('/api/participants', keys(101))).toBe('MALFORMED_JSON');
  expect(await codeOf('/api/participants', many)).toBe('MALFORMED_JSON');
  expect(await codeOf('/api/classes', many, coach)).toBe('INVALID_INPUT');
  expect(await codeOf('/api/classes', tooMany, coach)).toBe('MALFORMED_JSON');
});

it('what a stranger sends to the sign-in routes is not in the log', async () => {
  const canary = 'CanaryOfAStranger';
  const visitor = new Visitor(app);
  for (const url of [
    'verify-email?token=x&',
    'callback/google?state=x&error=',
    'callback/google?code=x&state=',
    'get-session?',
  ])
    for (const key of ['callbackURL', 'errorCallbackURL', 'error_description', 'redirectTo'])
      for (const host of ['https://', '//', '/'])
        await visitor.ask(
          'GET',
          `/api/auth/${url}${canary}&${key}=${host}${canary}.example`,
          undefined,
          {
            origin: `https://${canary}.example`,
            referer: `https://${canary}.example`,
            'user-agent': canary,
            cookie: `rally.session_token=${canary}.x; rally.state=${canary}; rally.two_factor=${canary}`,
          },
        );
  for (const door of [
    'sign-in/email',
    'sign-up/email',
    'sign-in/social',
    'reset-password',
    'sign-in/second-step',
  ])
    await visitor.auth(door, {
      email: canary,
      name: canary,
      token: canary,
      code: canary,
      callbackURL: `//${canary}`,
    });
  expect(app.logs.join('')).not.toContain(canary);
});

it('a session keeps at most 300 characters of the User-Agent', async () => {
  const { visitor, email, password } = await aMember(app);
  await visitor.auth('sign-in/email', { email, password }, { 'user-agent': 'x'.repeat(10_000) });
  const { rows } = await app.pool.query<{ longest: number }>(
    'select max(length(user_agent)) as longest from session',
  );
  expect(rows[0]?.longest).toBe(300);
});
