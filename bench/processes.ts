// Two processes against one on the catalogue. The load comes from wrk, which uses the same cores. A
// process and its wrk are pinned to one core, in both runs. Unpinned, a single process would have
// one core and its clients the other, which two processes do not have. Both results are printed;
// the pinned one has the target.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { alternate, type Result, type Running, startDatabase, startRally } from './harness.ts';

const path = '/api/classes?status=approved';
const run = promisify(execFile);
const what = 'catalogue, two processes / one';
const target = { atLeast: 1.6 };

export async function processes({ seconds = 4, rounds = 6 } = {}): Promise<Result[]> {
  if (!(await isThere('wrk')) || !(await isThere('taskset'))) {
    const detail = 'not measured: wrk or taskset is not on this machine (Debian: wrk, util-linux)';
    return [{ what, ratio: Number.NaN, target, detail }];
  }
  const server = await startDatabase();
  const { url } = await server.database('processes');
  const env = { DATABASE_URL: url, DATA_DIR: server.dataDir };
  const rallies = [await startRally(env), await startRally(env)];
  const rate = async (asked: Running[], pinned: boolean) => {
    const each = { seconds, connections: 32 / asked.length };
    const rates = asked.map((rally, core) =>
      throughput(rally.url + path, { ...each, ...(pinned && { core }) }),
    );
    return (await Promise.all(rates)).reduce((sum, one) => sum + one, 0);
  };
  const measure = async (pinned: boolean) => {
    await rate(rallies, pinned);
    return alternate(
      rounds,
      () => rate(rallies, pinned),
      () => rate(rallies.slice(0, 1), pinned),
    );
  };
  try {
    const free = await measure(false);
    for (const [core, { pid }] of rallies.entries())
      await run('taskset', ['-acp', String(core), String(pid)]);
    const { ratio, one, other } = await measure(true);
    const unpinned = `unpinned ${free.ratio.toFixed(2)}: ${Math.round(free.one)} against ${Math.round(free.other)}`;
    const detail = `${Math.round(one)} against ${Math.round(other)} requests/s (${unpinned})`;
    return [{ what, ratio, target, detail }];
  } finally {
    await Promise.all(rallies.map((rally) => rally.stop()));
    await server.stop();
  }
}

const isThere = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    // wrk prints its version and exits with 1.
    (error: unknown) => error instanceof Error && 'code' in error && error.code !== 'ENOENT',
  );

async function throughput(
  url: string,
  load: { seconds: number; connections: number; core?: number },
) {
  const wrk = ['wrk', '-t1', `-c${load.connections}`, `-d${load.seconds}s`, url];
  const [program = '', ...args] =
    load.core === undefined ? wrk : ['taskset', '-c', String(load.core), ...wrk];
  const { stdout } = await run(program, args);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}
