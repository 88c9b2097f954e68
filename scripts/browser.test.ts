// Where the browser tests look for an installed browser, on machines other than this one.
import { expect, it } from 'vitest';
import { firstInstalled, usualPlaces } from './browser.ts';

const windows = {
  PROGRAMFILES: 'C:\\Program Files',
  'PROGRAMFILES(X86)': 'C:\\Program Files (x86)',
  LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local',
};
const only = (path: string) => (asked: string) => asked === path;

it.each([
  [
    'darwin',
    { HOME: '/Users/ada' },
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  [
    'darwin',
    { HOME: '/Users/ada' },
    '/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  ['darwin', {}, '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
  ['win32', windows, 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
  ['win32', windows, 'C:\\Users\\ada\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe'],
  ['win32', windows, 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'],
  ['linux', {}, '/opt/google/chrome/chrome'],
  ['linux', {}, '/snap/bin/chromium'],
  ['linux', {}, '/opt/microsoft/msedge/msedge'],
] as const)('finds a browser installed at its usual place on $0: $2', (platform, env, path) => {
  expect(firstInstalled(platform, env, only(path))).toBe(path);
});

it('takes Chrome before Edge', () => {
  expect(firstInstalled('win32', windows, () => true)).toContain('chrome.exe');
  expect(firstInstalled('darwin', {}, () => true)).toContain('Google Chrome');
});

it('passes over a browser that does not run, and finds nothing where there is none', () => {
  const edge = '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge';
  expect(firstInstalled('darwin', {}, (path) => !path.includes('Chrom'))).toBe(edge);
  expect(firstInstalled('linux', {}, () => false)).toBeNull();
});

it('names no place under a folder that Windows does not name', () => {
  expect(usualPlaces('win32', {})).toEqual([]);
});
