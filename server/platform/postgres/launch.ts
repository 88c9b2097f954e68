// Starts a PostgreSQL server on a data folder without one, and creates the database files if
// necessary. The caller (embedded.ts) holds the lock.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import {
  type Address,
  connect,
  dataOf,
  findPrograms,
  type Log,
  logOf,
  passwordOf,
  type Programs,
  rally,
  windows,
} from './postmaster.ts';

export type Launched = { keeper: Client; address: Address; exited: () => Promise<void> };

// An eighth of the machine's memory, or of the container's limit; allocated when it is used.
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
  programs.own(data);
  chmodSync(data, 0o700);

  const address = before ?? (await addressFor(home));
  const where = windows
    ? { listen_addresses: '127.0.0.1' }
    : { listen_addresses: '', unix_socket_directories: socketFolder(address, programs) };
  const options = Object.entries({ ...settings, ...where }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  const args = ['-p', `${address.port}`, ...options];
  for (let attempt = 1; ; attempt++) {
    const size = openLog(home);
    const launched = await startServer(home, { programs, args, address, log });
    if (launched) return launched;
    const said = readFileSync(logOf(home)).subarray(size).toString().trim();
    // The children of a killed server need a moment to exit.
    if (attempt > 50 || !/shared memory block .* still in use/.test(said))
      throw new Error(`PostgreSQL did not start. It said (${logOf(home)}):\n${said}`);
    await sleep(200);
  }
}

export function sweep(home: string): void {
  for (const entry of readdirSync(home).filter((name) => name.startsWith('postgres.init-'))) {
    try {
      rmSync(join(home, entry), { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // The initdb of a killed app is still writing; the next start removes its files.
    }
  }
}

// Renamed when complete: a killed first start leaves nothing that looks like a database.
async function initialise(home: string, programs: Programs, log: Log): Promise<void> {
  log('Creating the database (first start only) …');
  const draft = mkdtempSync(join(home, 'postgres.init-'));
  programs.own(draft);
  // Only we can enter the socket's folder, so every connection is trusted.
  let auth = ['--auth=trust'];
  if (windows) {
    writeFileSync(passwordOf(home), randomBytes(24).toString('base64url'), { mode: 0o600 });
    auth = ['--auth=scram-sha-256', `--pwfile=${passwordOf(home)}`];
  }
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const wanted = ['-D', draft, '-U', rally, '--encoding=UTF8', ...auth, ...locale];
  const [file, args, options] = programs.command('initdb', wanted);
  try {
    await promisify(execFile)(file, args, { ...options, encoding: 'utf8' });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const said = stderr?.trim() || message;
    throw new Error(`The database could not be made in ${home}:\n${said}`, { cause: error });
  }
  renameSync(draft, dataOf(home));
}

// In the data folder if a socket's address can have its path (103 bytes) and its disk has sockets.
async function addressFor(home: string): Promise<Address> {
  if (windows) {
    const free = await probe({ port: 0, host: '127.0.0.1' });
    return { host: '127.0.0.1', port: (free as AddressInfo).port };
  }
  const port = 5432;
  const inside = join(home, 'socket');
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  const path = join(inside, `.s.PGSQL.${port}`);
  rmSync(path, { force: true });
  const fits = Buffer.byteLength(path) <= 103 && (await probe({ path }).catch(() => null));
  return { host: fits ? inside : mkdtempSync(join(tmpdir(), 'rally-')), port };
}

const probe = (where: ListenOptions) =>
  new Promise((done, failed) => {
    const server = createServer().once('error', failed);
    server.listen(where, () => {
      const address = server.address();
      server.close(() => done(address));
    });
  });

// No server runs on the data: a socket found here is left over, its lock names a reused pid.
function socketFolder({ host, port }: Address, programs: Programs): string {
  mkdirSync(host, { recursive: true, mode: 0o700 });
  for (const file of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`])
    rmSync(join(host, file), { force: true });
  chmodSync(host, 0o700);
  programs.own(host);
  return host;
}

function openLog(home: string): number {
  const size = statSync(logOf(home), { throwIfNoEntry: false })?.size ?? 0;
  if (size < 5_000_000) return size;
  renameSync(logOf(home), `${logOf(home)}.old`);
  return 0;
}

interface Start {
  programs: Programs;
  args: string[];
  address: Address;
  log: Log;
}

// Detached: Ctrl-C in the terminal must reach us, not the database. Null if PostgreSQL exits.
async function startServer(home: string, { programs, args, address, log }: Start) {
  const folder = ['-D', dataOf(home)];
  const [file, rest, options] = windows
    ? programs.command('pg_ctl', ['start', '-w', ...folder, '-o', args.join(' ')])
    : programs.command('postgres', [...folder, ...args]);
  const output = openSync(logOf(home), 'a', 0o600);
  const stdio = ['ignore' as const, output, output];
  const child = spawn(file, rest, { ...options, detached: true, stdio });
  closeSync(output);
  child.unref();
  let ended = false;
  const exited = new Promise<void>((done) => {
    const end = (code: unknown) => {
      // On Windows pg_ctl has done its work.
      ended = !windows || code !== 0;
      done();
    };
    child.once('exit', end).once('error', end);
  });
  // The process must not stay alive only for this.
  const waitForExit = () => {
    child.ref();
    return exited;
  };
  for (let round = 1; ; round++) {
    const keeper = await connect(home, address);
    if (keeper) return { keeper, address, exited: waitForExit };
    if (ended) return null;
    if (round % 500 === 0) log('The database is recovering from an unclean stop …');
    await sleep(10);
  }
}
