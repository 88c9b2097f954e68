// Jobs, stored by pg-boss in the same database. A job is written in the transaction that causes it
// and done after the commit by any process.
import { setTimeout as delay } from 'node:timers/promises';
import { fromKysely, type Job, PgBoss, type Queue } from 'pg-boss';
import type { Db } from './connection.ts';
import { inTransaction } from './transaction.ts';

interface JobData {
  'class-denied': { classId: string };
  /** Its seats end, and their money goes back. */
  'class-cancelled': { classId: string };
  'date-cancelled': { meetingId: string };
  /** An account no longer looks after a child: give up the seats that it was paying for. */
  'guardian-gone': { studentId: string; participantId: string };
  /** The lists of these classes may have something to do. */
  tend: { classIds: readonly string[] };
  'settle-event': { eventId: string };
  'pay-back': { refundId: string };
  /** The seat of a line that was left is sold again. */
  resold: { lineId: string };
  'send-mail': MailJob;
  /** Somebody forgot the password of this address, which may have no account. */
  'reset-asked': { email: string };
  // Periodic jobs.
  sweep: null;
  reconcile: null;
  'look-back': null;
  'check-books': null;
  'day-turns': null;
  'forget-old': null;
  /** The digests to admins, and alarms that no transaction causes: dead jobs, a full disk. */
  notices: null;
  reminders: null;
}
type JobName = keyof JobData;

/** A mail that is written when it is sent: its kind, and the ids of its rows (mail/kinds.ts). */
export interface MailJob {
  kind: string;
  ids: object;
}

export type Jobs = Awaited<ReturnType<typeof createJobs>>;

type Options = Omit<Queue, 'name'> & { atOnce: number };

// A hint about a row with a state and a next try of its own: the sweep finds it, too.
const hint: Options = {
  retryLimit: 0,
  expireInSeconds: 120,
  deleteAfterSeconds: 3_600,
  notify: true,
  atOnce: 4,
};
const chore: Options = { ...hint, atOnce: 1 };

/** Jobs whose last try failed wait here for an admin (Needs Attention). No worker takes them. */
export const deadQueue = 'gave-up';
const dead: Omit<Queue, 'name'> = { retentionSeconds: 30 * 86_400, deleteAfterSeconds: 3_600 };

const retried: Options = {
  ...chore,
  retryLimit: 20,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
};
const givingUp: Options = { ...retried, deadLetter: deadQueue };
const long: Options = { ...chore, expireInSeconds: 900 };

const queues: Record<JobName, Options> = {
  'class-denied': givingUp,
  'class-cancelled': givingUp,
  'date-cancelled': givingUp,
  'guardian-gone': givingUp,
  tend: retried,
  'settle-event': hint,
  'pay-back': { ...hint, atOnce: 2 },
  resold: givingUp,
  // The mail exists only in the job: tried for four days, and ten minutes after a mail server is
  // back. While a try may still succeed (a minute at most, mail/mail.ts), no other begins.
  'send-mail': {
    ...hint,
    deadLetter: deadQueue,
    atOnce: 2,
    expireInSeconds: 300,
    retryLimit: 600,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 600,
  },
  'reset-asked': retried,
  sweep: chore,
  reconcile: chore,
  'look-back': long,
  'check-books': long,
  'day-turns': chore,
  'forget-old': long,
  notices: chore,
  reminders: { ...chore, expireInSeconds: 300 },
};
const names = Object.keys(queues) as JobName[];

interface OpenOptions {
  log?: (problem: string) => void;
  patience?: number;
  poolSize?: number;
  migrate?: boolean;
}

