// For tests that kill processes: server/app/main.ts as separate processes, a PostgreSQL that can be
// stopped and started, and signed-in users.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkBooks } from '../checkout/books.ts';
import { connect } from '../platform/db/connection.ts';
import { launch } from '../platform/postgres/launch.ts';
import {
  type Address,
  isAlive,
  rally,
  readPostmaster,
  shutDown,
  urlOf,
} from '../platform/postgres/postmaster.ts';
import { createTokens } from '../signin/tokens.ts';
import { createCards } from '../platform/cards.ts';
import { sandboxKeys } from '../platform/sandbox.ts';
import { query } from './postgres.ts';
import { inTheEnd } from './tidy.ts';

export { isLong, lengthOf, promisedMs, seed } from './length.ts';
export { inTheEnd, query };

const root = join(import.meta.dirname, '../..');
const secret = 'a-secret-of-the-outage-tests-forty-three-letters';
const publicUrl = 'http://localhost:3000';
export const cardKeys = sandboxKeys(secret);
export const origin = { secret, publicUrl };

/** Prints the progress of a long run. */
export function tellProgress(done: number, all: number): void {
  if (done > 0 && done % 10 === 0) process.stdout.write(`${done} of ${all}\n`);
}

/** Prints the final line of figures of a proof. */
export const tellFigures = (what: string, figures: Record<string, string | number>) =>
  process.stdout.write(
    `${what}: ${Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}\n`,
  );

export function folder(name: string): string {
  const made = mkdtempSync(join(tmpdir(), `rally-${name}-`));
  inTheEnd(() => rmSync(made, { recursive: true, force: true, maxRetries: 5 }));
  return made;
}

export const environment = (own: Record<string, string>) => ({
  ...process.env,
  NODE_ENV: 'test',
  PORT: '0',
  RATE_LIMIT: 'off',
  PASSWORD_COST: 'cheap',
  LOG_LEVEL: 'error',
  AUTH_SECRET: secret,
  CARE_KEYS: '1:dGhpcyBpcyBhIHRlc3Qga2V5IG9mIDMyIGJ5dGVzLi4=',
  PUBLIC_URL: publicUrl,
  DATABASE_URL: '',
  NODE_COMPILE_CACHE: join(root, '.cache/compiled'),
  ...own,
});

/**
 * Started, but maybe not listening yet. It sheds no load: on a machine that stands still for two
 * seconds every answer would be 503.
 */
export function spawnRally(env: Record<string, string>) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'server/app/main.ts'), '--no-shedding'],
    {
      cwd: root,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  const opened = new Promise<string>((open, failed) => {
    const listen = (chunk: Buffer) => {
      said += String(chunk);
      const port = /is open at http:\/\/localhost:(\d+)/.exec(said)?.[1];
      if (port) open(`http://127.0.0.1:${port}`);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', (code, signal) =>
      failed(new Error(`Rally ended (${code ?? signal}) before it opened:\n${said}`)),
    );
  });
  // A test that kills the process does not wait for it.
  opened.catch(() => undefined);
  inTheEnd(() => child.kill('SIGKILL'));
  return {
    child,
    opened,
    /** Everything it has printed. */
    said: () => said,
    /** Resolves with its exit code, or the name of the signal that ended it. */
    end: async (signal: NodeJS.Signals) => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal);
        await once(child, 'exit');
      }
      return child.exitCode ?? child.signalCode;
    },
  };
}

export type Rally = Awaited<ReturnType<typeof startRally>>;

export async function startRally(env: Record<string, string>) {
  const { opened, ...rally } = spawnRally(env);
  return { ...rally, origin: await opened };
}

/** A server without supervision: a test that stops it starts it again. */
export async function aPostgres() {
  const home = aHome('postgres');
  const start = async (before?: Address) => {
    const { keeper, address } = await launch(home, () => undefined, before);
    await keeper.end();
    return address;
  };
  const address = await start();
  await query(urlOf(home, address, { database: 'postgres' }), `create database ${rally}`);
  return {
    home,
    url: urlOf(home, address),
    start: () => start(address),
    /** Stops at once, without a checkpoint, as after a power failure. */
    async crash() {
      const pid = readPostmaster(home)?.pid ?? 0;
      process.kill(pid, 'SIGQUIT');
      while (await isAlive(home, pid)) await sleep(10);
    },
  };
}

/** A data folder. Its embedded database is stopped at the end, even if its app is gone. */
export function aHome(name: string, at = folder(name)): string {
  inTheEnd(async () => {
    if (await isAlive(at, readPostmaster(at)?.pid ?? 0)) await shutDown(at);
  });
  return at;
}

/** The current port of the embedded database of a data folder. */
export function embeddedUrl(home: string): string {
  const postmaster = readPostmaster(home);
  if (!postmaster) throw new Error(`no database runs in ${home}`);
  return urlOf(home, postmaster);
}

export const sandboxOf = (home: string) =>
  `http://127.0.0.1:${(JSON.parse(readFileSync(join(home, 'sandbox.json'), 'utf8')) as { port: number }).port}`;

export interface Person {
  id: string;
  email: string;
  /** Proofs run longer than a token lives, so each request gets a fresh one. */
  token(): Promise<string>;
}

export async function people(
  url: string,
  role: 'student' | 'instructor' | 'admin',
  count: number,
): Promise<Person[]> {
  const tokens = createTokens(origin);
  const rows = await query<{ id: string; email: string; session: string }>(
    url,
    `with made as (
       insert into "user" (name, email, role, proven_at)
       select $1 || ' ' || n, gen_random_uuid() || '@example.com', $1, now() from generate_series(1, $2::int) n returning id, email),
     sessions as (
       insert into session (user_id, secret_hash, expires_at) select id, sha256(id::text::bytea), now() + interval '1 day' from made returning id, user_id)
     select made.id, email, sessions.id as session from made join sessions on sessions.user_id = made.id`,
    [role, count],
  );
  return rows.map(({ id, email, session }) => ({
    id,
    email,
    token: () => tokens.sign({ userId: id, sessionId: session }),
  }));
}

/** Approved classes with the maximum number of seats. */
export async function openClasses(
  url: string,
  teacher: Person,
  count: number,
  seats = 10_000,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    url,
    `insert into class (instructor_id, name, img, price_cents, capacity, status, sport)
     select $1, 'Outage ' || n, '/media/class/first-touch-soccer.webp', 1999, $3, 'approved', 'Soccer' from generate_series(1, $2::int) n returning id`,
    [teacher.id, count, seats],
  );
  return rows.map(({ id }) => id);
}

/** The result of `npm run check:books` for the last day. */
export async function booksOf(
  url: string,
  provider: () => string,
  graceSeconds = 90,
): Promise<string[]> {
  const { db, close } = connect(url, { poolSize: 2 });
  const cards = createCards({ keys: cardKeys, sandboxOrigin: provider });
  try {
    return await checkBooks(db, cards, {
      publicUrl,
      graceSeconds,
      since: new Date(Date.now() - 24 * 3_600_000),
    });
  } finally {
    await close();
  }
}

/** Polls until the condition holds. False after the timeout. */
export async function soon(
  what: () => Promise<boolean>,
  withinMs = 60_000,
  everyMs = 10,
): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(everyMs)) {
    if (await what().catch(() => false)) return true;
  }
  return false;
}
