// Two processes against one on the catalogue. The load comes from wrk, which takes little of the cores that are to be measured.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { alternate, type Result, startDatabase, startRally } from './harness.ts';

const path = '/api/classes?status=approved';
const run = promisify(execFile);

export async function processes({ seconds = 4, rounds = 6 } = {}): Promise<Result[]> {
  if (!(await hasWrk())) {
    console.log('  wrk is not on this machine (Debian: wrk); two processes are not measured');
    return [];
  }
  const server = await startDatabase();
  const { url } = await server.database('processes');
  const env = { DATABASE_URL: url, DATA_DIR: server.dataDir };
  const rallies = [await startRally(env), await startRally(env)];
  const [first] = rallies.map((rally) => rally.url);
  const all = rallies.map((rally) => rally.url);
  const rate = async (doors: string[]) => {
    const rates = await Promise.all(
      doors.map((door) => throughput(door + path, { seconds, connections: 32 / doors.length })),
    );
    return rates.reduce((sum, one) => sum + one, 0);
  };
  try {
    await rate(all);
    const { ratio, one, other } = await alternate(
      rounds,
      () => rate(all),
      () => rate([first ?? '']),
    );
    const detail = `${Math.round(one)} against ${Math.round(other)} requests/s`;
    return [{ what: 'catalogue, two processes / one', ratio, target: { atLeast: 1.6 }, detail }];
  } finally {
    await Promise.all(rallies.map((rally) => rally.stop()));
    await server.stop();
  }
}

const hasWrk = () =>
  run('wrk', ['--version']).then(
    () => true,
    // It says its version and ends with 1.
    (error: unknown) => error instanceof Error && 'code' in error && error.code !== 'ENOENT',
  );

async function throughput(url: string, { seconds, connections }: { seconds: number; connections: number }) {
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, url]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}
