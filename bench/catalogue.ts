// The catalogue against a bare node:http server with the same bytes, and against one database query
// per request.
import {
  alternate,
  type Result,
  startDatabase,
  startProcess,
  startRally,
  throughput,
} from './harness.ts';

const path = '/api/classes?status=approved';

export async function catalogue({ seconds = 4, rounds = 6 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const database = await server.database('catalogue');
  const env = { DATABASE_URL: database.url, DATA_DIR: server.dataDir };
  const rally = await startRally(env);
  // The first response comes through Fastify; the cached one is measured.
  await fetch(rally.url + path);
  const answer = await fetch(rally.url + path, plain);
  const headers = Object.fromEntries(
    [...answer.headers].filter(
      ([name]) => !/^(connection|keep-alive|date|content-length|transfer-encoding)$/.test(name),
    ),
  );
  const bare = await startProcess(
    'bench/rivals.ts',
    { BENCH_ANSWER: JSON.stringify({ body: await answer.text(), headers }) },
    ['bare'],
  );
  const [ours, theirs] = [await namesOf(rally.url), await namesOf(bare.url)];
  if (ours !== theirs)
    throw new Error(`The rival sends other headers: ${theirs} instead of ${ours}`);
  const query = await startProcess('bench/rivals.ts', { DATABASE_URL: database.url }, ['query']);
  try {
    for (const { url } of [rally, bare, query]) await throughput(url + path, 2);
    const againstBare = await alternate(
      rounds,
      () => throughput(rally.url + path, seconds),
      () => throughput(bare.url + path, seconds),
    );
    const againstQuery = await alternate(
      rounds,
      () => throughput(rally.url + path, seconds),
      () => throughput(query.url + path, seconds),
    );
    return [
      {
        what: 'catalogue / bare node:http, same bytes',
        ratio: againstBare.ratio,
        target: { atLeast: 0.8 },
        detail: figures(againstBare),
      },
      {
        what: 'catalogue / Fastify with one query per request',
        ratio: againstQuery.ratio,
        target: { atLeast: 3 },
        detail: figures(againstQuery),
      },
    ];
  } finally {
    await Promise.all([rally.stop(), bare.stop(), query.stop()]);
    await server.stop();
  }
}

const plain = { headers: { 'accept-encoding': 'identity' } };
const namesOf = async (url: string) =>
  [...(await fetch(url + path, plain)).headers.keys()].join(', ');

const figures = ({ one, other }: { one: number; other: number }) =>
  `${Math.round(one)} against ${Math.round(other)} requests/s`;
