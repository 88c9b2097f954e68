// The dashboard on a slow phone (400 kbit/s, 150 ms per round trip, a CPU 4 times slower, nothing
// cached): when the frame is seen, when the page can be used, and how far things moved. The median
// of several runs. Timings are noise on a busy machine, so no build depends on them. It starts
// Rally with the demo academy, or measures the given address:
// node bench/dashboard.ts [URL] [runs] [pages].
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, request } from '@playwright/test';
import { findChromium } from '../scripts/browser.ts';
import { demoPassword } from '../server/db/demo/academy.ts';
import { startProcess } from './harness.ts';

const [
  address,
  runs = '5',
  pages = '/dashboard/userhome,/dashboard/mycart,/dashboard/paymenthistory',
] = process.argv.slice(2);

interface Run {
  frame: number;
  usable: number;
  shift: number;
}

const { url, stop } = address ? { url: address, stop: async () => {} } : await ownRally();
const { executablePath, args, env } = await findChromium();
const browser = await chromium.launch({
  executablePath,
  args,
  env: { ...process.env, ...env },
});
try {
  const student = await signIn();
  for (const page of pages.split(',')) {
    const results: Run[] = [];
    for (let run = 0; run < Number(runs); run += 1) results.push(await measure(page, student));
    const median = (of: keyof Run) =>
      results.map((run) => run[of]).toSorted((a, b) => a - b)[Math.floor(results.length / 2)] ?? 0;
    console.log(
      `${page.padEnd(28)} frame ${median('frame').toFixed(0)} ms  usable ${median('usable').toFixed(0)} ms  shift ${median('shift').toFixed(3)}`,
    );
  }
} finally {
  await browser.close();
  await stop();
}

async function ownRally() {
  const data = await mkdtemp(join(tmpdir(), 'rally-bench-'));
  const rally = await startProcess('server/main.ts', {
    PORT: '0',
    DATA_DIR: data,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
  });
  return {
    url: rally.url.replace('127.0.0.1', 'localhost'),
    stop: async () => {
      await rally.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

interface Student {
  cookies: Parameters<BrowserContext['addCookies']>[0];
  token: string;
}

async function signIn(): Promise<Student> {
  const site = await request.newContext({ baseURL: url, extraHTTPHeaders: { origin: url } });
  const email = 'student@rally.test';
  const signedIn = await site.post('/api/auth/sign-in/email', {
    data: { email, password: demoPassword },
  });
  if (!signedIn.ok()) throw new Error(`Signing in answered ${signedIn.status()}`);
  const { token } = (await (await site.post('/api/jwt', { data: { email } })).json()) as {
    token: string;
  };
  const { cookies } = await site.storageState();
  await site.dispose();
  return { cookies, token };
}

/** Runs in the page: notes when its own content is complete, and every layout shift. */
function watch(token: string) {
  localStorage.setItem('access-token', token);
  const seen = { usable: 0, shift: 0 };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      seen.shift += (entry as PerformanceEntry & { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    const content = document.getElementById('content');
    const done =
      content?.querySelector('h1') && !content.querySelector('[aria-busy=true], progress');
    if (!done) seen.usable = 0;
    else if (seen.usable === 0) seen.usable = performance.now();
  };
  new MutationObserver(look).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
  });
}

async function measure(page: string, { cookies, token }: Student): Promise<Run> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  try {
    await context.addCookies(cookies);
    await context.addInitScript(watch, token);
    const tab = await context.newPage();
    const devtools = await context.newCDPSession(tab);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 400_000 / 8,
      uploadThroughput: 400_000 / 8,
    });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await tab.goto(url + page, { waitUntil: 'commit' });
    await tab.waitForFunction(
      () => (globalThis as unknown as { seen: Run }).seen.usable > 0,
      undefined,
      { timeout: 60_000 },
    );
    // What may still move after that moves now.
    await tab.waitForLoadState('networkidle');
    return await tab.evaluate(() => {
      const { usable, shift } = (globalThis as unknown as { seen: Run }).seen;
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      return { frame: paint?.startTime ?? Infinity, usable: usable || Infinity, shift };
    });
  } finally {
    await context.close();
  }
}
