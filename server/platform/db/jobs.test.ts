import { afterAll, beforeEach, expect, inject, it } from 'vitest';
import { unique } from '../../testing/app.ts';
import { aWire, until } from '../../testing/checkout.ts';
import { aMail } from '../../testing/jobs.ts';
import { createDatabase, dropDatabase } from '../../testing/postgres.ts';
import { connect } from './connection.ts';
import { createJobs, type Jobs, type MailJob } from './jobs.ts';

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
  await Promise.all(opened.map((each) => each.close()));
  await wire.close();
  await database.close();
  await dropDatabase(inject('postgres'), name);
});

const message = (subject: string) => aMail('someone@example.com', subject);
const subjectOf = ({ ids }: MailJob) => ('subject' in ids ? String(ids.subject) : '');

/** One process that mails for the tests that need no more. */
const jobs = await aProcess();
const done: string[] = [];
await jobs.work('send-mail', async (data) => void done.push(subjectOf(data)));
beforeEach(() => void done.splice(0));

it('a job is done after the commit, not after a rollback', async () => {
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
});

it('a mail is not kept once it is sent', async () => {
  const subject = unique('sent');
  await jobs.send(database.db, 'send-mail', message(subject));
  const kept = `select from pgboss.job where data -> 'ids' ->> 'subject' = $1`;
  await until(async () => (await database.pool.query(kept, [subject])).rows.length === 0);
  expect(done).toEqual([subject]);
});

it('refuses a job that is sent outside the current transaction', async () => {
  const sent = database.transaction(async () =>
    jobs.send(database.db, 'send-mail', message('past')),
  );
  await expect(sent).rejects.toThrow('past its transaction');
  await jobs.close();
});

it('does each job once in several processes, a failed one again', async () => {
  const processes = await Promise.all([aProcess(), aProcess()]);
  let failed = false;
  for (const each of processes) {
    await each.work('send-mail', async (data) => {
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
  await Promise.all(processes.map((each) => each.close()));
});

it('continues after the database was down', async () => {
  const away = await aProcess(wire.url);
  await away.work('send-mail', async (data) => void done.push(subjectOf(data)));
  wire.cut();
  await away.send(database.db, 'send-mail', message('while it was away'));
  await new Promise((later) => setTimeout(later, 100));
  expect(done).toEqual([]);
  wire.mend();
  await until(async () => done.length > 0);
  expect(done).toEqual(['while it was away']);
});

const sweeps = async () =>
  (await database.pool.query(`select from pgboss.job where name = 'sweep'`)).rows.length;

it('starts a periodic job once per period over all processes', async () => {
  const processes = await Promise.all([aProcess(url, true), aProcess(url, true)]);
  for (const each of processes) each.every(3_600, 'sweep');
  await until(async () => (await sweeps()) > 0);
  await Promise.all(processes.map((each) => each.close()));
  expect(await sweeps()).toBe(1);
});
