// Lighthouse on the public pages as on a phone, with throttling really applied: the median of several runs.
// Not for: passing or failing a build (timings are noise on a busy machine). Start Rally, then: node bench/lighthouse.ts URL [runs] [pages]
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { findChromium } from '../scripts/browser.ts';

const [url = 'http://localhost:3000', runs = '5', pages = '/,/classes,/login'] = process.argv.slice(2);
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
    const value = (name: string, digits = 0) => Number((audits[name]?.numericValue ?? 0).toFixed(digits));
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
