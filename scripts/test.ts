// npm test: what a change must pass, in 6 minutes on 2 cores. The short forms of the model and the
// fuzzer are among it; the other proofs are not (npm run proofs).
// NOT for: the checks themselves. `npm test -- WORD` runs the tests whose path has the word, and
// nothing else.

import { join } from 'node:path';
import { longProofs } from './proofs.list.ts';
import { check, judge, playwright, root, run, runStages, type Stage, vitest } from './stages.ts';
import { isStale } from './stale.mjs';

const filters = process.argv.slice(2);

const build: Stage = {
  name: 'build',
  run: async (print) => {
    if (!isStale(root)) return judge(true);
    const script = join(root, 'scripts/build.ts');
    return judge((await run(process.execPath, [script], {}, print)) === 0);
  },
};
const checks = [
  check('format', 'oxfmt', ['--check']),
  check('lint', 'oxlint', ['--deny-warnings']),
  check('types', 'tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', '.cache/types.json']),
  build,
];
const without = longProofs.flatMap((file) => ['--exclude', file]);
const unit = (args: string[]): Stage => ({
  name: 'unit, API and architecture',
  run: () => vitest('unit', args),
});
const browser: Stage = { name: 'browser', run: () => playwright(filters) };

if (filters.length === 0) await runStages([checks, [unit(without)], [browser]]);
else if (filters.some((filter) => filter.includes('e2e'))) await runStages([[build], [browser]]);
else await runStages([[unit(filters)]]);
