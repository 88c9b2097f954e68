// What the lockfile promises to a fresh clone on any machine. NOT for: which packages we use.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { complete, type Lock, lockFile } from './lock.ts';

const lock = JSON.parse(readFileSync(lockFile, 'utf8')) as Lock;
const entries = Object.entries(lock.packages).filter(([path]) => path !== '');

it('names the packages of every platform, or npm ci refuses it (remedy: npm run lock)', () => {
  expect(Object.keys(complete(lock).packages).filter((path) => !lock.packages[path])).toEqual([]);
});

it('notices a package that is left out', () => {
  const parent = { version: '1.0.0', optionalDependencies: { '@tool/binding-darwin-arm64': '1.0.0' } };
  const added = complete({ packages: { 'node_modules/tool': parent } }).packages[
    'node_modules/@tool/binding-darwin-arm64'
  ];
  expect(added).toEqual({ version: '1.0.0', os: ['darwin'], cpu: ['arm64'], optional: true });
});

it('holds a checksum of everything that is installed on Linux, and the place of nothing', () => {
  const here = entries.filter(([, { os, cpu, libc }]) => {
    const fits = !os || os.includes('linux');
    return fits && (!cpu || cpu.includes('x64') || cpu.includes('arm64')) && !libc?.includes('musl');
  });
  expect(here.length).toBeGreaterThan(300);
  expect(here.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  expect(entries.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([]);
});
