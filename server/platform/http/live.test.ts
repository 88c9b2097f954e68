// The stream of changed seats: what it says, to whom, and how it ends.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { appOn, testApp } from '../../testing/app.ts';
import { openStream, type Stream } from '../../testing/events.ts';
import { aClass } from '../../testing/factories.ts';
import { createLive, type LiveOptions } from './live.ts';

const app = await testApp();
const originOf = async ({ server }: Pick<typeof app, 'server'>) => {
  await server.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
};
const origin = await originOf(app);

const streams: Stream[] = [];
afterEach(() => streams.splice(0).forEach((stream) => stream.close()));
const open = async (at = origin) => {
  const stream = await openStream(at);
  streams.push(stream);
  return stream;
};

const change = (id: string, values: object) =>
  app.db.updateTable('class').set(values).where('id', '=', id).execute();
const seatsIn = (stream: Stream, id: string) => () => stream.seats.get(id)?.[0];

describe('GET /live/seats', () => {
  it('says how many seats of a class are free, to all alike', async () => {
    const { id } = await aClass(app, { capacity: 10 });
    const readers = await Promise.all([open(), open(), open()]);
    await change(id, { held: 3 });
    for (const reader of readers) await expect.poll(seatsIn(reader, id)).toBe(7);
    const frames = readers.map((reader) => /event: seats\n.*\n\n/.exec(reader.text())?.[0]);
    expect(frames[0]).toContain(`"${id}":[7,0]`);
    expect(new Set(frames).size).toBe(1);
  });

  it('has headers that keep proxies from storing and buffering it', async () => {
    const { status, headers, text } = await open();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(headers['transfer-encoding']).toBeUndefined();
    await expect.poll(text).toMatch(/^retry: [2-7]\d{3}\n\n/);
  });

  it('takes no query, no other method, and ends if unconnected', async () => {
    expect((await app.ask({ url: '/api/live/seats?class=1' })).statusCode).toBe(400);
    for (const method of ['HEAD', 'POST'] as const)
      expect((await app.ask({ method, url: '/api/live/seats' })).statusCode).toBe(404);
    const { statusCode, body } = await app.ask({ url: '/api/live/seats' });
    expect([statusCode, body]).toEqual([200, expect.stringMatching(/^retry: /)]);
  });

  it('is refused past LIVE_STREAMS, until a stream is closed', async () => {
    const small = await appOn(app.url, { liveStreams: 2 });
    const at = await originOf(small);
    const first = await open(at);
    await open(at);
    const third = await open(at);
    expect([third.status, third.headers['retry-after']]).toEqual([503, '30']);
    first.close();
    await expect.poll(async () => (await open(at)).status).toBe(200);
    await small.close();
  });

  it('ends when the process leaves, and nobody is let in', async () => {
    const leaving = await appOn(app.url, { drainSeconds: 0.1 });
    const at = await originOf(leaving);
    const stream = await open(at);
    const drained = leaving.drain();
    await expect.poll(() => stream.ended()).toBe(true);
    expect((await open(at)).status).toBe(503);
    await drained;
    await leaving.close();
  });

  it('does not keep a server open that closes without a drain', async () => {
    const closing = await appOn(app.url);
    const stream = await open(await originOf(closing));
    const started = performance.now();
    await closing.close();
    expect(performance.now() - started).toBeLessThan(3_000);
    await expect.poll(() => stream.ended()).toBe(true);
  });
});

/** createLive alone, told by the test. */
async function alone(options: Partial<LiveOptions> = {}) {
  let tell: ((note: string | null) => void) | undefined;
  const all = { streams: 100, perNetwork: 100, ...options };
  const seats = createLive({ onSeats: (listener) => void (tell = listener) }, all);
  const server = createServer(({ url = '' }, response) => {
    try {
      seats.open(() => response, url);
    } catch {
      response.writeHead(503).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  afterAll(() => {
    seats.close();
    server.close();
  });
  return {
    tell: (note: string | null) => tell?.(note),
    port,
    at: `http://127.0.0.1:${port}`,
    server,
  };
}

const connections = (server: Awaited<ReturnType<typeof alone>>['server']) =>
  new Promise<number>((told) => server.getConnections((_error, count) => told(count)));
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('a process', () => {
  it('gathers what changes between frames, says the last of each', async () => {
    const { tell, at } = await alone();
    const reader = await open(at);
    for (let free = 50; free >= 0; free--) {
      tell(`${idOf(1)} ${free} 0`);
      tell(`${idOf(2)} ${free + 1} 0`);
    }
    await expect.poll(seatsIn(reader, idOf(1))).toBe(0);
    expect(reader.seats.get(idOf(2))).toEqual([1, 0]);
    expect(reader.events().filter(({ event }) => event === 'seats').length).toBeLessThan(6);
  });

  it('says again after more than 200 classes, or missed notes', async () => {
    const { tell, at } = await alone({ frameMs: 20 });
    const reader = await open(at);
    const told = () => reader.events().map(({ event }) => event);
    for (let n = 0; n < 201; n++) tell(`${idOf(n)} 1 0`);
    await expect.poll(told).toEqual(['seats', 'seats']);
    // Of the first one it told at once.
    for (let n = 0; n < 202; n++) tell(`${idOf(n)} 1 0`);
    await expect.poll(() => told().slice(2)).toContain('again');
    const before = told().length;
    tell(null);
    await expect.poll(() => told().slice(before)).toEqual(['again']);
  });

  it('drops a stream that reads nothing, once 64 kB wait for it', async () => {
    const { tell, at, port, server } = await alone({ frameMs: 1 });
    const reader = await open(at);
    const deaf = connect(port, '127.0.0.1').pause();
    deaf.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(() => connections(server)).toBe(2);
    // The operating system takes some megabytes before anything waits in the process.
    let free = 0;
    const long = 'x'.repeat(500_000);
    const rush = setInterval(() => tell(`${long} ${(free += 1)} 0`), 1);
    await expect.poll(() => connections(server), { timeout: 30_000 }).toBe(1);
    clearInterval(rush);
    deaf.destroy();
    await expect.poll(seatsIn(reader, long)).toBe(free);
  }, 40_000);

  it('serves so many streams of one network', async () => {
    const { at } = await alone({ perNetwork: 2 });
    const statuses = [];
    for (const network of ['a', 'a', 'a', 'b'])
      statuses.push((await open(`${at}/${network}`)).status);
    expect(statuses).toEqual([200, 200, 503, 200]);
  });
});
