import { afterAll, describe, expect, inject, it } from 'vitest';
import { connect, sql } from './connection.ts';

// One connection, so that its prepared statements can be seen.
const database = connect(inject('postgres'), { poolSize: 1 });
afterAll(() => database.close());

const between = database.prepare(
  'numbers between',
  (from: number, to: number, text: string) => sql<{ aNumber: number; someText: string }>`
    select n as a_number, ${text}::text as some_text from generate_series(${from}::int, ${to}::int) n
    where n between ${from}::int and ${to}::int and n <> ${13}::int`,
);

it('puts every value in its places, also one that is used twice and one that is always the same', async () => {
  expect(await between(12, 14, 'x')).toEqual([
    { aNumber: 12, someText: 'x' },
    { aNumber: 14, someText: 'x' },
  ]);
  expect(await between(5, 4, 'x')).toEqual([]);
});

it('takes a value as a value, whatever it contains', async () => {
  const text = `'; drop table class; -- $1`;
  expect(await between(1, 1, text)).toEqual([{ aNumber: 1, someText: text }]);
});

it('is prepared once on a connection', async () => {
  for (let turn = 0; turn < 3; turn++) await between(1, 2, 'x');
  const { rows } = await database.pool.query(
    'select name, generic_plans + custom_plans as plans from pg_prepared_statements',
  );
  expect(rows).toEqual([{ name: 'numbers between', plans: expect.any(Number) }]);
});

const listed = (columns: number, from: number) => {
  const named = Array.from({ length: columns }, (_, n) => sql.raw(`n as "column_${n}"`));
  return {
    compile: () =>
      sql<Record<string, number>>`
        select ${sql.join(named)} from generate_series(${from}::int, 3) n`.compile(database.db),
  };
};
const prepared = async () => {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_prepared_statements where name like 'repeated %'`,
  );
  return rows[0]?.n;
};

describe('a statement that is built for each request', () => {
  it('is prepared once for each text, whatever its values', async () => {
    expect(await database.repeat(listed(1, 2))).toEqual([{ column0: 2 }, { column0: 3 }]);
    expect(await database.repeat(listed(1, 3))).toEqual([{ column0: 3 }]);
    expect(await database.repeat(listed(2, 3))).toEqual([{ column0: 3, column1: 3 }]);
    expect(await prepared()).toBe(2);
  });

  it('gets a name of its own also when several are asked at once', async () => {
    const answers = await Promise.all(
      [3, 4, 5].map((columns) => database.repeat(listed(columns, 3))),
    );
    expect(answers.map(([row]) => Object.keys(row ?? {}).length)).toEqual([3, 4, 5]);
  });

  it('is still answered when a connection has enough of them', async () => {
    for (let columns = 1; columns <= 40; columns++)
      expect(Object.keys((await database.repeat(listed(columns, 3)))[0] ?? {})).toHaveLength(
        columns,
      );
    expect(await prepared()).toBe(30);
  });
});

it('throws inside a transaction: it would read on another connection', async () => {
  const refused = 'must not be called inside a transaction';
  await expect(database.transaction(() => between(1, 2, 'x'))).rejects.toThrow(refused);
  const statement = { compile: () => sql`select 1`.compile(database.db) };
  await expect(database.transaction(() => database.repeat(statement))).rejects.toThrow(refused);
});
