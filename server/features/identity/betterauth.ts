// Better Auth as Rally wants it: our tables, our hashing, our mails, its checks all left on.
// Not for: its routes (contract/auth.ts declares those that exist).
import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth, type BetterAuthOptions, type BetterAuthPlugin } from 'better-auth';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { Kysely, PostgresDialect } from 'kysely';
import type { Config } from '../../config.ts';
import { type Database, type Db, sql } from '../../db/connection.ts';
import type { MailJob } from '../../db/jobs.ts';
import { secondStepKey, takeOverByGoogle } from './confirmation.ts';
import { hasLeftAddress } from './entry.ts';
import { googleProvider } from './google.ts';
import type { MailKind } from './guesses.ts';
import type { Greeted } from '../mails/common.ts';
import { mail } from '../mails/kinds.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { tables } from './tables.ts';

export interface AuthNeeds {
  config: Config;
  database: Database;
  /** The owner of an address proved that it is theirs. */
  onVerified: (email: string) => Promise<void>;
  /** Google proved an address, and its owner took over the unconfirmed account on it. */
  onTakenOver: (user: { id: string; email: string }) => Promise<void>;
  /** Stores a mail as a job: it leaves whatever becomes of the request. */
  queueMail: (mail: MailJob, db: Db) => Promise<void>;
  /** A fault of ours. */
  complain: (message: string, error?: unknown) => void;
  /** What a visitor may have caused. */
  note?: ((message: string) => void) | undefined;
  /** Whether Better Auth compares its tables with the database's at the start; yes unless said. */
  comparesTables?: boolean | undefined;
}

export type Auth = ReturnType<typeof createAuth>;

const hour = 3_600;
const day = 24 * hour;
export const sessionDays = 7;
export const idleHours = 24;

/**
 * The header in which we tell Better Auth the address that Fastify found; what the client sends
 * under this name is overwritten.
 */
export const addressHeader = 'x-rally-client-address';

export const cookiePrefix = ({ publicUrl }: Pick<Config, 'publicUrl'>) =>
  publicUrl.startsWith('https:') ? '__Host-rally' : 'rally';

/**
 * The cookies that Better Auth reads: `state` is that of a sign-in with Google. It gets no others.
 */
export const authCookies = ['session_token', 'two_factor', 'state', 'dont_remember'] as const;
export type AuthCookie = (typeof authCookies)[number];

/**
 * A mail with a kind is sent a few times an hour, counted by kind; to an unconfirmed address every
 * mail is.
 */
export interface Mailing {
  mail: MailJob & { ids: { to: string } };
  kind?: MailKind | undefined;
}

/** A link to choose a password. */
export interface ResetLink {
  user: Greeted;
  token: string;
}

/** What one request to Better Auth leaves behind besides its answer. */
export interface Visit {
  /**
   * Made before Better Auth opens its transaction, where hashing would keep one of ten connections
   * waiting.
   */
  hash?: { of: string; is: string };
  /** Sent after the answer. */
  mails: Mailing[];
  /** Stored, and to be mailed. */
  resetLink?: ResetLink;
  /** The user whom the guards judged: a session for any other user is refused. */
  onlyFor?: string;
  /** Asked before a session is made; throws an APIError to refuse it. */
  mayEnter?: (userId: string) => Promise<void>;
  /** Asked when Better Auth is done and before its cookies leave; throws to refuse. */
  beforeAnswer?: () => Promise<void>;
  /** A password and the stored hash that it is right for: it is not hashed again. */
  checked?: { of: string; is: string };
  /** The stored hash that the given password was right for. */
  verified?: string;
  /** Whose session was made. */
  userId?: string;
  /** The session that was made. */
  sessionId?: string;
  /** The subject of the Google account that signs in. */
  subject?: string | undefined;
  /** The address that Google names. */
  address?: string | undefined;
  /** This sign-in connected the Google account. */
  isJoining?: true;
  /** The account is new, or its owner is told that it was taken over. */
  isTold?: true;
}

export const visit = new AsyncLocalStorage<Visit>();

function hash(password: string): Promise<string> {
  const ready = visit.getStore()?.hash;
  return ready?.of === password ? Promise.resolve(ready.is) : hashPassword(password);
}

async function verify(given: { hash: string; password: string }): Promise<boolean> {
  const current = visit.getStore();
  const { of, is } = current?.checked ?? {};
  const right = (of === given.password && is === given.hash) || (await verifyPassword(given));
  if (right && current) current.verified = given.hash;
  return right;
}

