// The door to every command: installs what is missing, builds what is stale, then hands over to the
// pinned Node.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNewEnough, isStale, leash, leastNode, pinnedNode } from './node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
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

async function install() {
  if (!isInstalled()) {
    say(1, 'Installing packages (first time only)');
    const flags = '--ignore-scripts --include=dev --no-audit --no-fund --loglevel=error';
    const args = ['ci', ...flags.split(' ')];
    const npm = process.env.npm_execpath;
    const done = npm?.endsWith('.js')
      ? await watched(process.execPath, [npm, ...args])
      : await watched('npm', args, { shell: process.platform === 'win32' });
    if (done !== 0) quit('The packages could not be installed; npm says why above.');
  }
  return findNode();
}

function packagesIn(...path) {
  return JSON.parse(readFileSync(join(...path), 'utf8')).packages;
}

/** npm writes down what it installed, as its last act. */
function isInstalled() {
  try {
    const installed = packagesIn(modules, '.package-lock.json');
    return Object.entries(packagesIn(root, 'package-lock.json')).every(
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
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', '--import', leash, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: environment(),
  });
  // A terminal sends Ctrl-C to the whole group, the child too; anything else reaches us alone.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((done) => {
    child.once('error', (error) => quit(String(error)));
    child.once('exit', (...how) => done(how));
  });
  process.exit(code ?? 128 + constants.signals[signal]);
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
  // Compiled code is kept: compiling takes half of the time until the server listens.
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
