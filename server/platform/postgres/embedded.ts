// The embedded PostgreSQL: created at the first start, found again after a crash, shared by all
// apps on one data folder. DATABASE_URL replaces it.
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { locked } from '../lock.ts';
import { launch, type Launched, sweep } from './launch.ts';
import {
  type Address,
  connect,
  dataOf,
  forget,
  isAlive,
  type Log,
  logOf,
  passwordOf,
  rally,
  rallyServe,
  readPostmaster,
  shutDown,
  urlOf,
  windows,
} from './postmaster.ts';

/** `url` is the owner's, `serveUrl` that of the role that serves. */
export type Embedded = { url: string; serveUrl: string; owned: boolean; stop(): Promise<void> };

type Attached = Omit<Launched, 'exited'> & Partial<Pick<Launched, 'exited'>>;

interface Options {
  dataDir: string;
  log?: Log;
}

// Every app holds this lock shared. Who gets it exclusively is the last, and may stop the database.
const inUse = 7_255_911;

/** Resolves once the database answers. The last app on the folder that calls `stop()` stops it. */
export async function startEmbedded(options: Options): Promise<Embedded> {
  const { home, log, alone } = open(options);
  let current = await alone(() => attach(home, log));
  let stopped: Promise<void> | undefined;
  let revival = Promise.resolve();
  const { address, exited } = current;
  watch();
  return {
    url: urlOf(home, address),
    serveUrl: urlOf(home, address, { user: rallyServe }),
    owned: exited !== undefined,
    stop: () => (stopped ??= stop()),
  };

  // It ends before we do if PostgreSQL went down: after a full disk it does not come back itself.
  function watch() {
    current.keeper.once('end', () => {
      if (!stopped) revival = revive();
    });
  }

  async function revive(): Promise<void> {
    for (let pause = 50; ; pause = Math.min(pause * 2, 2_000)) {
      if (stopped) return;
      try {
        current = await alone(() => attach(home, log, address));
        log('The database went down and is back.');
        watch();
        return;
      } catch (error) {
        log(`The database went down and does not come back: ${String(error)}`);
        await sleep(pause);
      }
    }
  }

  async function stop() {
    await revival;
    await alone(() => leave(home, current));
  }
}

/** Runs something while the database is stopped. Throws if an app is running on it. */
export async function whileStopped<T>(options: Options, work: () => Promise<T> | T): Promise<T> {
  const { home, log, alone } = open(options);
  return alone(async () => {
    const running = existsSync(dataOf(home)) ? await adopt(home, log) : null;
    if (running && !(await leave(home, running)))
      throw new Error(`Rally is running on ${home}. Stop it first.`);
    return work();
  });
}

export async function eraseEmbedded(options: Options): Promise<boolean> {
  const home = resolve(options.dataDir);
  if (!existsSync(dataOf(home))) return false;
  return whileStopped(options, () => {
    sweep(home);
    for (const entry of ['socket', 'postgres.log', 'postgres.log.old', 'postgres'])
      rmSync(join(home, entry), { recursive: true, force: true, maxRetries: 5 });
    return true;
  });
}

function open({ dataDir, log = () => undefined }: Options) {
  const home = resolve(dataDir);
  mkdirSync(home, { recursive: true });
  try {
    for (const path of [home, dataOf(home)].filter((each) => existsSync(each)))
      accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const message = `The data folder ${home} belongs to another user of this machine. Start Rally as that user, or set DATA_DIR.`;
    throw new Error(message, { cause: error });
  }
  const waiting = () =>
    log('Another Rally is starting or stopping this database; waiting for it …');
  const alone = <T>(work: () => Promise<T>) => locked(join(home, 'postgres.lock'), work, waiting);
  return { home, log, alone };
}

async function attach(home: string, log: Log, before?: Address): Promise<Attached> {
  const attached = (await adopt(home, log)) ?? (await launch(home, log, before));
  const { keeper } = attached;
  try {
    await keeper.query('select pg_advisory_lock_shared($1)', [inUse]);
    const found = await keeper.query('select from pg_database where datname = $1', [rally]);
    if (found.rowCount === 0) await keeper.query(`create database ${rally}`);
    const role = await keeper.query('select from pg_roles where rolname = $1', [rallyServe]);
    const password = windows ? `password '${readFileSync(passwordOf(home), 'utf8')}'` : '';
    if (role.rowCount === 0) await keeper.query(`create role ${rallyServe} login ${password}`);
    return attached;
  } catch (error) {
    await keeper.end();
    throw error;
  }
}

// After kill -9 of the app its database keeps running.
async function adopt(home: string, log: Log): Promise<Attached | null> {
  for (let round = 1; ; round++) {
    const postmaster = readPostmaster(home);
    if (!postmaster) return null;
    const answer = await connect(home, postmaster);
    if (answer) {
      // The folder may be a copy of the one that this server runs on.
      const asked = `select current_setting('data_directory') as folder`;
      const { rows } = await answer.query<{ folder: string }>(asked);
      if (rows[0]?.folder === dataOf(home)) return { keeper: answer, address: postmaster };
      await answer.end();
    }
    if (!(await isAlive(home, postmaster.pid))) {
      forget(home);
      return null;
    }
    if (round % 250 === 0) log('Waiting for the database, which is starting or stopping …');
    if (round === 15_000)
      throw new Error(`PostgreSQL (process ${postmaster.pid}) does not answer; see ${logOf(home)}`);
    await sleep(20);
  }
}

// True if the database is down now.
async function leave(home: string, { keeper, exited }: Attached): Promise<boolean> {
  try {
    if (!(await isLast(keeper))) return false;
    await shutDown(home);
    await exited?.();
    return true;
  } finally {
    // It has ended with the database.
    await keeper.end().catch(() => undefined);
  }
}

async function isLast(keeper: Client): Promise<boolean> {
  try {
    await keeper.query('select pg_advisory_unlock_all()');
    const asked = 'select pg_try_advisory_lock($1) as last';
    return (await keeper.query<{ last: boolean }>(asked, [inUse])).rows[0]?.last ?? false;
  } catch {
    // PostgreSQL went down on its own. If it is back, we cannot know whether it is unused.
    return false;
  }
}
