// The disk is full (docs/invariants.md, D3): PostgreSQL stops and stays down until there is space.
// Requests get 503, no acknowledged write is lost, and the app recovers without help. `npm run
// proofs -- disk` does it twenty times.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Client } from 'pg';
import {
  aHome,
  booksOf,
  embeddedUrl,
  lengthOf,
  query,
  promisedMs,
  sandboxOf,
  soon,
  startRally,
  tellFigures,
  tellProgress,
} from '../../server/testing/processes.ts';
import { aSmallDisk } from './smalldisk.ts';
import { aCrowd, endWell, missing, traffic } from './traffic.ts';

const cycles = lengthOf(1);

// Mounts and limits are Linux's; elsewhere embedded.test.ts shows that a dead database is started
// again.
describe.runIf(process.platform === 'linux')('a full disk', () => {
  it(`${cycles} times: nothing is lost, and the app recovers`, async () => {
    const disk = aSmallDisk();
    const home = aHome('disk', disk.home);
    const rally = await startRally({ DATA_DIR: home });
    const app = rally.child.pid ?? 0;
    const { teacher, students, classes } = await aCrowd(embeddedUrl(home), 50, 200);
    // PostgreSQL recycles old files of its write-ahead log, more after each cycle and half a
    // gigabyte in the end: more than this whole disk.
    await query(embeddedUrl(home), 'alter system set wal_recycle = off');
    await query(embeddedUrl(home), 'select pg_reload_conf()');
    const isReady = async () => (await fetch(`${rally.origin}/api/ready`)).status === 200;
    const load = traffic({
      door: () => rally.origin,
      provider: () => sandboxOf(home),
      teacher,
      students,
      classes,
    });
    const back: number[] = [];
    for (let cycle = 0; cycle < cycles; cycle++) {
      const before = load.acknowledged();
      expect(await soon(async () => load.acknowledged() > before + 5)).toBe(true);
      const down = await soon(
        async () => {
          disk.fill(app);
          await useUpTheLog(home).catch(() => undefined);
          return !(await isReady());
        },
        60_000,
        100,
      );
      expect(down).toBe(true);
      await sleep(700);
      expect(await isReady()).toBe(false);
      expect((await fetch(`${rally.origin}/api/health`)).status).toBe(200);
      disk.free(app);
      const began = Date.now();
      const written = load.journal.classes.length;
      expect(await soon(isReady), `${rally.said()}\n${logOf(home)}`).toBe(true);
      expect(await soon(async () => load.journal.classes.length > written)).toBe(true);
      back.push(Date.now() - began);
      expect(await missing(embeddedUrl(home), load.journal)).toEqual([]);
      tellProgress(cycle + 1, cycles);
    }
    const paid = load.journal.payments.length;
    expect(await soon(async () => load.journal.payments.length > paid)).toBe(true);
    await endWell(load, embeddedUrl(home));
    expect(load.tally['503']).toBeGreaterThan(0);
    const books = () => booksOf(embeddedUrl(home), () => sandboxOf(home));
    await soon(async () => (await books()).length === 0, 180_000, 1_000);
    expect(await books()).toEqual([]);
    expect(await rally.end('SIGTERM')).toBe(0);
    tellFigures('disk', {
      cycles,
      on: disk.how,
      requests: load.answered(),
      'of them 503': load.tally['503'] ?? 0,
      acknowledged: load.acknowledged(),
      lost: 0,
      'ready again after at most ms': Math.max(...back),
      'slowest answer ms': load.slowest(),
    });
    expect(Math.max(...back)).toBeLessThan(promisedMs(2_000));
  }, 3_600_000);
});

const logOf = (home: string) => readFileSync(join(home, 'postgres.log'), 'utf8').slice(-2_000);

/** Traffic would do it, too, but later. */
async function useUpTheLog(home: string): Promise<void> {
  const client = new Client({
    connectionString: embeddedUrl(home),
    connectionTimeoutMillis: 1_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (let file = 0; file < 5; file++) {
      await client.query(`select pg_logical_emit_message(true, 'prove', repeat('x', 2000000))`);
      await client.query('select pg_switch_wal()');
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}
