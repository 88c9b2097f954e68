// The proxy to the card sandbox reaches the sandbox only, and passes nothing of ours.
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createMemory } from './memory.ts';
import { proxySandbox } from './proxy.ts';
import { createServer } from './server.ts';

const seen = { sandbox: [] as IncomingMessage[], other: [] as IncomingMessage[] };
async function listener(into: IncomingMessage[]): Promise<Server> {
  const server = createHttpServer((request, response) => {
    into.push(request);
    response.writeHead(200, {
      'set-cookie': 'rally.session_token=planted',
      'content-type': 'text/plain',
    });
    response.end('from the sandbox');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const portOf = (server: Server) => (server.address() as AddressInfo).port;

const sandbox = await listener(seen.sandbox);
const other = await listener(seen.other);
const app = await createServer({
  https: false,
  trustProxy: false,
  rateLimit: false,
  logLevel: 'silent',
  realStripe: false,
  door: { leaving: false },
  shedLoad: false,
  memory: createMemory({ on: () => undefined, seatsWait: () => false }),
});
proxySandbox(app, () => `http://127.0.0.1:${portOf(sandbox)}`);
await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await app.close();
  sandbox.close();
  other.close();
});
beforeEach(() => {
  seen.sandbox.length = 0;
  seen.other.length = 0;
});

async function send(target: string, headers: string[] = []): Promise<string> {
  const socket = connect(portOf(app.server), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.write(
    [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join(
      '\r\n',
    ),
  );
  await once(socket, 'close');
  return answer;
}

it('no target leads to another port of the machine', async () => {
  const elsewhere = `127.0.0.1:${portOf(other)}`;
  for (const target of [
    `http://${elsewhere}/sandbox/../admin`,
    `http://${elsewhere}/sandbox/x`,
    `http://${elsewhere}\\sandbox/x`,
    `//${elsewhere}/sandbox/x`,
    `/sandbox/http://${elsewhere}/x`,
    `/sandbox//${elsewhere}/x`,
    `/sandbox/\\\\${elsewhere}/x`,
    `/sandbox/@${elsewhere}/x`,
  ]) {
    await send(target, ['Cookie: rally.session_token=mine']);
    expect([target, seen.other.length]).toEqual([target, 0]);
  }
});

it.each([
  '/sandbox/../v1/charges',
  '/sandbox/%2e%2e/v1/charges',
  '/sandbox/..\\v1/charges',
  '/sandbox/x/../../v1',
])('%s does not leave /sandbox', async (target) => {
  expect(await send(target)).toMatch(/^HTTP\/1\.1 404 [^]*"code":"NOT_FOUND"/);
  expect(seen.sandbox).toHaveLength(0);
});

it('path and query arrive as they were sent', async () => {
  expect(await send('/sandbox/v1/x%2Fy?a[b]=1&c=%20')).toMatch(
    /^HTTP\/1\.1 200 [^]*from the sandbox/,
  );
  expect(seen.sandbox.map(({ url }) => url)).toEqual(['/sandbox/v1/x%2Fy?a[b]=1&c=%20']);
});

it('no cookie or token of ours is passed, and none is set', async () => {
  const answer = await send('/sandbox/x', [
    'Cookie: rally.session_token=mine',
    'Authorization: Bearer eyJhbGciOiJFUzI1NiJ9.e30.x',
    'X-Forwarded-For: 203.0.113.1',
    'Stripe-Version: 2025-01-01',
  ]);
  expect(answer).not.toMatch(/set-cookie/i);
  const headers = seen.sandbox[0]?.headers ?? {};
  expect(headers).toMatchObject({
    'stripe-version': '2025-01-01',
    host: `127.0.0.1:${portOf(sandbox)}`,
  });
  expect(
    Object.keys(headers).filter((name) => /cookie|authorization|forwarded/.test(name)),
  ).toEqual([]);
});

it('a key of the sandbox is passed', async () => {
  await send('/sandbox/faults', ['Authorization: Bearer sk_test_sandbox0123']);
  expect(seen.sandbox[0]?.headers.authorization).toBe('Bearer sk_test_sandbox0123');
});
