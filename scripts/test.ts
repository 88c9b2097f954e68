// npm test: what a change must pass, with each browser test at one width; npm run proofs has the rest.
// `npm test -- WORD` runs only the tests whose path has the word; browser tests then run at both
// widths.

import { longProofs } from './proofs.list.ts';
import { build, check, playwright, runStages, type Stage, vitest } from './stages.ts';

const filters = process.argv.slice(2);

const format = check('format', 'oxfmt', ['--check']);
// Each file by its nearest tsconfig: what the browser runs has no types of Node.
// Collecting its garbage took an eighth of its time: it may take a fifth more memory.
const lint = check('lint and types', 'oxlint', ['--deny-warnings'], { GOGC: '400' });
const unit = (args: string[]): Stage => ({
  name: 'unit, API and architecture',
  run: (print) => vitest('unit', args, { print }),
});
const browser: Stage = {
  name: 'browser',
  run: (print) =>
    filters.length === 0 ? playwright('test', { print }) : playwright('all', { filters, print }),
};

if (filters.length === 0) {
  const without = longProofs.flatMap((file) => ['--exclude', file]);
  const built = Promise.withResolvers<void>();
  const first: Stage = { ...build, run: (print) => build.run(print).finally(built.resolve) };
  const afterBuild = ({ name, run }: Stage): Stage => ({
    name,
    run: (print) => built.promise.then(() => run(print)),
  });
  // Side by side: a journey mostly waits for the browser, and the others have the processors.
  await runStages([[format, first, lint, afterBuild(unit(without)), afterBuild(browser)]]);
} else if (filters.some((filter) => filter.includes('e2e'))) await runStages([[build], [browser]]);
else await runStages([[build], [unit(filters)]]);
