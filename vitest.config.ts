// How the unit, API and architecture tests run.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest on a quiet machine. */
const longest = `
  access account admin chores confirmation early failover fuzz guesses leaving.mails lines model
  open.failures routes secondfactor send sendmail wait`
  .trim()
  .split(/\s+/);
const long = new RegExp(`/(${longest.join('|')})\\.test`);
const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId);

const isPage = ({ moduleId }: TestSpecification) =>
  readFileSync(moduleId, 'utf8').includes('@vitest-environment');

const order = (file: TestSpecification) => (isLong(file) ? 0 : isPage(file) ? 2 : 1);

/**
 * Those that take longest begin first: begun last, one of them would run alone for a minute while
 * the other workers have nothing to do. Those with a page of their own (`@vitest-environment`) come
 * last: a worker ends when the next file has another environment, and the next worker loads the app
 * again.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files.toSorted((one, other) => order(one) - order(other));
  }
}

const postgres = join(import.meta.dirname, 'server/testing/postgres.ts');

export default defineConfig({
  test: {
    include: ['{contract,server,packages,web,checks,scripts}/**/*.test.{ts,tsx}'],
    // One PostgreSQL for all workers.
    globalSetup: existsSync(postgres) ? [postgres] : [],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // A worker loads the app once for all its files: loading took a third of the time.
    isolate: false,
    setupFiles: ['server/testing/leftovers.ts'],
    // One more than the cores of a small machine: much of the time is waiting.
    maxWorkers: 4,
    // The usual times are too short for a busy machine with a slow disk.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
  },
});
