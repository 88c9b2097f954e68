// createApp(parts): wires the parts together. Not for: starting them (main.ts).
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchBooks } from './books.ts';
import type { Config } from './config.ts';
import { openAcademy } from './db/academy.ts';
import type { Changes } from './db/changes.ts';
import type { Database } from './db/connection.ts';
import { hasDemoAccounts } from './db/demo/seed.ts';
import type { Jobs } from './db/jobs.ts';
import { account } from './features/identity/account.ts';
import { auditLog } from './features/audit.ts';
import { calendar } from './features/classes/calendar.ts';
import { catalogue } from './features/classes/catalogue.ts';
import { type Checkout, checkout } from './features/checkout/index.ts';
import { checkingDates } from './features/classes/checkdates.ts';
import { classes } from './features/classes/classes.ts';
import { feeds } from './features/classes/feeds.ts';
import { announcements } from './features/office/announcements.ts';
import { attention } from './features/office/attention.ts';
import { figures } from './features/office/figures.ts';
import { createForgetOld } from './features/office/forget.ts';
import { pictures } from './features/office/pictures.ts';
import { createDayTurns } from './features/classes/dayturns.ts';
import { decisions } from './features/classes/decisions.ts';
import { handover } from './features/classes/handover.ts';
import { instructors } from './features/classes/instructors.ts';
import { meetings } from './features/classes/meetings.ts';
import { plans } from './features/classes/plans.ts';
import { teaching } from './features/classes/teaching.ts';
import { places } from './features/classes/places.ts';
import { mailbox, mailSamples } from './features/office/mailbox.ts';
import { createNotices } from './features/office/notices.ts';
import { createReminders } from './features/office/reminders.ts';
import { sendingMail } from './features/mails/send.ts';
import { settings } from './features/office/settings.ts';
import { site } from './features/office/site.ts';
import { steps } from './features/office/steps.ts';
import { care } from './features/people/care.ts';
import { checkoutMails } from './features/checkout/mails.ts';
import { classMails } from './features/classes/mails.ts';
import { officeMails } from './features/office/mails.ts';
import { family } from './features/people/family.ts';
import { createEnds } from './features/people/ends.ts';
import { peopleMails } from './features/people/mails.ts';
import { guardians } from './features/people/guardians.ts';
import { staff } from './features/people/staff.ts';
import { staffRoles } from './features/identity/staff.ts';
import { userPage } from './features/office/userpage.ts';
import type { Mails } from './features/mails/kinds.ts';
import { mailLook } from './features/mails/look.ts';
import { mailPreferences, markBounced } from './features/people/mailprefs.ts';
import type { Services } from './services.ts';
import { createCookies } from './signin/cookies.ts';
import { createGate } from './signin/gate.ts';
import { createGuesses } from './signin/guesses.ts';
import { signin } from './signin/index.ts';
import { identityMails } from './signin/mails.ts';
import { forgetSignIns } from './signin/sessions.ts';
import { createTokens } from './signin/tokens.ts';
import { users } from './features/people/users.ts';
import { attendance } from './features/rollcall/attendance.ts';
import { marks } from './features/rollcall/marks.ts';
import { roster } from './features/rollcall/roster.ts';
import { type AskItself, askItself } from './http/itself.ts';
import { live } from './http/live.ts';
import { servePictures } from './http/media.ts';
import { createMemory, type Memory } from './http/memory.ts';
import { createOn } from './http/on.ts';
import { createGet, createRawPost } from './http/raw.ts';
import { guardRedirects } from './http/redirect.ts';
import { createServer, type Server } from './http/server.ts';
import { system } from './http/system.ts';
import type { Cards } from './outside/cards.ts';
import type { Mail } from './outside/mail.ts';
import { createPictures } from './outside/pictures.ts';

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
  /** What the rooms were given. */
  services: Services;
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
}

