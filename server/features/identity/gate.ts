// Who somebody is: the doors of the identity provider under /api/auth, the session behind its
// cookie, and the access token made from it.
// NOT for: roles and profiles (users.ts). Only the doors listed here exist; whatever else Better
// Auth can do answers 404.
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { APIError } from 'better-auth/api';
import { type AuthUser, jwt, settings } from '../../../contract/identity.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import { cleanName } from '../../../contract/rules.ts';
import type { Role } from '../../../contract/users.ts';
import type { Config } from '../../config.ts';
import { type Database, sql } from '../../db/connection.ts';
import { cookieOf, handedOver, signed } from '../../http/cookies.ts';
import { fail } from '../../http/fail.ts';
import { createLimit } from '../../http/limits.ts';
import type { Caller, Gate, On } from '../../http/on.ts';
import type { Mail } from '../../outside/mail.ts';
import {
  addressHeader,
  authCookies,
  cookiePrefix,
  createAuth,
  idleHours,
  ownOrigins,
  type Visit,
  visit,
} from './betterauth.ts';
import { changeProfile, passwordStillHolds } from './confirmation.ts';
import { addressIn, createForms, parse } from './forms.ts';
import { createGuesses } from './guesses.ts';
import { mailedLinks } from './mailedlinks.ts';
import { hashPassword } from './passwords.ts';
import { type Ask, secondFactor } from './secondfactor.ts';
import { createTokens } from './tokens.ts';
import { makeFirstAdmin } from '../people/users.ts';

export interface IdentityDeps {
  config: Config;
  database: Database;
  mail: Mail;
  /** What the browser needs to show the card form. */
  cards?: { publishableKey: string; sandbox: boolean };
  complain?: (message: string, error?: unknown) => void;
}

export interface Identity extends Gate {
  /** Opens the doors and implements POST /jwt and GET /settings. */
  mount(app: FastifyInstance, on: On): void;
  /** Whether a request comes from our own pages, as far as a browser tells. */
  sameOrigin(request: FastifyRequest): boolean;
  /** Resolves when every letter under way has left. */
  settled(): Promise<void>;
}

/**
 * Sign-up and reset answer no sooner than this, so that the clock does not tell which addresses are
 * known.
 */
const answerAfter = { signUp: 300, reset: 150 };

