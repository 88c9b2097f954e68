// From the socket to a handler, over real connections: refusals, error shape, cached responses.
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { errors } from '../../../contract/platform/errors.ts';
import { testApp } from '../../testing/app.ts';
import { aClass, anAdmin, aUser } from '../../testing/factories.ts';
import { createMemory } from './memory.ts';
import { fail } from './fail.ts';
import { createServer } from './server.ts';

const app = await testApp();
let origin = '';
beforeAll(async () => {
  await app.server.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`;
});

const post = (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  fetch(origin + path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** Bytes that no well-behaved client sends. */
async function rawRequest(text: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.on('error', () => {});
  socket.end(text);
  await once(socket, 'close');
  return answer;
}

describe('a refusal', () => {
  it('has one shape, with a request id that is in the log', async () => {
    const answer = await fetch(`${origin}/api/nothing/here`);
    const body = (await answer.json()) as { requestId: string };
    expect(answer.status).toBe(404);
    expect(body).toEqual({
      error: true,
      code: 'NOT_FOUND',
      message: 'There is nothing here.',
      requestId: expect.any(String),
    });
    expect(body.requestId).toMatch(/^[\da-f-]{36}$/);
  });

  it.each([
    ['broken JSON', '{"a":', 400, 'MALFORMED_JSON'],
    ['poison for prototypes', '{"__proto__": {"role": "admin"}}', 400, 'MALFORMED_JSON'],
    ['more than 64 KB', JSON.stringify({ name: 'x'.repeat(70_000) }), 413, 'TOO_LARGE'],
  ])('answers %s clearly', async (_what, body, status, code) => {
    const { token } = await aUser(app, { role: 'instructor' });
    const answer = await post('/api/classes', body, { authorization: `Bearer ${token}` });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      status,
      code,
    ]);
  });

  it.each(['gzip', 'deflate', 'br', 'gzip, identity'])(
    'answers a body in %s with 415',
    async (coding) => {
      const { token } = await aUser(app, { role: 'instructor' });
      for (const path of ['/api/classes', '/api/pictures?kind=person']) {
        const answer = await post(path, new Uint8Array(gzipSync('{}')), {
          'content-encoding': coding,
          authorization: `Bearer ${token}`,
        });
        expect([path, answer.status, await answer.json()]).toEqual([
          path,
          415,
          expect.objectContaining({ message: 'The request body must not be compressed.' }),
        ]);
      }
    },
  );

  it('answers anything but JSON with 415', async () => {
    const { token } = await aUser(app, { role: 'instructor' });
    const answer = await post('/api/classes', 'name=x', {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Bearer ${token}`,
    });
    expect(answer.status).toBe(415);
  });
});

it('a whole address is read as its path', async () => {
  const text =
    'GET http://evil.example/api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  expect(await rawRequest(text)).toMatch(/^HTTP\/1\.1 200 [^]*"ok"/);
});

it.each([
  ['localhost:3000', 200],
  ['192.168.1.20:3000', 200],
  ['[::1]:3000', 200],
  ['evil.example', 400],
  ['127.0.0.1.evil.example', 400],
])('the mailbox asked for at %s answers %d', async (host, status) => {
  expect((await app.ask({ url: '/dev/mail.json', headers: { host } })).statusCode).toBe(status);
});

describe('a cached response', () => {
  it('has an ETag and compressed forms until a change', async () => {
    const made = await aClass(app, { capacity: 9 });
    for (let more = 0; more < 8; more++) await aClass(app);
    const url = `${origin}/api/classes?status=approved&limit=50`;
    const first = await fetch(url);
    const text = await first.text();
    const second = await fetch(url, {
      headers: { authorization: 'Bearer whatever', 'accept-encoding': 'identity' },
    });
    expect(await second.text()).toBe(text);
    expect(second.headers.get('content-security-policy')).toContain("default-src 'none'");
    const etag = String(first.headers.get('etag'));
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    await expect
      .poll(async () =>
        (await fetch(url, { headers: { 'accept-encoding': 'br' } })).headers.get(
          'content-encoding',
        ),
      )
      .toBe('br');
    await app.db.updateTable('class').set({ held: 1 }).where('id', '=', made.id).execute();
    await expect.poll(async () => (await fetch(url)).headers.get('etag')).not.toBe(etag);
  });

  it('is never one that only an admin may see', async () => {
    const admin = await anAdmin(app);
    const { id } = await aClass(app, { status: 'pending' });
    const asAdmin = await fetch(`${origin}/api/classes`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(await asAdmin.text()).toContain(id);
    const asVisitor = await fetch(`${origin}/api/classes`);
    expect(await asVisitor.text()).not.toContain(id);
    const again = await fetch(`${origin}/api/classes`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expect(await again.text()).toContain(id);
  });
});

/** The headers that protect the browser. */
const protecting = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => /policy|security|^x-(?!total)|agent/.test(name) && name !== 'x-powered-by',
    ),
  );

