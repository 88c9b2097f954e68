// The way to Better Auth and back: which of a request it gets to see, its cookies, its refusals in
// our one shape, and the mails that it leaves behind. Not for: how it is set up (betterauth.ts).
import type { Services } from '../../services.ts';
import { createHmac } from 'node:crypto';
import { createOTP } from '@better-auth/utils/otp';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { AuthUser } from '../../../contract/auth.ts';
import type { AnyCall } from '../../../contract/call.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import { cleanName } from '../../../contract/rules.ts';
import { type Database, type Db, sql } from '../../db/connection.ts';
import type { MailJob } from '../../db/jobs.ts';
import { cookieOf, handedOver } from '../../http/cookies.ts';
import { fail } from '../../http/fail.ts';
import { withoutPort } from '../../http/limits.ts';
import type { Context } from '../../http/on.ts';
import { mail } from '../mails/kinds.ts';
import {
  addressHeader,
  type Auth,
  type AuthCookie,
  authCookies,
  cookiePrefix,
  type Mailing,
  type Visit,
  visit,
} from './betterauth.ts';
import { mayMailLink } from './entry.ts';
import type { Guesses } from './guesses.ts';
import type { Renewed } from './sessions.ts';

/** The request that is answered, and where its cookies go. */
export type Exchange = Pick<Context<AnyCall>, 'request' | 'setCookie'>;

export type Ask = (
  exchange: Exchange,
  body?: object,
  current?: Visit,
  /**
   * Another of Better Auth's routes than the one that was asked for; fewer cookies than all that it
   * knows; the query as well.
   */
  instead?: { path?: string; cookies?: AuthCookie[]; query?: true },
) => Promise<Response>;

export interface Provider {
  /**
   * Hands a request over to Better Auth and brings its answer back, or its refusal in our one
   * shape.
   */
  ask: Ask;
  deliver: (mails: readonly Mailing[]) => void;
  /**
   * Mails the link for a new password, if the address has an account. Throws when the mail is not
   * stored: it may be asked again.
   */
  mailReset: (email: string) => Promise<void>;
  setSession: (exchange: Exchange, session: Renewed) => void;
  /** Sets the cookie of a browser in which the right password was given. */
  rememberDevice: (exchange: Pick<Exchange, 'setCookie'>, value: string) => void;
  /** Whether an app with this secret, as it is stored, shows this code now. */
  isRightCode: (secret: string, code: string) => Promise<boolean>;
  /** The backup codes, as they are stored, without this one; null if it is none of them. */
  withoutCode: (backupCodes: string, code: string) => Promise<string | null>;
  /** Resolves when every mail under way is stored as a job. */
  settled: () => Promise<void>;
}

