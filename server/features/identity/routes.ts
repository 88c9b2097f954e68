// Sign-up, sign-in, the session and the access token: the calls of contract/auth.ts that need no
// file of their own, POST /jwt and GET /settings.
// Not for: who is asking (gate.ts). Only declared calls exist; the other routes of Better Auth
// answer 404.
import type { Services } from '../../services.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { APIError } from 'better-auth/api';
import {
  type AuthUser,
  getSession,
  googleCallback,
  passwordCalls,
  requestPasswordReset,
  revokeOtherSessions,
  signIn,
  signInWithGoogle,
  signOut,
  updateProfile,
} from '../../../contract/auth.ts';
import { jwt, settings } from '../../../contract/identity.ts';
import { ownPath } from '../../../contract/ownpath.ts';
import { email as emailRule } from '../../../contract/rules.ts';
import { type Database, type Db, sql } from '../../db/connection.ts';
import { cookieOf, signed } from '../../http/cookies.ts';
import { fail } from '../../http/fail.ts';
import type { Asked, Gate, On } from '../../http/on.ts';
import type { MailJob } from '../../db/jobs.ts';
import { makeFirstAdmin } from '../people/users.ts';
import { cookiePrefix, createAuth, type Visit } from './betterauth.ts';
import { changeProfile, endOthers } from './confirmation.ts';
import { createDevices } from './devices.ts';
import { type Enter, entersByGoogle, entersWithoutCode, storedHash } from './entry.ts';
import { createGate } from './gate.ts';
import { isUnderWay } from './google.ts';
import type { Guesses } from './guesses.ts';
import { invitations } from './invitations.ts';
import { mailedLinks } from './mailedlinks.ts';
import { newAddress } from './newaddress.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { createProvider, LostRace, presentUser } from './provider.ts';
import { createResets } from './resets.ts';
import { secondFactor } from './secondfactor.ts';
import { createTokens } from './tokens.ts';
import { networkOf } from '../../http/limits.ts';
import { createTurns, createTurnsBy } from '../../http/turns.ts';

export interface Identity extends Gate {
  /** Implements the calls. */
  mount(on: On): void;
  /** Resolves when every mail under way is stored as a job. */
  settled(): Promise<void>;
}

/**
 * So that the clock does not tell which addresses are known: a sign-up answers, and a sign-in is
 * refused, no sooner than after so many ms; the account of a reset is looked for within so many. Tests,
 * which have cheap passwords, do not wait.
 */
const waits = {
  full: { signUp: 300, refusal: 300, reset: 500 },
  cheap: { signUp: 0, refusal: 0, reset: 0 },
};

/**
 * Sign-ups wait for one another, because they count the users in one row. They may not wait with all
 * connections to the database.
 */
const signUps = createTurns({ atOnce: 3, mostWaiting: 200 });
/** The sign-ins of one network: two passwords are hashed at a time, so that other networks wait less. */
const hashesOf = createTurnsBy({ atOnce: 2, mostWaiting: 100, refusal: 'RATE_LIMITED' });

/** Without what is null. */
const said = <T extends object>(row: T) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as {
    [key in keyof T]?: NonNullable<T[key]>;
  };