const stripe = { secretKey: 'sk_test_x', publishableKey: 'pk_test_x', webhookSecret: 'whsec_x' };

it('from memory has the headers of the first one, also with 304', async () => {
  const secure = await testApp({ stripe, publicUrl: 'https://rally.example.com' });
  await secure.server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(secure.server.server.address() as AddressInfo).port}/api/classes`;
  const first = await fetch(url);
  const fromMemory = await fetch(url);
  for (const { headers } of [first, fromMemory])
    expect(headers.get('vary')).toBe('accept-encoding, authorization');
  const known = { 'if-none-match': String(first.headers.get('etag')) };
  const notModified = await fetch(url, { headers: known });
  expect(notModified.status).toBe(304);
  expect(protecting(first)).toMatchObject({
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'permissions-policy': expect.any(String),
  });
  expect(protecting(fromMemory)).toEqual(protecting(first));
  expect(protecting(notModified)).toEqual(protecting(first));
  const { headers: ofData } = await secure.ask({ url: '/api/health' });
  expect(ofData['content-security-policy']).toContain('https://hooks.stripe.com');
});

it('names the contact for security reports, within a year', async () => {
  const answer = await fetch(`${origin}/.well-known/security.txt`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ]);
  const text = await answer.text();
  expect(text).toMatch(/^Contact: mailto:security@localhost$/m);
  const expires = Date.parse(/^Expires: (\S+)$/m.exec(text)?.[1] ?? '');
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
});

const options = {
  https: false,
  trustProxy: false,
  rateLimit: false,
  logLevel: 'silent',
  realStripe: false,
  door: { leaving: false },
  shedLoad: true,
} as const;
const nothingKept = () => createMemory({ on: () => undefined, seatsWait: () => false });

it('a full queue is one line in the log, and no error', async () => {
  const lines: string[] = [];
  const logTo = new Writable({
    write: (line, _encoding, done) => (lines.push(String(line)), done()),
  });
  const server = await createServer({ ...options, logLevel: 'warn', logTo, memory: nothingKept() });
  server.get('/', async () => fail('UNAVAILABLE', {}, 2));
  expect((await server.inject('/')).statusCode).toBe(503);
  await server.close();
  expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).toEqual([40]);
});

it('a client who leaves early is no error in the log', async () => {
  let log = '';
  const logTo = new Writable({ write: (line, _encoding, done) => ((log += line), done()) });
  const memory = nothingKept();
  const server = await createServer({ ...options, logLevel: 'debug', logTo, memory });
  try {
    server.post('/', async () => 'whole');
    const begun = new Promise<void>((resolve) => {
      server.addHook('preParsing', async () => resolve());
    });
    const port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
    const client = connect(port, '127.0.0.1');
    const head = 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
    client.write(`${head}content-length: 500\r\n\r\n{"half":`);
    await begun;
    await setImmediate();
    client.destroy();
    await expect.poll(() => log).toContain('the client left');
    expect(log).not.toContain('"level":50');
  } finally {
    await server.close();
  }
});

describe('an overloaded server', () => {
  it('refuses with 503, a person with a page that tries again', async () => {
    // The timer by which the server checks itself; another one measures the delay of the event
    // loop.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = await createServer({ ...options, memory: nothingKept() });
    try {
      server.get('/', async () => 'well');
      await server.ready();
      expect((await server.inject('/')).statusCode).toBe(200);
      // Two checks without a turn of the event loop between them: it is blocked.
      vi.advanceTimersByTime(2_000);
      const busy = await server.inject('/');
      expect([busy.statusCode, busy.headers['retry-after']]).toEqual([503, '2']);
      expect(busy.json()).toMatchObject({ code: 'UNAVAILABLE', message: errors.UNAVAILABLE[1] });
      const opened = await server.inject({ url: '/', headers: { accept: 'text/html,*/*;q=0.8' } });
      expect(opened.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(opened.body).toContain(errors.UNAVAILABLE[1]);
      expect(opened.body).toContain('<meta http-equiv="refresh" content="5">');
      await expect
        .poll(async () => {
          vi.advanceTimersByTime(1_000);
          return (await server.inject('/')).statusCode;
        })
        .toBe(200);
    } finally {
      vi.useRealTimers();
      await server.close();
    }
  });

  it('shows a fault of ours once, without a reload', async () => {
    const server = await createServer({ ...options, memory: nothingKept() });
    server.get('/', async () => {
      throw new Error('a fault');
    });
    const opened = await server.inject({ url: '/', headers: { accept: 'text/html' } });
    await server.close();
    expect(opened.statusCode).toBe(500);
    expect(opened.body).toContain(errors.INTERNAL[1]);
    expect(opened.body).not.toContain('refresh');
  });
});
