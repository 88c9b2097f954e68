// npm run mutate [-- part …]: do the tests notice when the code is wrong? Stryker changes one thing
// at a time where a mistake costs money or grants access, and runs the tests that should object.
// It brings 160 packages with it, so it is installed in a copy of the project and only for those
// who ask. Prints the score of each part and what survived.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const version = '10.1.1';
const atLeast = 90;
const features = (...names: string[]) => names.map((name) => `server/features/${name}.ts`);
const testsOf = (...names: string[]) => names.map((name) => `server/features/${name}.test.ts`);

/** What is changed, and who should object. */
const parts: Record<string, { code: string[]; tests: string[] }> = {
  rules: { code: ['contract/rules.ts'], tests: ['contract/rules.test.ts'] },
  pricing: { code: ['contract/pricing.ts'], tests: ['contract/pricing.test.ts'] },
  seats: {
    code: features('checkout/seats/counters', 'checkout/seats/claim', 'checkout/seats/grant'),
    tests: testsOf('checkout/seats/counters', 'checkout/seats/claim'),
  },
  holds: {
    code: features('checkout/seats/holds', 'checkout/seats/release'),
    tests: testsOf('checkout/seats/holds', 'checkout/seats/holds.rows', 'checkout/seats/release'),
  },
  settle: {
    code: features('checkout/payments/settle', 'checkout/payments/rows'),
    tests: testsOf('checkout/payments/settle', 'checkout/payments/rows'),
  },
  access: { code: ['server/http/on.ts'], tests: ['server/http/on.test.ts'] },
  tokens: { code: features('identity/tokens'), tests: testsOf('identity/tokens') },
};

/**
 * Tells of each survivor at once; Stryker's own reporters do at the end, which may be an hour away.
 */
const survivors = `
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
const told = {
  onMutantTested: ({ status, fileName, location, replacement, mutatorName }) => {
    if (status === 'Survived' || status === 'NoCoverage')
      console.log(\`\${status}: \${fileName}:\${location.start.line} \${mutatorName} → \${replacement}\`);
  },
};
export const strykerPlugins = [declareValuePlugin(PluginKind.Reporter, 'survivors', told)];
`;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(
    `There is no part called ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`,
  );
  process.exit(2);
}

const root = join(import.meta.dirname, '..');
const copy = mkdtempSync(join(tmpdir(), 'rally-mutate-'));
const left = new Set(['.git', '.data', '.cache', 'dist', 'test-results', 'e2e']);
try {
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(path.slice(root.length + 1)) });
  run('npm', [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    ...packages(),
  ]);
  writeFileSync(join(copy, 'survivors.mjs'), survivors);
  const missed: string[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    if (!(await mutate(name, part))) missed.push(name);
  }
  console.log(
    missed.length > 0
      ? `Below ${atLeast} %: ${missed.join(', ')}`
      : `Every part has at least ${atLeast} %`,
  );
  process.exitCode = missed.length > 0 ? 1 : 0;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function packages(): string[] {
  return ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${version}`);
}

function run(file: string, args: string[]): void {
  const { status } = spawnSync(file, args, { cwd: copy, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${file} ended with ${status}`);
}

async function mutate(
  name: string,
  { code, tests }: { code: string[]; tests: string[] },
): Promise<boolean> {
  console.log(`\n── ${name}`);
  writeFileSync(
    join(copy, `vitest.${name}.config.ts`),
    // A claim that is never answered need not be waited for as long as on a bad day.
    `import base from './vitest.config.ts';\nexport default { ...base, test: { ...base.test, testTimeout: 12_000, include: ${JSON.stringify(tests)} } };\n`,
  );
  writeFileSync(
    join(copy, `stryker.${name}.json`),
    JSON.stringify({
      testRunner: 'vitest',
      mutate: code,
      // A process for every file, as in npm test: what a test that failed left open ends with it.
      vitest: { configFile: `vitest.${name}.config.ts`, related: false, pool: 'forks' },
      coverageAnalysis: 'perTest',
      concurrency: 1,
      timeoutMS: 60_000,
      thresholds: { high: 95, low: atLeast, break: atLeast },
      plugins: ['@stryker-mutator/*', join(copy, 'survivors.mjs')],
      reporters: ['clear-text', 'progress-append-only', 'survivors'],
      clearTextReporter: { reportTests: false, allowColor: false },
      // TypeScript 7 has no programming interface; nothing of it is needed.
      tsconfigFile: 'none.json',
      disableTypeChecks: false,
    }),
  );
  const stryker = join(copy, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const child = spawn(process.execPath, [stryker, 'run', `stryker.${name}.json`], {
    cwd: copy,
    stdio: 'inherit',
  });
  return new Promise((done) => child.once('exit', (status) => done(status === 0)));
}
