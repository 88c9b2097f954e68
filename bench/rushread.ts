// The catalogue while 500 seats a second are claimed, against the catalogue at rest.
import {
  alternate,
  figures,
  perCpuSecond,
  type Result,
  startDatabase,
  startRally,
  throughput,
} from './harness.ts';
import { claimScript } from './claims.ts';
import { fill, findPgbench, pgbench, withoutPgbench } from './pgbench.ts';

const path = '/api/classes?status=approved';
const what = 'catalogue while 500 seats a second are claimed / at rest';
const target = { atLeast: 0.8 };
const students = 100_000;

export async function rushRead({ seconds = 4, rounds = 6 } = {}): Promise<Result[]> {
  const program = await findPgbench();
  if (!program) return [withoutPgbench(what, target)];
  const server = await startDatabase();
  const database = await server.database('rushread');
  const rally = await startRally({ DATABASE_URL: database.url, DATA_DIR: server.dataDir });
  try {
    await database.query(fill(students, 30));
    const atRest = () => throughput(rally.url + path, seconds);
    const cheap = () => perCpuSecond([rally.pid], rally.url + path, seconds);
    const claimed: number[] = [];
    const inRush = (measure: () => Promise<number>) => async () => {
      const script = claimScript(30, students);
      const rush = pgbench(program, { url: database.url, folder: server.dataDir, script }, [
        '-c',
        '2',
        '-R',
        '500',
        '-T',
        String(seconds + 1),
      ]);
      const [rate, claims] = await Promise.all([measure(), rush]);
      claimed.push(claims);
      return rate;
    };
    await atRest();
    const run = await alternate(rounds, inRush(atRest), atRest);
    const thrift = await alternate(rounds, inRush(cheap), cheap);
    const slowest = Math.round(Math.min(...claimed));
    return [
      {
        what,
        ratio: run.ratio,
        target,
        detail: `${figures(run)}; at least ${slowest} claims/s`,
      },
      {
        what: `${what}, by CPU time of Rally`,
        ratio: thrift.ratio,
        target,
        detail: figures(thrift, 'requests for a second of CPU time'),
      },
    ];
  } finally {
    await rally.stop();
    await server.stop();
  }
}
