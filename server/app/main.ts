// Starts Rally: configuration → database → migrations → demo academy → server. Ends it in the other
// order.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createApp } from './app.ts';
import { type Config, ConfigError, misspelt, readAddress, readConfig } from '../platform/config.ts';
import { listenForChanges } from '../platform/db/changes.ts';
import { connect, type Database } from '../platform/db/connection.ts';
import { demoPassword, people } from '../demo/academy.ts';
import { startEmbedded } from '../platform/postgres/embedded.ts';
import { createJobs, prepareJobs } from '../platform/db/jobs.ts';
import { migrate } from '../platform/db/migrate.ts';
import { grantRows } from '../platform/db/roles.ts';
import { keepDates } from '../demo/dates.ts';
import { seed } from '../demo/seed.ts';
import { seal } from '../people/care.ts';
import { settleTimeZone } from '../platform/db/zone.ts';
import { DatabaseRefusal, waitForDatabase } from '../platform/db/wait.ts';
import { hashPassword, setPasswordCost } from '../signin/hashes.ts';
import { registerPages } from './pages.ts';
import { createProtection } from '../platform/http/protection.ts';
import { proxySandbox } from '../platform/http/proxy.ts';
import { createCards } from '../platform/cards.ts';
import { createMail } from '../mail/mail.ts';
import { sandboxKeys, startSandbox } from '../platform/sandbox.ts';

const say = (line: string) => console.log(line);
const root = join(import.meta.dirname, '../..');

type Closers = (() => Promise<unknown> | void)[];

/** PostgreSQL, migrated by its owner and, on the first start of a demo, filled. */
async function openDatabase(config: Config, closers: Closers, calledOff: AbortSignal) {
  const embedded = config.databaseUrl
    ? null
    : await startEmbedded({ dataDir: config.dataDir, log: say });
  if (embedded) closers.push(() => embedded.stop());
  const url = embedded?.serveUrl ?? config.databaseUrl ?? '';
  const owner = embedded?.url ?? config.migrateDatabaseUrl ?? url;
  if (!embedded)
    for (const asked of new Set([owner, url]))
      await waitForDatabase(asked, { log: say, signal: calledOff });
  if (owner !== url) await grantRows(owner, url);
  const [migrated] = await allOrNothing([migrate(owner), prepareJobs(owner)]);
  if (migrated.length > 0) say(`Migrated the database: ${migrated.join(', ')}`);
  const database = connect(url);
  closers.push(() => database.close());
  await settleTimeZone(database, config);
  const sealed = seal.bind(null, config.careKeys);
  if (config.demoData && (await seed(database, hashPassword, sealed)))
    say('Wrote the demo academy');
  if (config.demoData) await keepingDates(database, closers);
  const [changes, jobs] = await Promise.all([listenForChanges(url), createJobs({ url, log: say })]);
  closers.push(() => changes.close());
  closers.push(() => jobs.close());
  return { database, changes, jobs };
}

/** Of the demo, whose dates never run out. */
async function keepingDates(database: Database, closers: Closers) {
  await keepDates(database);
  const again = () => void keepDates(database).catch((error: unknown) => say(String(error)));
  const daily = setInterval(again, 24 * 3_600_000);
  closers.push(() => clearInterval(daily));
}

async function openCards(config: Config, closers: Closers) {
  const keys = config.stripe ?? sandboxKeys(config.secret);
  const sandbox = config.stripe
    ? null
    : await startSandbox({ dataDir: config.dataDir, keys, log: say });
  if (sandbox) closers.push(() => sandbox.close());
  return { sandbox, cards: createCards({ keys, sandboxOrigin: sandbox?.origin ?? null }) };
}

async function start(calledOff: AbortSignal) {
  await tryPort(readAddress());
  const config = readConfig();
  for (const line of misspelt()) say(line);
  setPasswordCost(config.passwordCost);
  const closers: Closers = [];
  const close = async () => {
    for (const closer of closers.toReversed()) await closer();
  };
  try {
    const [opened, { sandbox, cards }] = await allOrNothing([
      openDatabase(config, closers, calledOff),
      openCards(config, closers),
    ]);
    const { database, changes, jobs } = opened;
    const mail = createMail({ ...config, pool: database.pool });
    closers.push(() => mail.close());

    const dev = process.argv.includes('--dev');
    // Event loop delay does not mean overload where Vite compiles on the same event loop, nor in the
    // browser tests, whose machine may stall for seconds.
    const shedLoad = !dev && !process.argv.includes('--no-shedding');
    const app = await createApp({ config, database, changes, jobs, mail, cards, shedLoad });
    closers.push(() => app.server.close());
    if (sandbox) proxySandbox(app.server, sandbox.origin);
    await registerPages(app.server, {
      clientDir: join(root, 'dist/client'),
      serverDir: join(root, 'dist/server'),
      dev,
      publicUrl: config.publicUrl,
      ask: app.ask,
      memory: app.memory,
      protection: createProtection({
        https: config.publicUrl.startsWith('https:'),
        realStripe: config.stripe !== null,
      }),
    });
    await app.server.listen({ host: config.host, port: config.port });
    const { port } = app.server.server.address() as { port: number };
    await sandbox?.pointTo(`http://127.0.0.1:${port}/api/webhooks/stripe`);
    return { config, close, port, drain: app.drain };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Rejects when another process has the port, before anything is written. */
async function tryPort({ host, port }: ReturnType<typeof readAddress>) {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  await once(probe.close(), 'close');
}

/** Waits for both before it rejects, so that everything opened can be closed. */
async function allOrNothing<A, B>([one, other]: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** A second signal exits at once. One Ctrl-C can arrive twice, from the terminal and from npm. */
function endOnSignal(close: (signal: NodeJS.Signals) => Promise<void>) {
  let since = 0;
  const end = (signal: NodeJS.Signals) => {
    if (since > 0 && Date.now() - since < 1_000) return;
    if (since > 0) process.exit(1);
    since = Date.now();
    close(signal).then(() => process.exit(0), endBadly);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

function endBadly(error: unknown): never {
  // A signal while waiting for the database is not an error.
  if (error instanceof Error && error.name === 'AbortError' && calledOff.signal.aborted)
    process.exit(0);
  const { code, port } = Object(error) as { code?: string; port?: number };
  const isPlain = error instanceof ConfigError || error instanceof DatabaseRefusal;
  if (code === 'EADDRINUSE') console.error(`Port ${port} is in use. Set PORT.`);
  else console.error(isPlain ? error.message : error);
  process.exit(1);
}

const calledOff = new AbortController();
try {
  const starting = start(calledOff.signal);
  // A start that is interrupted closes what it has opened.
  endOnSignal(async (signal) => {
    calledOff.abort();
    const { drain, close } = await starting;
    // Ctrl-C means that there is no load balancer, so there is no drain.
    if (signal === 'SIGTERM') await drain();
    await close();
  });
  const { config, port } = await starting;
  say(`\n${config.brand} is open at http://localhost:${port}\n`);
  if (!config.production) {
    if (config.demoData) say(`Demo accounts (password ${demoPassword}):`);
    for (const person of config.demoData ? people : [])
      if (person.signsIn) say(`  ${person.role.padEnd(10)} ${person.email}`);
    if (config.smtpUrl === null)
      say(`Mail that would have been sent: http://localhost:${port}/dev/mail`);
    say(`API: http://localhost:${port}/api/docs\n`);
  }
} catch (error) {
  endBadly(error);
}
