// Shared by all benchmarks: Rally as a process, a PostgreSQL of its own, and users who are signed in.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '../../server/platform/postgres/embedded.ts';
import { prepareJobs } from '../../server/platform/db/jobs.ts';
import { migrate } from '../../server/platform/db/migrate.ts';
import { createTokens } from '../../server/signin/tokens.ts';
import { query } from '../../server/testing/postgres.ts';

export interface Result {
  what: string;
  ratio: number;
  /** At least this, or at most. */
  target: { atLeast: number } | { atMost: number };
  detail: string;
}

export const root = join(import.meta.dirname, '../..');
/** Part of every token. */
const publicUrl = 'http://localhost:3000';
const secret = 'benchmark-secret-of-forty-three-letters-or-more';

const environment = {
  PORT: '0',
  PUBLIC_URL: publicUrl,
  RATE_LIMIT: 'off',
  AUTH_SECRET: secret,
  CARE_KEYS: '1:dGhpcyBpcyBhIHRlc3Qga2V5IG9mIDMyIGJ5dGVzLi4=',
  LOG_LEVEL: 'error',
};

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Resolves when it serves: it prints one line with its address then. */
export async function startRally(env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [join(root, 'server/app/main.ts')], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'development', ...environment, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressOf(child);
  return {
    url,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk) => {
      said += String(chunk);
      const address = /is open at (http:\/\/[\w.]+:\d+)/.exec(said)?.[1];
      if (address) resolve(address.replace('localhost', '127.0.0.1'));
    });
    child.once('exit', () => reject(new Error(`The process ended before it served:\n${said}`)));
  });
}

/** A PostgreSQL of its own with as many databases as a benchmark needs. */
export async function startDatabase() {
  const dataDir = await mkdtemp(join(tmpdir(), 'rally-bench-'));
  const embedded = await startEmbedded({ dataDir });
  return {
    dataDir,
    async database(
      name: string,
    ): Promise<{ url: string; query: (text: string) => Promise<Record<string, unknown>[]> }> {
      const url = new URL(embedded.url);
      await query(url.href, `create database ${name}`);
      url.pathname = `/${name}`;
      await migrate(url.href);
      await prepareJobs(url.href);
      return { url: url.href, query: (text) => query(url.href, text) };
    },
    async stop() {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

type Queried = { query: (text: string) => Promise<Record<string, unknown>[]> };

/** All users that match the condition, signed in. */
export async function tokensOf(database: Queried, condition: string): Promise<string[]> {
  const rows = await database.query(`
    insert into session (user_id, secret_hash, expires_at) select id, sha256(id::text::bytea), now() + interval '1 day' from "user" where ${condition}
    returning id, user_id`);
  const tokens = createTokens({ secret, publicUrl });
  return Promise.all(
    rows.map((row) =>
      tokens.sign({ userId: String(row['user_id']), sessionId: String(row['id']) }),
    ),
  );
}

/** Whose token it is. */
export const userOf = (token: string) => {
  const [, payload = ''] = token.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string }).sub;
};

export async function tokenOf(database: Queried, email: string): Promise<string> {
  const [token] = await tokensOf(database, `email = '${email}'`);
  if (!token) throw new Error(`No account has the address ${email}`);
  return token;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
