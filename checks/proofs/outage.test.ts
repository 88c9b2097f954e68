// The database goes down and comes back (docs/invariants.md, D2): the responses meanwhile, and the
// time until everything works again. `npm run proofs -- outage` does it twenty times.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { accessOf } from '../../contract/platform/call.ts';
import { calls } from '../../contract/app/calls.ts';
import { readPostmaster } from '../../server/platform/postgres/postmaster.ts';
import {
  aPostgres,
  folder,
  lengthOf,
  type Person,
  query,
  origin,
  type Rally,
  promisedMs,
  sandboxOf,
  soon,
  startRally,
  tellFigures,
  people,
} from '../../server/testing/processes.ts';
import { aCrowd, endWell, missing, traffic, type Traffic } from './traffic.ts';

const stops = lengthOf(1);
const postgres = await aPostgres();
const home = folder('outage-data');
let rally: Rally;
let teacher: Person;
let admin: Person;
let students: Person[];
let classes: string[];

beforeAll(async () => {
  rally = await startRally({ DATABASE_URL: postgres.url, DATA_DIR: home });
  [admin] = (await people(postgres.url, 'admin', 1)) as [Person];
  ({ teacher, students, classes } = await aCrowd(postgres.url, 40, 200));
});

const start = (): Traffic =>
  traffic({
    door: () => rally.origin,
    provider: () => sandboxOf(home),
    teacher,
    students,
    classes,
  });
