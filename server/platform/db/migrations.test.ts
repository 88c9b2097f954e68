// The migrations as a whole, and triggers of the baseline that no feature tests.
import { afterAll, expect, inject, it } from 'vitest';
import { createDatabase, dropDatabase, query } from '../../testing/postgres.ts';
import { migrate } from './migrate.ts';

const server = inject('postgres');
const name = `rally_t_${process.ppid}_${process.pid}_migrations`;
const url = await createDatabase(server, name);
afterAll(() => dropDatabase(server, name));

it('of two processes that start together one migrates', async () => {
  const done = await Promise.all([migrate(url), migrate(url)]);
  expect(done.toSorted((a, b) => a.length - b.length)).toEqual([
    [],
    expect.arrayContaining(['0001_baseline']),
  ]);
});

it('an account has its participant, made and gone with it', async () => {
  const self = () =>
    query(
      url,
      `select p.name, g.user_id = p.id as guarded from participant p left join guardian g on g.participant_id = p.id`,
    );
  await query(url, `insert into "user" (name, email) values ('New', 'new@example.com')`);
  expect(await self()).toEqual([{ name: 'New', guarded: true }]);
  await query(url, `update "user" set name = 'Newer'`);
  expect(await self()).toEqual([{ name: 'Newer', guarded: true }]);
  await query(url, `delete from "user"`);
  expect(await self()).toEqual([]);
});
