// The role that serves: rows, and nothing else.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbedded } from '../postgres/embedded.ts';
import { folder, startRally } from '../../testing/processes.ts';
import { grantRows } from './roles.ts';

const dataDir = folder('roles');
const rally = await startRally({ DATA_DIR: dataDir });
const embedded = await startEmbedded({ dataDir });
const [owner, serving] = [embedded.url, embedded.serveUrl].map(
  (connectionString) => new Client({ connectionString }),
) as [Client, Client];
beforeAll(() => Promise.all([owner.connect(), serving.connect()]));
afterAll(async () => {
  await Promise.all([owner.end(), serving.end()]);
  await rally.end('SIGTERM');
  await embedded.stop();
});

it('is the one that every connection of the app has', async () => {
  const { rows } = await owner.query(
    `select distinct application_name as of, usename as role from pg_stat_activity
     where application_name like 'rally%' and usename is not null order by 1, 2`,
  );
  expect(rows).toEqual([
    { of: 'rally', role: 'rally_serve' },
    { of: 'rally keeper', role: 'rally' },
    { of: 'rally-changes', role: 'rally_serve' },
    { of: 'rally-jobs', role: 'rally_serve' },
  ]);
});

it.each([
  'create table mine (n integer)',
  'create schema mine',
  'create extension pgcrypto',
  'alter table audit disable trigger append_only',
  'alter table "user" drop column role',
  'drop table audit',
  'drop function append_only() cascade',
  'truncate payment',
  `select pgboss.create_queue('mine', '{"partition": true, "policy": "standard"}')`,
  `update audit set action = 'nothing'`,
  'delete from audit',
  'delete from ledger',
  'set role rally',
])('is refused %s', async (statement) => {
  await expect(serving.query(statement)).rejects.toMatchObject({ code: '42501' });
});

it('reads and writes the rows of every table', async () => {
  const { rows } = await serving.query(
    `select table_schema || '.' || table_name as table from information_schema.tables
     where table_schema in ('public', 'pgboss')
       and not (has_table_privilege(format('%I.%I', table_schema, table_name), 'select')
         and has_table_privilege(format('%I.%I', table_schema, table_name), 'insert, update, delete'))`,
  );
  expect(rows).toEqual([]);
  const write = `insert into audit (action, subject) values ('tried', 'roles')`;
  expect((await serving.query(write)).rowCount).toBe(1);
});

it('is granted once what it lacks, by two starts at once', async () => {
  await owner.query('drop owned by rally_serve');
  await expect(serving.query('select from audit')).rejects.toMatchObject({ code: '42501' });
  await Promise.all([1, 2].map(() => grantRows(embedded.url, embedded.serveUrl)));
  expect((await serving.query('select from audit')).rowCount).toBeGreaterThan(0);
});

it('may write a table that a later migration makes', async () => {
  await owner.query('create table later (id bigint generated always as identity, n serial)');
  const { rows } = await serving.query('insert into later default values returning *');
  expect(rows).toEqual([{ id: 1, n: 1 }]);
  await owner.query('drop table later');
});
