// Starts one Rally for all browser tests, on a database of its own, and takes it away afterwards.
// NOT for: what a single test needs; a test makes its own people and classes.

import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { environmentKeys } from '../server/config.ts';
import { files } from './leftovers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rally-e2e-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  // Empty means "not set", also to the .env file: nobody's own settings, and nobody's own database, reach the tests.
  const none = Object.fromEntries(environmentKeys.map((key) => [key, '']));
  const own = { PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'trace' };
  const app = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'server/main.ts'], {
    cwd: root,
    env: { ...process.env, ...none, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = join(dataDir, files.log);
  for (const stream of [app.stdout, app.stderr]) stream.pipe(createWriteStream(log, { flags: 'a' }));
  const gone = new Promise<void>((done) => app.once('exit', () => done()).once('error', () => done()));

  async function stop() {
    app.kill('SIGTERM');
    const hard = setTimeout(() => app.kill('SIGKILL'), 15_000);
    await gone;
    clearTimeout(hard);
    await endDatabase(dataDir);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  const deadline = Date.now() + 120_000;
  while (!(await answers(`${url}/api/ready`))) {
    if (app.exitCode === null && app.signalCode === null && Date.now() < deadline) {
      await sleep(100);
      continue;
    }
    const said = await readFile(log, 'utf8');
    await stop();
    throw new Error(`Rally did not start for the browser tests. It said:\n${said}`);
  }
  process.env['RALLY_URL'] = url;
  process.env['RALLY_DATA'] = dataDir;
  return stop;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}

// Only if the app had to be killed: a database outlives its app on purpose.
async function endDatabase(dataDir: string): Promise<void> {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  if (pid > 1) process.kill(pid, 'SIGQUIT');
}
