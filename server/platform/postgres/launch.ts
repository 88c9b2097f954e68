// Starts a PostgreSQL server on a data folder without one, and creates the database files if
// necessary. The caller (embedded.ts) holds the lock.

import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
} from 'node:fs';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findPrograms, type Programs } from './binaries.ts';
import {
  type Address,
  connect,
  dataOf,
  type Log,
  logOf,
  passwordOf,
  rally,
  real,
  windows,
} from './postmaster.ts';

export type Launched = { keeper: Client; address: Address; exited: () => Promise<void> };

const run = promisify(execFile);

// An eighth of the machine's memory, or of the container's limit. Memory is allocated only when it
// is used.
const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
const buffers = Math.round(Math.min(1024, Math.max(128, memory / 8 / 1024 ** 2)));

const settings = {
  unix_socket_permissions: '0700',
  // A process uses up to 20. This allows several processes and parallel tests.
  max_connections: '300',
  shared_buffers: `${buffers}MB`,
  random_page_cost: '1.1', // SSDs: random reads cost little more
  fsync: 'on',
  synchronous_commit: 'on',
  // What a backup of the running database needs (backup.ts), and no more.
  wal_level: 'replica',
  max_wal_senders: '0',
  max_replication_slots: '2',
  max_wal_size: '512MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/** `before` is the address until it went down, for clients that still use it. */
export async function launch(home: string, log: Log, before?: Address): Promise<Launched> {
  const data = dataOf(home);
  sweep(home);
  const programs = findPrograms(data, home);
  if (!existsSync(data)) await initialise(home, programs, log);
  checkVersion(data, programs.major);
  programs.own(data);
  chmodSync(data, 0o700);

  const address =
    before ??
    (windows ? { host: '127.0.0.1', port: await freePort() } : await socketFor(home, programs));
  if (!windows) removeSocket(address);
  const listen = windows
    ? { listen_addresses: '127.0.0.1' }
    : { listen_addresses: '', unix_socket_directories: address.host };
  const options = Object.entries({ ...settings, ...listen }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  const args = ['-p', `${address.port}`, ...options];

  for (let attempt = 1; ; attempt++) {
    const size = openLog(home);
    const launched = await startServer(home, programs, args, address, log);
    if (launched) return launched;
    const said = readFileSync(logOf(home)).subarray(size).toString().trim();
    // The children of a killed server need a moment to exit.
    if (attempt > 50 || !/shared memory block .* still in use/.test(said))
      throw new Error(`PostgreSQL did not start. It said (${logOf(home)}):\n${said}`);
    await sleep(200);
  }
}

/** Removes the remains of a first start that was killed. */
export function sweep(home: string): void {
  const drafts = readdirSync(home).filter((entry) => entry.startsWith('postgres.init-'));
  for (const entry of drafts) {
    try {
      rmSync(join(home, entry), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // The initdb of a killed app is still writing; the next start removes its files.
    }
  }
}

// Created under another name and renamed when complete: a killed first start leaves nothing that
// looks like a database.
async function initialise(home: string, programs: Programs, log: Log): Promise<void> {
  log('Creating the database (first start only) …');
  const draft = mkdtempSync(join(home, 'postgres.init-'));
  programs.own(draft);
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  // Only we can enter the socket's folder, so every connection is trusted.
  let auth = ['--auth=trust'];
  if (windows) {
    writeFileSync(passwordOf(home), randomBytes(24).toString('base64url'), { mode: 0o600 });
    auth = ['--auth=scram-sha-256', `--pwfile=${passwordOf(home)}`];
  }
  const [file, args, options] = programs.command('initdb', [
    '-D',
    draft,
    '-U',
    rally,
    ...auth,
    ...locale,
  ]);
  await run(file, args, { ...options, encoding: 'utf8' }).catch(
    (error: Error & { stderr?: string }) => {
      const said = error.stderr?.trim() || error.message;
      throw new Error(`The database could not be made in ${home}:\n${said}`, { cause: error });
    },
  );
  renameSync(draft, dataOf(home));
}

function checkVersion(data: string, major: string): void {
  const file = join(data, 'PG_VERSION');
  if (!existsSync(file))
    throw new Error(`${data} is not a PostgreSQL database. Move it away; a new one will be made.`);
  const version = readFileSync(file, 'utf8').trim();
  if (version === major) return;
  throw new Error(
    `${data} was made by PostgreSQL ${version}; this Rally brings PostgreSQL ${major}. Dump it with version ${version} and ` +
      `load it here, or choose another DATA_DIR.`,
  );
}

// In the data folder if its path fits into a socket address (107 bytes; 103 on macOS) and its file
// system supports sockets.
async function socketFor(home: string, programs: Programs): Promise<Address> {
  const port = 5432;
  const inside = join(home, 'socket');
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  chmodSync(inside, 0o700);
  programs.own(inside);
  const fits = Buffer.byteLength(join(inside, `.s.PGSQL.${port}`)) <= 103;
  if (fits && (await canListen(inside))) return { host: inside, port };

  const data = dataOf(home);
  const hash = createHash('sha256')
    .update(`${real(data)} ${statSync(data).ino}`)
    .digest('hex')
    .slice(0, 12);
  const outside = join(tmpdir(), `rally-${hash}`);
  mkdirSync(outside, { recursive: true, mode: 0o700 });
  const found = lstatSync(outside);
  const ours = [process.getuid?.(), statSync(data).uid].includes(found.uid);
  // Another user may have created a folder of that name to listen in.
  const host =
    ours && found.isDirectory() && (found.mode & 0o077) === 0
      ? outside
      : mkdtempSync(join(tmpdir(), 'rally-'));
  programs.own(host);
  return { host, port };
}

// No server runs on the data, so a socket found here is left over. Its lock names a pid, which may
// be reused.
function removeSocket({ host, port }: Address): void {
  mkdirSync(host, { recursive: true, mode: 0o700 });
  for (const file of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`])
    rmSync(join(host, file), { force: true });
}

async function canListen(folder: string): Promise<boolean> {
  const server = createServer();
  try {
    await listening(server, { path: join(folder, `.probe.${process.pid}`) });
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await listening(server, { port: 0, host: '127.0.0.1' });
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 5432;
}

async function listening(
  server: Server,
  where: { path: string } | { port: number; host: string },
): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed).listen(where, () => done());
  });
}

function openLog(home: string): number {
  const size = statSync(logOf(home), { throwIfNoEntry: false })?.size ?? 0;
  if (size < 5_000_000) return size;
  renameSync(logOf(home), `${logOf(home)}.old`);
  return 0;
}

// Detached: Ctrl-C in the terminal must reach us, not the database. Null if PostgreSQL exits.
async function startServer(
  home: string,
  programs: Programs,
  args: string[],
  address: Address,
  log: Log,
) {
  const folder = ['-D', dataOf(home)];
  const [file, rest, options] = windows
    ? programs.command('pg_ctl', ['start', '-w', ...folder, '-o', args.join(' ')])
    : programs.command('postgres', [...folder, ...args]);
  const output = openSync(logOf(home), 'a', 0o600);
  const child = spawn(file, rest, {
    ...options,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  programs.own(logOf(home));
  child.unref();
  let ended = false;
  const exited = new Promise<void>((done) => {
    const end = () => {
      ended = true;
      done();
    };
    child.once('exit', (code) => (windows && code === 0 ? done() : end())).once('error', end);
  });
  // The process must not stay alive only for this.
  const waitForExit = () => {
    child.ref();
    return exited;
  };
  for (let round = 1; ; round++) {
    const answer = await connect(home, address);
    if (answer instanceof Client) return { keeper: answer, address, exited: waitForExit };
    if (ended) return null;
    if (round % 500 === 0) log('The database is recovering from an unclean stop …');
    await sleep(10);
  }
}
