// The configuration: reads and validates every environment variable. Nothing else in server/ reads
// process.env, and nothing here opens a connection.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { isTimeZone } from '../../contract/platform/days.ts';
import { currencies } from '../../contract/platform/currencies.ts';
import { slips } from '../../contract/platform/slips.ts';
import { isLocal, isOrigin, isProxyList, isUrl, proxies } from './configforms.ts';
import {
  type CareKey,
  careKeyFile,
  freshCareKey,
  freshSecret,
  isSecret,
  ownCareKeys,
  ownSecret,
  readCareKeys,
} from './secrets.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export type { CareKey };

export type PasswordCost = 'full' | 'cheap';

export type Config = ReturnType<typeof readConfig>;

export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(['The configuration has problems:', ...problems.map((line) => `  - ${line}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const text = (pattern: RegExp, must: string) =>
  z.optional(z.string().check(z.regex(pattern, must)));
const passing = (test: (value: string) => boolean, must: string | (() => string)) =>
  z.optional(z.string().check(z.refine(test, { error: must })));
const choice = (...values: string[]) =>
  passing(
    (value) => values.includes(value),
    `must be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
  );

const email = /^[^\s@<>"]+@[^\s@<>"]+$/;

const database = passing(
  (value) => isUrl(value, ['postgres:', 'postgresql:']),
  'must be a URL such as postgres://user:password@host:5432/rally',
);

const environment = {
  // A misspelt 'prod' must not silently start with demo accounts.
  NODE_ENV: choice('development', 'test', 'production'),
  HOST: text(/^[\w.:%-]+$/, 'must be a host name or an address'),
  PORT: passing(
    (value) => /^\d{1,5}$/.test(value) && Number(value) <= 65535,
    'must be a whole number from 0 to 65535',
  ),
  DATA_DIR: z.optional(z.string()),
  DATABASE_URL: database,
  MIGRATE_DATABASE_URL: database,
  BRAND_NAME: text(
    /^[^\p{Cc}<>"\\]{1,80}$/u,
    'must be 1 to 80 characters, without line breaks, quotes or < >',
  ),
  PUBLIC_URL: passing(
    isOrigin,
    'must be an origin such as https://rally.example.com: no path, no query, no user',
  ),
  AUTH_SECRET: passing(
    isSecret,
    () => `must be 32 random bytes in base64 (43 characters). A fresh one: ${freshSecret()}`,
  ),
  CARE_KEYS: passing(
    (value) => readCareKeys(value) !== null,
    () =>
      `must be keys of 32 bytes in base64, each with a number of its own, the newest first: 2:…,1:…. A fresh one: ${freshCareKey()}`,
  ),
  GOOGLE_CLIENT_ID: z.optional(z.string()),
  GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  GOOGLE_ISSUER: passing(
    (value) => isUrl(value, ['https:']) || (isUrl(value, ['http:']) && isLocal(value)),
    'must be an https URL (http only on this machine)',
  ),
  SMTP_URL: passing(
    (value) => isUrl(value, ['smtp:', 'smtps:']),
    'must be a URL such as smtps://user:password@mail.example.com',
  ),
  MAIL_FROM: passing(
    (value) => email.test(/^[^\p{Cc}<>]*<([^<>]+)>$/u.exec(value)?.[1] ?? value),
    'must be an address such as Rally <no-reply@rally.example.com>',
  ),
  STRIPE_SECRET_KEY: text(
    /^(sk|rk)_(test|live)_\S+$/,
    'must start with sk_ or rk_ and then test_ or live_',
  ),
  STRIPE_PUBLISHABLE_KEY: text(/^pk_(test|live)_\S+$/, 'must start with pk_test_ or pk_live_'),
  STRIPE_WEBHOOK_SECRET: text(/^whsec_\S+$/, 'must start with whsec_'),
  RATE_LIMIT: choice('on', 'off'),
  PASSWORD_COST: choice('full', 'cheap'),
  DRAIN_SECONDS: text(/^\d{1,3}(\.\d+)?$/, 'must be a number of seconds'),
  LIVE_STREAMS: text(/^\d{1,6}$/, 'must be a whole number'),
  TRUST_PROXY: passing(
    isProxyList,
    'must be a list of addresses or networks (10.0.0.0/8, ::1), a number of hops, or none',
  ),
  LOG_LEVEL: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ADMIN_EMAIL: text(email, 'must be an email address'),
  STRICT_PASSWORDS: choice('on', 'off'),
  STAFF_TWO_STEP: choice('on', 'off'),
  API_DOCS: choice('on', 'off'),
  DEMO_DATA: choice('on', 'off'),
  SECURITY_CONTACT: passing(
    (value) => email.test(value) || isUrl(value, ['https:', 'mailto:']),
    'must be an email address or an https URL',
  ),
  CONTACT_EMAIL: text(email, 'must be an email address'),
  CURRENCY: choice(...currencies),
  TIME_ZONE: passing(isTimeZone, 'must be an IANA time zone such as Europe/Lisbon'),
};

type Key = keyof typeof environment;
type Given = Partial<Record<Key, string>>;

export const environmentKeys: readonly string[] = Object.keys(environment);

/** Each may be given as NAME_FILE: the path of a file with the value, as secret stores mount them. */
const secretKeys: readonly Key[] = [
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'AUTH_SECRET',
  'CARE_KEYS',
  'GOOGLE_CLIENT_SECRET',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
];
const settings: readonly string[] = [...environmentKeys, ...secretKeys.map((key) => `${key}_FILE`)];

/** Without an argument, reads `.env` too. Variables that are already set win over the file. */
function readGiven(env?: NodeJS.ProcessEnv): { given: Given; dataDir: string } {
  if (!env && existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
  const { given, badFiles } = present(env ?? process.env);
  const problems = [...badFiles, ...badValues(given), ...badCombinations(given)];
  const dataDir = resolve(root, given.DATA_DIR ?? '.data');
  if (existsSync(dataDir) && !statSync(dataDir).isDirectory())
    problems.push(`DATA_DIR must be a folder: ${dataDir} is a file`);
  if (problems.length > 0) throw new ConfigError(problems);
  return { given, dataDir };
}

/** Where we will listen. Unlike `readConfig` it makes no secrets. */
export function readAddress(env?: NodeJS.ProcessEnv) {
  const { HOST: host = '127.0.0.1', PORT = '3000' } = readGiven(env).given;
  return { host, port: Number(PORT) };
}

export function readConfig(env?: NodeJS.ProcessEnv) {
  const { given, dataDir } = readGiven(env);
  const production = given.NODE_ENV === 'production';
  const { host, port } = readAddress(env);
  const publicUrl = new URL(given.PUBLIC_URL ?? `http://localhost:${port}`).origin;
  const brand = given.BRAND_NAME ?? 'Rally Sports Academy';
  // Only tests may lower it.
  const passwordCost: PasswordCost =
    given.PASSWORD_COST === 'cheap' && !production ? 'cheap' : 'full';
  return {
    production,
    host,
    port,
    dataDir,
    databaseUrl: given.DATABASE_URL ?? null,
    /** Of the owner, who migrates it. Null: the role that serves owns it. */
    migrateDatabaseUrl: given.MIGRATE_DATABASE_URL ?? null,
    brand,
    publicUrl,
    secret: given.AUTH_SECRET ?? ownSecret(dataDir) ?? damaged('AUTH_SECRET', dataDir, 'secret'),
    /** The first one seals, all of them open. */
    careKeys: (readCareKeys(given.CARE_KEYS ?? ownCareKeys(dataDir)) ??
      damaged('CARE_KEYS', dataDir, careKeyFile)) as readonly CareKey[],
    google:
      given.GOOGLE_CLIENT_ID && given.GOOGLE_CLIENT_SECRET
        ? {
            clientId: given.GOOGLE_CLIENT_ID,
            clientSecret: given.GOOGLE_CLIENT_SECRET,
            issuer: (given.GOOGLE_ISSUER ?? 'https://accounts.google.com').replace(/\/+$/, ''),
          }
        : null,
    smtpUrl: given.SMTP_URL ?? null,
    mailFrom: given.MAIL_FROM ?? `"${brand}" <no-reply@${new URL(publicUrl).hostname}>`,
    stripe:
      given.STRIPE_SECRET_KEY && given.STRIPE_PUBLISHABLE_KEY && given.STRIPE_WEBHOOK_SECRET
        ? {
            secretKey: given.STRIPE_SECRET_KEY,
            publishableKey: given.STRIPE_PUBLISHABLE_KEY,
            webhookSecret: given.STRIPE_WEBHOOK_SECRET,
          }
        : null,
    rateLimit: given.RATE_LIMIT !== 'off',
    passwordCost,
    /** How long a process keeps answering after SIGTERM, so that load balancers notice. */
    drainSeconds: Number(given.DRAIN_SECONDS ?? (production ? 5 : 0)),
    /** How many open pages may get changes of seats from one process. */
    liveStreams: Number(given.LIVE_STREAMS ?? 6_000),
    trustProxy: proxies(given.TRUST_PROXY),
    logLevel: given.LOG_LEVEL ?? 'info',
    adminEmail: given.ADMIN_EMAIL?.toLowerCase() ?? null,
    strictPasswords: given.STRICT_PASSWORDS === 'on',
    staffTwoStep: given.STAFF_TWO_STEP ? given.STAFF_TWO_STEP === 'on' : production,
    demoData: !production && given.DEMO_DATA !== 'off',
    apiDocs: given.API_DOCS ? given.API_DOCS === 'on' : !production,
    securityContact: contact(given, publicUrl),
    /** Otherwise the address that an admin has set goes before it. */
    securityContactGiven: given.SECURITY_CONTACT !== undefined,
    /** Where customers write to. The default sender, no-reply@, reads no mail. */
    contactEmail:
      given.CONTACT_EMAIL ?? mailboxOf(given.MAIL_FROM) ?? (production ? null : 'hello@rally.test'),
    /** Fills the academy's at the first start, as brand and contactEmail fill its name. */
    timeZone: given.TIME_ZONE ?? null,
    currency: given.CURRENCY ?? null,
  };
}

/** A sentence for each variable whose name is a letter or two away from one of ours. */
export const misspelt = (env: NodeJS.ProcessEnv = process.env): string[] =>
  Object.keys(env)
    .filter((name) => !settings.includes(name))
    .flatMap((name) => {
      const meant = settings.find((key) => key.length > 5 && slips(name, key) < 3);
      return meant ? [`${name} is not a setting. Did you mean ${meant}?`] : [];
    });

// A line `NAME=` in .env or a compose file means "not set", never "set to nothing".
function present(env: NodeJS.ProcessEnv): { given: Given; badFiles: string[] } {
  const given: Record<string, string> = {};
  const badFiles: string[] = [];
  for (const key of environmentKeys) {
    const value = env[key]?.trim();
    if (value) given[key] = value;
  }
  for (const key of secretKeys) {
    const file = env[`${key}_FILE`]?.trim();
    if (!file) continue;
    const value = readSecret(file);
    if (given[key]) badFiles.push(`${key} and ${key}_FILE are both set: keep one`);
    else if (!value) badFiles.push(`${key}_FILE must be a file with the value, which we may read`);
    else given[key] = value;
  }
  return { given, badFiles };
}

function readSecret(file: string): string {
  try {
    return readFileSync(resolve(root, file), 'utf8').trim();
  } catch {
    return '';
  }
}

// Problems name the variable and the rule, never the value: they end up in logs.
function badValues(given: Given): string[] {
  const result = z.safeParse(z.object(environment), given);
  return result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
}

/** Where security problems are reported: the named contact, the sender, or security@ our host. */
function contact({ SECURITY_CONTACT: set, MAIL_FROM: from }: Given, publicUrl: string): string {
  const address = set ?? mailboxOf(from) ?? `security@${new URL(publicUrl).hostname}`;
  return /^(https|mailto):/.test(address) ? address : `mailto:${address}`;
}

/** The address in `Rally <hello@rally.club>`. */
function mailboxOf(from: string | undefined): string | undefined {
  return from && (/<([^<>]+)>$/.exec(from)?.[1] ?? from);
}

function badCombinations(given: Given): string[] {
  const problems: string[] = [];
  const google: Key[] = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'];
  const stripe: Key[] = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'];
  const missing = (keys: Key[]) => keys.filter((key) => !given[key]);
  const mustBeWhole = (keys: Key[], needs: string) => {
    const left = missing(keys);
    if (left.length > 0 && left.length < keys.length)
      problems.push(`${left.join(', ')} missing: ${needs} ${keys.join(', ')}`);
  };

  mustBeWhole(google, 'Google sign-in needs');
  mustBeWhole(stripe, 'card payments need');
  if (given.MIGRATE_DATABASE_URL && !given.DATABASE_URL)
    problems.push('DATABASE_URL missing: MIGRATE_DATABASE_URL only migrates it');
  const modes = [given.STRIPE_SECRET_KEY, given.STRIPE_PUBLISHABLE_KEY].map(
    (key) => key?.split('_')[1],
  );
  if (modes[0] && modes[1] && modes[0] !== modes[1])
    problems.push(
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be test keys or both be live keys',
    );

  if (given.NODE_ENV !== 'production') return problems;
  if (!given.AUTH_SECRET)
    problems.push(`AUTH_SECRET is required in production. A fresh one: ${freshSecret()}`);
  if (!given.CARE_KEYS)
    problems.push(
      `CARE_KEYS is required in production and must be kept safe. A fresh one: ${freshCareKey()}`,
    );
  if (!given.SMTP_URL) problems.push('SMTP_URL is required in production');
  if (missing(stripe).length === stripe.length)
    problems.push(`${stripe.join(', ')} are required in production`);
  if (given.RATE_LIMIT === 'off') problems.push('RATE_LIMIT must not be off in production');
  if (given.PASSWORD_COST === 'cheap')
    problems.push('PASSWORD_COST must not be cheap in production');
  // Without it no cookie would be Secure, and links in mails would lead to localhost.
  if (!given.PUBLIC_URL)
    problems.push('PUBLIC_URL is required in production: the https:// address that people type');
  if (
    given.PUBLIC_URL &&
    isOrigin(given.PUBLIC_URL) &&
    !given.PUBLIC_URL.startsWith('https:') &&
    !isLocal(given.PUBLIC_URL)
  )
    problems.push('PUBLIC_URL must start with https:// in production');
  // Behind a proxy that is not named all visitors are one network, with one set of limits.
  if (isPublicHttps(given) && !given.TRUST_PROXY)
    problems.push(
      'TRUST_PROXY is required behind https in production: the proxy in front (its address, or the number of proxies), or none if there is none',
    );
  return problems;
}

const isPublicHttps = ({ PUBLIC_URL: url = '' }: Given) => isUrl(url, ['https:']) && !isLocal(url);

function damaged(variable: string, dataDir: string, file: string): never {
  const how = { secret: 'delete it, a new one will be made' }[file] ?? 'restore it from your copy';
  throw new ConfigError([`${variable}: ${join(dataDir, file)} is damaged; ${how}`]);
}
