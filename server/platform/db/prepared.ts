// Statements that PostgreSQL parses and plans once per connection.
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';

/** Most that a connection keeps. Later ones, and those that come once, are planned each time. */
const most = 300;

/**
 * The pool for Kysely: a statement with values is prepared when its text comes again. PostgreSQL keeps
 * a plan that does not depend on the values if it expects it to cost no more than one made for them;
 * lists are written so that only one plan is possible (lists.ts).
 */
export function preparing(pool: Pool): PostgresPool {
  const once = new Set<string>();
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const name = names.get(text);
    if (name || names.size === most) return name;
    if (once.delete(text)) return names.set(text, `repeated ${names.size}`).get(text);
    if (once.size === most) once.clear();
    once.add(text);
    return undefined;
  };

  const clientOf = (client: PoolClient): PostgresPoolClient => ({
    query: (text: unknown, values?: readonly unknown[]) => {
      if (typeof text !== 'string') throw new Error('Rally reads no rows by cursor');
      const name = values?.length ? nameOf(text) : undefined;
      return client.query({ ...(name && { name }), text, values: [...(values ?? [])] }) as never;
    },
    release: (end) => client.release(end),
  });
  // Kysely knows a connection by its client.
  const clients = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client) ?? clientOf(client);
      clients.set(client, known);
      return known;
    },
    end: () => pool.end(),
    options: pool.options,
  };
}
