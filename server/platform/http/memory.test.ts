// What is kept when something changes while it is read. Kept lists in two processes:
// memory.seats.test.ts.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { Channel } from '../db/changes.ts';
import { createMemory } from './memory.ts';

const channels = ['classes', 'seats'] as const;

function aMemory() {
  const listeners = new Map<Channel, () => void>();
  const memory = createMemory({
    on: (channel, listener) => void listeners.set(channel, listener),
    seatsWait: () => false,
  });
  const change = (channel: Channel) => listeners.get(channel)?.();
  const read = () => memory.generation(channels);
  const keep = (generation: ReturnType<typeof read>) =>
    memory.keep('/a', '[]', { channels, generation, forSignedIn: true, protection: {} });
  const isServedTo = (headers: { authorization?: string }) => {
    const response = {
      writeHead: () => response,
      end: () => response,
    } as unknown as ServerResponse;
    return memory.serve({ method: 'GET', url: '/a', headers } as IncomingMessage, response);
  };
  const served = () => ({
    visitor: isServedTo({}),
    user: isServedTo({ authorization: 'Bearer x' }),
  });
  return { change, read, keep, served, memory };
}

it.each(channels)('what was read before a change of %s is not kept', (channel) => {
  const { change, read, keep, served } = aMemory();
  const generation = read();
  change(channel);
  keep(generation);
  expect(served()).toEqual({ visitor: false, user: false });
  keep(read());
  expect(served()).toEqual({ visitor: true, user: true });
});

it('who asks after a change waits for no answer begun before it', async () => {
  const { change, memory } = aMemory();
  const { promise: first, resolve } = Promise.withResolvers<string>();
  const ask = (make: () => Promise<string>) => memory.share('/a', channels, make);
  const asked = ask(() => first);
  const joined = ask(() => Promise.resolve('not made'));
  change('seats');
  expect(await ask(() => Promise.resolve('newer'))).toBe('newer');
  resolve('older');
  expect(await Promise.all([asked, joined])).toEqual(['older', 'older']);
});

it('an answer is compressed as its readers accept it', async () => {
  const { read, memory } = aMemory();
  const body = JSON.stringify('a'.repeat(2_000));
  const about = { channels, generation: read(), forSignedIn: true, protection: {} };
  memory.keep('/a', body, about);
  const codingFor = (accepted: string) => {
    const heads: Record<string, unknown>[] = [];
    const response = {
      writeHead: (_status: number, head: Record<string, unknown>) => {
        heads.push(head);
        return response;
      },
      end: () => response,
    } as unknown as ServerResponse;
    const headers = { 'accept-encoding': accepted };
    memory.serve({ method: 'GET', url: '/a', headers } as unknown as IncomingMessage, response);
    return heads[0]?.['content-encoding'];
  };

  expect([codingFor(''), codingFor('gzip, br')]).toEqual([undefined, undefined]);
  await expect.poll(() => codingFor('gzip, br')).toBe('br');
  expect(codingFor('br;q=0, gzip')).toBeUndefined();
  await expect.poll(() => codingFor('br;q=0, gzip')).toBe('gzip');
  expect(codingFor('')).toBeUndefined();
});
