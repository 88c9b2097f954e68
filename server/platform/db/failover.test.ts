// After a failover, connections to a read-only server are dropped, and requests get 503 until there
// is a primary.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { addClass } from '../../../contract/classes/classes.ts';
import { aPostgres, query, soon } from '../../testing/processes.ts';
import { appOn, testApp } from '../../testing/app.ts';
import { aForm, Visitor } from '../../testing/visitor.ts';
import { anInstructor } from '../../testing/factories.ts';
import { listenForChanges } from './changes.ts';
import { connect } from './connection.ts';
import { prepareJobs } from './jobs.ts';
import { migrate } from './migrate.ts';
import { dataOf } from '../postgres/postmaster.ts';

const newClass = {
  name: 'Tennis',
  img: 'https://example.com/a.png',
  price: 20,
  seat: 9,
  sport: 'Tennis',
};

/** Makes every connection of the pool read-only, like those to a demoted server. */
async function demoteAll(pool: Awaited<ReturnType<typeof testApp>>['pool']) {
  const clients: PoolClient[] = [];
  for (let count = 0; count < pool.options.max; count++) clients.push(await pool.connect());
  for (const client of clients) await client.query('set default_transaction_read_only = on');
  for (const client of clients) client.release();
}

it('a write on a read-only connection gets 503, and drops it', async () => {
  const app = await testApp();
  const { token } = await anInstructor(app);
  const create = () => app.send(addClass, newClass, token);
  expect((await create()).status).toBe(201);
  await demoteAll(app.pool);
  const answers = [];
  for (let turn = 0; turn < 30; turn++) answers.push(await create());
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(30 - refused.length);
  // Each of the connections failed once at most.
  expect(refused.length).toBeLessThanOrEqual(app.pool.options.max);
  expect(answers.at(-1)?.status).toBe(201);
  expect(refused[0]?.headers['retry-after']).toBe('1');
  expect(refused[0]?.body).toMatchObject({ error: true, code: 'UNAVAILABLE' });
});

it('a server in recovery is not used until it is promoted', async () => {
  const postgres = await aPostgres();
  await migrate(postgres.url);
  await prepareJobs(postgres.url);
  await postgres.crash();
  writeFileSync(join(dataOf(postgres.home), 'standby.signal'), '');
  await postgres.start();
  const database = connect(postgres.url);
  onTestFinished(() => database.close());
  await expect(database.pool.query('select 1')).rejects.toMatchObject({ code: '25006' });
  // LISTEN is refused there, so we do not listen to a server that never notifies.
  await expect(listenForChanges(postgres.url)).rejects.toMatchObject({ code: '25006' });
  const listeners = async () =>
    (
      await query<{ n: number }>(
        postgres.url,
        `select count(*)::int as n from pg_stat_activity where application_name = 'rally-changes'`,
      )
    )[0]?.n;
  expect(await soon(async () => (await listeners()) === 0)).toBe(true);

  await query(postgres.url, 'select pg_promote()');
  const app = await appOn(postgres.url);
  onTestFinished(() => app.close());
  expect((await database.pool.query('select 1')).rowCount).toBe(1);
  expect((await new Visitor(app).auth('sign-up/email', aForm())).status).toBe(200);
}, 600_000);
