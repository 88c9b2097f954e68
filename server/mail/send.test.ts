// Mails leave once: a process that ends between commit and send, or is killed while it sends, a mail
// server that is down for an hour, an address that is refused.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { afterEach, expect, inject, it } from 'vitest';
import { getAccount } from '../../contract/signin/account.ts';
import { connect, type Database, execute, query, queryOne } from '../platform/db/connection.ts';
import { createJobs } from '../platform/db/jobs.ts';
import { testApp, unique } from '../testing/app.ts';
import { until } from '../testing/checkout.ts';
import { aClass, aUser } from '../testing/factories.ts';
import { enrol } from '../testing/family.ts';
import { aMeeting, inDays } from '../testing/meetings.ts';
import type { Mailer } from '../testing/mailprocess.ts';
import { createMail } from './mail.ts';
import { aMail, dueNow, testMails } from '../testing/jobs.ts';
import { markBounced } from '../people/users.ts';
import { patient } from '../testing/patient.ts';
import { createDatabase } from '../testing/postgres.ts';
import { startSmtp } from '../testing/smtp.ts';
import { inTheEnd } from '../testing/tidy.ts';
import { mail } from './kinds.ts';
import { sendingMail } from './send.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const message = ({ id: to }: { id: string }) => mail('sign-up-again', { to });

let smtp = await startSmtp();
const app = await testApp({ smtpUrl: smtp.url });
inTheEnd(() => smtp.close());

const aDatabase = () =>
  createDatabase(inject('postgres'), unique('rally_t').replaceAll('-', '_'), inject('template'));

/** Undefined once it was sent: such a mail is not kept. */
const stateOf = async ({ db }: Pick<Database, 'db'>, which: string) => {
  const row = await queryOne<{ state: string }>(db)`
    select state::text from pgboss.job where strpos(data::text, ${which}) > 0`;
  return row?.state;
};

