// The second step of signing in: a code from an authenticator app (TOTP) or, without the phone, a
// backup code. Turning it on and off.
// Not for: the first step (routes.ts) or how codes are made and kept (Better Auth's plugin, set up in
// betterauth.ts: both encrypted).
import type { Services } from '../../services.ts';
import { APIError } from 'better-auth/api';
import type { RawBuilder } from 'kysely';
import { DatabaseError } from 'pg';
import {
  type AuthUser,
  disableSecondStep,
  enableSecondStep,
  newBackupCodes,
  secondStep,
  verifySecondStep,
} from '../../../contract/auth.ts';
import type { Config } from '../../config.ts';
import { type Database, type Db, sql } from '../../db/connection.ts';
import { cookieOf, signed } from '../../http/cookies.ts';
import { fail } from '../../http/fail.ts';
import type { Asked, Caller } from '../../http/on.ts';
import type { Mail } from '../../outside/mail.ts';
import { audit } from '../audit.ts';
import { secondStepRemoved } from '../mails/identity.ts';
import { doneBy, mail } from '../mails/kinds.ts';
import { type AuthCookie, cookiePrefix, type Visit } from './betterauth.ts';
import {
  type Claimed,
  endAccess,
  isConfirmed,
  isShown,
  lockAccount,
  passwordOf,
  secondStepKey,
} from './confirmation.ts';
import type { Devices } from './devices.ts';
import { passwordStillHolds } from './entry.ts';
import type { Guess, Guesses } from './guesses.ts';
import { verifyPassword } from './passwords.ts';
import { presentUser, type Provider } from './provider.ts';
import { renewSession } from './sessions.ts';

/** What routes.ts hands over. */
const mostCodes = 10;
const lockMinutes = 30;

const isFromApp = (code: string) => /^\d{6}$/.test(code);

const routeFor = (code: string) =>
  isFromApp(code) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';

async function turnOff(db: Db, userId: string): Promise<void> {
  await sql`update "user" set two_factor_enabled = false where id = ${userId}`.execute(db);
  await sql`delete from two_factor where user_id = ${userId}`.execute(db);
}

/**
 * The lock on the user, for as long as the session and the password are still there that asked:
 * what ends either of them waits, or has ended it before.
 */
async function lockShown(db: Db, who: Caller, hash: string | null): Promise<void> {
  const user = await lockAccount(db, who.id);
  const shown = hash !== null && (await isShown(db, who.id, { hash }));
  if (!user || !shown || !(await isShown(db, who.id, who))) fail('UNAUTHENTICATED');
}

