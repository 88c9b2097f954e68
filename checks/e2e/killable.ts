// A Chromium with a profile of its own that a test can kill and start again, as a phone does with its
// browser. Playwright's own browsers are closed in order, which gives them time to write.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BrowserContext, chromium } from '@playwright/test';
import type { Browser } from '../../scripts/browser.ts';

export interface Killable {
  context: BrowserContext;
  /** The process ends without being asked. */
  kill: () => Promise<void>;
  /** In order: what it has in memory is written. */
  close: () => Promise<void>;
}

export interface Profile {
  start: () => Promise<Killable>;
  remove: () => Promise<void>;
}

export async function aProfile(): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), 'rally-profile-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 20 });
  return { start: () => start(folder), remove };
}

async function start(folder: string): Promise<Killable> {
  const found = JSON.parse(process.env['RALLY_BROWSER'] ?? '') as Browser;
  const own = ['--headless', '--no-first-run', '--no-default-browser-check', '--disable-sync'];
  const more = ['--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'];
  const child = spawn(found.executablePath, [...found.args, ...own, ...more], {
    env: { ...process.env, ...found.env },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: its helpers are killed with it.
    detached: true,
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const browser = await chromium.connectOverCDP(await addressOf(child));
  const [context] = browser.contexts();
  if (!context) throw new Error('The browser has no window.');
  return {
    context,
    kill: async () => {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    },
    close: async () => {
      const session = await browser.newBrowserCDPSession();
      await session.send('Browser.close').catch(() => null);
      await ended;
    },
  };
}

function addressOf({ stderr }: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    if (!stderr) return failed(new Error('no output'));
    const lines = createInterface({ input: stderr });
    lines.on('line', (line) => {
      const address = /DevTools listening on (\S+)/.exec(line)?.[1];
      if (address) done(address);
    });
    lines.once('close', () => failed(new Error('The browser did not start.')));
  });
}
