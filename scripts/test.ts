// npm test: what a change must pass. It has the short forms of the model and the fuzzer, and each browser
// test at one width; npm run proofs has the rest.
// `npm test -- WORD` runs only the tests whose path has the word; browser tests then run at both
// widths.

import { longProofs } from './proofs.list.ts';
import { build, check, playwright, runStages, type Stage, vitest } from './stages.ts';

const filters = process.argv.slice(2);

const checks = [
  check('format', 'oxfmt', ['--check']),
  // Each file by its nearest tsconfig: what the browser runs has no types of Node.
  check('lint and types', 'oxlint', ['--deny-warnings']),
  build,
];
const without = longProofs.flatMap((file) => ['--exclude', file]);
const unit = (args: string[]): Stage => ({
  name: 'unit, API and architecture',
  run: () => vitest('unit', args),
});
const browser: Stage = {
  name: 'browser',
  run: () => (filters.length === 0 ? playwright('test') : playwright('all', { filters })),
};

if (filters.length === 0) await runStages([checks, [unit(without)], [browser]]);
else if (filters.some((filter) => filter.includes('e2e'))) await runStages([[build], [browser]]);
else await runStages([[build], [unit(filters)]]);
