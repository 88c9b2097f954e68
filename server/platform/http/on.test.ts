// on() with calls made up for the tests: who reaches the handler, what reaches it, and what leaves.
import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Access, type Role, roles } from '../../../contract/platform/call.ts';
import { type Answering, serveCalls, type Spec } from '../../testing/calls.ts';
import { etagOf } from './memory.ts';
import type { Remembered } from './on.ts';

const post = (payload: unknown) => ({
  payload: payload as object,
  headers: { 'content-type': 'application/json' },
});
const same = (remember: Remembered) => road({}, () => ({ n: 1 }), remember);

/** A server with one call. The caller gives a role in `as` (by token) or in `cookie` (by session). */
async function road(spec: Spec, answer: Answering = (input) => ({ input }), remember?: Remembered) {
  let handled = 0;
  const counted: Answering = (...given) => {
    handled++;
    return answer(...given);
  };
  const options = { onlyDeclared: true, remember };
  const { app, calls } = await serveCalls([spec], counted, options);
  const ask = async (url: string, options: InjectOptions = {}) => {
    const { statusCode, headers, body } = await app.inject({
      method: calls[0]?.method ?? 'GET',
      url,
      ...options,
    });
    return { status: statusCode, headers, text: body, body: parsed(body) };
  };
  return {
    ask,
    as: (role: Role, url = '/api/things') => ask(url, { headers: { as: role } }),
    handled: () => handled,
  };
}

function parsed(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}

describe('access', () => {
  it.each<[Access | Access[], Role[]]>([
    ['signed-in', ['student', 'instructor', 'admin']],
    ['self', ['student', 'instructor', 'admin']],
    ['instructor', ['instructor']],
    ['admin', ['admin']],
    [
      ['instructor', 'admin'],
      ['instructor', 'admin'],
    ],
  ])('%s: %s only', async (access, welcome) => {
    const { ask, as, handled } = await road({ access });
    expect(await ask('/api/things')).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED' },
    });
    for (const role of roles) {
      const { status, body } = await as(role);
      expect([role, status, body['code']]).toEqual(
        welcome.includes(role) ? [role, 200, undefined] : [role, 403, 'FORBIDDEN'],
      );
    }
    expect(handled()).toBe(welcome.length);
  });

  it('public: everyone, with the caller if there is one', async () => {
    const { ask, as } = await road({}, (_input, { who }) => who?.role ?? 'nobody');
    expect((await ask('/api/things')).text).toBe('nobody');
    expect((await as('admin')).text).toBe('admin');
  });

  it('session: who holds the cookie; other calls: the token', async () => {
    const session = await road({ access: 'session' }, (_input, { who }) => who?.role);
    expect((await session.as('admin')).status).toBe(401);
    expect((await session.ask('/api/things', { headers: { cookie: 'student' } })).text).toBe(
      'student',
    );
    const token = await road({ access: 'signed-in' });
    expect((await token.ask('/api/things', { headers: { cookie: 'admin' } })).status).toBe(401);
  });

  it('a stranger is refused before the input is parsed', async () => {
    const { ask } = await road({ access: 'admin' });
    expect((await ask('/api/things?unknown=1')).status).toBe(401);
  });
});

describe('an email in the input', () => {
  const input = z.strictObject({ email: z.optional(z.string()) });

  it.each<[Access | Access[], Role, string, number]>([
    ['self', 'student', '?email=student@example.com', 200],
    ['self', 'student', '', 200],
    ['self', 'student', '?email=admin@example.com', 403],
    ['self', 'admin', '?email=student@example.com', 403],
    [['self', 'admin'], 'admin', '?email=student@example.com', 200],
    [['self', 'admin'], 'instructor', '?email=student@example.com', 403],
    ['signed-in', 'student', '?email=admin@example.com', 200],
  ])(
    'on a call for %s, from the %s, as "%s", is answered with %i',
    async (access, role, query, status) => {
      const { as, handled } = await road({ access, input });
      expect((await as(role, `/api/things${query}`)).status).toBe(status);
      expect(handled()).toBe(status === 200 ? 1 : 0);
    },
  );
});

describe('the input', () => {
  const fields = z.strictObject({
    id: z.string(),
    size: z.optional(z.string().check(z.minLength(2, 'is too short'))),
  });

  it.each(['GET', 'DELETE'] as const)('of %s is path and query', async (method) => {
    const { ask } = await road({ method, path: '/things/:id', input: fields });
    expect((await ask('/api/things/a?size=xl')).body).toEqual({ input: { id: 'a', size: 'xl' } });
  });

  it.each(['POST', 'PATCH'] as const)('of %s is path and body', async (method) => {
    const { ask } = await road({ method, path: '/things/:id', input: fields });
    expect((await ask('/api/things/a', post({ size: 'xl' }))).body).toEqual({
      input: { id: 'a', size: 'xl' },
    });
    expect((await ask('/api/things/a?size=xl')).body).toEqual({ input: { id: 'a' } });
  });

  it.each([
    ['a field that the path has already', { id: 'b' }, 'id', 'id is in the path already'],
    ['an unknown field', { colour: 'red' }, 'colour', 'colour is not a field of this call'],
    ['a field against its rule', { size: 'x' }, 'size', 'size is too short'],
    ['a list', [], '', 'The body must be a JSON object.'],
    ['a word', '"word"', '', 'The body must be a JSON object.'],
  ])('with %s is refused by its name', async (_what, body, field, message) => {
    const { ask, handled } = await road({ method: 'POST', path: '/things/:id', input: fields });
    const answer = await ask('/api/things/a', post(body));
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', field, message } });
    expect(handled()).toBe(0);
  });

  it.each([
    ['a missing field', {}, 'deep', 'deep is required'],
    ['a missing field further in', { deep: {} }, 'deep.size', 'deep.size is required'],
    ['another type', { deep: { size: 5 } }, 'deep.size', 'deep.size is not valid'],
    [
      'nothing where something must be',
      { deep: { size: null } },
      'deep.size',
      'deep.size is not valid',
    ],
  ])('with %s is refused by the whole name', async (_what, body, field, message) => {
    const input = z.strictObject({ deep: z.strictObject({ size: z.string('Invalid input') }) });
    const { ask } = await road({ method: 'POST', input });
    expect((await ask('/api/things', post(body))).body).toMatchObject({ field, message });
  });
});

