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
  const here = entries.filter(
    ([, entry]) =>
      ['x64', 'arm64'].some((cpu) => has(entry.cpu, cpu)) &&
      has(entry.os, 'linux') &&
      !has(entry.libc ?? [], 'musl'),
  );
  expect(here.length).toBeGreaterThan(300);
  const bare = here.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(bare.map(([path]) => path)).toEqual([]);
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

it.each(platforms)('brings Node and PostgreSQL for %s %s', (platform, arch) => {
  const [node] = pinnedNode(platform, arch)?.split(/[\\/]/) ?? [];
  const packages = [node, postgresPackage(platform, arch)].map(
    (name) => lock.packages[`node_modules/${name}`] ?? {},
  );
  expect(isNewEnough(packages[0]?.version ?? '')).toBe(true);
  for (const entry of packages) {
    expect(entry.integrity).toMatch(/^sha512-/);
    expect(fits(entry, platform, arch)).toBe(true);
  }
});

it('brings no Node elsewhere, and takes none that is too old', () => {
  expect(pinnedNode('freebsd', 'x64')).toBeNull();
  expect(['v20.20.2', 'v22.30.0', 'v24.1.0', 'v24.2.0', 'v26.0.0'].filter(isNewEnough)).toEqual([
    'v24.2.0',
    'v26.0.0',
  ]);
});
