import { afterAll, expect, inject, it } from 'vitest';
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
  for (const jobs of opened) await jobs.close();
  await wire.close();
  await database.close();
  await dropDatabase(inject('postgres'), name);
});

const message = (subject: string) => aMail('someone@example.com', subject);
const subjectOf = ({ ids }: MailJob) => ('subject' in ids ? String(ids.subject) : '');

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

it('a mail is not kept once it is sent', async () => {
  const jobs = await aProcess();
  const done: string[] = [];
  await jobs.work('send-mail', async (data) => void done.push(subjectOf(data)));
  const subject = unique('sent');
  await jobs.send(database.db, 'send-mail', message(subject));
  const kept = `select from pgboss.job where data -> 'ids' ->> 'subject' = $1`;
  await until(async () => (await database.pool.query(kept, [subject])).rows.length === 0);
  expect(done).toEqual([subject]);
  await jobs.close();
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
