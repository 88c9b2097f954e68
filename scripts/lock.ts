// Completes package-lock.json with the packages of other platforms, which npm leaves out and `npm
// ci` wants. Run after every change of the dependencies: npm run lock

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Entry = {
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};
export type Lock = { packages: Record<string, Entry> };

export const lockFile = fileURLToPath(new URL('../package-lock.json', import.meta.url));

const systems = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(
  ' ',
);
const processors = 'arm64 arm ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64'.split(' ');

export function complete(lock: Lock): Lock {
  const packages = { ...lock.packages };
  for (const [path, { optionalDependencies = {} }] of Object.entries(lock.packages))
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isThere(packages, path, name)) continue;
      packages[`node_modules/${name}`] = { version, ...platform(name), optional: true };
    }
  const sorted = Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

// As Node looks for a package: in the folder of the one who asks, then further and further out.
function isThere(packages: Lock['packages'], from: string, name: string): boolean {
  if (packages[`${from && `${from}/`}node_modules/${name}`]) return true;
  const further = from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0));
  return from !== '' && isThere(packages, further, name);
}

function platform(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor));
  if (cpu.length === 0)
    throw new Error(
      `${name} is missing from the lockfile, and its name does not say for which platform it is`,
    );
  const libc = os.includes('linux') ? [name.includes('musl') ? 'musl' : 'glibc'] : [];
  return { ...(os.length > 0 && { os }), cpu, ...(libc.length > 0 && { libc }) };
}

if (import.meta.main) {
  const before = JSON.parse(readFileSync(lockFile, 'utf8')) as Lock;
  writeFileSync(lockFile, `${JSON.stringify(complete(before), null, 2)}\n`);
}
