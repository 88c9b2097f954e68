// Live seats: how late a change reaches 2,000 open pages, what the streams cost the sale and the
// catalogue, and how 5,000 pages come back after a restart. BENCH_STREAMS sets another number than
// 2,000.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Client } from 'pg';
import {
  alternate,
  emptied,
  figures,
  type Result,
  root,
  type Running,
  startDatabase,
  startProcess,
  startRally,
  perCpuSecond,
} from './harness.ts';
import type { Returned } from './livecrowd.ts';
import { fill, uuid } from './pgbench.ts';

const classes = 30;
const students = 20_000;
const streams = Number(process.env['BENCH_STREAMS'] ?? 2_000);
const path = '/api/classes?status=approved';
const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

interface Crowd {
  /** How many are open. */
  open: () => number;
  close: () => void;
}

/** Streams to the addresses in turn. `hear` gets the frames as they were sent. */
async function crowd(
  urls: string[],
  count: number,
  hear: (url: string, frame: string) => void = () => undefined,
): Promise<Crowd> {
  const requests = new Set<ReturnType<typeof get>>();
  const sum = { opened: 0, refused: 0 };
  for (let n = 0; n < count; n++) {
    const url = urls[n % urls.length] ?? '';
    const request = get(`${url}/api/live/seats`, { agent: false }, (response) => {
      if (response.statusCode === 200) sum.opened++;
      else sum.refused++;
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => hear(url, chunk));
      response.on('close', () => (sum.opened -= 1)).on('error', () => undefined);
    });
    requests.add(request.on('error', () => undefined));
    if (n % 100 === 99) await sleep(20);
  }
  const end = Date.now() + 20_000;
  while (sum.opened + sum.refused < count && Date.now() < end) await sleep(100);
  return {
    open: () => sum.opened,
    close: () => requests.forEach((request) => request.destroy()),
  };
}

/** As many claims in a second, on all classes in turn, until it is stopped. */
async function claiming(
  url: string,
  perSecond: number,
  told: (id: string, free: number, at: number) => void = () => undefined,
) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const life = { going: true };
  let done = 0;
  const run = (async () => {
    const started = performance.now();
    while (life.going) {
      const id = uuid('b', 1 + (done % classes));
      const at = performance.now();
      const { rows } = await client.query<{ free: number }>(
        'update class set held = held + 1 where id = $1 returning free',
        [id],
      );
      told(id, rows[0]?.free ?? 0, at);
      done++;
      await sleep(Math.max(0, started + (done * 1_000) / perSecond - performance.now()));
    }
  })();
  return {
    stop: async () => {
      life.going = false;
      await run;
      await client.end();
      return done;
    },
  };
}

/** For every frame on every page: the age of the oldest change in it. */
async function lateness(url: string, rallies: Running[], seconds: number): Promise<Result> {
  const urls = rallies.map((rally) => rally.url);
  const pending = new Map<string, { free: number; at: number }[]>();
  const oldest = new Map<string, number>();
  const ages: number[] = [];
  const oldestIn = (key: string, origin: string, frame: string) => {
    let first = Infinity;
    const data = /^data: (.*)$/m.exec(frame)?.[1] ?? '{}';
    for (const [id, [free]] of Object.entries(JSON.parse(data) as Record<string, [number]>)) {
      const waiting = pending.get(`${origin} ${id}`) ?? [];
      while ((waiting[0]?.free ?? -1) >= free)
        first = Math.min(first, waiting.shift()?.at ?? first);
    }
    oldest.set(key, first);
    return first;
  };
  const pages = await crowd(urls, streams, (origin, frame) => {
    if (!frame.startsWith('event: seats')) return;
    const key = `${origin} ${frame}`;
    const at = oldest.get(key) ?? oldestIn(key, origin, frame);
    if (at < Infinity) ages.push(performance.now() - at);
  });
  const claims = await claiming(url, 50, (id, free, at) => {
    for (const origin of urls) {
      const key = `${origin} ${id}`;
      pending.set(key, [...(pending.get(key) ?? []), { free, at }]);
    }
  });
  await sleep(seconds * 1_000);
  const done = await claims.stop();
  await sleep(1_500);
  const open = pages.open();
  pages.close();
  const p99 = percentile(ages, 0.99);
  return {
    what: `oldest change in a frame on ${streams} pages of 2 processes, p99 / 1 s`,
    ratio: p99 / 1_000,
    target: { atMost: 1 },
    detail: `p50 ${Math.round(percentile(ages, 0.5))} ms, p99 ${Math.round(p99)} ms; ${Math.round(done / seconds)} claims/s, ${open} streams open`,
  };
}