export function identity(
  deps: Pick<Services, 'config' | 'jobs' | 'academy'> & {
    cards?: Pick<Services['cards'], 'publishableKey' | 'sandbox'>;
    database: Database;
    guesses: Guesses;
    complain?: (message: string, error?: unknown) => void;
    note?: (message: string) => void;
    comparesTables?: boolean | undefined;
    demoAccounts?: boolean;
  },
): Identity {
  const { config, database, guesses } = deps;
  const complain = deps.complain ?? (() => {});
  // ADMIN_EMAIL is a promise to the owner of that address, so it is kept only once they have proven
  // that they are.
  const onVerified = async (email: string) => {
    if (email === config.adminEmail) await makeFirstAdmin(database, email);
  };
  const onTakenOver = (user: { id: string; email: string }) => guesses.forgetPlaces(user);
  const queueMail = (mail: MailJob, db: Db) => deps.jobs.send(db, 'send-mail', mail);
  const { comparesTables, note } = deps;
  const told = { complain, note, onVerified, onTakenOver, queueMail };
  const auth = createAuth({ config, database, comparesTables, ...told });
  const tokens = createTokens(config);
  const gate = createGate(config, database, tokens);
  const holderOf = (request: Asked) => gate.holderOf(request);
  const provider = createProvider({ config, database, auth, queueMail, guesses, complain });
  const { ask, mailReset, rememberDevice } = provider;
  const withinMs = waits[config.passwordCost].reset;
  const known = async (emails: readonly string[]) => {
    const { rows } = await sql<{ email: string }>`
      select email from "user" where email = any (${emails}::text[])`.execute(database.db);
    return rows.map(({ email }) => email);
  };
  const resets = createResets({ known, mailReset, withinMs, complain });
  const devices = createDevices({ config, guesses, jobs: deps.jobs });
  const passwords = passwordCalls(config.strictPasswords);
  const prefix = cookiePrefix(config);

  function mount(on: On) {
    on(jwt, async ({ email }, { who }) => {
      if (email !== who.email) fail('UNAUTHENTICATED');
      return { token: await tokens.sign({ userId: who.id, sessionId: who.sessionId }) };
    });

    on(settings, async () => {
      const { name, email, timeZone, currency, sports, pages, ...rest } = await deps.academy.read();
      return {
        brand: name,
        publicUrl: config.publicUrl,
        google: config.google !== null,
        demo: !config.production,
        demoAccounts: deps.demoAccounts ?? false,
        strictPasswords: config.strictPasswords,
        cards: deps.cards ?? {
          publishableKey: config.stripe?.publishableKey ?? 'pk_test_sandbox',
          sandbox: !config.stripe,
        },
        ...(email && { contact: email }),
        timeZone,
        currency,
        sports,
        pages,
        ...said(rest),
      };
    });

    on(passwords.signUp, async ({ name, image, email, password }, context) => {
      const form = { name, image, email, password };
      await guesses.signUp({ address: context.request.ip, email }, async () => {
        const hash = { of: password, is: await hashPassword(password) };
        await noSoonerThan(
          waits[config.passwordCost].signUp,
          signUps(() => ask(context, form, { hash, mails: [] })).catch(ignoreLostRace(email)),
        );
      });
      return { status: true };
    });

    on(signIn, async (form, context) => {
      // A text that is no address is refused like a wrong password and counted nowhere.
      const email = emailRule.safeParse(form.email).data ?? fail('WRONG_CREDENTIALS');
      const { request } = context;
      const guess = await guesses.charge({
        purpose: 'sign-in',
        who: email,
        address: request.ip,
        device: cookieOf(request, `${prefix}.device`),
      });
      const current: Visit = {
        mails: [],
        beforeAnswer: () => refuseReplaced(current, email, devices.tellOf(request)),
      };
      const wait = pause(waits[config.passwordCost].refusal, undefined, { ref: false });
      const checked = await guess.judge(
        hashesOf(networkOf(request.ip), () => rightHash(database.db, email, form.password)),
      );
      if (checked === null) {
        await wait;
        fail('WRONG_CREDENTIALS');
      }
      current.checked = { of: form.password, is: checked };
      const answer = await ask(context, { ...form, email }, current);
      const device = await guess.succeeded(current.verified);
      const { user } = (await answer.json()) as { user?: AuthUser };
      // The password was right, but there is no session before the second step, which then makes the
      // device a known one.
      if (user) rememberDevice(context, device);
      return user ? { user: presentUser(user) } : { twoFactor: true };
    });

    on(signInWithGoogle, async (form, context) => {
      if (!config.google) fail('GOOGLE_NOT_SET_UP');
      const { provider, ...paths } = { callbackURL: '/', errorCallbackURL: '/login', ...form };
      // As ASCII: Better Auth writes them into a header.
      const { origin } = new URL(config.publicUrl);
      const written = Object.entries(paths).map(([name, path]) => [name, ownPath(path, origin)]);
      const answer = await ask(context, {
        provider,
        ...Object.fromEntries(written),
        disableRedirect: true,
      });
      const { url } = (await answer.json()) as { url: string };
      return { url };
    });

    on(googleCallback, async ({ state }, context) => {
      if (!config.google) fail('GOOGLE_NOT_SET_UP');
      // Better Auth would log it as an error of ours, and anybody can ask with any state, or with
      // one that is spent.
      if (!state) return '/login?error=state_not_found';
      const own = signed(config.secret, cookieOf(context.request, `${prefix}.state`));
      if (!own || own !== state || !(await isUnderWay(database.db, own)))
        return '/login?error=state_mismatch';
      const current: Visit = {
        mails: [],
        mayEnter: mayEnterByGoogle,
        beforeAnswer: () => refuseByGoogle(current, devices.tellOf(context.request)),
      };
      try {
        const answer = await ask(context, undefined, current, { query: true });
        const device = await devices.cookieFor(database.db, current.userId);
        if (device && current.sessionId) rememberDevice(context, device);
        return answer.headers.get('location') || fail('BAD_LINK');
      } catch (error) {
        if (!(error instanceof NotLetIn)) throw error;
        return `/login?error=${error.message}`;
      }
    });

    on(signOut, async (_form, context) => {
      // Better Auth says yes also when the session could not be deleted; a person who signs out
      // must be out, or be told that they are not.
      const token = signed(config.secret, cookieOf(context.request, `${prefix}.session_token`));
      if (token) await sql`delete from session where token = ${token}`.execute(database.db);
      await ask(context, {});
      return { status: true };
    });

    on(getSession, async (_query, context) => {
      if (!(await gate.holderOf(context.request))) return null;
      const answer = (await (await ask(context)).json()) as {
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

    on(updateProfile, async (form, { who }) => {
      if (!(await changeProfile(database, who, form))) fail('UNAUTHENTICATED');
      return { status: true };
    });

    on(revokeOtherSessions, async (_form, { who }) => {
      if (!(await endOthers(database, who))) fail('UNAUTHENTICATED');
      return { status: true };
    });

    on(requestPasswordReset, async ({ email }) => {
      // A database that is away answers here, and not after the answer.
      await sql`select`.execute(database.db);
      resets.add(email);
      return { status: true };
    });

    const shared = { on, config, database, jobs: deps.jobs, guesses, provider, devices };
    mailedLinks({ ...shared, passwords, holderOf });
    invitations({ ...shared, holderOf });
    newAddress(shared);
    secondFactor(shared);
  }

  /**
   * The password or the address was replaced, or two-step sign-in turned on, while this sign-in was
   * under way.
   */
  async function refuseReplaced(
    { userId = '', verified, sessionId }: Visit,
    address: string,
    enter: Enter,
  ) {
    const entry = { userId, address, hash: verified ?? null, sessionId, enter };
    const enters = await entersWithoutCode(database, entry);
    if (enters === 'blocked') {
      const { contactEmail } = config;
      const message = `This account is blocked. Write to ${contactEmail ?? 'the academy'}.`;
      fail('ACCOUNT_BLOCKED', { message });
    }
    if (enters === 'replaced') fail('WRONG_CREDENTIALS');
    // The password is right: the next try is asked for a code.
    if (enters === 'code wanted') fail('UNAVAILABLE', {}, 1);
  }

  /** The account was deleted or got a new address, or two-step sign-in turned on, while this sign-in was under way. */
  async function refuseByGoogle(current: Visit, enter: Enter) {
    const { userId, sessionId, subject = '', address, isJoining } = current;
    if (userId === undefined || sessionId === undefined) return;
    const joins = isJoining && address;
    const enters = await entersByGoogle(database, { userId, sessionId, subject, joins, enter });
    if (enters !== 'yes') throw new NotLetIn(enters);
  }

  /** Google asks for no code of ours: with two-step sign-in only password and code let in. */
  async function mayEnterByGoogle(userId: string) {
    const { rows } = await sql<{ blocked: boolean }>`
      select blocked_at is not null as blocked from "user"
      where id = ${userId} and (two_factor_enabled or blocked_at is not null)`.execute(database.db);
    if (rows[0])
      throw new APIError('FORBIDDEN', { code: rows[0].blocked ? 'blocked' : 'second_step' });
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

  const settled = async () => {
    await resets.settled();
    await provider.settled();
  };
  return { ...gate, mount, settled };
}

/** A sign-in with Google that ends on the login page; the message is the reason in its address. */
class NotLetIn extends Error {}

/**
 * The stored hash that the password is right for. One statement and one hash, also for an address
 * without an account: with many sign-ins at once, the time that they wait for one another would tell.
 */
async function rightHash(db: Db, email: string, password: string): Promise<string | null> {
  const hash = await storedHash(db, email);
  if (hash === null) await hashPassword(password);
  return hash !== null && (await verifyPassword({ hash, password })) ? hash : null;
}

async function noSoonerThan<T>(ms: number, work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([work, pause(ms)]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
