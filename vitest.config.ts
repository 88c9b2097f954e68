// How the unit, API and architecture tests run.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Those that start processes or wait begin first, then the longer files: begun last, one of them would
 * run alone while the other workers have nothing to do. Those with a page of their own
 * (`@vitest-environment`) come last: a worker ends when the next file has another environment, and the
 * next worker loads the app again.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const weights = new Map(files.map((file) => [file, weightOf(file)]));
    return files.toSorted((one, other) => (weights.get(other) ?? 0) - (weights.get(one) ?? 0));
  }
}

function weightOf({ moduleId }: TestSpecification): number {
  const text = readFileSync(moduleId, 'utf8');
  if (text.includes('@vitest-environment')) return 0;
  const waits = /\/(processes|wire|smtp|squatted)\.ts'|node:child_process|setTimeout/.test(text);
  return text.length + (waits ? 1_000_000 : 0);
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
    // Room for what a test leaves behind: collecting it took a sixth of a worker's time.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: ['server/testing/leftovers.ts'],
    // One more than the cores of a small machine: much of the time is waiting.
    maxWorkers: 4,
    // The usual times are too short for a busy machine with a slow disk.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
  },
});
