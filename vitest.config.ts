// How the unit, API and architecture tests run. NOT for: the browser's tests (playwright.config.ts).

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const postgres = join(import.meta.dirname, 'server/testing/postgres.ts');

export default defineConfig({
  test: {
    include: ['{contract,server,sandbox,web,test,scripts,bench,chaos}/**/*.test.{ts,tsx}'],
    // One PostgreSQL for all workers.
    globalSetup: existsSync(postgres) ? [postgres] : [],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