/** Creates pg-boss's tables and our queues, as their owner. Several processes may do it at once. */
export async function prepareJobs(url: string): Promise<void> {
  const boss = open(url, { migrate: true });
  try {
    await boss.start();
    await makeQueues(boss);
    // A new pg-boss makes its indexes one by one, later. Nobody but the owner can.
    while ((await boss.getBamStatus()).some(({ status }) => /pending|in_progress/.test(status)))
      await delay(1_000);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** After prepareJobs: the role that serves cannot create anything. */
export async function createJobs({
  url,
  timers = true,
  ...options
}: Omit<OpenOptions, 'migrate'> & {
  url: string;
  /** False: periodic jobs run only when they are sent (for tests). */
  timers?: boolean;
}) {
  const boss = open(url, options);
  await boss.start();
  const clocks: NodeJS.Timeout[] = [];

  return {
    /** Pass the handle of the transaction: then both are written, or neither. */
    async send<N extends JobName>(
      db: Db,
      name: N,
      data: JobData[N],
      { afterSeconds }: { afterSeconds?: number } = {},
    ) {
      const later = afterSeconds === undefined ? {} : { startAfter: afterSeconds };
      await boss.send(name, data, { ...later, db: within(db, name) });
    },
    /** Like `send`, many jobs in one statement. */
    async sendAll<N extends JobName>(
      db: Db,
      name: N,
      data: JobData[N][],
      { afterSeconds }: { afterSeconds?: number } = {},
    ) {
      const later = afterSeconds === undefined ? {} : { startAfter: afterSeconds };
      const jobs = data.map((one) => ({ data: one as object, ...later }));
      if (jobs.length > 0) await boss.insert(name, jobs, { db: within(db, name) });
    },
    /** Starts a job that gave up once more, by its id in the queue of those. False: there is none. */
    async revive(db: Db, id: string) {
      return (await boss.redrive(deadQueue, { ids: [id], db: fromKysely(db) })) > 0;
    },
    /** `id` is the same at every try of a job. */
    async work<N extends JobName>(
      name: N,
      handler: (data: JobData[N], id: string) => Promise<void>,
    ) {
      const options = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 5 };
      for (let hand = 0; hand < queues[name].atOnce; hand++) {
        let id = '';
        id = await boss.work<JobData[N]>(name, options, async (jobs) => {
          // After one job there may be more: poll again at once, not after the pause.
          boss.notifyWorker(id);
          for (const job of jobs) {
            await handler(job.data, job.id);
            await forgetSent(boss, job);
          }
        });
      }
    },
    /**
     * Starts a job every so many seconds: once per period over all processes, not once in each.
     * `atStart`: also whenever a process starts, because the database may be a restored backup.
     */
    every(seconds: number, name: JobName, { atStart = false } = {}) {
      if (!timers) return;
      // Errors of a database that is down are ignored here: the next tick tries again.
      const begin = (options: { singletonSeconds?: number }) =>
        void boss.send(name, null, options).catch(() => undefined);
      const tick = () => begin({ singletonSeconds: seconds });
      if (atStart) begin({});
      else tick();
      clocks.push(setInterval(tick, seconds * 1_000).unref());
    },
    /** Waits for running jobs. Those not started stay for the next process. */
    async close() {
      clocks.forEach((clock) => clearInterval(clock));
      // stop() alone looks only every half second whether the workers have ended.
      const ended = Promise.all(names.map((name) => boss.offWork(name)));
      await Promise.race([ended, delay(10_000, undefined, { ref: false })]);
      await boss.stop({ graceful: true, timeout: 1_000 });
    },
  };
}

function within(db: Db, name: JobName) {
  if (inTransaction() && !db.isTransaction)
    throw new Error(`The job ${name} was sent past its transaction`);
  return fromKysely(db);
}

function open(
  url: string,
  { log = () => undefined, patience = 1, poolSize = 4, migrate = false }: OpenOptions,
): PgBoss {
  const boss = new PgBoss({
    connectionString: url,
    migrate,
    bamIntervalSeconds: 10,
    application_name: 'rally-jobs',
    options: '-c timezone=UTC',
    max: poolSize,
    connectionTimeoutMillis: 5_000 * patience,
    useListenNotify: true,
    notifyHeartbeatIntervalMs: 5_000,
    schedule: false,
    monitorVacuum: false,
  });
  // While the database is down every worker fails once a second; log one line per half minute.
  let told = 0;
  boss.on('error', (error) => {
    if (Date.now() - told < 30_000) return;
    told = Date.now();
    log(`jobs: ${error.message}`);
  });
  return boss;
}

/** What was mailed to whom, or asked by whom, is not kept once it is done. */
async function forgetSent(boss: PgBoss, { id, name }: Job<object | null>): Promise<void> {
  if (name === 'send-mail' || name === 'reset-asked') await boss.deleteJob(name, id);
}

async function makeQueues(boss: PgBoss): Promise<void> {
  const known = new Map(
    (await boss.getQueues([deadQueue, ...names])).map((queue) => [queue.name, queue]),
  );
  if (!known.has(deadQueue)) await boss.createQueue(deadQueue, dead);
  for (const name of names) {
    const { atOnce: _here, ...options } = queues[name];
    const there = known.get(name);
    // createQueue does not change the options of an existing queue.
    if (!there) await boss.createQueue(name, options);
    else if (differs(there, options)) await boss.updateQueue(name, options);
  }
}

const differs = (there: Queue, wanted: Omit<Queue, 'name'>) =>
  Object.entries(wanted).some(([option, value]) => there[option as keyof Queue] !== value);
