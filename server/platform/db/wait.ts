// Waits for the database at the start of a process. A database that goes down later: away.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { isDatabaseAway, refuseStandby } from './away.ts';

const retrySeconds = 5;

/** The database answered and refuses us: waiting does not help. */
export class DatabaseRefusal extends Error {}

/** Resolves when the database takes connections and writes, rejects when it refuses us. */
export async function waitForDatabase(
  url: string,
  { log, signal }: { log: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const place = placeOf(url);
  for (;;) {
    const problem = await tryOnce(url, signal);
    signal.throwIfAborted();
    if (problem === null) return;
    const { code, message } = problem;
    if (!isDatabaseAway(problem))
      throw new DatabaseRefusal(`The database at ${place} refuses us: ${message}`);
    log(
      `The database at ${place} does not answer (${code ?? message}); trying again in ${retrySeconds} s`,
    );
    await sleep(retrySeconds * 1_000, undefined, { signal });
  }
}

function placeOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? hostname}:${port || 5_432}`;
}

async function tryOnce(
  url: string,
  signal: AbortSignal,
): Promise<(Error & { code?: string }) | null> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  const giveUp = () => client.connection.stream.destroy();
  signal.addEventListener('abort', giveUp);
  try {
    await client.connect();
    await refuseStandby(client);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    signal.removeEventListener('abort', giveUp);
    void client.end().catch(() => undefined);
  }
}
