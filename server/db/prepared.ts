// Statements of frequent reads: parsed and planned once per connection. `prepare` is for statements
// whose text never changes, `repeat` for those whose text is one of few.
import type { CompiledQuery, Kysely } from 'kysely';
import type { Pool } from 'pg';
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
 * PostgreSQL keeps a plan that does not depend on the values if it expects it to cost no more than one
 * made for them. Use it where a wrong expectation does little harm: on lists with few possible plans.
 */
export type Repeat = <Row>(statement: { compile: () => CompiledQuery<Row> }) => Promise<Row[]>;

/** Each is kept by every connection. What is asked later is planned at every request. */
const texts = 30;

export function createRepeat(pool: Pool): Repeat {
  const names = new Map<string, string>();
  return async (statement) => {
    assertOutsideTransaction('repeat');
    const { sql: text, parameters } = statement.compile();
    if (!names.has(text) && names.size < texts) names.set(text, `repeated ${names.size}`);
    const name = names.get(text);
    const { rows, fields } = await pool.query<unknown[]>({
      ...(name && { name }),
      text,
      values: [...parameters],
      rowMode: 'array',
    });
    const columns = fields.map((field) => camelCase(field.name));
    return rows.map((row) => named(row, columns) as never);
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