/** Statements under way of other connections: PostgreSQL ends those of a killed process later. */
const busyIn = ({ db }: Pick<Database, 'db'>) => query(db)`
  select from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;

const program = join(import.meta.dirname, '../testing/mailprocess.ts');

const from = 'Rally <rally@example.com>';
const publicUrl = 'http://localhost:3000';

/** The queue looks once a minute for jobs whose time is over. Now it is over, and it looks. */
async function fiveMinutesLater({ db, url }: Pick<Database, 'db'> & { url: string }) {
  await execute(db)`update pgboss.job set started_on = started_on - interval '301 seconds'
    where name = 'send-mail' and state = 'active'`;
  await execute(db)`
    update pgboss.queue set monitor_on = null, monitor_claim_on = null where name = 'send-mail'`;
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.supervise('send-mail');
  await boss.stop({ graceful: false });
  await execute(db)`
    update pgboss.job set start_after = now() where name = 'send-mail' and state = 'retry'`;
}

it.each([
  { killed: 'before the mail server took it', at: 'go on', times: 1 },
  // The next process cannot learn that it was taken. The reader sees one Message-ID.
  { killed: 'after the mail server took it', at: 'taken', times: 2 },
])('a mail whose process is killed $killed comes at most $times×', async ({ at, times }) => {
  const url = await aDatabase();
  const smtp = await startSmtp();
  const database = connect(url, patient);
  const jobs = await createJobs({ url, ...patient, timers: false });
  closers.push(() => jobs.close(), smtp.close, database.close);
  const subjects = [1, 2, 3].map(() => unique('mail'));
  const sent = subjects.map((subject) => aMail('ada@example.com', subject));
  await jobs.sendAll(database.db, 'send-mail', sent);
  const states = () => Promise.all(subjects.map((subject) => stateOf(database, subject)));

  const mailer: Mailer = { url, smtpUrl: smtp.url, from, publicUrl };
  const first = spawn(process.execPath, [program, JSON.stringify(mailer)], { stdio: 'inherit' });
  closers.push(() => first.kill('SIGKILL'));
  smtp.onReply((reply) => {
    if (reply !== at) return;
    // The reply leaves, and the process does nothing more.
    first.kill('SIGSTOP');
    setImmediate(() => first.kill('SIGKILL'));
  });
  await once(first, 'exit');
  smtp.onReply(null);
  await expect.poll(() => busyIn(database)).toEqual([]);
  expect(await states()).not.toContain(undefined);
  const taken = new Set(smtp.mails.map(({ subject }) => subject));
  expect(taken.size > 0).toBe(at === 'taken');

  await fiveMinutesLater({ db: database.db, url });
  const mail = createMail({
    smtpUrl: smtp.url,
    mailFrom: from,
    contactEmail: null,
    publicUrl,
    pool: database.pool,
  });
  closers.push(() => mail.close());
  await sendingMail({
    db: database.db,
    jobs,
    mail,
    config: { brand: 'Rally', publicUrl, secret: '' },
    kinds: testMails,
    markBounced,
  });
  await expect.poll(states).toEqual(sent.map(() => undefined));
  const arrived = Map.groupBy(smtp.mails, ({ subject }) => subject);
  for (const subject of subjects) {
    const same = arrived.get(subject) ?? [];
    expect(same).toHaveLength(taken.has(subject) ? times : 1);
    expect(new Set(same.map(({ raw }) => /^Message-ID: .*$/m.exec(raw)?.[0])).size).toBe(1);
  }
});

it('a mail server that is down for an hour loses no mail', async () => {
  const port = Number(new URL(smtp.url).port);
  await smtp.close();
  const people = [await aUser(app), await aUser(app)];
  const sent = people.map(message);
  await app.jobs.sendAll(app.db, 'send-mail', sent);
  const states = async () => Promise.all(people.map(({ id }) => stateOf(app, id)));
  await until(async () => (await states()).every((state) => state === 'retry'));
  // The queue tries for days, and at least every ten minutes.
  const kept = await query(app.db)`
    select from pgboss.job where data -> 'ids' ->> 'to' = ${people[0]?.id}
      and retry_delay_max <= 600 and retry_limit * 600 > 3 * 86400`;
  expect(kept).toHaveLength(1);
  // An hour later.
  smtp = await startSmtp(port);
  await execute(app.db)`update pgboss.job set created_on = created_on - interval '1 hour'
    where name = 'send-mail' and state = 'retry'`;
  await dueNow(app);
  await until(async () => smtp.mails.length >= 2);
  await until(async () => (await states()).every((state) => state === undefined));
  const told = new Set(smtp.mails.map(({ to }) => to));
  expect(told).toEqual(new Set(people.map(({ email }) => email)));
});

const isMarked = async ({ id }: { id: string }) =>
  (await query(app.db)`select from "user" where id = ${id} and bounced_at is not null`).length > 0;

it('a refused address is marked until a mail arrives', async () => {
  const who = await aUser(app);
  smtp.refuse('550 no such person');
  await app.jobs.send(app.db, 'send-mail', message(who));
  await until(async () => (await stateOf(app, who.id)) === undefined);
  expect(await isMarked(who)).toBe(true);
  expect(smtp.mails.map(({ to }) => to)).not.toContain(who.email);
  // Our own sign-in is refused: no fault of the address.
  smtp.refuse('535 wrong password', 'MAIL');
  const waiting = await aUser(app);
  await app.jobs.send(app.db, 'send-mail', message(waiting));
  await until(async () => (await stateOf(app, waiting.id)) === 'retry');
  smtp.refuse(null);
  await app.jobs.send(app.db, 'send-mail', message(who));
  await until(async () => !(await isMarked(who)));
  const { body } = await app.send(getAccount, {}, who.token);
  expect(body.mails).toEqual({ reminders: true });
});

it('a mail refused for its words marks no address', async () => {
  for (const [words, marks] of [
    ['550 5.7.1 this looks like spam', false],
    ['550 5.1.1 no such person', true],
  ] as const) {
    const who = await aUser(app);
    smtp.refuse(words, 'DATA');
    await app.jobs.send(app.db, 'send-mail', message(who));
    await until(async () => (await stateOf(app, who.id)) === undefined);
    expect([words, await isMarked(who)]).toEqual([words, marks]);
  }
});

it('a mail about dates says those of when it is sent', async () => {
  const klass = await aClass(app);
  const { id: meetingId } = await aMeeting(app, klass);
  const who = await aUser(app);
  await enrol(app, klass.id, who);
  const was = { day: inDays(3), starts: '10:00', minutes: 60, placeId: null };
  const moved = [{ id: meetingId, was, from: null, chosen: false }];
  const news = mail('new-dates', { to: who.id, classId: klass.id, moved });
  smtp.refuse('451 try again');
  await app.jobs.send(app.db, 'send-mail', news);
  await until(async () => (await stateOf(app, who.id)) === 'retry');
  await execute(app.db)`update meeting set starts = '19:15' where id = ${meetingId}`;
  smtp.refuse(null);
  const [id] = await dueNow(app, who.id);
  const isTheirs = ({ to }: { to: string }) => to === who.email;
  await until(async () => smtp.mails.some(isTheirs));
  const sent = smtp.mails.find(isTheirs);
  expect(sent?.text).toContain('19:15');
  expect(sent?.raw).toMatch(/text\/calendar/);
  expect(sent?.raw).toContain(`Message-ID: <${id}@localhost>`);
});
