// Starts server/app/main.ts for the browser tests, on a free port.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { environmentKeys } from '../../server/platform/config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Wanted {
  dataDir: string;
  /** The file to which its output is appended. */
  log: string;
  /** Settings that depend on its address. */
  env?: (url: string) => Promise<Record<string, string>>;
}

export interface Server {
  url: string;
  stop: () => Promise<void>;
}

/**
 * Resolves when it is ready. Another process may take the free port first: then it is started again
 * on another one.
 */
export async function startServer(wanted: Wanted, tries = 3): Promise<Server> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  // Empty means "not set", also to the .env file: no setting and no database of the developer
  // reaches the tests.
  const none = Object.fromEntries(environmentKeys.map((key) => [key, '']));
  const own = {
    PORT: String(port),
    DATA_DIR: wanted.dataDir,
    PASSWORD_COST: 'cheap',
    ...(await wanted.env?.(url)),
  };
  const program = ['--disable-warning=ExperimentalWarning', 'server/app/main.ts', '--no-shedding'];
  const app = spawn(process.execPath, program, {
    cwd: root,
    env: { ...process.env, ...none, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [app.stdout, app.stderr])
    stream.pipe(createWriteStream(wanted.log, { flags: 'a' }));
  const gone = new Promise<void>((done) =>
    app.once('exit', () => done()).once('error', () => done()),
  );

  async function stop() {
    app.kill('SIGTERM');
    const hard = setTimeout(() => app.kill('SIGKILL'), 15_000);
    await gone;
    clearTimeout(hard);
    await endDatabase(wanted.dataDir);
  }

  const deadline = Date.now() + 120_000;
  while (!(await answers(`${url}/api/ready`))) {
    if (app.exitCode === null && app.signalCode === null && Date.now() < deadline) {
      await sleep(100);
      continue;
    }
    await stop();
    const said = await readFile(wanted.log, 'utf8');
    if (said.includes('is in use') && tries > 1) return startServer(wanted, tries - 1);
    throw new Error(`Rally did not start for the browser tests. It said:\n${said}`);
  }
  return { url, stop };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done, failed) =>
    probe.once('error', failed).listen(0, '127.0.0.1', done),
  );
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

/** Only if the app had to be killed: the database outlives a killed app on purpose. */
async function endDatabase(dataDir: string): Promise<void> {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  if (pid > 1) process.kill(pid, 'SIGQUIT');
}
