// The door to every command: installs what is missing, builds what is stale, then hands over to the
// pinned Node.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNewEnough, leastNode, pinnedNode } from './pinned.mjs';
import { isStale } from './stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.rally-stamp');
const [command = 'start', ...rest] = process.argv.slice(2);
let prepared = false;
process.chdir(root);

if (Number(process.versions.node.split('.')[0]) < 20)
  quit(`Rally needs Node 20 or newer; this is ${process.version}.`);

const node = await install();
switch (command) {
  case 'start':
    await build();
    if (prepared) say(3, 'Starting');
    await hand(['server/app/main.ts', ...rest]);
    break;
  case 'dev':
    await hand(['--watch-preserve-output', '--watch', 'server/app/main.ts', '--dev', ...rest]);
    break;
  case 'build':
    await build();
    break;
  case 'test':
    await hand(['scripts/test.ts', ...rest]);
    break;
  case 'run':
    if (!existsSync(rest[0] ?? '')) quit(`There is no ${rest[0] ?? 'file to run'}.`);
    await hand(rest);
    break;
  default:
    quit(`Unknown command: ${command}`);
}

/**
 * The Node to use from here on. A stamp of the lockfile says whether what is installed is what it
 * asks for.
 */
async function install() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  const stamp = readStamp();
  if (stamp.lock === wanted && existsSync(resolve(root, stamp.node)))
    return resolve(root, stamp.node);

  if (!isInstalled(lock)) {
    say(1, 'Installing packages (first time only)');
    const args = [
      'ci',
      '--ignore-scripts',
      '--include=dev',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    const npm = process.env.npm_execpath;
    const done = npm?.endsWith('.js')
      ? await watched(process.execPath, [npm, ...args])
      : await watched('npm', args, { shell: process.platform === 'win32' });
    if (done !== 0) quit('The packages could not be installed; npm says why above.');
  }
  const found = findNode();
  // Relative, for a project that is moved or copied as a whole.
  writeFileSync(
    stampFile,
    JSON.stringify({
      lock: wanted,
      node: found === process.execPath ? found : relative(root, found),
    }),
  );
  return found;
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

// npm writes down what it installed, as its last act. Who ran npm install by hand need not wait for
// it again.
function isInstalled(lock) {
  try {
    const installed = JSON.parse(
      readFileSync(join(modules, '.package-lock.json'), 'utf8'),
    ).packages;
    return Object.entries(JSON.parse(lock.toString()).packages).every(
      ([path, { version, optional }]) =>
        path === '' || installed[path]?.version === version || (optional && !installed[path]),
    );
  } catch {
    return false;
  }
}

function findNode() {
  const pinned = pinnedNode(process.platform, process.arch);
  for (const candidate of [...(pinned ? [join(modules, pinned)] : []), process.execPath]) {
    const { status, stdout } = spawnSync(candidate, ['--version'], { encoding: 'utf8' });
    if (status === 0 && isNewEnough(stdout)) return candidate;
  }
  return quit(
    `Rally brings no Node for this machine (${process.platform} ${process.arch}), and this is ${process.version}. ` +
      `Install Node ${leastNode} or newer and try again.`,
  );
}

async function build() {
  if (!isStale(root)) return;
  say(2, 'Building the web app (only after a change)');
  if ((await watched(node, ['scripts/build.ts'], { env: environment() })) !== 0)
    quit('The web app could not be built.');
}

/** Becomes the given program, as far as anybody outside can tell. */
async function hand(args) {
  const leash = ['--disable-warning=ExperimentalWarning', '--import', './scripts/leash.mjs'];
  const child = spawn(node, [...leash, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: environment(),
  });
  // A terminal sends Ctrl-C to everybody in the group, the child too; anything else reaches us
  // alone.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm may be killed without a chance to tell us.
  const before = starters();
  const orphaned = () => starters() !== before && child.kill('SIGTERM');
  if (process.env.npm_lifecycle_event && process.platform !== 'win32')
    setInterval(orphaned, 500).unref();
  const [code, signal] = await new Promise((done) => {
    child.once('error', (error) => quit(String(error)));
    child.once('exit', (...how) => done(how));
  });
  process.exit(code ?? 128 + constants.signals[signal]);
}

/** Who started us: npm, or a shell that npm started, which lives on without it. */
function starters() {
  const parent = process.ppid;
  try {
    if (!readFileSync(`/proc/${parent}/cmdline`, 'utf8').includes('rally.mjs')) return `${parent}`;
    const [, above] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${parent}/status`, 'utf8')) ?? [];
    return `${above} ${parent}`;
  } catch {
    return `${parent}`;
  }
}

/** Runs a step of the preparation, saying from time to time that it is still at it. */
async function watched(file, args, options = {}) {
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  const ticker = setInterval(() => console.log(`    still at work after ${seconds()} s`), 30_000);
  const child = spawn(file, args, { stdio: 'inherit', ...options });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => child.kill(signal));
  const status = await new Promise((done) => {
    child.once('error', (error) => done(console.error(String(error)) ?? 1));
    child.once('exit', (code, signal) => done(code ?? 128 + constants.signals[signal]));
  });
  clearInterval(ticker);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
  if (status >= 128) process.exit(status);
  console.log(`    done in ${seconds()} s`);
  return status;
}

function environment() {
  const path = [dirname(node), join(modules, '.bin'), process.env.PATH].join(delimiter);
  // Compiled code is kept: half of the time until the server listens goes into compiling what did
  // not change.
  return { NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'), ...process.env, PATH: path };
}

function say(step, text) {
  prepared = true;
  console.log(command === 'start' ? `${step}/3 ${text} …` : `${text} …`);
}

function quit(message) {
  console.error(message);
  process.exit(1);
}
