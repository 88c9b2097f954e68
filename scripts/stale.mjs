// Whether the built web app still is what its sources say.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = ['web', 'contract', 'vite.config.ts', 'package-lock.json', 'scripts/build.ts'];
const stamp = join('dist', '.rally-stamp');

export function isStale(root) {
  const file = join(root, stamp);
  return !existsSync(file) || readFileSync(file, 'utf8') !== fingerprint(root);
}

/** By content, not by date: a fresh clone and an unpacked archive have new dates. */
export function fingerprint(root) {
  const hash = createHash('sha256');
  for (const source of sources) add(hash, root, source);
  return hash.digest('hex');
}

function add(hash, root, path) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  const entries = list(full);
  if (!entries) {
    hash.update(`${path}\n`).update(readFileSync(full));
    return;
  }
  for (const name of entries) if (!/\.test\.tsx?$/.test(name)) add(hash, root, join(path, name));
}

function list(path) {
  try {
    return readdirSync(path).toSorted();
  } catch {
    return null;
  }
}
