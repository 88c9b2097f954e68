import { afterAll, expect, inject, it } from 'vitest';
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

it('throws inside a transaction: it would read on another connection', async () => {
  await expect(database.transaction(() => between(1, 2, 'x'))).rejects.toThrow(
    'must not be called inside a transaction',
  );
});
