import { afterAll, describe, expect, inject, it } from 'vitest';
import { isDatabaseAway } from './away.ts';
import { connect, sql } from './connection.ts';

// One connection, so that its prepared statements can be seen.
const database = connect(inject('postgres'), { poolSize: 1 });
afterAll(() => database.close());

/** The numbers from `from` to 3, by the statement of this name. */
const listed = (name: number, from: number) =>
  sql<Record<string, number>>`
    select n as ${sql.ref(`column_${name}`)} from generate_series(${from}::int, 3) n`
    .execute(database.db)
    .then(({ rows }) => rows);
const prepared = async () => {
  const { rows } = await database.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_prepared_statements where name like 'repeated %'`,
  );
  return rows[0]?.n;
};

describe('a statement', () => {
  it('is prepared when its text comes again, whatever its values', async () => {
    expect(await listed(1, 2)).toEqual([{ column1: 2 }, { column1: 3 }]);
    expect(await prepared()).toBe(0);
    for (const from of [2, 3]) expect(await listed(1, from)).toHaveLength(4 - from);
    expect(await prepared()).toBe(1);
  });

  it('is still answered when a connection has enough of them', async () => {
    for (let name = 1; name <= 320; name++)
      for (let turn = 0; turn < 2; turn++)
        expect(await listed(name, 3)).toEqual([{ [`column${name}`]: 3 }]);
    expect(await prepared()).toBe(300);
  });

  it('fails once when its columns have changed since', async () => {
    const one = connect(inject('postgres'), { poolSize: 1 });
    const changing = () =>
      sql`select * from changing where id = ${1}::int`.execute(one.db).then(({ rows }) => rows);
    try {
      await one.pool.query('create table changing as select 1 as id');
      for (let turn = 0; turn < 2; turn++) expect(await changing()).toEqual([{ id: 1 }]);
      await one.pool.query('alter table changing add column name text');
      const error = await changing().catch((thrown: unknown) => thrown);
      expect(error).toSatisfy(isDatabaseAway);
      expect(await changing()).toEqual([{ id: 1, name: null }]);
    } finally {
      await one.pool.query('drop table changing');
      await one.close();
    }
  });
});
