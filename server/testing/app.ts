// testApp(): the real app on a database of its own. Nothing of ours is mocked.
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { InjectOptions } from 'fastify';
import type { Pool } from 'pg';
import { inject } from 'vitest';
import type { AnyCall, Answer, Input } from '../../contract/platform/call.ts';
import { address, isInQuery } from '../../contract/platform/call.ts';
import type { ErrorBody } from '../../contract/platform/errors.ts';
import { createApp } from '../app/app.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { listenForChanges } from '../platform/db/changes.ts';
import { connect } from '../platform/db/connection.ts';
import { createJobs } from '../platform/db/jobs.ts';
import { setPasswordCost } from '../signin/hashes.ts';
import { type Cards, createCards } from '../platform/cards.ts';
import { createMail, type Mail, type Message } from '../mail/mail.ts';
import type { Server } from '../platform/http/server.ts';
import { patient } from './patient.ts';
import { createDatabase, dropDatabase } from './postgres.ts';
import { testKeys } from './provider.ts';
import { inTheEnd } from './tidy.ts';

export { testKeys };

export type TestApp = Awaited<ReturnType<typeof testApp>>;

/** Options of a test: the address of a card sandbox, and whether periodic work runs on a timer. */
export interface Outside {
  sandbox?: string;
  timers?: boolean;
  /** False: jobs wait for another process. */
  works?: boolean;
  /** Wraps the card provider, to make the app die or wait at a chosen moment. */
  between?: (cards: Cards) => Cards;
  /** How long changed seats are gathered before visitors see them. */
  gatherSeatsMs?: number;
}

/** A port without a listener: tests that never pay need no card provider. */
const unreachable = 'http://127.0.0.1:9';

let made = 0;

/** An app for this test file. When the file ends, the app is closed and its database dropped. */
export async function testApp(changed: Partial<Config> = {}, outside: Outside = {}) {
  const name = `rally_t_${process.ppid}_${process.pid}_${made++}`;
  const server = inject('postgres');
  const url = await createDatabase(server, name, inject('template'));
  const app = await appOn(url, changed, outside);
  inTheEnd(async () => {
    await app.close();
    await dropDatabase(server, name);
  });
  return app;
}

/** A second app on the same database, equivalent to another process. */
export async function appOn(url: string, changed: Partial<Config> = {}, outside: Outside = {}) {
  const config: Config = {
    ...readConfig({
      NODE_ENV: 'test',
      AUTH_SECRET: 'a-test-secret-of-forty-three-letters-or-more',
      CARE_KEYS: '1:dGhpcyBpcyBhIHRlc3Qga2V5IG9mIDMyIGJ5dGVzLi4=',
      PORT: '3000',
    }),
    rateLimit: false,
    passwordCost: 'cheap',
    timeZone: 'Europe/Lisbon',
    logLevel: 'warn',
    ...changed,
  };
  setPasswordCost(config.passwordCost);
  const logs: string[] = [];
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      logs.push(String(chunk));
      done();
    },
  });
  // Few connections: each reads the schema for itself, which was a sixth of the time of the tests.
  const database = connect(url, { ...patient, poolSize: 5 });
  const { gatherSeatsMs } = outside;
  const changes = await listenForChanges(url, {
    ...patient,
    ...(gatherSeatsMs ? { gatherSeatsMs } : {}),
  });
  const jobs = await createJobs({ url, ...patient, poolSize: 2, timers: outside.timers ?? false });
  if (outside.works === false) jobs.work = async () => undefined;
  const sent: Message[] = [];
  const mailer = createMail({ ...config, pool: database.pool });
  const mail: Mail = {
    ...mailer,
    send: async (message, id) => {
      await mailer.send(message, id);
      sent.push(message);
    },
  };
  const provider = createCards({
    keys: testKeys,
    sandboxOrigin: () => outside.sandbox ?? unreachable,
    retries: 0,
  });
  const cards = outside.between?.(provider) ?? provider;
  const app = await createApp({
    config,
    database,
    changes,
    jobs,
    mail,
    cards,
    logTo,
    shedLoad: false,
    onlyDeclared: true,
  });
  await app.server.ready();
  return {
    ...app.services,
    ...app,
    ...database,
    url,
    config,
    logs,
    mail,
    /** What was mailed, in order. */
    sent,
    jobs,
    cards,
    ...asking(app.server),
    /** Calls the API as the server does while it renders a page. */
    askItself: app.ask,
    /** Also waits for the mails: they are jobs. */
    settled: () => mailsHaveLeft(database.pool),
    close: async () => {
      await app.server.close();
      mail.close();
      await jobs.close();
      await changes.close();
      // A test ends it to be without a database.
      if (!database.pool.ended) await database.close();
    },
  };
}

/** Asks a server without a network. `send`: a call, as the browser would; returns status and body. */
export function asking(server: Server) {
  const ask = (options: InjectOptions) => server.inject(options);
  async function send<C extends AnyCall>(call: C, input: Input<C>, token?: string) {
    const { path, rest } = address(call, input as object);
    const inQuery = isInQuery(call);
    const answer = await ask({
      method: call.method,
      url: path,
      ...(inQuery ? { query: rest as Record<string, string> } : { payload: rest }),
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
    const type = answer.headers['content-type'] ?? '';
    const json: unknown = type.includes('json') && answer.body ? answer.json() : answer.body;
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: json as (Answer<C> extends { items: infer L; total: number } ? L : Answer<C>) &
        Partial<ErrorBody>,
    };
  }
  return { ask, send };
}

async function mailsHaveLeft(pool: Pool): Promise<void> {
  const waiting = `select from pgboss.job where name in ('reset-asked', 'send-mail') and state < 'completed' and start_after <= now() limit 1`;
  for (let n = 0; n < 500; n++) {
    if ((await pool.query(waiting)).rows.length === 0) return;
    await pause(10);
  }
}

/** A unique value. */
export const unique = (prefix: string) => `${prefix}-${randomBytes(6).toString('hex')}`;
