// Decides which errors mean that the database is down: no answer, shutting down, out of space or
// connections, overloaded, read-only, or migrated under a prepared statement.
import type { Client, Pool, PoolClient } from 'pg';

// SQLSTATE classes 08, 53, 57P0, 58 and XX, statement and lock timeout, deadlock, 25006 (read-only:
// a standby, or a demoted primary), 40001 (we use no serializable transactions, so a standby
// cancelled the query), and the error codes of sockets and DNS.
const codes =
  /^(08...|25006|53...|57P0.|57014|55P03|40P01|40001|58...|XX...|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const messages =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|pool after calling end|cached plan must not change/i;

export function isDatabaseAway(error: Error): boolean {
  return codes.test('code' in error ? String(error.code) : '') || messages.test(error.message);
}

/**
 * After these errors the server at the other end must not be used, even if it still answers reads.
 * After 0A000 the statements that the connection has prepared are those of an older schema.
 */
const endsConnection = /^(08...|25006|57P0.|40001|0A000)$/;

/**
 * Ends a connection after such an error, when it is returned to the pool. The pool then opens
 * another, which the load balancer leads to the new primary.
 */
export function dropAfterFailover(pool: Pool): void {
  const useless = new WeakSet<PoolClient>();
  pool.on('connect', (client) => {
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (endsConnection.test(code ?? '')) useless.add(client);
    });
  });
  // The pool discards an ended connection.
  pool.on('release', (_error, client) => {
    if (useless.has(client)) void (client as PoolClient & { end(): Promise<void> }).end();
  });
}

/** Refuses a new connection to a standby, whose rows may be old, or to a silent server. */
export async function refuseStandby(client: Client | PoolClient): Promise<void> {
  const silent = setTimeout(() => client.connection.stream.destroy(), 5_000);
  try {
    const { rows } = await client.query<{ standby: boolean }>(
      'select pg_is_in_recovery() as standby',
    );
    if (rows[0]?.standby)
      throw Object.assign(new Error('The database server is a standby'), { code: '25006' });
  } finally {
    clearTimeout(silent);
  }
}
