// One PostgreSQL server process on a data folder: identify it, connect to it, stop it.

import { execFile } from 'node:child_process';
import {
  existsSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findPrograms } from './binaries.ts';

export type Address = { host: string; port: number };
export type Log = (line: string) => void;
type Postmaster = Address & { pid: number; ready: boolean };

export const windows = process.platform === 'win32';
/** The database, and the user who owns it. */
export const rally = 'rally';
/** The role that the app serves with (db/roles.ts). */
export const rallyServe = 'rally_serve';

const run = promisify(execFile);

/** What PostgreSQL wrote about itself; the process may be dead. */
export function readPostmaster(home: string): Postmaster | null {
  try {
    const lines = readFileSync(join(dataOf(home), 'postmaster.pid'), 'utf8').split('\n');
    const [pid, , , port, socket, , , status] = lines.map((line) => line.trim());
    const host = windows ? '127.0.0.1' : (socket ?? '');
    return { pid: Number(pid), host, port: Number(port), ready: status === 'ready' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** A client, or the error code. */
export async function connect(home: string, address: Address): Promise<Client | string> {
  const client = new Client({
    connectionString: urlOf(home, address, { database: 'postgres' }),
    application_name: 'rally keeper',
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

export function urlOf(
  home: string,
  { host, port }: Address,
  { database = rally, user = rally } = {},
): string {
  if (windows)
    return `postgres://${user}:${readFileSync(passwordOf(home), 'utf8')}@${host}:${port}/${database}`;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/**
 * A process with that pid is not enough: pids are reused. PostgreSQL's working folder is its data
 * folder.
 */
export async function isAlive(home: string, pid: number): Promise<boolean> {
  if (!(pid > 1)) return false;
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === real(dataOf(home));
    } catch {
      return false;
    }
  }
  const question = windows
    ? ['tasklist', '/NH', '/FI', `PID eq ${pid}`]
    : ['ps', '-o', 'command=', '-p', `${pid}`];
  const [file = '', ...args] = question;
  const { stdout } = await run(file, args).catch(() => ({ stdout: '' }));
  return stdout.includes(windows ? 'postgres' : dataOf(home));
}

/**
 * PostgreSQL refuses to start while any process has the pid of its pid file. The file must stay:
 * with its shared memory key PostgreSQL checks that no child of a dead server still writes.
 */
export function forget(home: string): void {
  const file = join(dataOf(home), 'postmaster.pid');
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  // Write a new file and rename it: on a full disk the old file would be left empty.
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, ['999999999', ...rest].join('\n'));
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

export async function shutDown(home: string): Promise<void> {
  const postmaster = readPostmaster(home);
  if (!postmaster) return;
  const data = dataOf(home);
  if (windows) {
    const [file, args] = findPrograms(data, home).command('pg_ctl', [
      'stop',
      '-D',
      data,
      '-m',
      'fast',
    ]);
    await run(file, args, { windowsHide: true });
    return;
  }
  // Fast shutdown: ends every session and writes everything. If that hangs, immediate shutdown: the
  // next start recovers from the write-ahead log.
  const orders = [
    ['SIGINT', 3_000],
    ['SIGQUIT', 1_000],
  ] as const;
  for (const [signal, rounds] of orders) {
    process.kill(postmaster.pid, signal);
    for (let round = 0; round < rounds; round++) {
      if (readPostmaster(home)?.pid !== postmaster.pid || !(await isAlive(home, postmaster.pid))) {
        if (postmaster.host.startsWith(join(tmpdir(), 'rally-')))
          rmSync(postmaster.host, { recursive: true, force: true });
        return;
      }
      await sleep(10);
    }
  }
  throw new Error(`PostgreSQL (process ${postmaster.pid}) does not stop.`);
}

export function dataOf(home: string): string {
  return join(home, 'postgres');
}

export function logOf(home: string): string {
  return join(home, 'postgres.log');
}

/** Only where the database listens on a port, which every user of the machine can reach. */
export function passwordOf(home: string): string {
  return join(home, 'postgres.password');
}

export function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
