// Lighthouse on the public pages as a phone, with applied throttling: the median of several runs.
// Timings are noise on a busy machine, so no build depends on them. Start Rally, then:
// node bench/lighthouse.ts [--plain] [URL] [runs] [pages]. `--plain` measures the same build
// without server rendering.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findChromium } from '../scripts/browser.ts';

const hopByHop = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
]);
const { values, positionals } = parseArgs({
  options: { plain: { type: 'boolean' } },
  allowPositionals: true,
});
const [rally = 'http://localhost:3000', runs = '5', pages = '/,/classes,/login'] = positionals;
const url = values.plain ? await withoutServerRendering(rally) : rally;
const { executablePath, args } = await findChromium();

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

for (const page of pages.split(',')) {
  const results: Run[] = [];
  for (let run = 0; run < Number(runs); run += 1) results.push(await measure(url + page));
  const median = (of: keyof Run) =>
    results.map((run) => run[of]).toSorted((a, b) => a - b)[Math.floor(results.length / 2)] ?? 0;
  const scores = (['performance', 'accessibility', 'best-practices', 'seo'] as const).map(
    (name) => `${name} ${median(name)}`,
  );
  console.log(
    `${page.padEnd(10)} ${scores.join('  ')}  FCP ${median('fcp')} ms  LCP ${median('lcp')} ms  TBT ${median('tbt')} ms  CLS ${median('cls')}`,
  );
}

async function measure(address: string): Promise<Run> {
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
    const { categories, audits } = outcome.lhr;
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