describe('a response', () => {
  it('has the status of its call, unless the handler sets another', async () => {
    expect((await (await road({})).ask('/api/things')).status).toBe(200);
    const made: Spec = { method: 'POST', status: 201 };
    expect((await (await road(made)).ask('/api/things')).status).toBe(201);
    const { ask } = await road(made, (_input, { status }) => status(200) ?? {});
    expect((await ask('/api/things')).status).toBe(200);
  });

  it('has the declared fields only', async () => {
    const { ask } = await road({ response: z.object({ name: z.string() }) }, () => ({
      name: 'a',
      secret: 'b',
    }));
    const { body, headers } = await ask('/api/things');
    expect(body).toEqual({ name: 'a' });
    expect(headers).not.toHaveProperty('x-total-count');
  });

  it('of a list has the total', async () => {
    const rows = { items: [{ name: 'a', secret: 'b' }], total: 7 };
    const { ask } = await road(
      { paged: true, response: z.array(z.object({ name: z.string() })) },
      () => rows,
    );
    const { body, headers } = await ask('/api/things');
    expect(body).toEqual([{ name: 'a' }]);
    expect(headers['x-total-count']).toBe('7');
  });

  it('that is a spreadsheet is sent as a file', async () => {
    const { ask } = await road({ media: 'text/csv' }, () => 'Name\r\n');
    const { text, headers } = await ask('/api/things');
    expect(text).toBe('Name\r\n');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment',
    });
  });

  it('that is a calendar has an ETag, and no body if known', async () => {
    const { ask } = await road({ media: 'text/calendar' }, () => 'BEGIN:VCALENDAR');
    const { text, headers } = await ask('/api/things');
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', etag: etagOf(text) });
    expect(headers['content-disposition']).toBe('inline; filename="rally.ics"');
    const again = (known: string) => ask('/api/things', { headers: { 'if-none-match': known } });
    expect(await again(`"x", W/${etagOf(text)}`)).toMatchObject({ status: 304, text: '' });
    expect((await again('"x"')).status).toBe(200);
  });

  it('that is a stream is written by the handler, only for GET', async () => {
    const { ask } = await road({ media: 'text/event-stream' }, (_input, { takeOver }) =>
      takeOver().end('data: 1\n\n'),
    );
    const { status, text, headers } = await ask('/api/things');
    expect([status, text]).toEqual([200, 'data: 1\n\n']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect((await ask('/api/things', { method: 'HEAD' })).status).toBe(404);
  });

  it('is kept by no cache if the caller is signed in or must be', async () => {
    const { ask, as } = await road({});
    expect((await as('student')).headers['cache-control']).toBe('no-store');
    expect((await ask('/api/things')).headers['cache-control']).toBeUndefined();
    const guarded = await road({ access: 'signed-in' });
    expect((await guarded.as('student')).headers['cache-control']).toBe('no-store');
  });
});

describe('a response that is the same for everyone', () => {
  const body = '{"n":1}';
  const known = {
    etag: etagOf(body),
    'cache-control': 'no-cache',
    'content-type': 'application/json; charset=utf-8',
  };

  it('has an ETag', async () => {
    const { ask } = await same({ channels: ['classes'] });
    expect(await ask('/api/things')).toMatchObject({ status: 200, text: body, headers: known });
    const again = await ask('/api/things', { headers: { 'if-none-match': known.etag } });
    expect(again).toMatchObject({ status: 304, text: '' });
    const other = await ask('/api/things', { headers: { 'if-none-match': '"another"' } });
    expect(other.status).toBe(200);
  });

  it('is made once for all visitors who ask at the same time', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    const slow = await road({}, () => promise, { channels: ['classes'] });
    const asked = [slow.ask('/api/things'), slow.ask('/api/things'), slow.as('student')];
    await expect.poll(slow.handled).toBe(2);
    resolve({ n: 1 });
    expect((await Promise.all(asked)).map(({ text }) => text)).toEqual([body, body, body]);
    expect(slow.handled()).toBe(2);
  });

  it('is made again for who is signed in, unless they see the same', async () => {
    const mine = await (await same({ channels: [] })).as('student');
    expect(mine).toMatchObject({ status: 200, text: body });
    expect(mine.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(mine.headers).not.toHaveProperty('etag');
    const remember: Remembered = { channels: [], forSignedIn: (query) => query['for'] === 'all' };
    const input = z.strictObject({ for: z.optional(z.string()) });
    const { as } = await road({ input }, () => ({ n: 1 }), remember);
    expect((await as('student')).headers).not.toHaveProperty('etag');
    expect((await as('student', '/api/things?for=all')).headers).toMatchObject(known);
  });

  it('of a list keeps the total', async () => {
    const list = await road({ paged: true }, () => ({ items: [1], total: 7 }), {
      channels: ['people'],
    });
    expect((await list.ask('/api/things')).headers['x-total-count']).toBe('7');
  });
});
