// Statements that PostgreSQL parses and plans once per connection: `prepare` for frequent reads, which
// are not built anew either, `preparing` for every other statement.
import type { CompiledQuery, Kysely, PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { DB } from './schema.ts';
import { assertOutsideTransaction } from './transaction.ts';

/** The name is unique among all prepared statements. The arguments are used as values only. */
export type Prepare = <Args extends unknown[], Row>(
  name: string,
  build: (...args: Args) => { compile: (db: Kysely<DB>) => CompiledQuery<Row> },
) => (...args: Args) => Promise<Row[]>;

export function createPrepare(pool: Pool, db: Kysely<DB>): Prepare {
  return (name, build) => {
    // Built with one object for each argument, to learn where each value goes.
    const marks: object[] = Array.from({ length: build.length }, () => ({}));
    const { sql: text, parameters } = build(...(marks as Parameters<typeof build>)).compile(db);
    const places = parameters.map((parameter) => marks.indexOf(parameter as object));
    let columns: string[] | undefined;
    return async (...args) => {
      assertOutsideTransaction(name);
      const values = places.map((place, nth) => (place < 0 ? parameters[nth] : args[place]));
      const { rows, fields } = await pool.query<unknown[]>({
        name,
        text,
        values,
        rowMode: 'array',
      });
      columns ??= fields.map((field) => camelCase(field.name));
      return rows.map((row) => named(row, columns as string[]) as never);
    };
  };
}

/**
 * Most that a connection keeps. Statements that come later, and those that come once, are planned each
 * time.
 */
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

/** Faster than Object.fromEntries, and the rows have one shape. */
function named(row: unknown[], columns: string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (let n = 0; n < columns.length; n++) found[columns[n] as string] = row[n];
  return found;
}

/** As the columns of every other statement are named (connection.ts). */
const camelCase = (column: string) =>
  column.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
