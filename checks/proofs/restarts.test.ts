// Rolling restarts under load (docs/invariants.md, D7): two processes behind a load balancer are
// restarted one after the other, and no request fails. `npm run proofs -- restarts` does it fifty
// times.
import { beforeAll, expect, it } from 'vitest';
import { startSandbox } from '../../server/platform/sandbox.ts';
import { aBalancer } from './balancer.ts';
import {
  aPostgres,
  booksOf,
  cardKeys,
  folder,
  lengthOf,
  type Person,
  isLong,
  type Rally,
  soon,
  startRally,
  tellFigures,
  tellProgress,
} from '../../server/testing/processes.ts';
import { aCrowd, endWell, traffic } from './traffic.ts';

const restarts = lengthOf(2);
const postgres = await aPostgres();
const home = folder('restarts');
// Ours, so that no restart ends the card provider.
const provider = await startSandbox({ dataDir: home, keys: cardKeys });
let running: Rally[] = [];
let hasty: Rally;
let teacher: Person;
let students: Person[];
let classes: string[];

/** `drainSeconds`: many times what our load balancer needs to notice. */
const start = (drainSeconds = 1) =>
  startRally({ DATABASE_URL: postgres.url, DATA_DIR: home, DRAIN_SECONDS: String(drainSeconds) });

beforeAll(async () => {
  running = [await start()];
  ({ teacher, students, classes } = await aCrowd(postgres.url, 100, 200));
  const [second, third] = await Promise.all([start(), start(0)]);
  running.push(second);
  hasty = third;
  return () => provider.close();
});

async function serving(...processes: Rally[]) {
  const balancer = await aBalancer();
  for (const { origin } of processes) balancer.add(origin);
  expect(await soon(async () => balancer.ready() === 2)).toBe(true);
  return balancer;
}

it('control: a process that does not wait drops requests', async () => {
  const [first] = running as [Rally];
  const balancer = await serving(hasty, first);
  const asking = new AbortController();
  const hands = Array.from({ length: 10 }, async () => {
    while (!asking.signal.aborted)
      await (await fetch(`${balancer.origin}/api/health`)).arrayBuffer();
  });
  await hasty.end('SIGTERM');
  asking.abort();
  await Promise.all(hands);
  expect(balancer.dropped.length).toBeGreaterThan(0);
}, 600_000);

it(`${restarts} restarts, one after the other, fail no request`, async () => {
  const balancer = await serving(...running);
  // Few clients: this measures losses, and on a machine that is busy with traffic no process
  // starts.
  const hands = { readers: 2, authors: 1, shoppers: 1, buyers: 1 };
  const provided = { door: () => balancer.origin, provider: provider.origin };
  const load = traffic({ ...provided, teacher, students, classes, hands, restMs: 20 });
  expect(await soon(async () => load.acknowledged() > 5)).toBe(true);
  const ended: unknown[] = [];
  for (let time = 0; time < restarts; time++) {
    const old = running.shift();
    ended.push(await old?.end('SIGTERM'));
    balancer.remove(old?.origin ?? '');
    const next = await start();
    running.push(next);
    balancer.add(next.origin);
    expect(await soon(async () => balancer.ready() === 2)).toBe(true);
    tellProgress(time + 1, restarts);
  }
  await soon(async () => load.journal.payments.length > 2);
  await endWell(load, postgres.url);
  expect(balancer.dropped).toEqual([]);
  expect(Object.keys(load.tally).filter((status) => Number(status) >= 500)).toEqual([]);
  // Next to other tests a process may refuse as too busy; the long form does not allow even that.
  expect(load.shed()).toBeLessThanOrEqual(isLong ? 0 : Infinity);
  expect(ended).toEqual(ended.map(() => 0));
  expect(load.journal.payments.length).toBeGreaterThan(0);
  expect(await booksOf(postgres.url, provider.origin)).toEqual([]);
  tellFigures('restarts', {
    restarts,
    requests: load.answered(),
    failed: load.shed(),
    acknowledged: load.acknowledged(),
    'of them payments': load.journal.payments.length,
    lost: 0,
    'slowest answer ms': load.slowest(),
  });
}, 3_600_000);
