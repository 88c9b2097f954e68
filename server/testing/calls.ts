// A server of calls made up for a test of on(): the header `as` is the caller by token, `cookie` the
// one by session.
import fastify from 'fastify';
import * as z from 'zod/mini';
import { type AnyCall, call, roles } from '../../contract/platform/call.ts';
import { answerError } from '../platform/http/fail.ts';
import { limitCallers } from '../platform/http/limits.ts';
import { createMemory } from '../platform/http/memory.ts';
import {
  type Asked,
  type Caller,
  type Context,
  createOn,
  type OnOptions,
  type Remembered,
} from '../platform/http/on.ts';

export type Spec = Partial<AnyCall>;
export type Answering = (input: unknown, context: Context<AnyCall>) => unknown;

interface Options extends OnOptions {
  rateLimit?: boolean;
  remember?: Remembered | undefined;
}

export const aMemory = () => createMemory({ on: () => undefined, seatsWait: () => false });

const callerOf = (said: unknown): Caller | null =>
  typeof said === 'string'
    ? {
        id: said,
        email: `${said}@example.com`,
        name: said,
        role: roles.find((role) => role === said) ?? 'student',
        proven: true,
        sessionId: `session of ${said}`,
      }
    : null;

export async function serveCalls(
  specs: readonly Spec[],
  answer: Answering = (input) => ({ input }),
  { rateLimit = false, remember, ...options }: Options = {},
) {
  const app = fastify();
  app.setErrorHandler(answerError);
  app.decorate('timeZone', 'UTC');
  await limitCallers(app, { isOn: rateLimit });
  /** Where the gate was asked for the caller. */
  const looked: string[] = [];
  const gate = {
    callerOf: async ({ headers }: Asked) => (looked.push('token'), callerOf(headers['as'])),
    sessionHolderOf: async ({ headers }: Asked) => (
      looked.push('cookie'),
      callerOf(headers['cookie'])
    ),
    sameOrigin: ({ headers }: Asked) => headers['origin'] !== 'https://elsewhere.test',
  };
  const { on } = createOn(app, gate, aMemory(), options);
  const calls = specs.map(({ method = 'GET', path = '/things', ...spec }): AnyCall =>
    call(`${method} /${path.slice(1)}`, {
      does: 'Any call.',
      access: 'public',
      input: z.strictObject({}),
      response: z.unknown(),
      errors: [],
      ...spec,
    }),
  );
  for (const declared of calls)
    on(declared, async (input, context) => answer(input, context), remember);
  return { app, calls, looked };
}
