// createApp(parts): wires the parts together. Not for: starting them (main.ts).
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchBooks } from './books.ts';
import type { Config } from './config.ts';
import type { Changes } from './db/changes.ts';
import type { Database } from './db/connection.ts';
import type { Jobs } from './db/jobs.ts';
import { settleTimeZone } from './db/zone.ts';
import { account } from './features/identity/account.ts';
import { auditLog } from './features/audit.ts';
import { calendar } from './features/classes/calendar.ts';
import { catalogue } from './features/classes/catalogue.ts';
import { type Checkout, checkout } from './features/checkout/index.ts';
import { checkingDates } from './features/classes/checkdates.ts';
import { classes } from './features/classes/classes.ts';
import { feeds } from './features/classes/feeds.ts';
import { attention } from './features/office/attention.ts';
import { figures } from './features/office/figures.ts';
import { createForgetOld } from './features/office/forget.ts';
import { createDayTurns } from './features/classes/dayturns.ts';
import { decisions } from './features/classes/decisions.ts';
import { handover } from './features/classes/handover.ts';
import { identity } from './features/identity/routes.ts';
import { instructors } from './features/classes/instructors.ts';
import { meetings } from './features/classes/meetings.ts';
import { noLonger } from './features/identity/nolonger.ts';
import { plans } from './features/classes/plans.ts';
import { places } from './features/classes/places.ts';
import { mailbox } from './features/office/mailbox.ts';
import { care } from './features/people/care.ts';
import { family } from './features/people/family.ts';
import { guardians } from './features/people/guardians.ts';
import { users } from './features/people/users.ts';
import { attendance } from './features/rollcall/attendance.ts';
import { marks } from './features/rollcall/marks.ts';
import { roster } from './features/rollcall/roster.ts';
import { type AskItself, askItself } from './http/itself.ts';
import { live } from './http/live.ts';
import { createMemory, type Memory } from './http/memory.ts';
import { createOn } from './http/on.ts';
import { createGet, createRawPost } from './http/raw.ts';
import { guardRedirects } from './http/redirect.ts';
import { createServer, type Server } from './http/server.ts';
import { system } from './http/system.ts';
import type { Cards } from './outside/cards.ts';
import type { Mail } from './outside/mail.ts';

export interface Parts {
  config: Config;
  database: Database;
  changes: Changes;
  jobs: Jobs;
  mail: Mail;
  cards: Cards;
  logTo?: Writable;
  /** False in tests, whose own work delays the event loop. */
  shedLoad?: boolean;
  /** True in tests: a handler may refuse only with codes that its call declares. */
  onlyDeclared?: boolean;
}

export interface App {
  server: Server;
  /** The ids of the calls that have a handler. */
  registered: readonly string[];
  /** Calls the API as a visitor, without the network: for server-rendered pages. */
  ask: AskItself;
  /** The periodic work of checkout, for tests that run it directly. */
  money: Checkout;
  /**
   * Reports not ready and keeps answering, so that load balancers notice. The caller closes the
   * server afterwards.
   */
  drain: () => Promise<void>;
  /** Keeps public responses. */
  memory: Memory;
  /** Resolves when no work started after a response is still running. */
  settled(): Promise<void>;
}

export async function createApp(parts: Parts): Promise<App> {
  const { config, database, changes, jobs, mail, cards } = parts;
  const { db, prepare, transaction } = database;
  const memory = createMemory(changes);
  const door = { leaving: false };
  const server = await createServer({
    production: config.production,
    publicUrl: config.publicUrl,
    https: config.publicUrl.startsWith('https:'),
    trustProxy: config.trustProxy,
    logLevel: config.logLevel,
    realStripe: config.stripe !== null,
    memory,
    door,
    shedLoad: parts.shedLoad ?? true,
    ...(parts.logTo ? { logTo: parts.logTo } : {}),
  });
  guardRedirects(server, config.publicUrl);
  const timeZone = await settleTimeZone(database, config);
  const who = identity({
    config,
    timeZone,
    database,
    mail,
    jobs,
    cards,
    complain: (message, err) => server.log.error({ err }, message),
  });
  const { on, registered } = createOn(server, who, memory, {
    rateLimit: config.rateLimit,
    production: config.production,
    onlyDeclared: parts.onlyDeclared ?? false,
  });

  system(server, { ...config, pool: database.pool, door });
  if (!config.production && !config.smtpUrl)
    mailbox(createGet(server), { mail, brand: config.brand, publicUrl: config.publicUrl });
  const streams = live(server, { on, changes, config });
  who.mount(on);
  auditLog({ on, db });
  users({ on, db, transaction });
  const { openCare, reseal } = care({ on, db, transaction, config, log: server.log });
  family({ on, db, transaction, noLonger, jobs, config });
  guardians({ on, db, transaction, noLonger, jobs, config });
  catalogue({ on, db });
  plans({ on, db });
  classes({ on, db, transaction, jobs, config });
  decisions({ on, db, transaction, jobs, config });
  places({ on, db, transaction });
  meetings({ on, db, transaction, jobs, config });
  checkingDates({ on, db });
  await jobs.work('day-turns', createDayTurns({ transaction }));
  jobs.every(60, 'day-turns');
  handover({ on, db, transaction });
  instructors({ on, db });
  calendar({ on, db, prepare });
  feeds({ on, db, prepare, transaction, config });
  const onRaw = createRawPost(server);
  const money = await checkout({
    on,
    onRaw,
    db,
    prepare,
    transaction,
    jobs,
    cards,
    mail,
    config,
    log: server.log,
  });
  await watchBooks({ db, cards, jobs, config, log: server.log });
  account({ on, db, transaction, database, jobs, giveUp: money.giveUp, openCare, config });
  roster({ on, db, openCare });
  marks({ on, transaction });
  attendance({ on, db });
  await jobs.work(
    'forget-old',
    createForgetOld({ db, transaction, jobs, config, reseal, noLonger }),
  );
  jobs.every(24 * 3_600, 'forget-old');
  attention({ on, db, transaction, jobs });
  figures({ on, db });

  const drain = async () => {
    door.leaving = true;
    const ms = config.drainSeconds * 1_000;
    await Promise.all([streams.leave(ms / 2), sleep(ms)]);
  };
  const settled = () => who.settled();
  return { server, registered, money, memory, ask: askItself(server), drain, settled };
}