const startCrowd = (mode: 'hold' | 'return', count: number, urls: string[]) =>
  fork(join(root, 'bench/livecrowd.ts'), [mode, String(count), ...urls]);

async function cost(url: string, rallies: Running[], rounds: number): Promise<Result[]> {
  const urls = rallies.map((rally) => rally.url);
  const claimer = await startProcess('bench/claimserver.ts', { DATABASE_URL: url });
  const client = new Client({ connectionString: url });
  await client.connect();
  let student = 0;
  const sale = async () => {
    await client.query(`${emptied('hold')}; update class set held = 0`);
    student = 0;
    const started = performance.now();
    const amount = 3_000;
    await autocannon({
      url: `${claimer.url}/claim`,
      method: 'POST',
      connections: 10,
      amount,
      headers: { 'content-type': 'application/json' },
      requests: [
        {
          setupRequest: (request) => {
            student++;
            const body = {
              studentId: uuid('a', student),
              classId: uuid('b', 1 + (student % classes)),
            };
            return Object.assign(request, { body: JSON.stringify(body) });
          },
        },
      ],
    });
    return amount / ((performance.now() - started) / 1_000);
  };
  const catalogue = async () => {
    const claims = await claiming(url, 50);
    const pid = rallies[0]?.pid ?? 0;
    const read = await perCpuSecond([pid], (urls[0] ?? '') + path, 3, { connections: 8 });
    await claims.stop();
    return read;
  };
  const withPages = async (measure: () => Promise<number>) => {
    const pages = startCrowd('hold', streams, urls);
    await once(pages, 'message');
    const rate = await measure();
    pages.disconnect();
    await once(pages, 'exit');
    await sleep(500);
    return rate;
  };
  try {
    await sale();
    const sold = await alternate(rounds, () => withPages(sale), sale);
    const read = await alternate(rounds, () => withPages(catalogue), catalogue);
    return [
      {
        what: `seat claims with ${streams} open pages / without`,
        ratio: sold.ratio,
        target: { atLeast: 0.9 },
        detail: figures(sold, 'claims/s'),
      },
      {
        what: `catalogue with ${streams} open pages / without, 50 claims/s, by CPU time of a process`,
        ratio: read.ratio,
        target: { atLeast: 0.95 },
        detail: figures(read, 'requests for a second of CPU time'),
      },
    ];
  } finally {
    await client.end();
    await claimer.stop();
  }
}

/** 100 requests a second for the catalogue. */
async function load(url: string, seconds: number) {
  const run = { connections: 4, overallRate: 100, duration: seconds };
  const { latency, non2xx, errors } = await autocannon({ url: url + path, ...run });
  return { p99: latency.p99, failed: non2xx + errors };
}

async function comingBack(env: Record<string, string>): Promise<Result[]> {
  const count = streams * 2.5;
  const first = await startRally(env);
  const pages = startCrowd('hold', count, [first.url]);
  await once(pages, 'message');
  const before = await load(first.url, 8);
  pages.disconnect();
  await first.stop();
  const second = await startRally(env);
  const returning = startCrowd('return', count, [second.url]);
  const returned = once(returning, 'message') as Promise<[Returned]>;
  const during = await load(second.url, 16);
  const [{ back, failed, lastMs }] = await returned;
  returning.disconnect();
  await second.stop();
  const detail = `${back} of ${count} back after ${(lastMs / 1_000).toFixed(1)} s, ${failed + during.failed} refused`;
  return [
    {
      what: 'pages that come back within 15 s of a restart, without a 5xx',
      ratio: failed + during.failed === 0 && lastMs <= 15_000 ? back / count : 0,
      target: { atLeast: 1 },
      detail,
    },
    {
      what: `catalogue while ${count} pages come back / before, p99`,
      ratio: during.p99 / before.p99,
      target: { atMost: 2 },
      detail: `${during.p99} against ${before.p99} ms`,
    },
  ];
}

export async function live({ seconds = 10, rounds = 4 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const { url, query } = await server.database('live');
  await query(fill(students, classes));
  const env = { DATABASE_URL: url, DATA_DIR: server.dataDir };
  const rallies = [await startRally(env), await startRally(env)];
  const stop = () => Promise.all(rallies.splice(0).map((rally) => rally.stop()));
  try {
    const late = await lateness(url, rallies, seconds);
    const costs = await cost(url, rallies, rounds);
    await stop();
    return [late, ...costs, ...(await comingBack(env))];
  } finally {
    await stop();
    await server.stop();
  }
}
