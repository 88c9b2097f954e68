// Two transactions that wait for one another: PostgreSQL undoes one of them.
import { afterAll, expect, inject, it } from 'vitest';
import { patient } from '../../testing/patient.ts';
import { connect, type Db, sql } from './connection.ts';

const lock = (db: Db, key: number) =>
  sql`select pg_advisory_xact_lock(4711, ${key}::int)`.execute(db);

const closers: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closers.map((close) => close())));

/** Each has one lock before either asks for its second one. */
async function meet(
  options: Parameters<typeof connect>[1],
): Promise<{ ends: string[]; begun: number }> {
  const { transaction, close } = connect(inject('postgres'), options);
  closers.push(close);
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const work = (first: number, second: number) =>
    transaction(async (db) => {
      await lock(db, first);
      begun += 1;
      if (begun === 2) both.resolve();
      await both.promise;
      await lock(db, second);
      return 'done';
    }).catch((error: unknown) => (error as { code?: string }).code ?? String(error));
  const ends = await Promise.all([work(1, 2), work(2, 1)]);
  return { ends: ends.toSorted(), begun };
}

it('does a transaction again that a deadlock undid', async () => {
  expect(await meet({ patience: patient.patience })).toEqual({ ends: ['done', 'done'], begun: 3 });
});

it('does it once in tests, so that a deadlock fails them', async () => {
  expect(await meet(patient)).toEqual({ ends: ['40P01', 'done'], begun: 2 });
});