export function secondFactor(
  deps: Pick<Services, 'on' | 'config' | 'jobs'> & {
    database: Database;
    guesses: Guesses;
    provider: Provider;
    devices: Devices;
  },
): void {
  const { on, config, database, jobs, guesses, provider, devices } = deps;
  const { ask, rememberDevice } = provider;
  const isOn = async (id: string) => {
    const { rows } = await sql`select from "user" where id = ${id} and two_factor_enabled`.execute(
      database.db,
    );
    return rows.length > 0;
  };

  /** On an unconfirmed address the factor could be a stranger's, and lock its owner out. */
  const mustBeConfirmed = async (id: string) => {
    if (!(await isConfirmed(database.db, id))) fail('EMAIL_NOT_CONFIRMED');
  };

  /** A code of the app or a backup code, which is spent, of the factor that a code has proven. */
  async function isCodeOf(userId: string, code: string): Promise<boolean> {
    const { rows } = await sql<{ id: string; secret: string; backupCodes: string }>`
      select id, secret, backup_codes from two_factor
      where user_id = ${userId} and verified is not false`.execute(database.db);
    const [factor] = rows;
    if (!factor) return false;
    if (isFromApp(code)) return provider.isRightCode(factor.secret, code);
    const left = await provider.withoutCode(factor.backupCodes, code);
    if (left === null) return false;
    const { numAffectedRows } = await sql`
      update two_factor set backup_codes = ${left}
      where id = ${factor.id} and backup_codes = ${factor.backupCodes}`.execute(database.db);
    return numAffectedRows === 1n;
  }

  const chargeShown = ({ who, request }: { who: Caller; request: Asked }) =>
    guesses.charge({ purpose: 'code', who: who.id, address: request.ip });

  /**
   * Checks the code of a signed-in person. Better Auth must not do this: it also reads the cookie of a
   * pending second step, which may belong to another account.
   */
  async function show(context: { who: Caller; request: Asked }, code: string) {
    const { who } = context;
    const guess = await chargeShown(context);
    if (!(await isCodeOf(who.id, code))) fail('WRONG_CODE');
    if (!(await guesses.once(who.id, code))) fail('WRONG_CODE');
    await guess.succeeded();
  }

  /**
   * Counts a code before Better Auth looks at it, so that codes sent at the same moment cannot all
   * be judged: ten in a row, then half an hour of waiting. A right code sets the count back.
   * Answers whose second step it is.
   */
  async function chargeCode(request: Asked): Promise<Pick<Caller, 'id' | 'email'>> {
    const challenge = signed(
      config.secret,
      cookieOf(request, `${cookiePrefix(config)}.two_factor`),
    );
    // Better Auth keeps the hash of a challenge, and with it the id of the user.
    const identifier = secondStepKey(challenge ?? '');
    const { rows } = await sql<{ id: string; email: string; charged: boolean; wait: number }>`
      with challenged as (
        select f.id, f.user_id, f.locked_until from verification v join two_factor f on f.user_id::text = v.value
        where v.identifier = ${identifier} and v.expires_at > now() and f.verified is not false
      ), charged as (
        update two_factor f set
          failed_verification_count = case when f.locked_until is null then coalesce(f.failed_verification_count, 0) + 1 else 1 end,
          locked_until = case
            when f.locked_until is null and f.failed_verification_count >= ${mostCodes - 1}
            then now() + ${lockMinutes} * interval '1 minute' end
        from challenged c where f.id = c.id and (f.locked_until is null or f.locked_until <= now())
        returning f.id
      )
      select u.id, u.email, exists (select from charged) as charged,
        ceil(extract(epoch from coalesce(c.locked_until - now(), ${lockMinutes} * interval '1 minute')))::int as wait
      from challenged c join "user" u on u.id = c.user_id
    `.execute(database.db);
    const found = rows[0] ?? fail('SECOND_STEP_OVER');
    return found.charged ? found : fail('RATE_LIMITED', {}, found.wait);
  }

  const chargePassword = ({ request, who }: { request: Asked; who: Caller }) =>
    guesses.charge({ purpose: 'change', who: who.id, address: request.ip });

  /** Before a code is spent. Answers the hash that the password was right for. */
  async function provePassword(guess: Guess, userId: string, password: string): Promise<string> {
    const hash = await passwordOf(database.db, userId);
    if (hash === null || !(await guess.judge(verifyPassword({ hash, password }))))
      fail('WRONG_PASSWORD');
    return hash;
  }

  /**
   * What Better Auth has stored stays only while the session and the password are there that asked:
   * it stores without our lock, and may be later than what ended them.
   */
  const stillShown = (
    who: Caller,
    hash: string,
    undo: RawBuilder<unknown>,
    tell?: (db: Db) => Promise<void>,
  ) =>
    database
      .system([], async (db) => {
        await lockShown(db, who, hash);
        await tell?.(db);
      })
      .catch(async (error: unknown) => {
        await undo.execute(database.db);
        throw error;
      });

  on(secondStep, async ({ code }, context) => {
    // With a session, whosever it is, Better Auth would take the code for that session's.
    const cookies: AuthCookie[] = ['two_factor', 'dont_remember'];
    // Read before Better Auth spends the pending step: a password or an address that is replaced
    // from now on lets no session through.
    const challenged = await chargeCode(context.request);
    const userId = challenged.id;
    const hash = await passwordOf(database.db, userId);
    const enter = devices.tellOf(context.request);
    const current: Visit = {
      mails: [],
      onlyFor: userId,
      mayEnter: async (userId) => {
        // A person who saw the code on a screen could use it for another minute.
        if (!(await guesses.once(userId, code)))
          throw new APIError('BAD_REQUEST', { code: 'INVALID_CODE' });
      },
      beforeAnswer: async () => {
        const { sessionId } = current;
        const entry = { userId, address: challenged.email, hash, sessionId, enter };
        if (!(await passwordStillHolds(database, entry))) fail('SECOND_STEP_OVER');
      },
    };
    const answer = await ask(context, { code }, current, { path: routeFor(code), cookies });
    await sql`
      update two_factor set failed_verification_count = 0, locked_until = null where user_id = ${userId}
    `.execute(database.db);
    const device = await devices.cookieFor(database.db, userId);
    if (device) rememberDevice(context, device);
    const { user } = (await answer.json()) as { user: AuthUser };
    return { user: presentUser(user) };
  });

  /** Ends a set-up that no code has proven: the next one is a row of its own (two_factor_secret_stays). */
  const dropSetUp = (who: Caller, hash: string) =>
    database.system([], async (db) => {
      await lockShown(db, who, hash);
      const { rows } =
        await sql`select from "user" where id = ${who.id} and two_factor_enabled`.execute(db);
      if (rows.length > 0) fail('SECOND_STEP_ON');
      await sql`delete from two_factor where user_id = ${who.id}`.execute(db);
    });

  on(enableSecondStep, async ({ password }, context) => {
    const { who } = context;
    await mustBeConfirmed(who.id);
    const guess = await chargePassword(context);
    const hash = await provePassword(guess, who.id, password);
    const setUp = async (tries: number): Promise<Response> => {
      await dropSetUp(who, hash);
      return ask(context, { password, method: 'totp' }).catch((error: unknown) => {
        // Another set-up of this account was stored between the two steps.
        if (!(error instanceof DatabaseError && error.code === '23505')) throw error;
        return tries > 1 ? setUp(tries - 1) : fail('UNAVAILABLE', {}, 1);
      });
    };
    const answer = await guess.judge(setUp(5));
    await stillShown(
      who,
      hash,
      sql`delete from two_factor where user_id = ${who.id} and verified is false`,
    );
    await guess.succeeded();
    const { totpURI, backupCodes } = (await answer.json()) as {
      totpURI: string;
      backupCodes: string[];
    };
    return { uri: totpURI, secret: new URL(totpURI).searchParams.get('secret') ?? '', backupCodes };
  });

  // The first right code proves that the app has the secret; only then it is wanted at the next
  // sign-in. Better Auth would begin a new session, also for one that its owner ends at this moment.
  on(verifySecondStep, async ({ code }, context) => {
    const { who } = context;
    await mustBeConfirmed(who.id);
    if (await isOn(who.id)) fail('SECOND_STEP_ON');
    const hash = await passwordOf(database.db, who.id);
    const { rows } = await sql<{ id: string; secret: string }>`
      select id, secret from two_factor where user_id = ${who.id}`.execute(database.db);
    const factor = rows[0] ?? fail('SECOND_STEP_OFF');
    const guess = await chargeShown(context);
    if (!(await provider.isRightCode(factor.secret, code))) fail('WRONG_CODE');
    await guess.succeeded();
    await guesses.once(who.id, code);
    const session = await database.system([], async (db) => {
      await lockShown(db, who, hash);
      const { numAffectedRows } =
        await sql`update two_factor set verified = true where id = ${factor.id}`.execute(db);
      // Another set-up has replaced the factor while its code was checked.
      if (!numAffectedRows) fail('WRONG_CODE');
      await sql`update "user" set two_factor_enabled = true, updated_at = now() where id = ${who.id}`.execute(
        db,
      );
      // Sessions that began without a code end, and with them the calendar feeds and open invitations.
      const renewed = (await renewSession(db, who)) ?? fail('UNAUTHENTICATED');
      await endAccess(db, who.id, renewed.id);
      await jobs.send(
        db,
        'send-mail',
        mail('second-step-on', { to: who.id, ...doneBy(context.request) }),
      );
      return renewed;
    });
    provider.setSession(context, session);
    return { status: true };
  });

  on(disableSecondStep, async ({ password, code }, context) => {
    const { who } = context;
    if (!(await isOn(who.id))) fail('SECOND_STEP_OFF');
    const guess = await chargePassword(context);
    const hash = await provePassword(guess, who.id, password);
    await show(context, code);
    await database.system([], async (db) => {
      await lockShown(db, who, hash);
      await turnOff(db, who.id);
      await jobs.send(
        db,
        'send-mail',
        mail('second-step-off', { to: who.id, ...doneBy(context.request) }),
      );
    });
    await guess.succeeded();
    return { status: true };
  });

  /** As they are stored. */
  const codesOf = async (userId: string) => {
    const { rows } = await sql<{ codes: string }>`
      select backup_codes as codes from two_factor where user_id = ${userId}`.execute(database.db);
    return rows[0]?.codes ?? '';
  };

  on(newBackupCodes, async ({ password, code }, context) => {
    const { who } = context;
    if (!(await isOn(who.id))) fail('SECOND_STEP_OFF');
    const guess = await chargePassword(context);
    const hash = await provePassword(guess, who.id, password);
    await show(context, code);
    const old = await codesOf(who.id);
    const answer = await guess.judge(
      ask(context, { password }, undefined, { path: '/two-factor/generate-backup-codes' }),
    );
    const made = await codesOf(who.id);
    // The owner keeps the codes that are written down.
    const restored = sql`update two_factor set backup_codes = ${old}
      where user_id = ${who.id} and backup_codes = ${made}`;
    await stillShown(who, hash, restored, (db) =>
      jobs.send(
        db,
        'send-mail',
        mail('backup-codes-new', { to: who.id, ...doneBy(context.request) }),
      ),
    );
    await guess.succeeded();
    const { backupCodes } = (await answer.json()) as { backupCodes: string[] };
    return { backupCodes };
  });
}

