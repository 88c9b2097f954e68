// Shared by all benchmarks: Rally and its rivals as processes, load from autocannon, ratios of
// alternating runs. Absolute figures on a shared machine mean little, so every result compares two
// things in the same run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { Client } from 'pg';
import { startEmbedded } from '../server/embedded/embedded.ts';
import { readPostmaster } from '../server/embedded/postmaster.ts';
import { prepareJobs } from '../server/db/jobs.ts';
import { migrate } from '../server/db/migrate.ts';
import { createTokens } from '../server/signin/tokens.ts';

export interface Result {
  what: string;
  ratio: number;
  /** At least this, or at most. */
  target: { atLeast: number } | { atMost: number };
  detail: string;
}

export const root = join(import.meta.dirname, '..');
/** Part of every token. */
const publicUrl = 'http://localhost:3000';
const secret = 'benchmark-secret-of-forty-three-letters-or-more';

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** A child process that prints one line with its address when it serves. */
export async function startProcess(
  file: string,
  env: Record<string, string>,
  args: string[] = [],
): Promise<Running> {
  const child = spawn(process.execPath, [join(root, file), ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'development', ...env },
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

export const environment = {
  PORT: '0',
  PUBLIC_URL: publicUrl,
  RATE_LIMIT: 'off',
  AUTH_SECRET: secret,
  CARE_KEYS: '1:dGhpcyBpcyBhIHRlc3Qga2V5IG9mIDMyIGJ5dGVzLi4=',
  LOG_LEVEL: 'error',
};

export const startRally = (env: Record<string, string>) =>
  startProcess('server/main.ts', { ...environment, ...env });

/**
 * A bare node:http server that sends the bytes and headers with which this address answers now,
 * compressed if they are.
 */
export async function startBare(url: string, headers: Record<string, string>): Promise<Running> {
  const { body, headers: sent } = await rawAnswer(url, headers);
  const kept = Object.entries(sent).filter(
    ([name]) => !/^(connection|keep-alive|date|content-length|transfer-encoding)$/.test(name),
  );
  const answer = { body: body.toString('base64'), headers: Object.fromEntries(kept) };
  // In a file: a page is longer than an environment variable may be.
  const folder = await mkdtemp(join(tmpdir(), 'rally-bench-'));
  const file = join(folder, 'answer.json');
  await writeFile(file, JSON.stringify(answer));
  const bare = await startProcess('bench/rivals.ts', { BENCH_ANSWER: file }, ['bare']);
  await rm(folder, { recursive: true });
  const same = await rawAnswer(bare.url, headers);
  const [ours, theirs] = [namesOf(sent), namesOf(same.headers)];
  if (ours !== theirs)
    throw new Error(`The rival sends other headers: ${theirs} instead of ${ours}`);
  return bare;
}

const namesOf = (headers: IncomingHttpHeaders) => Object.keys(headers).toSorted().join(', ');

/** The bytes as they were sent: fetch would decompress them. */
async function rawAnswer(url: string, headers: Record<string, string>) {
  const [answer] = (await once(get(url, { headers, agent: false }), 'response')) as [
    AsyncIterable<Buffer> & { headers: IncomingHttpHeaders },
  ];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { body: Buffer.concat(chunks), headers: answer.headers };
}

/** A PostgreSQL of its own with as many databases as a benchmark needs. */
export async function startDatabase() {
  const dataDir = await mkdtemp(join(tmpdir(), 'rally-bench-'));
  const embedded = await startEmbedded({ dataDir });
  return {
    dataDir,
    pid: readPostmaster(dataDir)?.pid ?? 0,
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

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

type Queried = { query: (text: string) => Promise<Record<string, unknown>[]> };

/** Without triggers: the ledger is emptied too, which is only added to. */
export const emptied = (...tables: string[]) =>
  `begin; set local session_replication_role = replica; truncate ${tables.join(', ')} cascade; commit`;

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

export type Load = Partial<autocannon.Options>;

export async function throughput(
  url: string,
  seconds: number,
  options: Load = {},
): Promise<number> {
  const result = await autocannon({ url, duration: seconds, connections: 32, ...options });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed`);
  return result.requests.average;
}

/**
 * Requests for a second of CPU time of these processes. Neither the clients, which share the cores,
 * nor other work on the machine changes it. Linux only.
 */
export async function perCpuSecond(
  pids: number[],
  url: string,
  seconds: number,
  options: Load = {},
) {
  const before = await cpuSeconds(pids);
  const rate = await throughput(url, seconds, options);
  return (rate * seconds) / ((await cpuSeconds(pids)) - before);
}

/** Of the processes and their children, also of those that have ended. */
async function cpuSeconds(pids: number[]): Promise<number> {
  const each = pids.map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    // User and system time, its own and that of its ended children, in hundredths.
    const [own = 0, system = 0, ended = 0, endedSystem = 0] =
      stat.split(') ')[1]?.split(' ').slice(11, 15).map(Number) ?? [];
    const living = await cpuSeconds(children.trim().split(' ').filter(Boolean).map(Number));
    return (own + system + ended + endedSystem) / 100 + living;
  });
  return (await Promise.all(each)).reduce((sum, used) => sum + used, 0);
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/**
 * Runs two measurements in turn and returns the median of the ratios of neighbours, so that noise
 * affects both.
 */
export async function alternate(
  rounds: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
) {
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    // Each goes first equally often.
    if (round % 2 === 0) pairs.push([await one(), await other()]);
    else {
      const second = await other();
      pairs.push([await one(), second]);
    }
  }
  return {
    ratio: median(pairs.map(([a, b]) => a / b)),
    one: median(pairs.map(([a]) => a)),
    other: median(pairs.map(([, b]) => b)),
  };
}

export const figures = ({ one, other }: { one: number; other: number }, unit = 'requests/s') =>
  `${Math.round(one)} against ${Math.round(other)} ${unit}`;
