// `npm run bench [-- name …]`: runs the benchmarks and prints one table. Exits with an error when a
// target is missed.
import { crowd } from './crowd.ts';
import { growth } from './growth.ts';
import type { Result } from './harness.ts';
import { lighthouseScores } from './lighthouse.ts';
import { size } from './size.ts';

const benchmarks: Record<string, () => Promise<Result[]>> = { crowd, growth, size };

/** Not run unless named: only a quiet machine gives true figures. */
const onRequest: Record<string, () => Promise<Result[]>> = {
  lighthouse: () => lighthouseScores(),
};

const all = { ...benchmarks, ...onRequest };
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const unknown = wanted.filter((name) => !(name in all));
if (unknown.length > 0) {
  console.error(
    `No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(all).join(', ')}.`,
  );
  process.exit(2);
}

const met = ({ ratio, target }: Result) =>
  'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
const goal = ({ target }: Result) =>
  'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;

const results: Result[] = [];
for (const [name, run] of Object.entries(all)) {
  if (wanted.length > 0 ? !wanted.includes(name) : name in onRequest) continue;
  console.log(`${name} …`);
  results.push(...(await run()));
}
console.log('\n| what | ratio | target | | figures |\n|---|---|---|---|---|');
for (const result of results) {
  console.log(
    `| ${result.what} | ${result.ratio.toFixed(2)} | ${goal(result)} | ${met(result) ? 'met' : 'MISSED'} | ${result.detail} |`,
  );
}
process.exit(results.every(met) ? 0 : 1);
