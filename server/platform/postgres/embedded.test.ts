// What the embedded database survives: crashes of the app and of PostgreSQL, two apps at once,
// unusual folders.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { query as queryAt } from '../../testing/postgres.ts';
import { type Embedded, eraseEmbedded, startEmbedded } from './embedded.ts';
import { isAlive, readPostmaster, shutDown } from './postmaster.ts';

const root = mkdtempSync(join(tmpdir(), 'rally-embedded-'));
// Made before the first test; every test leaves it stopped.
const used = join(root, 'used');
const children: ChildProcess[] = [];
const apps: Embedded[] = [];

beforeAll(async () => {
  await (await startEmbedded({ dataDir: used })).stop();
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const app of apps.splice(0)) await app.stop();
});

afterAll(async () => {
  for (const entry of readdirSync(root)) {
    // A failed test may have left its database running.
    const home = join(root, entry);
    if (await isAlive(home, pidOf(home))) await shutDown(home);
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

/** A copy of it, for a test that damages it. */
async function copy(name: string): Promise<string> {
  const home = join(root, name);
  if (await isAlive(used, pidOf(used))) await shutDown(used);
  cpSync(used, home, { recursive: true });
  return home;
}

async function start(dataDir: string): Promise<Embedded> {
  const app = await startEmbedded({ dataDir });
  apps.push(app);
  return app;
}

/** Another app, as a separate process. */
async function startElsewhere(dataDir: string): Promise<{ child: ChildProcess; owned: boolean }> {
  const code = `
    const { startEmbedded } = await import(${JSON.stringify(import.meta.resolve('./embedded.ts'))});
    const app = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(app.owned);
    process.on('SIGTERM', () => app.stop().then(() => process.exit(0)));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout });
  const [owned] = (await once(lines, 'line')) as [string];
  return { child, owned: owned === 'true' };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await once(child, 'exit');
}

const query = ({ url }: Embedded, text: string) => queryAt(url, text);

function pidOf(home: string): number {
  return readPostmaster(home)?.pid ?? 0;
}

const write = 'create table if not exists kept (n int); truncate kept; insert into kept values (7)';
const read = 'select n from kept';

it('starts durable and without a port, and is gone after stop', async () => {
  const app = await start(used);
  expect(app.owned).toBe(true);
  expect(await query(app, `select current_database() as name, lower('ÄÖ') as low`)).toEqual([
    { name: 'rally', low: 'äö' },
  ]);
  const asked = `select name, setting from pg_settings where name in ('fsync', 'listen_addresses', 'server_encoding') order by name`;
  expect(await query(app, asked)).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'listen_addresses', setting: '' },
    { name: 'server_encoding', setting: 'UTF8' },
  ]);
  const pid = pidOf(used);
  await app.stop();
  await gone(used, pid);
  expect(pidOf(used)).toBe(0);
});

it('finds the database of a killed app, and stops it at the end', async () => {
  const { child, owned } = await startElsewhere(used);
  expect(owned).toBe(true);
  const pid = pidOf(used);
  await end(child, 'SIGKILL');

  const app = await start(used);
  expect(app.owned).toBe(false);
  expect(pidOf(used)).toBe(pid);
  await query(app, write);
  // The killed app's session may take a moment to end, and until then the database counts as used.
  while (Number(Object.values((await query(app, keepers))[0] ?? {})[0]) > 1) await sleep(10);
  await app.stop();
  await gone(used, pid);
});

/**
 * The pid file disappears a moment before the process; a server that stays fails the test by its
 * time limit.
 */
async function gone(home: string, pid: number): Promise<void> {
  while (await isAlive(home, pid)) await sleep(10);
}

const keepers = `select count(*) from pg_stat_activity where application_name = 'rally keeper'`;

it('is shared by a second app, and stays when the first leaves', async () => {
  const { child, owned } = await startElsewhere(used);
  const app = await start(used);
  expect([owned, app.owned]).toEqual([true, false]);
  await query(app, write);

  await end(child, 'SIGTERM');
  expect(await query(app, read)).toEqual([{ n: 7 }]);
  await app.stop();
  expect(pidOf(used)).toBe(0);
});

it('is created once when two apps start on an empty folder', async () => {
  const home = join(root, 'both');
  const both = await Promise.all([start(home), startElsewhere(home)]);
  expect(both.filter((app) => app.owned)).toHaveLength(1);
});

it('starts although the pid file names another process', async () => {
  await end((await startElsewhere(used)).child, 'SIGKILL');
  const file = join(used, 'postgres', 'postmaster.pid');
  const pid = pidOf(used);
  process.kill(pid, 'SIGKILL');
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [process.pid, ...rest].join('\n'));

  const app = await start(used);
  expect(app.owned).toBe(true);
  expect(pidOf(used)).not.toBe(process.pid);
});

it('recovers every committed row after PostgreSQL was killed', async () => {
  const { child } = await startElsewhere(used);
  await query(await start(used), write);
  child.kill('SIGKILL');
  const pid = pidOf(used);
  process.kill(pid, 'SIGKILL');
  while (await isAlive(used, pid)) await sleep(5);
  expect(await query(await start(used), read)).toEqual([{ n: 7 }]);
});

it('comes back at the same address while the app runs', async () => {
  const app = await start(used);
  await query(app, write);
  const pid = pidOf(used);
  process.kill(pid, 'SIGKILL');
  let rows: unknown[] = [];
  while (rows.length === 0) {
    await sleep(20);
    rows = await query(app, read).catch(() => []);
  }
  expect(rows).toEqual([{ n: 7 }]);
  expect(pidOf(used)).not.toBe(pid);
});

it('starts again after a first start that was killed half-way', async () => {
  const home = join(root, 'half');
  mkdirSync(join(home, 'postgres.init-x1', 'base'), { recursive: true });
  writeFileSync(join(home, 'postgres.init-x1', 'PG_VERSION'), '18');
  expect((await start(home)).owned).toBe(true);
  expect(readdirSync(home).filter((entry) => entry.includes('init'))).toEqual([]);
});

it('puts its socket elsewhere when its path is too long', async () => {
  const home = await copy('a-long-name-'.repeat(12));
  const app = await start(home);
  const socket = readPostmaster(home)?.host ?? '';
  expect(socket.startsWith(home)).toBe(false);
  await query(app, write);
  await app.stop();
  expect(existsSync(socket)).toBe(false);
});

it('says why it does not start on data of another version', async () => {
  const home = await copy('other');
  writeFileSync(join(home, 'postgres', 'PG_VERSION'), '15\n');
  await expect(startEmbedded({ dataDir: home })).rejects.toThrow(/initialized by PostgreSQL.*15/);
});

it('is not erased under a running app, but after a killed one', async () => {
  const home = await copy('erased');
  const { child } = await startElsewhere(home);
  await expect(eraseEmbedded({ dataDir: home })).rejects.toThrow(/running/);
  const pid = pidOf(home);
  await end(child, 'SIGKILL');
  let erased = false;
  while (!erased) erased = await eraseEmbedded({ dataDir: home }).catch(() => false);
  expect(existsSync(join(home, 'postgres'))).toBe(false);
  await gone(home, pid);
  expect(await eraseEmbedded({ dataDir: home })).toBe(false);
});