const write = (mail: Mailing['mail'], kind?: MailKind) =>
  void visit.getStore()?.mails.push({ mail, kind });

/**
 * Where requests may come from: our public address and, while it runs on a developer's machine, the
 * address they typed.
 */
export function ownOrigins(
  { production, publicUrl }: Config,
  host: string | null | undefined,
): string[] {
  const local = !production && host && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
  return local ? [publicUrl, `http://${host}`] : [publicUrl];
}

export function createAuth(deps: AuthNeeds) {
  return betterAuth(authOptions(deps));
}

export function authOptions(deps: AuthNeeds) {
  const { config, database, note } = deps;
  const https = config.publicUrl.startsWith('https:');
  return {
    appName: config.brand,
    baseURL: config.publicUrl,
    basePath: '/api/auth',
    secret: config.secret,
    database: {
      // Without our handle's plugins: Better Auth knows the columns by the names given below.
      db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool: database.pool }) }),
      type: 'postgres' as const,
      transaction: true,
    },
    ...tables,
    ...passwords(),
    session: {
      ...tables.session,
      // Nothing moves this end; gate.ts ends a session earlier after a day without a request.
      expiresIn: sessionDays * day,
      disableSessionRefresh: true,
      freshAge: 0,
      cookieCache: { enabled: false },
    },
    verification: {
      ...tables.verification,
      // forgetEnded() does it, and no request waits for it.
      disableCleanup: true,
      storeIdentifier: {
        default: 'hashed' as const,
        // A pending second step ends with the password, a mailed link does not: confirmation.ts
        // tells them apart.
        overrides: {
          '2fa-': { hash: (challenge: string) => Promise.resolve(secondStepKey(challenge)) },
        },
      },
    },
    account: {
      ...tables.account,
      // We ask Google once who a person is; its tokens are of no use to us, so they are not worth
      // keeping.
      updateAccountOnSignIn: false,
      encryptOAuthTokens: true,
      accountLinking: { enabled: true, requireLocalEmailVerified: true, trustedProviders: [] },
    },
    databaseHooks: databaseHooks(deps),
    plugins: [secondFactors(config), ...(config.google ? [openId(config.google, deps)] : [])],
    // gate.ts limits, with state that several processes share.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    trustedOrigins: (request?: Request) => ownOrigins(config, request?.headers.get('host')),
    // Errors that are not refusals go up to our own error handler, which knows a database that is
    // away from a mistake of ours.
    onAPIError: { errorURL: `${config.publicUrl}/login`, throw: true },
    logger: {
      // Its warnings are about guests (a wrong password, a foreign origin) and carry addresses. Its
      // errors may be a visitor's (a code that Google did not give) or ours (a wrong client secret).
      level: 'error' as const,
      disableColors: true,
      // Behind a colon it quotes what the client sent ("Invalid callbackURL: …"), so only its own
      // words are kept.
      log: (level: string, message: string) =>
        note?.(`Better Auth, ${level}: ${(/^[\w' ]{0,60}/.exec(message) ?? [''])[0]}`),
    },
    advanced: {
      cookiePrefix: cookiePrefix(config),
      // The prefix __Host- above is stricter than the __Secure- that this would add.
      useSecureCookies: false,
      defaultCookieAttributes: {
        httpOnly: true,
        sameSite: 'lax' as const,
        path: '/',
        secure: https,
      },
      database: { generateId: 'uuid' as const, validateSchema: deps.comparesTables ?? true },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // Explicit, because the default depends on NODE_ENV.
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
  } satisfies BetterAuthOptions;
}

let signedIn = 0;

/**
 * Deletes ended sessions and links now and then. No request waits for it.
 */
function forgetEnded({ database, complain }: AuthNeeds): void {
  signedIn += 1;
  if (signedIn % 200 !== 1) return;
  const ended = [
    sql`delete from session where expires_at < now()`,
    sql`delete from verification where expires_at < now() - interval '1 day'`,
  ];
  void Promise.all(ended.map((statement) => statement.execute(database.db))).catch(
    (error: unknown) => complain('Ended sessions could not be thrown away', error),
  );
}

function tell(): void {
  const current = visit.getStore();
  if (current) current.isTold = true;
}

/**
 * A Google account was connected to an account that was there before. It stays connected when the
 * sign-in fails later, so the mail does not wait for the answer. A deleted account is not confirmed.
 */
