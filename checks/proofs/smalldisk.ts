// A small disk for a data folder: a small file system if we may mount one, otherwise a limit on the
// size of the files that the app and its database may write, which has the same effect on
// PostgreSQL. Linux only.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readPostmaster } from '../../server/platform/postgres/postmaster.ts';
import { folder, inTheEnd } from '../../server/testing/processes.ts';

export interface SmallDisk {
  home: string;
  how: string;
  /** Fills all free space; to be repeated, because a failed write frees some again. */
  fill(app: number): void;
  free(app: number): void;
}

/** `DISK_WAY=limit` uses the second way also where the first is possible. */
export function aSmallDisk(): SmallDisk {
  const home = folder('disk');
  return (process.env['DISK_WAY'] !== 'limit' && mounted(home)) || limited(home);
}

const megabytes = 128;

function mounted(home: string): SmallDisk | null {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', home], {
      stdio: 'ignore',
    });
  } catch {
    return null;
  }
  inTheEnd(() => execFileSync('umount', ['--lazy', home]));
  const ballast = join(home, 'ballast');
  return {
    home,
    how: `${megabytes} MB of tmpfs`,
    fill: () => {
      const file = openSync(ballast, 'a');
      for (const size of [1_048_576, 4_096]) while (writes(file, Buffer.alloc(size)));
      closeSync(file);
    },
    free: () => rmSync(ballast, { force: true }),
  };
}

function writes(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) > 0;
  } catch {
    return false;
  }
}

/** Every file of the write-ahead log is larger. */
const limit = 1_048_576;

function limited(home: string): SmallDisk {
  const set = (app: number, bytes: string) => {
    const postmaster = readPostmaster(home)?.pid ?? 0;
    for (const pid of [app, postmaster, ...childrenOf(postmaster)]) {
      try {
        execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`], { stdio: 'ignore' });
      } catch {
        // It has just exited.
      }
    }
  };
  return {
    home,
    how: `files of ${limit / 1_048_576} MB at most`,
    fill: (app) => set(app, String(limit)),
    free: (app) => set(app, 'unlimited'),
  };
}

function childrenOf(parent: number): number[] {
  if (parent < 2) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1)
    .filter((pid) => {
      try {
        return (
          Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) ===
          parent
        );
      } catch {
        return false;
      }
    });
}
