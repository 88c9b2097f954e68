// npm test: every check in turn, none left out because an earlier one failed, then one line with
// the sum.
// NOT for: the checks themselves. `npm test -- WORD` runs the tests whose path has the word, and
// nothing else.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './stale.mjs';

type Count = { passed: number; failed: number; failures?: string[] };
// Vitest's fields, then Playwright's.
type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
  stats: { expected: number; unexpected: number; flaky: number };
  suites: Suite[];
};
type Suite = {
  suites?: Suite[];
  specs?: {
    file: string;
    title: string;
    ok: boolean;
    tests: { projectName: string; results: { error?: { message: string } }[] }[];
  }[];
};

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, 'reports');
const filters = process.argv.slice(2);
const minutes = 60_000;

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const sum = { passed: 0, failed: 0 };
const failures: string[] = [];
for (const step of steps()) {
  const began = Date.now();
  console.log(`\n──── ${step.name}`);
  const { passed, failed, failures: named = failed > 0 ? [''] : [] } = await step.run();
  console.log(
    `──── ${step.name}: ${passed} passed, ${failed} failed (${((Date.now() - began) / 1000).toFixed(1)} s)`,
  );
  sum.passed += passed;
  sum.failed += failed;
  failures.push(...named.map((failure) => `${step.name} · ${failure}`));
}
// Once more at the end, where whoever sees only the last lines sees them.
for (const failure of failures) console.log(`\n${failure}`);
console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1;

function steps(): { name: string; run: () => Promise<Count> }[] {
  const format = { name: 'format', run: () => check('oxfmt', ['--check']) };
  const lint = { name: 'lint', run: () => check('oxlint', ['--deny-warnings']) };
  const types = { name: 'types', run: () => check('tsc', ['--noEmit']) };
  const build = { name: 'build', run: buildOnce };
  const unit = { name: 'unit, API and architecture', run: vitest };
  const browser = { name: 'browser', run: playwright };
  if (filters.length === 0) return [format, lint, types, build, unit, browser];
  return filters.some((filter) => filter.includes('e2e')) ? [build, browser] : [unit];
}

async function check(program: string, args: string[]): Promise<Count> {
  return judge((await run(program, args)) === 0);
}

async function buildOnce(): Promise<Count> {
  if (!isStale(root)) return judge(true);
  return judge((await run(process.execPath, [join(root, 'scripts/build.ts')])) === 0);
}

async function vitest(): Promise<Count> {
  const report = join(reports, 'unit.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const status = await run('vitest', ['run', ...reporters, ...filters]);
  return count(status, report, ({ numPassedTests, numFailedTests, testResults }) => ({
    passed: numPassedTests,
    failed: numFailedTests,
    failures: testResults.flatMap(({ name, message, assertionResults }) => [
      ...(message ? [`${name.slice(root.length)}: ${opening(message)}`] : []),
      ...assertionResults
        .filter(({ status }) => status === 'failed')
        .map(
          ({ fullName, failureMessages }) => `${fullName}: ${opening(failureMessages.join('\n'))}`,
        ),
    ]),
  }));
}

async function playwright(): Promise<Count> {
  const report = join(reports, 'browser.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const status = await run('playwright', ['test', '--reporter=list,json', ...filters], env);
  return count(status, report, ({ stats, suites }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    failures: suites.flatMap(broken),
  }));
}

function broken({ suites = [], specs = [] }: Suite): string[] {
  const here = specs
    .filter(({ ok }) => !ok)
    .flatMap(({ file, title, tests }) =>
      tests.map(({ projectName, results }) => {
        const said = results.map(({ error }) => error?.message ?? '').join('\n');
        return `${projectName} · ${file} · ${title}: ${opening(said)}`;
      }),
    );
  return [...here, ...suites.flatMap(broken)];
}

function opening(message: string): string {
  const ours = message.split('\n').filter((line) => !line.includes('node_modules'));
  return ours.slice(0, 12).join('\n');
}

// What a runner says of itself is believed only as far as its exit code and its report agree, and
// never if it ran nothing.
function count(status: number, report: string, read: (found: Report) => Count): Count {
  let found: Count = { passed: 0, failed: 0 };
  try {
    found = read(JSON.parse(readFileSync(report, 'utf8')) as Report);
  } catch {
    console.log('No report was written: the runner crashed.');
  }
  if (found.passed + found.failed === 0) console.log('Not one test ran: that counts as a failure.');
  const sound = found.passed > 0 && (status === 0) === (found.failed === 0);
  return sound ? found : { ...found, failed: Math.max(found.failed, 1) };
}

function judge(good: boolean): Count {
  return good ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function run(
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<number> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    // Far more than a slow machine needs: it ends only a runner that hangs.
    timeout: 40 * minutes,
  });
  return new Promise((done) => {
    child.once('error', (error) => {
      console.log(String(error));
      done(1);
    });
    child.once('exit', (code) => done(code ?? 1));
  });
}
