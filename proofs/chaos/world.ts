// The world under test: a real PostgreSQL, the card sandbox, two real servers (server/main.ts), and
// a connection that can be cut before and behind each server. Whatever exits is started again, as
// by a service manager.
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleServer } from './bundle.ts';
import { environmentKeys } from '../../server/config.ts';
import { connect, type Database } from '../../server/db/connection.ts';
import { startEmbedded } from '../../server/embedded/embedded.ts';
import { type Cards, createCards } from '../../server/outside/cards.ts';
import { sandboxKeys, startSandbox } from '../../server/outside/sandbox.ts';
import { cardProvider } from '../../server/testing/provider.ts';
import { aWire, wireTo } from '../../server/testing/wire.ts';

export interface World extends Database {
  home: string;
  url: string;
  provider: ReturnType<typeof cardProvider>;
  cards: Cards;
  servers: Server[];
  /**
   * The provider's events go through the connection to this server; each server registers its
   * webhook at the start.
   */
  pointTo: (server: Server) => Promise<unknown>;
  close: (options?: { keepFiles?: boolean }) => Promise<void>;
}
export type Server = Awaited<ReturnType<typeof aServer>>;

const root = join(import.meta.dirname, '../..');
export const secret = 'a-secret-of-chaos-with-forty-three-letters-or-more';
export const publicUrl = 'http://localhost:3000';
/** How long a hold lasts here, so that many expire during the faults. */
const holdSeconds = 20;

export async function openWorld(
  warmUp: (world: Omit<World, 'close'>) => Promise<void>,
): Promise<World> {
  const home = await mkdtemp(join(tmpdir(), 'rally-chaos-'));
  const embedded = await startEmbedded({ dataDir: home });
  const keys = sandboxKeys(secret);
  const sandbox = await startSandbox({ dataDir: home, keys });
  const provider = cardProvider(sandbox.origin(), keys);
  const database = connect(embedded.url, { poolSize: 4 });
  const own = {
    home,
    url: embedded.url,
    ...database,
    provider,
    cards: createCards({ keys, sandboxOrigin: sandbox.origin }),
    pointTo: (server: Server) => provider.pointTo(`${server.door()}/api/webhooks/stripe`),
  };
  const program = await bundleServer(join(home, 'server'));
  // One to migrate and fill the database and to serve for a moment. It exits cleanly and so keeps
  // the compile cache, for which the later ones would need half of their short lives.
  const first = await aServer('first', home, program, embedded.url);
  await database.pool.query(
    `alter table hold alter column expires_at set default now() + interval '${holdSeconds} seconds'`,
  );
  await warmUp({ ...own, servers: [first, first] });
  await first.close('SIGINT');
  const servers = await Promise.all(
    ['one', 'two'].map((name) => aServer(name, home, program, embedded.url)),
  );

  return {
    ...own,
    servers,
    close: async ({ keepFiles = false } = {}) => {
      await Promise.all(servers.map((server) => server.close()));
      await database.close();
      await sandbox.close();
      await embedded.stop();
      if (!keepFiles) await rm(home, { recursive: true, force: true });
    },
  };
}

/** Prefer a dead process: one that has hardly begun to serve has nothing to lose. */
const leastLifeMs = 600;

async function aServer(name: string, home: string, program: string, databaseUrl: string) {
  const base = await aWire(databaseUrl);
  let port = 0;
  const front = await wireTo(() => connectTo(port, '127.0.0.1'));
  const log = createWriteStream(join(home, `${name}.log`), { flags: 'a' });
  let aheadMs = 0;
  let child: ChildProcess;
  let closing = false;
  let serving = false;
  const isServing = () => serving;
  start();
  await ready();

  function start(): void {
    const began = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        ...['scripts/leash.mjs', 'proofs/chaos/clock.ts'].flatMap((file) => [
          '--import',
          join(root, file),
        ]),
        program,
      ],
      { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    );
    child = began;
    began.stdout?.pipe(log, { end: false });
    began.stderr?.pipe(log, { end: false });
    began.stdout?.on('data', (chunk: Buffer) => {
      const [, found] = /is open at http:\/\/localhost:(\d+)/.exec(String(chunk)) ?? [];
      if (!found || child !== began) return;
      port = Number(found);
      serving = true;
    });
    // Also one that could not start because the database was down: it is tried again.
    began.once('exit', () => {
      serving = false;
      if (!closing) setTimeout(() => closing || start(), 20);
    });
  }

  function environment(): NodeJS.ProcessEnv {
    const unset = Object.fromEntries(environmentKeys.map((key) => [key, '']));
    return {
      ...process.env,
      NODE_COMPILE_CACHE: join(home, 'compiled'),
      ...unset,
      NODE_ENV: 'test',
      DATABASE_URL: base.url,
      DATA_DIR: home,
      AUTH_SECRET: secret,
      CARE_KEYS: '1:dGhpcyBpcyBhIHRlc3Qga2V5IG9mIDMyIGJ5dGVzLi4=',
      PUBLIC_URL: publicUrl,
      PORT: '0',
      RATE_LIMIT: 'off',
      PASSWORD_COST: 'cheap',
      LOG_LEVEL: 'error',
      CLOCK_AHEAD_MS: String(aheadMs),
    };
  }

  /** Resolves when a process serves, however often it must be started. */
  async function ready(): Promise<void> {
    for (; !isServing();) await sleep(20);
  }

  return {
    name,
    base,
    front,
    ready,
    isServing,
    door: () => `http://127.0.0.1:${front.port}`,
    kill: async () => {
      await ready();
      await sleep(leastLifeMs);
      await ready();
      serving = false;
      child.kill('SIGKILL');
    },
    setClock: (ms: number) => {
      aheadMs = ms;
      if (child.connected) child.send({ aheadMs }, () => undefined);
    },
    close: async (how: NodeJS.Signals = 'SIGKILL') => {
      closing = true;
      const ended = new Promise<void>((done) => child.once('exit', () => done()));
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(how);
        await ended;
      }
      for (const wire of [base, front]) {
        wire.cut();
        await wire.close();
      }
      log.end();
    },
  };
}