async function joinedGoogle({ database, queueMail }: AuthNeeds, userId: string) {
  const current = visit.getStore();
  if (current) current.isJoining = true;
  if (await hasLeftAddress(database.db, userId, current)) return;
  if (current?.isTold) return;
  await database.system([userId], async (db) => {
    const { rows } = await sql`
      select from "user" where id = ${userId} and email_verified`.execute(db);
    if (rows.length > 0) await queueMail(mail('google-connected', { to: userId }), db);
  });
}

const databaseHooks = (deps: AuthNeeds) => ({
  session: {
    create: {
      before: async ({ userId }: { userId: string }) => {
        const current = visit.getStore();
        if (current?.onlyFor !== undefined && current.onlyFor !== userId)
          throw new APIError('UNAUTHORIZED');
        if (current) current.userId = userId;
        await current?.mayEnter?.(userId);
      },
      after: ({ id }: { id: string }) => {
        const current = visit.getStore();
        if (current) current.sessionId = id;
        forgetEnded(deps);
        return Promise.resolve();
      },
    },
  },
  user: {
    create: {
      after: async (user: { email: string; emailVerified: boolean }) => {
        tell();
        if (user.emailVerified) await deps.onVerified(user.email);
      },
    },
  },
  account: {
    create: {
      before: () =>
        Promise.resolve({
          data: {
            accessToken: null,
            refreshToken: null,
            idToken: null,
            accessTokenExpiresAt: null,
          },
        }),
      after: ({ userId, providerId }: { userId: string; providerId: string }) =>
        providerId === 'google' ? joinedGoogle(deps, userId) : Promise.resolve(),
    },
  },
});

/** Codes of six digits every 30 seconds; secret and backup codes are kept encrypted. */
const secondFactors = ({ brand }: Pick<Config, 'brand'>) =>
  twoFactor({
    issuer: brand,
    twoFactorCookieMaxAge: 300,
    // secondfactor.ts counts instead, before a code is judged: this would count after it.
    accountLockout: { enabled: false },
    backupCodeOptions: { storeBackupCodes: 'encrypted' },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'two_factor',
        fields: {
          userId: 'user_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });

function openId(google: NonNullable<Config['google']>, deps: AuthNeeds): BetterAuthPlugin {
  const { config, database, complain, note, onTakenOver } = deps;
  const provider = googleProvider(google, {
    complain: (error) => complain('Sign-in with Google failed', error),
    note: (message) => note?.(`Sign-in with Google refused: ${message}`),
    onProven: async (proven) => {
      const user = await takeOverByGoogle(database, config, proven);
      if (!user) return;
      tell();
      await onTakenOver(user);
      write(mail('account-taken-over', { to: user.id }));
    },
  });
  const noting: typeof provider = {
    ...provider,
    getUserInfo: async (tokens) => {
      const found = await provider.getUserInfo(tokens);
      const current = visit.getStore();
      if (current) Object.assign(current, { subject: found?.data.sub, address: found?.user.email });
      return found;
    },
  };
  return {
    id: 'rally-google',
    init: (context) => ({ context: { socialProviders: [...context.socialProviders, noting] } }),
  };
}

function passwords() {
  return {
    emailAndPassword: {
      enabled: true,
      // Signing up answers the same whether the address is known or not, so it cannot hand out a
      // session.
      autoSignIn: false,
      // The exact rules are in the contract; these are outer bounds. Better Auth counts the two halves of
      // an emoji, the contract 128 characters.
      minPasswordLength: 6,
      maxPasswordLength: 256,
      resetPasswordTokenExpiresIn: hour,
      password: { hash, verify },
      onExistingUserSignUp: async ({ user }: { user: Greeted }) => {
        if (user.emailVerified) write(mail('sign-up-again', { to: user.id }), 'sign-up');
        else write(mail('confirm-again', { to: user.id }), 'confirm');
      },
      // Better Auth swallows what is thrown here.
      sendResetPassword: async (link: ResetLink) => {
        const current = visit.getStore();
        if (current) current.resetLink = link;
      },
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: day,
      autoSignInAfterVerification: false,
      // Better Auth's own token is not mailed: ours names the account, too, and its link confirms
      // nothing by a GET.
      sendVerificationEmail: async ({ user }: { user: Greeted }) => {
        write(mail('confirm-address', { to: user.id }), 'confirm');
      },
    },
  };
}
