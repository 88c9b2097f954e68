// The stages of `npm test` and `npm run proofs`: runs a program, reads its report, and prints the
// sum with every failure by name at the end.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './memorydisk.ts';
import { isStale } from './node.mjs';

export interface Stage {
  name: string;
  run: (print: Print) => Promise<Count>;
}
/** Where a program writes: straight to the terminal, or kept until it has ended. */
type Print = 'now' | 'at the end';
export type Count = { passed: number; failed: number; failures?: string[] };
// Vitest's fields, then Playwright's. What failed and how is printed by each of them; the sum has the
// names.
type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
  stats: { expected: number; unexpected: number; flaky: number };
  suites: Suite[];
};
type Suite = { suites?: Suite[]; specs?: { file: string; title: string; ok: boolean }[] };

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = join(root, 'reports');
const minutes = 60_000;

/**
 * One group after another, the stages of a group side by side, `most` at once; a failure stops none
 * of them.
 */
export async function runStages(groups: Stage[][], most = Infinity): Promise<void> {
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const temporary = temporaryFolder();
  process.env['TMPDIR'] = temporary.path;
  const began = Date.now();
  const results: (Count & { name: string })[] = [];
  for (const group of groups) {
    const print = Math.min(group.length, most) > 1 ? 'at the end' : 'now';
    const waiting = group.values();
    // Each lane takes the next stage that no lane has taken.
    const lane = async () => {
      for (const stage of waiting) results.push(await timed(stage, print));
    };
    await Promise.all(Array.from({ length: Math.min(group.length, most) }, lane));
  }
  temporary.remove();
  for (const { name, failed, failures = failed > 0 ? [''] : [] } of results)
    for (const failure of failures) console.log(`\n${name} · ${failure}`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\n${secondsSince(began)} s in all`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

async function timed({ name, run }: Stage, print: Print): Promise<Count & { name: string }> {
  const began = Date.now();
  if (print === 'now') console.log(`\n──── ${name}`);
  const count = await run(print);
  const { passed, failed } = count;
  console.log(`──── ${name}: ${passed} passed, ${failed} failed (${secondsSince(began)} s)`);
  return { name, ...count };
}

const secondsSince = (began: number) => ((Date.now() - began) / 1000).toFixed(1);

/** A program that passes or fails as a whole. */
export const check = (name: string, program: string, args: string[], env = {}): Stage => ({
  name,
  run: async (print) => judge((await run(program, args, env, print)) === 0),
});

/** Tests of Vitest; `report` is the name of the file that says how they ended. */
export async function vitest(
  report: string,
  args: string[],
  { env = {}, print = 'now' }: { env?: Record<string, string>; print?: Print } = {},
): Promise<Count> {
  const file = join(reports, `${report}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const status = await run('vitest', ['run', ...reporters, ...args], env, print);
  return count(status, file, ({ numPassedTests, numFailedTests, testResults }) => ({
    passed: numPassedTests,
    failed: numFailedTests,
    failures: testResults
      .filter(({ status }) => status === 'failed')
      .map(({ name, assertionResults }) => {
        const failed = assertionResults.filter(({ status }) => status === 'failed');
        return `${name.slice(root.length)}${failed.map(({ fullName }) => `\n  ${fullName}`).join('')}`;
      }),
  }));
}

/** Tests of Playwright; the parts are in playwright.config.ts. */
export async function playwright(
  part: 'test' | 'short' | 'proof' | 'all',
  { filters = [], print = 'now' }: { filters?: string[]; print?: Print } = {},
): Promise<Count> {
  const report = join(reports, 'browser.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, BROWSER_PART: part };
  const status = await run('playwright', ['test', '--reporter=list,json', ...filters], env, print);
  return count(status, report, ({ stats, suites }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    failures: suites.flatMap(broken),
  }));
}

const broken = ({ suites = [], specs = [] }: Suite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file} · ${title}`),
  ...suites.flatMap(broken),
];

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

/** The web app, if a file of it changed. */
export const build: Stage = {
  name: 'build',
  run: async (print) => {
    if (!isStale(root)) return judge(true);
    const script = join(root, 'scripts/build.ts');
    return judge((await run(process.execPath, [script], {}, print)) === 0);
  },
};

function judge(good: boolean): Count {
  return good ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function run(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  print: Print = 'now',
): Promise<number> {
  const stdio = print === 'now' ? 'inherit' : 'pipe';
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', stdio, stdio],
    shell: process.platform === 'win32',
    // Far more than a slow machine needs: it ends only a runner that hangs.
    timeout: 10 * 60 * minutes,
  });
  const kept: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => kept.push(chunk));
  return new Promise((done) => {
    child.once('error', (error) => {
      console.log(String(error));
      done(1);
    });
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(kept));
      done(code ?? 1);
    });
  });
}
