// Lighthouse on the public pages as a phone, with applied throttling: the median of five runs. Timings
// are noise on a busy machine, so no test depends on them. Run `npm run build` first.
// `npm run bench -- lighthouse`, or node checks/bench/lighthouse.ts [--plain] [URL] [runs] [pages]: without
// a URL it starts Rally itself. `--plain` measures the same build without server rendering.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findChromium } from '../../scripts/browser.ts';
import { median, type Result, startDatabase, startRally } from './harness.ts';

const hopByHop = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
]);

interface Run {
  performance: number;
  accessibility: number;
  'best-practices': number;
  seo: number;
  fcp: number;
  lcp: number;
  tbt: number;
  cls: number;
}

interface Wish {
  /** The address of a running Rally; without it one is started. */
  origin?: string | undefined;
  runs?: number;
  /** Without pages: the four public ones, with the first class of the catalogue. */
  pages?: string[] | undefined;
  plain?: boolean;
}

/** Performance of each page / 100. */
export async function lighthouseScores(wish: Wish = {}): Promise<Result[]> {
  if (wish.origin) return scoresAt(wish.origin, wish);
  const server = await startDatabase();
  try {
    const { url } = await server.database('lighthouse');
    const rally = await startRally({ DATABASE_URL: url, DATA_DIR: server.dataDir });
    try {
      return await scoresAt(rally.url, wish);
    } finally {
      await rally.stop();
    }
  } finally {
    await server.stop();
  }
}

async function scoresAt(origin: string, { runs = 5, pages, plain }: Wish): Promise<Result[]> {
  const measured = pages ?? ['/', '/classes', await firstClass(origin), '/login'];
  const url = plain ? await withoutServerRendering(origin) : origin;
  const results: Result[] = [];
  for (const page of measured) {
    const all: Run[] = [];
    for (let run = 0; run < runs; run += 1) all.push(await measure(url + page));
    const middle = (of: keyof Run) => median(all.map((run) => run[of]));
    const scores = (['performance', 'accessibility', 'best-practices', 'seo'] as const).map(
      (name) => `${name} ${middle(name)}`,
    );
    results.push({
      what: `Lighthouse of ${page.replace(/[\da-f-]{36}/, '{id}')} / 100`,
      ratio: middle('performance') / 100,
      target: { atLeast: 1 },
      detail: `${scores.join(', ')}; FCP ${middle('fcp')} ms, LCP ${middle('lcp')} ms, TBT ${middle('tbt')} ms, shift ${middle('cls')}`,
    });
  }
  return results;
}

/** Fails when no Rally answers at the address. */
async function firstClass(origin: string): Promise<string> {
  const answer = await fetch(`${origin}/api/classes?status=approved&limit=1`);
  const { result } = (await answer.json()) as { result: { _id: string }[] };
  if (!result[0]) throw new Error(`${origin} has no class to measure`);
  return `/classes/${result[0]._id}`;
}

async function measure(address: string): Promise<Run> {
  const { executablePath, args } = await findChromium();
  const chrome = await launch({
    ...(executablePath && { chromePath: executablePath }),
    chromeFlags: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', ...args],
  });
  try {
    const outcome = await lighthouse(address, {
      port: chrome.port,
      output: 'json',
      logLevel: 'error',
      throttlingMethod: 'devtools',
      onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    });
    if (!outcome) throw new Error(`Lighthouse said nothing about ${address}`);
    const { categories, audits, runtimeError } = outcome.lhr;
    if (runtimeError) throw new Error(`${address}: ${runtimeError.message}`);
    for (const audit of Object.values(audits)) {
      if (audit.score === 0) console.log(`  ${audit.id}: ${audit.title}`);
    }
    const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
    const value = (name: string, digits = 0) =>
      Number((audits[name]?.numericValue ?? 0).toFixed(digits));
    return {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
      fcp: value('first-contentful-paint'),
      lcp: value('largest-contentful-paint'),
      tbt: value('total-blocking-time'),
      cls: value('cumulative-layout-shift', 3),
    };
  } finally {
    chrome.kill();
  }
}

/**
 * Rally with emptied pages: the same files, headers and preloads, but no rendered content and no
 * preloaded data.
 */
async function withoutServerRendering(origin: string): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(origin + request.url, {
        headers: { accept: request.headers.accept ?? '*/*' },
      });
      const whole = Buffer.from(await answer.arrayBuffer());
      const isPage = answer.headers.get('content-type')?.startsWith('text/html');
      const body = isPage ? Buffer.from(emptied(String(whole))) : whole;
      for (const [name, value] of answer.headers)
        if (!hopByHop.has(name)) response.setHeader(name, value);
      // Pictures are compressed already.
      if (answer.headers.get('content-type')?.startsWith('image/')) response.end(body);
      else response.setHeader('content-encoding', 'br').end(brotliCompressSync(body));
    })();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  const address = server.address();
  return `http://localhost:${typeof address === 'object' && address ? address.port : 0}`;
}

function emptied(page: string): string {
  const state = /(<script[^>]*id="state"[^>]*>)(.*?)(<\/script>)/s;
  const read = JSON.parse(state.exec(page)?.[2] ?? '{}') as { queries: { queryHash: string }[] };
  const settings = read.queries.filter(({ queryHash }) => queryHash.includes('/settings'));
  return page
    .replace(/<div id="root">.*<\/div>\n<noscript>/s, '<div id="root"></div>\n<noscript>')
    .replace(/<link rel="preload" as="image"[^>]*>/, '')
    .replace(
      state,
      (_all, open: string, _data, close: string) =>
        open + JSON.stringify({ ...read, queries: settings }) + close,
    );
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { plain: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [origin, runs = '5', pages] = positionals;
  const wish = { origin, runs: Number(runs), pages: pages?.split(','), ...values };
  for (const { what, detail } of await lighthouseScores(wish)) console.log(`${what}: ${detail}`);
}
