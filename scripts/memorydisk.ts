// A folder in memory for what the tests write, on Linux where there is room: a database for each
// test file is thousands of small files, and making them took a quarter of the time.

import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'rally-tests-';
/** A whole run writes about 1 GB. The rest is for the tests themselves. */
const needed = 6 * 1024 ** 3;

/** The folder for temporary files, and how to remove it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  if (!hasRoom()) return { path: tmpdir(), remove: () => undefined };
  removeThoseOfDeadRuns();
  const path = join(memory, `${prefix}${process.pid}`);
  mkdirSync(path, { recursive: true });
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

function hasRoom(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > needed && freemem() > needed;
  } catch {
    return false;
  }
}

function removeThoseOfDeadRuns(): void {
  for (const name of readdirSync(memory).filter((each) => each.startsWith(prefix)))
    if (!isAlive(Number(name.slice(prefix.length))))
      rmSync(join(memory, name), { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