export function createProvider(
  deps: Pick<Services, 'config'> & {
    database: Database;
    auth: Auth;
    queueMail: (mail: MailJob, db: Db) => Promise<void>;
    guesses: Guesses;
    complain: (message: string, error?: unknown) => void;
  },
): Provider {
  const { config, database, auth, queueMail, guesses, complain } = deps;
  const prefix = cookiePrefix(config);
  const underWay = new Set<Promise<void>>();

  const ask: Ask = async (exchange, body, current = { mails: [] }, instead = {}) => {
    const { request, setCookie } = exchange;
    const headers = new Headers({
      [addressHeader]: withoutPort(request.ip),
      host: request.headers.host ?? '',
    });
    for (const name of [
      'user-agent',
      'sec-fetch-site',
      'sec-fetch-mode',
      'sec-fetch-dest',
    ] as const) {
      const value = request.headers[name];
      // The session keeps the browser's name: no more of it than a browser sends.
      if (value !== undefined)
        headers.set(name, name === 'user-agent' ? value.slice(0, 300) : value);
    }
    const cookie = handedOver(
      request,
      (instead.cookies ?? authCookies).map((name) => `${prefix}.${name}`),
    );
    if (cookie) headers.set('cookie', cookie);
    headers.set('origin', request.headers.origin ?? config.publicUrl);
    if (body) headers.set('content-type', 'application/json');
    const asked = new URL(request.url, config.publicUrl);
    // Only Google's answer is in the query. Better Auth logs a bad `callbackURL` as an error of ours.
    if (!instead.query) asked.search = '';
    // The declared path: our router takes other spellings of it, Better Auth does not.
    asked.pathname = instead.path ? `/api/auth${instead.path}` : (request.routeOptions.url ?? '');
    const answer = await visit.run(current, () =>
      auth.handler(
        new Request(asked, {
          method: request.method,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        }),
      ),
    );
    if (answer.status < 400) await current.beforeAnswer?.();
    for (const cookie of answer.headers.getSetCookie()) setCookie(cookie);
    if (answer.status >= 400) await refuse(answer);
    deliver(current.mails);
    return answer;
  };

  const isRightCode = async (data: string, code: string) => {
    const { secretConfig: key } = await auth.$context;
    return createOTP(await symmetricDecrypt({ key, data })).verify(code);
  };

  const withoutCode = async (data: string, code: string) => {
    const { secretConfig: key } = await auth.$context;
    const codes = JSON.parse(await symmetricDecrypt({ key, data })) as string[];
    if (!codes.includes(code)) return null;
    const left = codes.filter((each) => each !== code);
    return symmetricEncrypt({ key, data: JSON.stringify(left) });
  };

  const store = ({ mail, kind }: Mailing) =>
    database.system([mail.ids.to], async (db) => {
      const { rows } = await sql<{ email: string; emailVerified: boolean }>`
        select email, email_verified from "user" where id = ${mail.ids.to}`.execute(db);
      if (!rows[0]) return;
      const { email, emailVerified } = rows[0];
      const counted = kind ?? (emailVerified ? null : 'notice');
      if (counted && !(await guesses.mayWrite(email, counted, db))) return;
      await queueMail(mail, db);
    });

  function deliver(mails: readonly Mailing[]) {
    for (const mail of mails) {
      const storing = store(mail).catch((error: unknown) =>
        complain('A mail could not be stored', error),
      );
      underWay.add(storing);
      void storing.finally(() => underWay.delete(storing));
    }
  }

  async function mailReset(email: string) {
    const current: Visit = { mails: [] };
    await visit.run(current, () => auth.api.requestPasswordReset({ body: { email } }));
    if (!current.resetLink) return;
    const { user, token } = current.resetLink;
    const may = await mayMailLink(database.db, user, token);
    const to = user.id;
    if (may === 'yes') await store({ mail: mail('new-password', { to, token }), kind: 'reset' });
    if (may === 'blocked') await store({ mail: mail('account-blocked', { to }), kind: 'reset' });
  }

  /** As Better Auth signs its session cookie. */
  function setSession({ request, setCookie }: Exchange, { token, seconds }: Renewed) {
    const mac = createHmac('sha256', config.secret).update(token).digest('base64');
    const keep = cookieOf(request, `${prefix}.dont_remember`) ? '' : `; Max-Age=${seconds}`;
    const secure = prefix.startsWith('__Host-') ? '; Secure' : '';
    setCookie(
      `${prefix}.session_token=${encodeURIComponent(`${token}.${mac}`)}${keep}; Path=/; HttpOnly; SameSite=Lax${secure}`,
    );
  }

  function rememberDevice({ setCookie }: Pick<Exchange, 'setCookie'>, value: string) {
    const secure = prefix.startsWith('__Host-') ? '; Secure' : '';
    setCookie(
      `${prefix}.device=${value}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`,
    );
  }

  const settled = async () => {
    await Promise.all(underWay);
  };
  return {
    ask,
    deliver,
    mailReset,
    setSession,
    rememberDevice,
    isRightCode,
    withoutCode,
    settled,
  };
}

/** Two sign-ups at once: the row was taken between the check and the insert. */
export class LostRace extends Error {}

const meaning: Record<string, ErrorCode> = {
  INVALID_EMAIL_OR_PASSWORD: 'WRONG_CREDENTIALS',
  INVALID_EMAIL: 'WRONG_CREDENTIALS',
  INVALID_PASSWORD: 'WRONG_PASSWORD',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'WRONG_PASSWORD',
  INVALID_TOKEN: 'BAD_LINK',
  TOKEN_EXPIRED: 'BAD_LINK',
  USER_NOT_FOUND: 'BAD_LINK',
  PROVIDER_NOT_FOUND: 'GOOGLE_NOT_SET_UP',
  ISSUER_DOWN: 'GOOGLE_DOWN',
  INVALID_CODE: 'WRONG_CODE',
  INVALID_BACKUP_CODE: 'WRONG_CODE',
  INVALID_TWO_FACTOR_COOKIE: 'SECOND_STEP_OVER',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'SECOND_STEP_OVER',
  TOTP_ALREADY_ENABLED: 'SECOND_STEP_ON',
  TOTP_NOT_ENABLED: 'SECOND_STEP_OFF',
};

const byStatus: Record<number, ErrorCode> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'WRONG_CODE', // one backup code, used twice at the same moment
  429: 'RATE_LIMITED',
};

async function refuse(answer: Response): Promise<never> {
  const { code = '' } = (await answer.json().catch(() => ({}))) as { code?: string };
  if (code === 'FAILED_TO_CREATE_USER') throw new LostRace('The user could not be created');
  if (answer.status >= 500 && !meaning[code]) throw new Error(`Better Auth failed: ${code}`);
  return fail(meaning[code] ?? byStatus[answer.status] ?? 'INVALID_INPUT');
}

export const presentUser = ({ id, email, name, image }: AuthUser): AuthUser => ({
  id,
  email,
  name: cleanName(name),
  image,
});
