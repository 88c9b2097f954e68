// The database handle: a pool, Kysely on top of it, and transactions.
import { Socket } from 'node:net';
import {
  CamelCasePlugin,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  type Selectable,
  sql,
  type KyselyPlugin,
  type Transaction,
} from 'kysely';
import { DatabaseError, Pool, type PoolClient, types } from 'pg';
import { preparing } from './prepared.ts';
import { dropAfterFailover, refuseStandby } from './away.ts';
import type { DB } from './schema.ts';
import { inTransaction, insideTransaction } from './transaction.ts';
import { createFrame, type Frame } from './write.ts';

export type Db = Kysely<DB> | Transaction<DB>;

/** Columns of a table as a SELECT answers them: RowOf<'hold', 'id' | 'state'>. */
export type RowOf<Table extends keyof DB, Column extends keyof Selectable<DB[Table]>> = Pick<
  Selectable<DB[Table]>,
  Column
>;

type Tag<Answer> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Answer>;

/** A statement as a tag of its handle: query<Row>(db)`select …`. */
export const query =
  <Row>(db: Db): Tag<Row[]> =>
  async (...statement) =>
    (await sql<Row>(...statement).execute(db)).rows;

export const queryOne =
  <Row>(db: Db): Tag<Row | null> =>
  async (...statement) =>
    (await query<Row>(db)(...statement))[0] ?? null;

/** Whether the statement finds a row. */
export const exists =
  (db: Db): Tag<boolean> =>
  async (...statement) =>
    (await query(db)(...statement)).length > 0;

export const execute =
  (db: Db): Tag<number> =>
  async (...statement) =>
    Number((await sql(...statement).execute(db)).numAffectedRows ?? 0n);

export interface Database extends Frame {
  /** For single statements. It throws inside a transaction, which has a handle of its own. */
  db: Kysely<DB>;
  /** `work` only writes to the database: after a deadlock it is done again. */
  transaction: <T>(work: (db: Transaction<DB>) => Promise<T>) => Promise<T>;
  pool: Pool;
  close: () => Promise<void>;
}

/** `_id` stays, so that a row can be the answer. */
class ColumnNames extends CamelCasePlugin {
  protected override camelCase(name: string): string {
    return name === '_id' ? name : super.camelCase(name);
  }
}

/** As an answer: what a row does not have is absent, not null. */
export const withoutNulls = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;

/** A time as answers have it. */
export const instant = (time: RawBuilder<unknown>) =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// bigint (counts, sums of cents) as a number: all our values are far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

const refuseInsideTransaction: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (inTransaction()) throw new Error('The outer database handle was used inside a transaction');
    return node;
  },
  transformResult: ({ result }) => Promise.resolve(result),
};

/** One hot class sells faster with ten connections than with a hundred. */
export function connect(url: string, { poolSize = 10, patience = 1, tries = 3 } = {}): Database {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000 * patience,
    idleTimeoutMillis: 30_000,
    options: `-c lock_timeout=${3 * patience}s -c statement_timeout=${5 * patience}s -c idle_in_transaction_session_timeout=${10 * patience}s -c timezone=UTC -c pg_trgm.word_similarity_threshold=0.4`,
    application_name: 'rally',
    // pg takes a callback here.
    // oxlint-disable-next-line promise/no-callback-in-promise
    verify: (client, done) => void refuseStandby(client).then(() => done(), done),
  });
  // An idle connection that dies is replaced. Without a listener the error would end the process.
  pool.on('error', () => {});
  // The same for a busy connection: its query fails, which is how we learn of it.
  pool.on('connect', (client) => void client.on('error', () => {}));
  dropAfterFailover(pool);
  endSilence(pool, silenceMs * patience);
  const base = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: preparing(pool) }),
    plugins: [new ColumnNames()],
  });
  const close = async () => {
    await base.destroy();
  };
  const run = <T>(work: (db: Transaction<DB>) => Promise<T>, left = tries): Promise<T> =>
    base
      .transaction()
      .execute((db) => insideTransaction(() => work(db)))
      .catch((error: unknown) => {
        if (left > 1 && isDeadlock(error)) return run(work, left - 1);
        throw error;
      });
  const transaction: Database['transaction'] = (work) => {
    if (inTransaction()) throw new Error('A transaction was started inside a transaction');
    return run(work);
  };
  return {
    db: base.withPlugin(refuseInsideTransaction),
    transaction,
    ...createFrame(transaction),
    pool,
    close,
  };
}

/** PostgreSQL has undone this transaction, so that another one goes on. */
const isDeadlock = (error: unknown) => error instanceof DatabaseError && error.code === '40P01';

/** Longer than statement_timeout. */
const silenceMs = 6_000;

/** A server may vanish without closing its connections: the waiting query fails. */
function endSilence(pool: Pool, ms: number): void {
  const busy = new Set<PoolClient>();
  pool.on('acquire', (client) => void busy.add(client));
  pool.on('release', (_error, client) => void busy.delete(client));
  pool.on('connect', (client) => {
    const { stream } = client.connection;
    if (stream instanceof Socket) stream.setTimeout(ms, () => busy.has(client) && stream.destroy());
  });
}

export { sql };
