// The served page `/` against a bare node:http server that sends the same bytes and headers: plain,
// and compressed as for a browser.
import {
  alternate,
  figures,
  type Result,
  startBare,
  startDatabase,
  startRally,
  throughput,
} from './harness.ts';

export async function pages({ seconds = 4, rounds = 6 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const database = await server.database('pages');
  const rally = await startRally({ DATABASE_URL: database.url, DATA_DIR: server.dataDir });
  const results: Result[] = [];
  try {
    for (const encoding of ['identity', 'gzip, deflate, br']) {
      const headers = { 'accept-encoding': encoding };
      // The first request renders the page; a kept one is measured.
      await throughput(rally.url, 2, { headers });
      const bare = await startBare(rally.url, headers);
      try {
        await throughput(bare.url, 2, { headers });
        const run = await alternate(
          rounds,
          () => throughput(rally.url, seconds, { headers }),
          () => throughput(bare.url, seconds, { headers }),
        );
        results.push({
          what: `page / with Accept-Encoding ${encoding} / bare node:http, same bytes`,
          ratio: run.ratio,
          target: { atLeast: 0.5 },
          detail: figures(run),
        });
      } finally {
        await bare.stop();
      }
    }
    return results;
  } finally {
    await rally.stop();
    await server.stop();
  }
}