interface Removal {
  database: Database;
  config: Config;
  guesses: Pick<Guesses, 'forgetPlaces'>;
  mail: Pick<Mail, 'send'>;
}

/**
 * `npm run admin -- --remove-second-factor EMAIL`. A thief of the password may have set the factor
 * up, so the password ends, too, and with it every device cookie. The owner chooses a new one by
 * mail.
 */
export async function removeSecondFactor(
  { database, config, guesses, mail }: Removal,
  email: string,
) {
  const found = await database.system([], async (handle) => {
    const { rows } = await sql<Claimed & { isOn: boolean }>`
      select id, email, name, email_verified, coalesce(two_factor_enabled, false) as is_on
      from "user" where email = ${email} for update`.execute(handle);
    const user = rows[0];
    if (!user?.isOn) return user;
    await turnOff(handle, user.id);
    await sql`delete from account where user_id = ${user.id} and provider_id = 'credential'`.execute(
      handle,
    );
    await endAccess(handle, user.id);
    await audit(handle, {
      actorId: null,
      action: 'second factor removed',
      subject: user.id,
      detail: 'by the operator',
    });
    return user;
  });
  if (!found) return { done: false, says: `No account has the address ${email}.` };
  if (!found.isOn)
    return { done: false, says: `Two-step sign-in is off for ${email}. Nothing was changed.` };
  await guesses.forgetPlaces(found);
  const says =
    `Two-step sign-in of ${email} is removed. Its password and its backup codes no longer work, and every\n` +
    'device is signed out. Its owner chooses a new password with "Forgot password?" on the login page.';
  try {
    await mail.send(secondStepRemoved(config, found));
    return { done: true, says };
  } catch {
    return {
      done: false,
      says: `${says}\nThe mail about it could not be sent: please tell the owner.`,
    };
  }
}
