// Finds a Chromium for the browser tests, or brings one.

import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Browser = { executablePath: string; args: string[]; env?: Record<string, string> };

const root = fileURLToPath(new URL('..', import.meta.url));

const args =
  '--no-sandbox --disable-gpu --disable-quic --disable-dev-shm-usage --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  );

export async function findChromium(): Promise<Browser> {
  const given = process.env['CHROMIUM_PATH'];
  if (given) {
    if (!works(given)) throw new Error(`CHROMIUM_PATH is ${given}, which does not run.`);
    return { executablePath: given, args };
  }
  const { chromium } = await import('@playwright/test');
  const found =
    first([...onPath(lean), ...onPath(full), ...usualPlaces]) ??
    (await packaged()) ??
    // The one that `npx playwright install chromium` downloads.
    first([chromium.executablePath()]);
  if (found) return found;
  throw new Error(
    'The browser tests found no Chromium: install Google Chrome or Microsoft Edge, or run `npx playwright install chromium`, ' +
      'or set CHROMIUM_PATH to one.',
  );
}

const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(
  (name) => process.env[name] ?? [],
);
/** Where Chrome, Chromium and Edge are installed. Windows and macOS do not put them on the PATH. */
const usualPlaces = [
  ...['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  ...['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].flatMap(
    (program) => folders.map((folder) => join(folder, program)),
  ),
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/opt/microsoft/msedge/msedge',
];

// On Windows `chrome --version` opens a window instead of printing its version.
const works = (path: string) => isExecutable(path) && (process.platform === 'win32' || runs(path));

function first(paths: string[]): Browser | null {
  const executablePath = paths.find(works);
  return executablePath ? { executablePath, args } : null;
}

// Without its window, which the full one draws for every page: half of the work.
const lean = 'chromium-headless-shell';
const full =
  'chromium chromium-browser google-chrome google-chrome-stable microsoft-edge microsoft-edge-stable';

const onPath = (names: string) =>
  names
    .split(' ')
    .flatMap((name) =>
      (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)),
    );

// The npm package: a compressed binary for x64 Linux, with libraries that small systems lack.
async function packaged(): Promise<Browser | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const manifest = join(root, 'node_modules/@sparticuz/chromium/package.json');
  if (!existsSync(manifest)) return null;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const folder = join(root, '.cache', `chromium-${version}`);
  if (!existsSync(folder)) await unpack(folder);
  const executablePath = join(folder, 'chromium');
  const fonts: Record<string, string> = existsSync('/etc/fonts')
    ? {}
    : { FONTCONFIG_PATH: join(folder, 'fonts') };
  const libraries = { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') };
  for (const env of [fonts, { ...fonts, ...libraries }])
    if (runs(executablePath, env)) return { executablePath, args, env };
  return null;
}

async function unpack(folder: string): Promise<void> {
  console.log('Unpacking Chromium (first time only) …');
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  // The package unpacks into the temporary folder, where a half-made copy would be taken for good.
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = draft;
  try {
    const { default: chromium, inflate } = await import('@sparticuz/chromium');
    await chromium.executablePath();
    await inflate(join(root, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br'));
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(draft, { recursive: true, force: true });
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Ubuntu's chromium without snap is a program that only says so.
function runs(path: string, env: Record<string, string> = {}): boolean {
  const all = { ...process.env, ...env };
  return (
    spawnSync(path, ['--version', '--no-sandbox'], { env: all, stdio: 'ignore', timeout: 30_000 })
      .status === 0
  );
}
