// kill -9 of the app at any moment (docs/invariants.md, D1 and D8): at its first start, while it
// migrates, under load, sometimes together with its database. The next start works, and no
// acknowledged write is missing. `npm run proofs -- kills` does it a hundred times.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startEmbedded } from '../../server/platform/postgres/embedded.ts';
import { readPostmaster } from '../../server/platform/postgres/postmaster.ts';
import {
  aHome,
  booksOf,
  embeddedUrl,
  folder,
  lengthOf,
  query,
  type Rally,
  sandboxOf,
  seed,
  soon,
  spawnRally,
  startRally,
  tellFigures,
  tellProgress,
} from '../../server/testing/processes.ts';
import { aCrowd, type Journal, missing, traffic } from './traffic.ts';

const kills = lengthOf(2);
const random = randomFrom(seed);
/** A seeded random number generator: mulberry32. */
function randomFrom(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
const moments = ['load', 'first start', 'load and database', 'migration'] as const;
type Moment = (typeof moments)[number];

const home = aHome('kills');
const empty = join(folder('kills-empty'), 'data');
const start = (dataDir: string) => startRally({ DATA_DIR: dataDir });

/** How many rows the demo academy has: written once, and completely. */
const academy = async (dataDir: string) =>
  query(
    embeddedUrl(dataDir),
    `select (select count(*) from "user" where email like '%@rally.test') as people, (select count(*) from payment where intent_id like 'pi_demo%') as sales,
       (select count(*) from kysely_migration) as migrations`,
  );

it(`${kills} kills lose nothing, and the next start always works`, async () => {
  let began = Date.now();
  let rally = await start(home);
  let longestStart = Date.now() - began;
  const usual = { 'first start': longestStart, migration: longestStart };
  const url = embeddedUrl(home);
  const { teacher, students, classes } = await aCrowd(url, 100, 500);
  const whole = await academy(home);
  await (await startEmbedded({ dataDir: empty })).stop();
  const journal: Journal = { classes: [], payments: [] };
  const done: Partial<Record<Moment, number>> = {};

  for (let kill = 0; kill < kills; kill++) {
    const moment = moments[kill % moments.length] ?? 'load';
    done[moment] = (done[moment] ?? 0) + 1;
    if (moment === 'load' || moment === 'load and database') {
      rally = await underLoad(rally, moment === 'load and database');
    } else {
      await duringStart(moment);
    }
    tellProgress(kill + 1, kills);
  }

  async function underLoad(running: Rally, withDatabase: boolean): Promise<Rally> {
    const load = traffic({
      door: () => running.origin,
      provider: () => sandboxOf(home),
      teacher,
      students,
      classes,
    });
    await soon(async () => load.acknowledged() > 3);
    await sleep(random() * 1_000);
    const postmaster = readPostmaster(home);
    const ended = running.end('SIGKILL');
    if (withDatabase && postmaster) process.kill(postmaster.pid, 'SIGKILL');
    await Promise.all([ended, load.stop()]);
    expect(load.wrong).toEqual([]);
    journal.classes.push(...load.journal.classes);
    journal.payments.push(...load.journal.payments);
    began = Date.now();
    const next = await start(home);
    longestStart = Math.max(longestStart, Date.now() - began);
    expect(await missing(embeddedUrl(home), journal)).toEqual([]);
    return next;
  }

  async function duringStart(moment: 'first start' | 'migration'): Promise<void> {
    const dataDir = aHome(moment.replace(' ', '-'));
    if (moment === 'migration') cpSync(empty, dataDir, { recursive: true });
    const first = spawnRally({ DATA_DIR: dataDir });
    await sleep(random() * usual[moment]);
    await first.end('SIGKILL');
    began = Date.now();
    const next = await start(dataDir);
    usual[moment] = Date.now() - began;
    longestStart = Math.max(longestStart, usual[moment]);
    // A busy machine may answer 503 at first.
    const isReady = async () => (await fetch(`${next.origin}/api/ready`)).status === 200;
    expect(await soon(isReady)).toBe(true);
    expect(await academy(dataDir)).toEqual(whole);
    expect(await next.end('SIGTERM')).toBe(0);
    rmSync(dataDir, { recursive: true });
  }

  expect(await missing(embeddedUrl(home), journal)).toEqual([]);
  // The reconciler finds what was paid and not recorded.
  const books = () => booksOf(embeddedUrl(home), () => sandboxOf(home));
  await soon(async () => (await books()).length === 0, 180_000, 1_000);
  expect(await books()).toEqual([]);
  // Control: the comparison would have found it.
  await query(embeddedUrl(home), 'delete from class where id = $1', [journal.classes[0]]);
  expect(await missing(embeddedUrl(home), journal)).toEqual([`class ${journal.classes[0]}`]);
  expect(await rally.end('SIGTERM')).toBe(0);
  tellFigures('kills', {
    kills,
    ...done,
    acknowledged: journal.classes.length + journal.payments.length,
    'of them payments': journal.payments.length,
    lost: 0,
    'longest start ms': longestStart,
    seed,
  });
}, 3_600_000);
