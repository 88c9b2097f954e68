// Requests that never reach Fastify: refused by Node's parser, or for a host that is not ours. Over
// real sockets.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, describe, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { createMemory } from './memory.ts';
import { createServer } from './server.ts';

async function open(changed: Parameters<typeof testApp>[0] = {}) {
  const app = await testApp(changed);
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.server.address() as AddressInfo;
  return { app, port, send: (text: string) => send(port, text) };
}

/** Sends bytes and reads until the server closes the connection. */
async function send(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

const bodyOf = (answer: string) =>
  JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n') + 4)) as unknown;
const shape = (code: string) => ({
  error: true,
  code,
  message: expect.any(String),
  requestId: expect.any(String),
});
const get = (target: string, host: string) =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

const development = await open();
const production = await open({ production: true, publicUrl: 'https://rally.example.com' });

describe('what Node’s parser refuses gets our error shape', () => {
  it.each([
    ['a line that is no request', 'NONSENSE\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'a header without a name',
      'GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'a negative length',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'no Host header',
      'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'headers of 40 KB',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'a chunk that is none, while the call waits for the body',
      'POST /api/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
  ])('%s', async (_what, bytes, status, code) => {
    const answer = await development.send(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.toLowerCase()).toContain('content-type: application/json');
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(bodyOf(answer)).toEqual(shape(code));
  });

  it('headers that arrive too slowly', async () => {
    const slow = await open();
    slow.app.server.server.headersTimeout = 100;
    const answer = await slow.send('GET /api/health HTTP/1.1\r\nHost: localhost\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(bodyOf(answer)).toEqual(shape('REQUEST_TIMEOUT'));
  });

  it('but not in the middle of a response that has begun', async () => {
    const server = await createServer({
      production: false,
      publicUrl: 'http://localhost:3000',
      https: false,
      trustProxy: false,
      rateLimit: false,
      logLevel: 'silent',
      realStripe: false,
      door: { leaving: false },
      shedLoad: false,
      memory: createMemory({ on: () => undefined, seatsWait: () => false }),
    });
    server.get('/half', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-length': 1_000 });
      reply.raw.write('half of an answer');
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += String(chunk);
      if (answer.endsWith('half of an answer')) socket.write('NONSENSE\r\n\r\n');
    });
    socket.on('error', () => undefined);
    socket.write('GET /half HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'close');
    expect(answer).toMatch(/half of an answer$/);
    await server.close();
  });
});

it('of a thousand requests that are sent at once on one connection, 20 are answered', async () => {
  const one = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const answer = await development.send(one.repeat(1_000));
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual([...Array<string>(20).fill('200'), '429']);
  expect(bodyOf(answer)).toEqual(shape('RATE_LIMITED'));
});

describe('outside production', () => {
  it.each(['localhost:3000', 'LOCALHOST', '127.0.0.1:4000', '[::1]:3000', '192.168.1.20:3000'])(
    'the host %s is answered',
    async (host) =>
      expect(await development.send(get('/api/health', host))).toMatch(/^HTTP\/1\.1 200 /),
  );

  it('the host of PUBLIC_URL is answered', async () => {
    const named = await open({ publicUrl: 'https://rally.example.com' });
    expect(await named.send(get('/api/health', 'rally.example.com'))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    'evil.example',
    'localhost.evil.example:3000',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    '',
  ])('the host %j reads nothing: not the mailbox, not a list from memory', async (host) => {
    await development.send(get('/api/classes', 'localhost'));
    for (const path of ['/dev/mail.json', '/dev/mail', '/api/classes', '/api/health']) {
      const answer = await development.send(get(path, host));
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(bodyOf(answer)).toEqual(shape('WRONG_HOST'));
    }
  });
});

it('a query of more than 100 fields is refused before it is read', async () => {
  const query = Array(100).fill('a=1').join('&');
  const answers = [query, `${query}&a=1`].map((fields) =>
    development.send(get(`/api/classes?${fields}`, 'localhost')),
  );
  expect(await answers[0]).not.toContain('MALFORMED_REQUEST');
  expect(bodyOf((await answers[1]) ?? '')).toEqual(shape('MALFORMED_REQUEST'));
});

it('in production any host is answered: the proxy in front decides', async () => {
  expect(await production.send(get('/api/health', 'rally-7.internal'))).toMatch(/^HTTP\/1\.1 200 /);
});

describe('a target in absolute form', () => {
  it('of our own host is read as its path', async () => {
    expect(
      await development.send(get('http://localhost:3000/api/health', 'localhost:3000')),
    ).toMatch(/200 [^]*"ok"/);
  });

  it.each([
    'http://evil.example/api/health',
    'https://evil.example/',
    'http://localhost@evil.example/',
    'http:///x',
  ])('%s is refused', async (target) => {
    for (const server of [development, production]) {
      const answer = await server.send(get(target, 'localhost'));
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(bodyOf(answer)).toEqual(shape('WRONG_HOST'));
    }
  });
});
