import { randomUUID } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { unique } from '../testing/app.ts';
import { aWire, until } from '../testing/checkout.ts';
import { createDatabase, dropDatabase } from '../testing/postgres.ts';
import { connect, type Db } from './connection.ts';
import { createJobs, dropMailAbout, type Jobs } from './jobs.ts';

const name = `rally_t_${process.ppid}_jobs_${process.pid}`;
const url = await createDatabase(inject('postgres'), name, inject('template'));
const wire = await aWire(url);
const database = connect(url);
const opened: Jobs[] = [];
async function aProcess(at = url, timers = false) {
  const jobs = await createJobs({ url: at, timers });
  opened.push(jobs);
  return jobs;
}
afterAll(async () => {
  for (const jobs of opened) await jobs.close();
  await wire.close();
  await database.close();
  await dropDatabase(inject('postgres'), name);
});

const subjectOf = (data: object) => ('subject' in data ? String(data.subject) : '');
const message = (subject: string) => ({ to: 'someone@example.com', subject, text: '' });

it('a job sent in a transaction is done after the commit, and not after a rollback', async () => {
  const jobs = await aProcess();
  const done: string[] = [];
  await jobs.work('send-mail', async (data) => void done.push(subjectOf(data)));
  const [kept, dropped] = [unique('kept'), unique('dropped')];
  await database
    .transaction(async (db) => {
      await jobs.send(db, 'send-mail', message(dropped));
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  await database.transaction(async (db) => {
    await jobs.send(db, 'send-mail', message(kept));
    await new Promise((later) => setTimeout(later, 100));
    expect(done).toEqual([]);
  });
  await until(async () => done.length > 0);
  expect(done).toEqual([kept]);
  await jobs.close();
});

it('a mail about a child is not kept once it is sent', async () => {
  const jobs = await aProcess();
  const done: string[] = [];
  await jobs.work('send-mail', async (data) => void done.push(subjectOf(data)));
  const subject = unique('about a child');
  await jobs.send(database.db, 'send-mail', { ...message(subject), about: [unique('id')] });
  const kept = `select from pgboss.job where data ->> 'subject' = $1`;
  await until(async () => (await database.pool.query(kept, [subject])).rows.length === 0);
  expect(done).toEqual([subject]);
  await jobs.close();
});

describe('a mail whose try fails at the moment when it is erased', () => {
  const [child, account] = [randomUUID(), randomUUID()];
  const erasures: Record<string, (jobs: Jobs, db: Db, to: string) => Promise<void>> = {
    'with its address': (jobs, db, to) => jobs.dropMail(db, to),
    'with the person it names': (_jobs, db) => dropMailAbout(db, [child]),
    'with the account that leaves the address': async (jobs, db, to) => {
      await jobs.leaveAddress(db, to, account);
      await dropMailAbout(db, [account]);
    },
  };
  it.each(Object.entries(erasures))('is gone %s', async (_how, erase) => {
    const jobs = await aProcess();
    const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
    await boss.start();
    const to = `${unique('to')}@example.com`;
    await jobs.send(database.db, 'send-mail', { ...message('fails'), to, about: [child] });
    const stored = () =>
      database.pool.query<{ id: string; state: string }>(
        `select id, state from pgboss.job where data ->> 'to' = $1`,
        [to],
      );
    const id = (await stored()).rows[0]?.id ?? '';
    const failing = await database.pool.connect();
    try {
      await failing.query('begin');
      const db = { executeSql: (text: string, values?: unknown[]) => failing.query(text, values) };
      await boss.fail('send-mail', id, {}, { db });
      const erased = database.transaction((held) => erase(jobs, held, to));
      await until(async () => (await database.pool.query(waiting)).rows.length > 0);
      await failing.query('commit');
      await erased;
    } finally {
      failing.release();
    }
    expect((await stored()).rows).toEqual([]);
    await boss.stop({ graceful: false });
    await jobs.close();
  });
  const waiting = `select from pg_locks where not granted and pid in (
    select pid from pg_stat_activity where datname = current_database())`;
});

it('refuses a job that is sent outside the current transaction', async () => {
  const jobs = await aProcess();
  const sent = database.transaction(async () =>
    jobs.send(database.db, 'send-mail', message('past')),
  );
  await expect(sent).rejects.toThrow('past its transaction');
  await jobs.close();
});

it('does each job once with several processes, and repeats a failed one', async () => {
  const processes = [await aProcess(), await aProcess(), await aProcess()];
  const done: string[] = [];
  let failed = false;
  for (const jobs of processes) {
    await jobs.work('send-mail', async (data) => {
      const subject = subjectOf(data);
      done.push(subject);
      if (subject === 'twice' && !failed) {
        failed = true;
        throw new Error('the mail server is away');
      }
    });
  }
  const subjects = Array.from({ length: 40 }, (_, index) => `mail ${index}`);
  const send = (subject: string) => processes[0]?.send(database.db, 'send-mail', message(subject));
  for (const subject of ['twice', ...subjects.slice(1)]) await send(subject);
  // The failed one is due now, not in 5 seconds, and the next job wakes the processes.
  await until(async () => {
    const due = `update pgboss.job set start_after = now() where state = 'retry'`;
    return (await database.pool.query(due)).rowCount === 1;
  });
  await send('mail 0');
  await until(
    async () => done.filter((subject) => subject === 'twice').length === 2 && done.length === 42,
  );
  expect(done.toSorted()).toEqual([...subjects, 'twice', 'twice'].toSorted());
  for (const jobs of processes) await jobs.close();
});

it('continues after the database was down', async () => {
  const jobs = await aProcess(wire.url);
  const done: string[] = [];
  await jobs.work('send-mail', async (data) => void done.push(subjectOf(data)));
  wire.cut();
  await jobs.send(database.db, 'send-mail', message('while it was away'));
  await new Promise((later) => setTimeout(later, 1_500));
  expect(done).toEqual([]);
  wire.mend();
  await until(async () => done.length > 0);
  expect(done).toEqual(['while it was away']);
  await jobs.close();
});

it('starts a periodic job once per period over all processes', async () => {
  const processes = [await aProcess(url, true), await aProcess(url, true)];
  let rounds = 0;
  for (const jobs of processes) {
    await jobs.work('sweep', async () => void rounds++);
    jobs.every(3_600, 'sweep');
  }
  await until(async () => rounds > 0);
  await new Promise((later) => setTimeout(later, 500));
  expect(rounds).toBe(1);
  for (const jobs of processes) await jobs.close();
});