export async function createApp(parts: Parts): Promise<App> {
  const { database, changes, jobs, mail, cards } = parts;
  const academy = await openAcademy(database, changes, parts.config);
  const config: Services['config'] = {
    ...parts.config,
    // Not as the environment says, but as the academy is called now.
    get brand() {
      return academy.last.name;
    },
    get contactEmail() {
      return academy.last.email;
    },
    get timeZone() {
      return academy.last.timeZone;
    },
    get currency() {
      return academy.last.currency;
    },
    get locale() {
      return academy.last.locale;
    },
    get securityContact() {
      const { email } = academy.last;
      const isSet = email !== null && email !== parts.config.contactEmail;
      const { securityContact, securityContactGiven } = parts.config;
      return isSet && !securityContactGiven ? `mailto:${email}` : securityContact;
    },
  };
  const look = async () => mailLook(await academy.read(), config.publicUrl);
  mail.wear(look);
  const memory = createMemory(changes);
  const door = { leaving: false };
  const server = await createServer({
    https: config.publicUrl.startsWith('https:'),
    trustProxy: config.trustProxy,
    zone: () => config.timeZone,
    rateLimit: config.rateLimit,
    logLevel: config.logLevel,
    realStripe: config.stripe !== null,
    memory,
    door,
    shedLoad: parts.shedLoad ?? true,
    ...(parts.logTo ? { logTo: parts.logTo } : {}),
  });
  guardRedirects(server, config.publicUrl);
  const guesses = createGuesses(database, { secret: config.secret, enabled: config.rateLimit });
  const cookies = createCookies(config);
  const tokens = createTokens(config);
  const gate = createGate(config, database, { tokens, cookies });
  const { on, registered } = createOn(server, gate, memory, {
    onlyDeclared: parts.onlyDeclared ?? false,
  });

  const services: Services = {
    ...database,
    on,
    onRaw: createRawPost(server),
    jobs,
    cards,
    mail,
    academy,
    ends: createEnds(),
    config,
    log: server.log,
  };

  system(server, { config, pool: database.pool, door });
  if (!config.production && !config.smtpUrl)
    mailbox(createGet(server), { mail, brand: config.brand, publicUrl: config.publicUrl });
  if (!config.production) mailSamples(createGet(server), config, look);
  const streams = live(server, { on, changes, config });
  const demoAccounts = !config.production && (await hasDemoAccounts(database.db));
  await signin({ ...services, guesses, cookies, tokens, gate, demoAccounts });
  auditLog(services);
  users(services);
  staff(services);
  staffRoles(services);
  userPage(services);
  mailPreferences(services);
  const { openCare, reseal } = care(services);
  family(services);
  guardians({ ...services, guesses });
  catalogue(services);
  plans(services);
  classes(services);
  decisions(services);
  places(services);
  meetings(services);
  checkingDates(services);
  await jobs.work('day-turns', createDayTurns(services));
  jobs.every(60, 'day-turns');
  handover(services);
  instructors(services);
  calendar(services);
  feeds(services);
  teaching(services);
  const money = await checkout(services);
  await watchBooks(services);
  account({ ...services, guesses, giveUp: money.giveUp, openCare });
  roster({ ...services, openCare });
  marks(services);
  attendance(services);
  await jobs.work('forget-old', createForgetOld({ ...services, reseal, forgetSignIns }));
  jobs.every(24 * 3_600, 'forget-old');
  const decoder = createPictures();
  server.addHook('onClose', async () => decoder.close());
  const serve = servePictures.bind(null, server, changes);
  pictures(services, { serve, decoder });
  const kinds: Mails = {
    ...peopleMails,
    ...classMails,
    ...checkoutMails,
    ...officeMails,
    ...identityMails,
  };
  await sendingMail({ ...services, kinds, markBounced });
  await jobs.work('notices', createNotices(services));
  jobs.every(300, 'notices');
  await jobs.work('reminders', createReminders(services));
  jobs.every(600, 'reminders');
  attention(services);
  figures(services);
  settings({ ...services, config: parts.config });
  site(services);
  steps(services);
  announcements(services);

  const drain = async () => {
    door.leaving = true;
    const ms = config.drainSeconds * 1_000;
    await Promise.all([streams.leave(ms / 2), sleep(ms)]);
  };
  return { server, services, registered, money, memory, ask: askItself(server), drain };
}
