// Rally as a process whose database is down at the start: it waits with a message, and exits when
// waiting is useless.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { aPostgres, folder, inTheEnd, soon, spawnRally } from '../../testing/processes.ts';
import { connectTo } from '../../testing/wire.ts';

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const urlAt = (port: number, name = 'rally') =>
  `postgres://rally:not-for-the-log@127.0.0.1:${port}/${name}`;
const start = (url: string, home: string) => spawnRally({ DATABASE_URL: url, DATA_DIR: home });

it('waits for a database that is down, and says so', async () => {
  const port = await freePort();
  const home = folder('waiting');
  const two = [start(urlAt(port), home), start(urlAt(port), home)];
  const line = `The database at 127.0.0.1:${port} does not answer (ECONNREFUSED); trying again in 5 s`;
  for (const rally of two)
    expect(await soon(async () => rally.said().includes(line), 60_000)).toBe(true);

  const postgres = await aPostgres();
  const door = createServer((near) => {
    const far = connectTo(postgres.url);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  }).listen(port, '127.0.0.1');
  inTheEnd(() => door.close());
  // Both start at once on an empty database. One that is busy with its start says so with 503.
  for (const rally of two) {
    const ready = `${await rally.opened}/api/ready`;
    expect(await soon(async () => (await fetch(ready)).ok)).toBe(true);
  }
  for (const rally of two) {
    expect(await rally.end('SIGTERM')).toBe(0);
    expect(rally.said()).not.toContain('not-for-the-log');
  }
}, 600_000);

it('exits cleanly on a signal while it waits', async () => {
  const port = await freePort();
  const rally = start(urlAt(port), folder('called-off'));
  expect(await soon(async () => rally.said().includes('trying again'), 50_000)).toBe(true);
  // The database never answers, so it would wait for ever otherwise.
  expect(await rally.end('SIGTERM')).toBe(0);
  expect(rally.said()).not.toMatch(/Error|at .*\.ts:/);
}, 600_000);

it('does not wait for a database that refuses it', async () => {
  const postgres = await aPostgres();
  const url = new URL(postgres.url);
  url.pathname = '/no_such_database';
  const rally = start(url.href, folder('unknown'));
  await once(rally.child, 'exit');
  expect(rally.child.exitCode).toBe(1);
  expect(rally.said()).toContain('database "no_such_database" does not exist');
  expect(rally.said()).not.toMatch(/trying again|at .*\.ts:/);
}, 600_000);
