// on() for calls of the identity provider (`byCookie`), and refusals that a call does not declare.
import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Answering, serveCalls, type Spec } from '../../testing/calls.ts';
import { fail } from './fail.ts';

async function served(
  spec: Spec,
  answer: Answering = () => ({ done: true }),
  options: Parameters<typeof serveCalls>[2] = {},
) {
  const declared: Spec = { method: 'POST', path: '/auth/thing', byCookie: true, ...spec };
  const { app, calls, looked } = await serveCalls([declared], answer, options);
  const ask = (more: InjectOptions = {}) =>
    app.inject({ method: calls[0]?.method ?? 'POST', url: '/api/auth/thing', ...more });
  return { ask, looked };
}

const elsewhere = { headers: { origin: 'https://elsewhere.test' } };

describe('a call by cookie', () => {
  it('takes a POST from our own pages only, before any look-up', async () => {
    const { ask, looked } = await served({ access: 'session' });
    const { statusCode, body } = await ask(elsewhere);
    expect([statusCode, JSON.parse(body)]).toMatchObject([403, { code: 'FORBIDDEN' }]);
    expect(looked).toEqual([]);
  });

  it('takes a GET from anywhere', async () => {
    const { ask } = await served({ method: 'GET' });
    expect((await ask(elsewhere)).statusCode).toBe(200);
  });

  it('that is public looks no session up', async () => {
    const { ask, looked } = await served({}, (_input, { who }) => ({ who }));
    expect((await ask({ headers: { cookie: 'x', as: 'y' } })).json()).toEqual({ who: null });
    expect(looked).toEqual([]);
  });

  it('for a session needs the cookie, before the input is parsed', async () => {
    const { ask } = await served({ access: 'session' }, (_input, { who }) => ({ who: who.id }));
    const nonsense = { payload: { nonsense: 1 } };
    expect((await ask(nonsense)).statusCode).toBe(401);
    const known = { headers: { cookie: 'x' } };
    expect((await ask({ ...nonsense, ...known })).statusCode).toBe(400);
    expect((await ask(known)).json()).toEqual({ who: 'x' });
  });

  it('sets cookies, and keeps them when it refuses', async () => {
    const { ask } = await served({ errors: ['NOT_FOUND'] }, (_input, { setCookie }) => {
      setCookie('a=1');
      setCookie('b=2');
      fail('NOT_FOUND');
    });
    const { statusCode, headers } = await ask();
    expect([statusCode, headers['set-cookie']]).toEqual([404, ['a=1', 'b=2']]);
  });

  it('is never stored', async () => {
    const { ask } = await served({ method: 'GET' });
    expect((await ask()).headers['cache-control']).toBe('no-store');
  });

  it('may answer null, and may send the browser on', async () => {
    const nothing = await served({ response: z.nullable(z.object({})) }, () => null);
    expect((await nothing.ask()).body).toBe('null');
    const away = await served({ method: 'GET', redirects: true }, () => '/confirm');
    const { statusCode, headers } = await away.ask();
    expect([statusCode, headers['location']]).toEqual([302, '/confirm']);
  });

  it.each([
    ['a list', [], undefined, 'The body must be a JSON object.'],
    ['an unknown field', { name: 'Ada', role: 'x' }, 'role', 'role is not a field of this form'],
    ['a field against its rule', { name: 'A' }, 'name', 'name is too short'],
    ['a sentence of the specification', { name: '' }, 'name', 'Name is required'],
    ['a form without a field', { name: 'none' }, undefined, 'There is nothing to change'],
  ])('refuses %s in the words of the form', async (_what, payload, field, message) => {
    const name = z
      .string()
      .check(
        z.minLength(1, { error: 'Name is required', abort: true }),
        z.minLength(2, 'is too short'),
      );
    const input = z
      .strictObject({ name })
      .check(z.refine((form) => form.name !== 'none', 'There is nothing to change'));
    const { ask } = await served({ input });
    const body = (await ask({ payload })).json<Record<string, unknown>>();
    expect([body['code'], body['field'], body['message']]).toEqual([
      'INVALID_INPUT',
      field,
      message,
    ]);
  });

  it('has a limit per hour and person', async () => {
    const { ask } = await served({ access: 'session', perHour: 1 }, undefined, { rateLimit: true });
    const known = { headers: { cookie: 'x' } };
    expect((await ask(known)).statusCode).toBe(200);
    const { statusCode, headers } = await ask({ ...known, remoteAddress: '192.0.2.1' });
    expect([statusCode, Number(headers['retry-after']) > 3_000]).toEqual([429, true]);
    expect((await ask()).statusCode).toBe(401);
  });
});

const notFound = () => fail('NOT_FOUND');

describe('a refusal that the call does not declare', () => {
  it('is an error in tests', async () => {
    const { ask } = await served({}, notFound, { onlyDeclared: true });
    expect((await ask()).statusCode).toBe(500);
    const declared = await served({ errors: ['NOT_FOUND'] }, notFound, { onlyDeclared: true });
    expect((await declared.ask()).statusCode).toBe(404);
  });

  it('is answered in production', async () => {
    const { ask } = await served({}, notFound);
    expect((await ask()).statusCode).toBe(404);
  });
});