export function identity(deps: IdentityDeps): Identity {
  const { config, database, mail } = deps;
  const complain = deps.complain ?? (() => {});
  // ADMIN_EMAIL is a promise to whoever owns that address, so it is kept only once they have proven
  // that they do.
  const onVerified = async (email: string) => {
    if (email === config.adminEmail) await makeFirstAdmin(database, email);
  };
  const guesses = createGuesses(database, { secret: config.secret, enabled: config.rateLimit });
  const onTakenOver = (user: { id: string; email: string }) => guesses.forgetPlaces(user);
  const auth = createAuth({ config, database, complain, onVerified, onTakenOver });
  const tokens = createTokens(config);
  const forms = createForms(config);
  const prefix = cookiePrefix(config);
  const underWay = new Set<Promise<void>>();
  // With REQUIRE_ADMIN_TOTP an admin is no more than a student until the second step is on; the
  // account page is open to both.
  const roleNow = config.requireAdminTotp
    ? sql`case when u.role = 'admin' and u.two_factor_enabled is not true then 'student' else u.role end`
    : sql`u.role`;

  const sameOrigin = (request: FastifyRequest) => {
    const { origin, host, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
    // Without an Origin it is no browser's cross-site request: those always name one, and JSON
    // makes them ask first.
    return origin === undefined || ownOrigins(config, host).includes(origin);
  };

  async function callerOf(request: FastifyRequest): Promise<Caller | null> {
    const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(request.headers.authorization ?? '');
    const claims = bearer?.[1] ? await tokens.verify(bearer[1]) : null;
    if (!claims) return null;
    const { rows } = await sql<{ email: string; name: string; role: Role }>`
      select u.email, u.name, ${roleNow} as role from session s join "user" u on u.id = s.user_id
      where s.id = ${claims.sessionId} and u.id = ${claims.userId}
        and s.expires_at > now() and s.seen_at > now() - ${idleHours} * interval '1 hour'
    `.execute(database.db);
    return rows[0] ? { ...rows[0], id: claims.userId, sessionId: claims.sessionId } : null;
  }

  /**
   * The person behind the cookie. Looking counts as having been seen; one who was away too long is
   * signed out.
   */
  async function holderOf(request: FastifyRequest): Promise<Caller | null> {
    const token = signed(config.secret, cookieOf(request, `${prefix}.session_token`));
    if (!token) return null;
    const { rows } = await sql<Caller & { idle: boolean; stale: boolean }>`
      select u.id, u.email, u.name, ${roleNow} as role, s.id as session_id,
        s.seen_at < now() - ${idleHours} * interval '1 hour' as idle, s.seen_at < now() - interval '5 minutes' as stale
      from session s join "user" u on u.id = s.user_id where s.token = ${token} and s.expires_at > now()
    `.execute(database.db);
    const found = rows[0];
    if (!found) return null;
    const { idle, stale, ...who } = found;
    if (idle) await sql`delete from session where id = ${who.sessionId}`.execute(database.db);
    else if (stale)
      await sql`update session set seen_at = now() where id = ${who.sessionId}`.execute(
        database.db,
      );
    return idle ? null : who;
  }

  // Better Auth knows nothing of the idle limit, so whoever uses a cookie at one of its doors
  // passes here first.
  const holder = async (request: FastifyRequest) =>
    (await holderOf(request)) ?? fail('UNAUTHENTICATED');

  const sessionHolderOf = async (request: FastifyRequest) =>
    sameOrigin(request) ? holderOf(request) : null;

  /**
   * Hands a request over to Better Auth and brings its answer back, or its refusal in our one
   * shape.
   */
  const ask: Ask = async (request, reply, body, current = { letters: [] }, instead = {}) => {
    const headers = new Headers({ [addressHeader]: request.ip, host: request.headers.host ?? '' });
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
    const answer = await visit.run(current, () =>
      auth.handler(
        new Request(
          new URL(instead.path ? `/api/auth${instead.path}` : request.url, config.publicUrl),
          {
            method: request.method,
            headers,
            ...(body ? { body: JSON.stringify(body) } : {}),
          },
        ),
      ),
    );
    if (answer.status < 400) await current.beforeAnswer?.();
    for (const cookie of answer.headers.getSetCookie()) reply.header('set-cookie', cookie);
    if (answer.status >= 400) await refuse(answer);
    deliver(current.letters);
    return answer;
  };

  async function isConfirmedAddress(email: string): Promise<boolean> {
    const { rows } =
      await sql`select from "user" where email = ${email} and email_verified`.execute(database.db);
    return rows.length > 0;
  }

  function deliver(letters: Visit['letters']) {
    for (const { letter, kind } of letters) {
      const sending = (async () => {
        const counted = kind ?? ((await isConfirmedAddress(letter.to)) ? null : 'notice');
        if (counted && !(await guesses.mayWrite(letter.to, counted))) return;
        await mail.send(letter);
      })().catch((error: unknown) => complain('A letter could not be sent', error));
      underWay.add(sending);
      void sending.finally(() => underWay.delete(sending));
    }
  }

  function rememberDevice(reply: FastifyReply, value: string) {
    const secure = prefix.startsWith('__Host-') ? '; Secure' : '';
    reply.header(
      'set-cookie',
      `${prefix}.device=${value}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`,
    );
  }

  function mount(app: FastifyInstance, on: On) {
    on(jwt, async ({ email }, { who }) => {
      if (email !== who.email) fail('UNAUTHENTICATED');
      return { token: await tokens.sign({ userId: who.id, sessionId: who.sessionId }) };
    });

    on(settings, () =>
      Promise.resolve({
        brand: config.brand,
        publicUrl: config.publicUrl,
        google: config.google !== null,
        demo: !config.production,
        strictPasswords: config.strictPasswords,
        cards: deps.cards ?? {
          publishableKey: config.stripe?.publishableKey ?? 'pk_test_sandbox',
          sandbox: !config.stripe,
        },
        ...(config.contactEmail && { contact: config.contactEmail }),
      }),
    );

    const door = doors(app);

    door(
      'POST',
      '/sign-up/email',
      config.production ? { max: 5, hours: 1 } : { max: 100, hours: 1 },
      async (request, reply) => {
        const form = forms.signUp(request.body);
        const hash = { of: form.password, is: await hashPassword(form.password) };
        await noSoonerThan(
          answerAfter.signUp,
          ask(request, reply, form, { hash, letters: [] }).catch(ignoreLostRace(form.email)),
        );
        return { status: true };
      },
    );

    door('POST', '/sign-in/email', { max: 30 }, async (request, reply) => {
      const form = parse(forms.signIn, request.body);
      // A text that is no address is nobody's: it is refused like a wrong password and counted
      // nowhere.
      const email = addressIn(form.email) ?? fail('WRONG_CREDENTIALS');
      const device = cookieOf(request, `${prefix}.device`);
      const guess = await guesses.charge({
        purpose: 'sign-in',
        who: email,
        address: request.ip,
        device,
      });
      const current: Visit = { letters: [], beforeAnswer: () => refuseReplaced(current) };
      const answer = await ask(request, reply, { ...form, email }, current);
      rememberDevice(reply, await guess.succeeded(current.verified));
      const { user } = (await answer.json()) as { user?: AuthUser };
      // The password was right, but there is no session before the second step.
      return user ? { user: presentUser(user) } : { twoFactor: true };
    });

    door('POST', '/sign-in/social', { max: 20 }, async (request, reply) => {
      const form = parse(forms.social, request.body);
      if (!config.google) fail('GOOGLE_NOT_SET_UP');
      const answer = await ask(request, reply, {
        callbackURL: '/',
        errorCallbackURL: '/login',
        ...form,
        disableRedirect: true,
      });
      const { url } = (await answer.json()) as { url: string };
      return { url };
    });

    door('GET', '/callback/google', { max: 30 }, async (request, reply) => {
      if (!config.google) fail('GOOGLE_NOT_SET_UP');
      return goOn(
        reply,
        await ask(request, reply, undefined, { letters: [], mayEnter: mayEnterByGoogle }),
      );
    });

    door('POST', '/sign-out', { max: 60 }, async (request, reply) => {
      parse(forms.empty, request.body);
      // Better Auth says yes also when the session could not be deleted; whoever signs out must be
      // out, or be told that they are not.
      const token = signed(config.secret, cookieOf(request, `${prefix}.session_token`));
      if (token) await sql`delete from session where token = ${token}`.execute(database.db);
      await ask(request, reply, {});
      return { status: true };
    });

    door('GET', '/get-session', { max: 300 }, async (request, reply) => {
      if (!(await holderOf(request))) return null;
      const answer = (await (await ask(request, reply)).json()) as {
        user: AuthUser;
        session: { id: string; expiresAt: string };
      } | null;
      return (
        answer && {
          user: presentUser(answer.user),
          session: { id: answer.session.id, expiresAt: answer.session.expiresAt },
        }
      );
    });

    door('POST', '/update-user', { max: 30 }, async (request) => {
      const form = parse(forms.profile, request.body);
      if (!(await changeProfile(database, await holder(request), form))) fail('UNAUTHENTICATED');
      return { status: true };
    });

    door('POST', '/revoke-other-sessions', { max: 10 }, async (request, reply) => {
      parse(forms.empty, request.body);
      await holder(request);
      await ask(request, reply, {});
      return { status: true };
    });

    door('POST', '/request-password-reset', { max: 10 }, async (request, reply) => {
      const form = parse(forms.askReset, request.body);
      await noSoonerThan(answerAfter.reset, ask(request, reply, form));
      return { status: true };
    });

    mailedLinks({
      config,
      database,
      guesses,
      forms,
      door,
      ask,
      holder,
      holderOf,
      deliver,
      rememberDevice,
    });
    secondFactor({ config, database, guesses, forms, door, ask, holder, deliver });
  }

  /** The password was replaced while this sign-in was under way. */
  async function refuseReplaced({ userId = '', verified: hash, sessionId }: Visit) {
    if (!(await passwordStillHolds(database, { userId, hash: hash ?? null, sessionId })))
      fail('WRONG_CREDENTIALS');
  }

  /** Google asks for no code of ours, so whoever wants one comes in by password and code alone. */
  async function mayEnterByGoogle(userId: string) {
    const { rows } =
      await sql`select from "user" where id = ${userId} and two_factor_enabled`.execute(
        database.db,
      );
    if (rows.length > 0) throw new APIError('FORBIDDEN', { code: 'second_step' });
  }

  /**
   * Two sign-ups with one address at the same moment: the second finds the row taken and must
   * answer like any other.
   */
  const ignoreLostRace = (email: string) => async (error: unknown) => {
    const { rows } = await sql`select from "user" where email = ${email}`.execute(database.db);
    if (!(error instanceof LostRace)) throw error;
    // Better Auth hides why. The form was checked and the address is free: the database did not
    // take the row.
    if (rows.length === 0) fail('UNAVAILABLE', {}, 1);
  };

  type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

  const doors =
    (app: FastifyInstance) =>
    (
      method: 'GET' | 'POST',
      path: string,
      { max, hours }: { max: number; hours?: number },
      answer: Answer,
    ) => {
      const limit = createLimit(app, { name: `auth ${path}`, max, hours });
      app.route({
        method,
        url: `/api/auth${path}`,
        onRequest: async (request, reply) => {
          reply.header('cache-control', 'no-store');
          if (method === 'POST' && !sameOrigin(request)) fail('FORBIDDEN');
          if (config.rateLimit) await limit(request);
        },
        handler: async (request, reply) => {
          const body = await answer(request, reply);
          return body === null ? reply.type('application/json').send('null') : body;
        },
      });
    };

  return {
    mount,
    sameOrigin,
    callerOf,
    sessionHolderOf,
    settled: async () => {
      await Promise.all(underWay);
    },
  };
}

class LostRace extends Error {}

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

const goOn = (reply: FastifyReply, answer: Response) => {
  const location = answer.headers.get('location');
  return location ? reply.redirect(location, 302) : fail('BAD_LINK');
};

const presentUser = ({ id, email, name, image }: AuthUser): AuthUser => ({
  id,
  email,
  name: cleanName(name),
  image,
});

async function noSoonerThan<T>(ms: number, work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work, pause(ms)]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
