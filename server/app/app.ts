// createApp(parts): wires the parts together.
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchBooks } from '../checkout/books.ts';
import type { Config } from '../platform/config.ts';
import { openAcademy } from '../platform/db/academy.ts';
import type { Changes } from '../platform/db/changes.ts';
import type { Database } from '../platform/db/connection.ts';
import { hasDemoAccounts } from '../demo/seed.ts';
import type { Jobs } from '../platform/db/jobs.ts';
import { account } from '../signin/account.ts';
import { auditLog } from '../people/audit.ts';
import { calendar } from '../classes/calendar.ts';
import { catalogue } from '../classes/catalogue.ts';
import { checkout } from '../checkout/index.ts';
import { classes } from '../classes/classes.ts';
import { feeds } from '../classes/feeds.ts';
import { announcements } from '../classes/announcements.ts';
import { attention } from '../academy/attention.ts';
import { figures } from '../academy/figures.ts';
import { createForgetOld } from '../academy/forget.ts';
import { leavingTerms } from '../academy/leaving.ts';
import { pictures } from '../academy/pictures.ts';
import { createDayTurns } from '../classes/dayturns.ts';
import { decisions } from '../classes/decisions.ts';
import { meetings } from '../classes/meetings.ts';
import { teaching } from '../classes/teaching.ts';
import { places } from '../classes/places.ts';
import { mailbox } from './mailbox.ts';
import { createNotices } from '../academy/notices.ts';
import { createReminders } from '../academy/reminders.ts';
import { sendingMail } from '../mail/send.ts';
import { settings } from '../academy/settings.ts';
import { site } from '../academy/site.ts';
import { steps } from '../academy/steps.ts';
import { care } from '../people/care.ts';
import { checkoutMails } from '../checkout/mails.ts';
import { waitingMails } from '../checkout/waiting/mails.ts';
import { classMails } from '../classes/mails.ts';
import { officeMails } from '../academy/mails.ts';
import { family } from '../people/family.ts';
import { createEnds } from '../platform/ends.ts';
import { peopleMails } from '../people/mails.ts';
import { guardians } from '../people/guardians.ts';
import { staff } from '../people/staff.ts';
import { staffRoles } from '../signin/roles.ts';
import { userPage } from '../academy/userpage.ts';
import type { Mails } from '../mail/kinds.ts';
import { mailLook } from '../mail/html.ts';
import type { Services } from '../platform/services.ts';
import { createCookies } from '../signin/cookies.ts';
import { createGate } from '../signin/gate.ts';
import { createGuesses } from '../signin/guesses.ts';
import { signin } from '../signin/index.ts';
import { identityMails } from '../signin/mails.ts';
import { forgetSignIns } from '../signin/sessions.ts';
import { createTokens } from '../signin/tokens.ts';
import { markBounced, users } from '../people/users.ts';
import { attendance } from '../rollcall/attendance.ts';
import { marks } from '../rollcall/marks.ts';
import { roster } from '../rollcall/roster.ts';
import { askItself } from '../platform/http/itself.ts';
import { live } from '../platform/http/live.ts';
import { servePictures } from '../platform/http/media.ts';
import { createMemory } from '../platform/http/memory.ts';
import { createOn } from '../platform/http/on.ts';
import { createGet, createRawPost } from '../platform/http/raw.ts';
import { createServer, guardRedirects } from '../platform/http/server.ts';
import { system } from './system.ts';
import type { Cards } from '../platform/cards.ts';
import type { Mail } from '../mail/mail.ts';
import { createPictures } from '../academy/decode.ts';

interface Parts {
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

const kinds: Mails = {
  ...peopleMails,
  ...classMails,
  ...checkoutMails,
  ...waitingMails,
  ...officeMails,
  ...identityMails,
};

/** Wires the rooms. `money`, `memory` and `registered` are for tests and for the pages. */
export async function createApp(parts: Parts) {
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
  mail.wear(async () => mailLook(await academy.read(), config.publicUrl));
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
    academy,
    ends: createEnds(),
    config,
    log: server.log,
  };

  system(server, { config, pool: database.pool, door });
  if (!config.production && !config.smtpUrl)
    mailbox(createGet(server), { mail, brand: config.brand, publicUrl: config.publicUrl });
  const streams = live(server, { on, changes, config });
  const demoAccounts = !config.production && (await hasDemoAccounts(database.db));
  await signin({ ...services, guesses, cookies, tokens, gate, demoAccounts });
  auditLog(services);
  users(services);
  staff(services);
  staffRoles(services);
  userPage(services);
  const { openCare, reseal } = care(services);
  family(services);
  guardians({ ...services, guesses });
  catalogue(services);
  classes(services);
  decisions(services);
  places(services);
  meetings(services);
  await jobs.work('day-turns', createDayTurns(services));
  jobs.every(60, 'day-turns');
  calendar(services);
  feeds(services);
  teaching(services);
  const money = await checkout(services);
  changes.onLine(money.hearOfLine);
  await watchBooks(services);
  account({ ...services, guesses, giveUp: money.giveUp, openCare });
  roster({ ...services, openCare });
  marks(services);
  attendance(services);
  await jobs.work('forget-old', createForgetOld({ ...services, reseal, forgetSignIns }));
  jobs.every(24 * 3_600, 'forget-old');
  const decoder = createPictures();
  server.addHook('onClose', async () => decoder.close());
  pictures(services, { serve: servePictures.bind(null, server), decoder });
  await sendingMail({ ...services, mail, kinds, markBounced });
  await jobs.work('notices', createNotices(services));
  jobs.every(300, 'notices');
  await jobs.work('reminders', createReminders(services));
  jobs.every(600, 'reminders');
  attention(services);
  figures(services);
  settings({ ...services, config: parts.config });
  leavingTerms(services);
  site(services);
  steps(services, mail);
  announcements(services);

  /** Reports not ready and keeps answering, so that load balancers notice. */
  const drain = async () => {
    door.leaving = true;
    streams.leave();
    await sleep(config.drainSeconds * 1_000);
  };
  return { server, services, registered, money, memory, ask: askItself(server), drain };
}