const statusOf = async (path: string) => (await fetch(rally.origin + path)).status;

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function ask(method: string, path: string, who: Person | null, body?: object, headers = {}) {
  const response = await fetch(rally.origin + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(who ? { authorization: `Bearer ${await who.token()}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    later: Number(response.headers.get('retry-after')),
    text,
    headers: response.headers,
  };
}

describe(`a database that is stopped ${stops} times under load`, () => {
  it('gives only 503 meanwhile, and is used again at once', async () => {
    const load = start();
    const back: number[] = [];
    await soon(async () => load.journal.payments.length > 5);
    for (let stop = 0; stop < stops; stop++) {
      await postgres.crash();
      expect(await statusOf('/api/health')).toBe(200);
      expect(await statusOf('/api/ready')).toBe(503);
      await sleep(500);
      await postgres.start();
      const began = Date.now();
      const written = load.journal.classes.length;
      expect(await soon(async () => (await statusOf('/api/ready')) === 200)).toBe(true);
      expect(await soon(async () => load.journal.classes.length > written)).toBe(true);
      back.push(Date.now() - began);
      const paid = load.journal.payments.length;
      expect(await soon(async () => load.journal.payments.length > paid)).toBe(true);
    }
    await endWell(load, postgres.url);
    expect(load.tally['503']).toBeGreaterThan(0);
    tellFigures('outage', {
      stops,
      requests: load.answered(),
      'of them 503': load.tally['503'] ?? 0,
      acknowledged: load.acknowledged(),
      lost: 0,
      'back after at most ms': Math.max(...back),
      'slowest answer ms': load.slowest(),
    });
    expect(Math.max(...back)).toBeLessThan(promisedMs(2_000));
  }, 3_600_000);

  it('gives at worst a 503 when single connections are killed', async () => {
    const load = start();
    for (let kill = 0; kill < stops * 2; kill++) {
      const paid = load.journal.payments.length;
      expect(await soon(async () => load.journal.payments.length > paid)).toBe(true);
      const [victim] = await query<{ pid: number }>(
        postgres.url,
        `select pid from pg_stat_activity where application_name = 'rally' and pid <> pg_backend_pid() order by random() limit 1`,
      );
      // Even then PostgreSQL ends all connections and recovers.
      if (victim) process.kill(victim.pid, 'SIGKILL');
      await sleep(300);
    }
    expect(await soon(async () => (await statusOf('/api/ready')) === 200)).toBe(true);
    await endWell(load, postgres.url);
  }, 3_600_000);

  it('makes no request wait for ever when it hangs', async () => {
    const { pid } = readPostmaster(postgres.home) ?? {};
    const all = [
      pid,
      ...(await query<{ pid: number }>(postgres.url, 'select pid from pg_stat_activity')).map(
        (row) => row.pid,
      ),
    ];
    const tell = (signal: NodeJS.Signals) =>
      all.forEach((one) => one && isThere(one) && process.kill(one, signal));
    tell('SIGSTOP');
    const asked = await Promise.all(
      students.slice(0, 15).map((who) => ask('GET', `/api/payments?email=${who.email}`, who)),
    ).finally(() => tell('SIGCONT'));
    expect(asked.map(({ status, later }) => [status, later > 0])).toEqual(
      asked.map(() => [503, true]),
    );
    expect(await soon(async () => (await statusOf('/api/ready')) === 200)).toBe(true);
  }, 600_000);

  it('control: the comparison with the journal finds a missing row', async () => {
    const gone = randomUUID();
    expect(await missing(postgres.url, { classes: [gone, ...classes], payments: [gone] })).toEqual([
      `class ${gone}`,
      `payment ${gone}`,
    ]);
  });
});

/** Anyone may send these, so their input is refused before the database is asked for a caller. */
const refusesEmpty = (call: (typeof calls)[number]) =>
  accessOf(call).includes('public') && (call.takes || !call.input.safeParse({}).success);

/**
 * The settings come from the environment. Mailed links redirect to their page, which asks the
 * database. Google is not set up here.
 */
const needsNoDatabase = (call: (typeof calls)[number]) =>
  call.id === 'GET /settings' || call.redirects === true;

describe('while the database is down', () => {
  let cookie = '';
  beforeAll(async () => {
    const { headers } = await ask(
      'POST',
      '/api/auth/sign-in/email',
      null,
      { email: 'student@rally.test', password: 'Rally#2026' },
      { origin: origin.publicUrl },
    );
    cookie = headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    await postgres.crash();
    return () => postgres.start();
  });

  it('every call answers 503 with Retry-After', async () => {
    for (const call of calls) {
      if (call.method !== 'GET' && refusesEmpty(call)) continue;
      const path = `/api${call.path.replace(/:\w+/g, randomUUID())}`;
      const body = call.method === 'GET' || call.method === 'DELETE' ? undefined : {};
      const answer = await ask(call.method, path, admin, body, {
        cookie,
        origin: origin.publicUrl,
      });
      if (needsNoDatabase(call)) continue;
      expect([call.id, answer.status, answer.later > 0]).toEqual([call.id, 503, true]);
      expect(JSON.parse(answer.text)).toEqual({
        error: true,
        code: 'UNAVAILABLE',
        message: expect.any(String),
        requestId: expect.any(String),
      });
    }
  });

  const good = { email: 'student@rally.test', password: 'Rally#2026' };
  it.each([
    ['POST', 'sign-in/email', good],
    [
      'POST',
      'sign-up/email',
      { ...good, email: 'new@example.com', name: 'Ada', image: 'https://example.com/a.png' },
    ],
    ['POST', 'sign-out', {}],
    ['GET', 'get-session', undefined],
    ['POST', 'update-user', { name: 'Ada' }],
    ['POST', 'change-password', { currentPassword: good.password, newPassword: 'Tennis#2026' }],
    ['POST', 'revoke-other-sessions', {}],
    ['POST', 'request-password-reset', { email: good.email }],
    ['POST', 'reset-password', { token: 'x'.repeat(24), newPassword: 'Tennis#2026' }],
    ['POST', 'send-verification-email', {}],
  ])('%s /api/auth/%s does, too', async (method, path, body) => {
    const answer = await ask(method, `/api/auth/${path}`, null, body, {
      cookie,
      origin: origin.publicUrl,
    });
    expect([answer.status, answer.later > 0, answer.text]).toEqual([
      503,
      true,
      expect.stringContaining('UNAVAILABLE'),
    ]);
  });

  it.each([
    '/',
    '/classes',
    '/instructors',
    `/classes/${randomUUID()}`,
    '/sitemap.xml',
    '/dev/mail',
  ])('%s says so, unless it needs nothing', async (path) => {
    const answer = await ask('GET', path, null);
    expect([answer.status, answer.later > 0]).toEqual([503, true]);
  });

  it.each([
    '/api/health',
    '/api/settings',
    '/login',
    '/dashboard/mycart',
    '/robots.txt',
    '/api/openapi.json',
  ])('%s works as before', async (path) => expect((await ask('GET', path, null)).status).toBe(200));
});
