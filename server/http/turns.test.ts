import rateLimit from '@fastify/rate-limit';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { call } from '../../contract/call.ts';
import { answerError } from './fail.ts';
import { createMemory } from './memory.ts';
import { createOn } from './on.ts';
import { createTurns } from './turns.ts';

it('two pieces of work run at a time, the others in the order in which they came', async () => {
  const inTurn = createTurns({ atOnce: 2, mostWaiting: 3 });
  const begun: number[] = [];
  const ends = [1, 2, 3, 4, 5].map(() => Promise.withResolvers<void>());
  const work = ends.map((end, nth) =>
    inTurn(() => {
      begun.push(nth);
      return end.promise;
    }),
  );
  await expect(inTurn(async () => undefined)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('broken'));
  await expect(work[1]).rejects.toThrow('broken');
  expect(begun).toEqual([0, 1, 2]);
  for (const end of ends) end.resolve();
  await Promise.all([work[0], work[2], work[3], work[4]]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  // No turn was lost.
  const both = Promise.withResolvers<void>();
  let at = 0;
  const meet = () => {
    at += 1;
    if (at === 2) both.resolve();
    return both.promise;
  };
  await Promise.all([inTurn(meet), inTurn(meet)]);
});

const noCaller = async () => null;

/** A server with one call, which answers when `go` is called. */
async function aServer(
  limited: { rateLimit: boolean },
  afterBody: (request: { url: string }) => Promise<void> = async () => undefined,
) {
  const app = fastify();
  app.addHook('preValidation', afterBody);
  app.setErrorHandler(answerError);
  await app.register(rateLimit, { global: false });
  const gate = { callerOf: noCaller, sessionHolderOf: noCaller, sameOrigin: () => true };
  const memory = createMemory({ on: () => undefined, seatsWait: () => false });
  const { on } = createOn(app, gate, memory, limited);
  const things = call({
    method: 'GET',
    path: '/things',
    does: 'Stands for any call.',
    access: 'public',
    input: z.strictObject({}),
    response: z.unknown(),
    errors: [],
    perMinute: 10_000,
  });
  const { promise, resolve: go } = Promise.withResolvers<object>();
  let begun = 0;
  on(things, () => {
    begun += 1;
    return promise;
  });
  const ask = (remoteAddress: string, query = '') =>
    app.inject({ url: `/api/things${query}`, remoteAddress });
  return { ask, go: () => go({}), begun: () => begun };
}

it('a hundred requests of one network are under way, the next 3,000 wait, and another network does not', async () => {
  const { ask, go, begun } = await aServer({ rateLimit: true });
  const many = Array.from({ length: 3_100 }, () => ask('192.0.2.1'));
  await expect.poll(begun).toBe(100);
  const refused = await ask('192.0.2.1');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2']);
  const other = ask('192.0.2.2');
  await expect.poll(begun).toBe(101);
  go();
  for (const answer of [...many, other]) expect((await answer).statusCode).toBe(200);
  expect((await ask('192.0.2.1')).statusCode).toBe(200);
});

it('a request that does not fit is refused before it waits with its body', async () => {
  const many: Promise<unknown>[] = [];
  const { ask, go, begun } = await aServer({ rateLimit: true }, async ({ url }) => {
    if (!url.includes('unknown')) return;
    // Its caller is known, and the last turn is taken.
    many.push(ask('192.0.2.1'));
    await expect.poll(begun).toBe(100);
  });
  many.push(...Array.from({ length: 99 }, () => ask('192.0.2.1')));
  await expect.poll(begun).toBe(99);
  expect((await ask('192.0.2.1', '?unknown=1')).statusCode).toBe(400);
  go();
  await Promise.all(many);
});

it('all are under way where the limits are off', async () => {
  const { ask, go, begun } = await aServer({ rateLimit: false });
  const many = Array.from({ length: 150 }, () => ask('192.0.2.1'));
  await expect.poll(begun).toBe(150);
  go();
  await Promise.all(many);
});
