// The card sandbox, used without Stripe keys: a process with its state in DATA_DIR, shared by all
// apps on that folder. It ends with the app that started it; a remaining app starts it again.
import { type ChildProcess, spawn } from 'node:child_process';
import { hkdfSync } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CardKeys } from './cards.ts';
import { locked } from './lock.ts';

export type SandboxProcess = Awaited<ReturnType<typeof startSandbox>>;

const program = join(import.meta.dirname, '../../packages/sandbox/main.ts');
const mark = 'sk_test_sandbox';
const looksEveryMs = 1_000;

/** The same in every process that shares the app's secret, and useless elsewhere. */
export function sandboxKeys(secret: string): CardKeys {
  const derive = (what: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `rally card sandbox ${what}`, 24)).toString('hex');
  return {
    secretKey: `${mark}${derive('secret key')}`,
    publishableKey: `pk_test_sandbox${derive('publishable key')}`,
    webhookSecret: `whsec_${derive('webhook secret')}`,
  };
}

export async function startSandbox({
  dataDir,
  keys,
  log = () => undefined,
}: {
  dataDir: string;
  keys: CardKeys;
  log?: (line: string) => void;
}) {
  if (!keys.secretKey.startsWith(mark))
    throw new Error('The card sandbox was given keys that are not its own');
  const home = resolve(dataDir);
  mkdirSync(home, { recursive: true });
  const closing = new AbortController();
  let port = 0;
  let child: ChildProcess | null = null;
  let webhookUrl: string | null = null;
  await ensure();
  const watching = watch();

  /** Finds the one that runs on this folder, or starts it. A lock allows one starter at a time. */
  async function ensure(): Promise<void> {
    await locked(join(home, 'sandbox.lock'), async () => {
      const known = readPlace(home);
      if (known && (await answers(known.port, keys))) {
        port = known.port;
        return;
      }
      // On the same port if it is free: logs are easier to read.
      const started = (await launch(home, keys, known?.port ?? 0)) ?? (await launch(home, keys, 0));
      if (!started) throw new Error('The card sandbox does not start');
      ({ child, port } = started);
      writePlace(home, { port, pid: child.pid ?? 0 });
    });
    if (webhookUrl) await tell(port, keys, webhookUrl);
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(looksEveryMs, undefined, { signal: closing.signal, ref: false }).catch(
        () => undefined,
      );
      if (closing.signal.aborted || (await answers(port, keys))) continue;
      log('The card sandbox is gone; starting it again …');
      await ensure().catch((error: unknown) =>
        log(`The card sandbox does not come back: ${String(error)}`),
      );
    }
  }

  return {
    origin: () => `http://127.0.0.1:${port}`,
    pointTo: async (url: string) => {
      webhookUrl = url;
      await tell(port, keys, url);
    },
    close: async () => {
      closing.abort();
      await watching;
      const running = child;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      // If a start failed, nothing else may be open: the process would exit before the child.
      running.ref();
      const ended = new Promise((done) => running.once('exit', done));
      running.stdin?.end();
      running.kill('SIGTERM');
      await ended;
    },
  };
}

/** Null if it exits before it listens (the port is taken). */
async function launch(
  home: string,
  keys: CardKeys,
  port: number,
): Promise<{ child: ChildProcess; port: number } | null> {
  // In its own process group: Ctrl-C reaches the whole group, and the app needs it until its end.
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
    detached: process.platform !== 'win32',
  });
  // Not as arguments, which every user of the machine can read.
  const options = { ...keys, port, state: join(home, 'sandbox.sqlite') };
  child.stdin.on('error', () => undefined).write(`${JSON.stringify(options)}\n`);
  const line = await new Promise<string | null>((done) => {
    child.once('exit', () => done(null)).once('error', () => done(null));
    child.stdout.once('data', (chunk: Buffer) => done(String(chunk)));
  });
  if (line === null) return null;
  // It must not keep us alive; the pipe makes sure that it ends with us.
  child.unref();
  const { listening } = JSON.parse(line) as { listening: string };
  return { child, port: Number(new URL(listening).port) };
}

/** A program that knows our secret key is ours; another one on that port does not. */
async function answers(port: number, keys: CardKeys): Promise<boolean> {
  if (port === 0) return false;
  return knob(port, keys, 'clock', { signal: AbortSignal.timeout(5_000) }).catch(() => false);
}

async function tell(port: number, keys: CardKeys, url: string): Promise<void> {
  const taken = await knob(port, keys, 'webhook', {
    method: 'POST',
    body: JSON.stringify({ url, secret: keys.webhookSecret }),
    // Long: it is started and only busy. Without it Rally would not start.
    signal: AbortSignal.timeout(30_000),
  });
  if (!taken) throw new Error('The card sandbox did not take the address of the webhook');
}

async function knob(port: number, { secretKey }: CardKeys, name: string, request: RequestInit) {
  const headers = { authorization: `Bearer ${secretKey}` };
  const response = await fetch(`http://127.0.0.1:${port}/sandbox/${name}`, { ...request, headers });
  await response.arrayBuffer();
  return response.ok;
}

function readPlace(home: string): { port: number } | null {
  try {
    return JSON.parse(readFileSync(join(home, 'sandbox.json'), 'utf8')) as { port: number };
  } catch {
    return null;
  }
}

function writePlace(home: string, place: { port: number; pid: number }): void {
  const draft = join(home, `sandbox.json.${process.pid}`);
  writeFileSync(draft, JSON.stringify(place));
  renameSync(draft, join(home, 'sandbox.json'));
}
