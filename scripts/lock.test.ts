// What the lockfile promises to a fresh clone on any machine.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { postgresPackage } from '../server/platform/postgres/postmaster.ts';
import { complete, type Lock, lockFile } from './lock.ts';
import { isNewEnough, pinnedNode } from './node.mjs';

const lock = JSON.parse(readFileSync(lockFile, 'utf8')) as Lock;
const entries = Object.entries(lock.packages).filter(([path]) => path !== '');

it('names the packages of every platform (npm run lock does it)', () => {
  expect(Object.keys(complete(lock).packages).filter((path) => !lock.packages[path])).toEqual([]);
});

it('notices a package that is left out', () => {
  const parent = {
    version: '1.0.0',
    optionalDependencies: { '@tool/binding-darwin-arm64': '1.0.0' },
  };
  const added = complete({ packages: { 'node_modules/tool': parent } }).packages[
    'node_modules/@tool/binding-darwin-arm64'
  ];
  expect(added).toEqual({ version: '1.0.0', os: ['darwin'], cpu: ['arm64'], optional: true });
});

it('has a checksum of all that Linux installs, and no address', () => {
  const here = entries.filter(([, { os, cpu, libc }]) => {
    const fits = !os || os.includes('linux');
    return (
      fits && (!cpu || cpu.includes('x64') || cpu.includes('arm64')) && !libc?.includes('musl')
    );
  });
  expect(here.length).toBeGreaterThan(300);
  expect(
    here.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
  ).toEqual([]);
  expect(entries.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
});

const platforms = [
  ['darwin', 'arm64'],
  ['darwin', 'x64'],
  ['linux', 'arm64'],
  ['linux', 'x64'],
  ['win32', 'x64'],
] as const;

type Entry = Lock['packages'][string];

// Some packages write a word where others write a list.
const has = (given: string | string[] | undefined, word: string) =>
  given === undefined || [given].flat().includes(word);
const fits = ({ os, cpu, libc }: Entry, platform: string, arch: string) =>
  has(os, platform) && has(cpu, arch) && (platform !== 'linux' || has(libc, 'glibc'));

it.each(platforms)(
  'brings a Node for %s %s that runs Rally, with its checksum',
  (platform, arch) => {
    const [name] = pinnedNode(platform, arch)?.split(/[\\/]/) ?? [];
    const { version = '', integrity, ...entry } = lock.packages[`node_modules/${name}`] ?? {};
    expect(isNewEnough(version)).toBe(true);
    expect(integrity).toMatch(/^sha512-/);
    expect(fits(entry, platform, arch)).toBe(true);
  },
);

it.each(platforms)(
  'brings a PostgreSQL for %s %s by the name that is looked for',
  (platform, arch) => {
    const { integrity, ...entry } =
      lock.packages[`node_modules/${postgresPackage(platform, arch)}`] ?? {};
    expect(integrity).toMatch(/^sha512-/);
    expect(fits(entry, platform, arch)).toBe(true);
  },
);

it('brings no Node elsewhere, and takes none that is too old', () => {
  expect(pinnedNode('freebsd', 'x64')).toBeNull();
  expect(['v20.20.2', 'v22.30.0', 'v24.1.0', 'v24.2.0', 'v26.0.0'].filter(isNewEnough)).toEqual([
    'v24.2.0',
    'v26.0.0',
  ]);
});
