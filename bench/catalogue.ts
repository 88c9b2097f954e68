// The catalogue against a bare node:http server with the same bytes, and against one database query
// per request.
import {
  alternate,
  figures,
  type Result,
  startBare,
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
  const bare = await startBare(rally.url + path, { 'accept-encoding': 'identity' });
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
