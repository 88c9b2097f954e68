// The second step of signing in: a code from an authenticator app (TOTP) or, without the phone, a
// backup code. Turning it on and off.
// NOT for: the first step (gate.ts) or how codes are made and kept (Better Auth's plugin, set up in
// betterauth.ts: both encrypted).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { APIError } from 'better-auth/api';
import type { AuthUser } from '../../../contract/identity.ts';
import { cleanName } from '../../../contract/rules.ts';
import type { Config } from '../../config.ts';
import { type Database, sql } from '../../db/connection.ts';
import { cookieOf, signed } from '../../http/cookies.ts';
import { fail } from '../../http/fail.ts';
import type { Caller } from '../../http/on.ts';
import type { Letter, Mail } from '../../outside/mail.ts';
import { audit } from '../audit.ts';
import { type AuthCookie, cookiePrefix, type Visit } from './betterauth.ts';
import {
  endAccess,
  isConfirmed,
  passwordOf,
  passwordStillHolds,
  secondStepKey,
} from './confirmation.ts';
import { type createForms, parse } from './forms.ts';
import type { Guesses } from './guesses.ts';
import { greeting } from '../mails.ts';

/** What gate.ts hands over: its doors, its way to Better Auth, and who stands behind a cookie. */
interface Deps {
  config: Config;
  database: Database;
  guesses: Guesses;
  forms: ReturnType<typeof createForms>;
  door: (
    method: 'POST',
    path: string,
    limit: { max: number },
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) => void;
  ask: Ask;
  holder: (request: FastifyRequest) => Promise<Caller>;
  deliver: (letters: Visit['letters']) => void;
}

export type Ask = (
  request: FastifyRequest,
  reply: FastifyReply,
  body?: object,
  current?: Visit,
  /**
   * Another of Better Auth's routes than the one that was asked for; fewer cookies than all that it
   * knows.
   */
  instead?: { path?: string; cookies?: AuthCookie[] },
) => Promise<Response>;

const mostCodes = 10;
const lockMinutes = 30;

const routeFor = (code: string) =>
  /^\d{6}$/.test(code) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';

export function secondFactor({
  config,
  database,
  guesses,
  forms,
  door,
  ask,
  holder,
  deliver,
}: Deps): void {
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

  /**
   * Somebody who is signed in shows a code as well. Better Auth counts no failures here, so we do.
   */
  async function show(request: FastifyRequest, reply: FastifyReply, who: Caller, code: string) {
    const guess = await guesses.charge({
      purpose: 'code',
      who: who.id,
      address: request.ip,
      device: undefined,
    });
    await ask(request, reply, { code }, undefined, { path: routeFor(code) });
    if (!(await guesses.once(who.id, code))) fail('WRONG_CODE');
    await guess.succeeded();
  }

  /**
   * Counts a code before Better Auth looks at it, so that codes sent at the same moment cannot all
   * be judged: ten in a row, then half an hour of waiting. A right code sets the count back.
   * Answers whose second step it is.
   */
  async function chargeCode(request: FastifyRequest): Promise<string> {
    const challenge = signed(
      config.secret,
      cookieOf(request, `${cookiePrefix(config)}.two_factor`),
    );
    // Better Auth keeps the hash of a challenge, and with it the id of the user.
    const identifier = secondStepKey(challenge ?? '');
    const { rows } = await sql<{ userId: string; charged: boolean; wait: number }>`
      with challenged as (
        select f.id, f.user_id, f.locked_until from verification v join two_factor f on f.user_id::text = v.value
        where v.identifier = ${identifier} and v.expires_at > now()
      ), charged as (
        update two_factor f set
          failed_verification_count = case when f.locked_until is null then coalesce(f.failed_verification_count, 0) + 1 else 1 end,
          locked_until = case
            when f.locked_until is null and f.failed_verification_count >= ${mostCodes - 1}
            then now() + ${lockMinutes} * interval '1 minute' end
        from challenged c where f.id = c.id and (f.locked_until is null or f.locked_until <= now())
        returning f.id
      )
      select c.user_id, exists (select from charged) as charged,
        ceil(extract(epoch from coalesce(c.locked_until - now(), ${lockMinutes} * interval '1 minute')))::int as wait
      from challenged c
    `.execute(database.db);
    const found = rows[0] ?? fail('SECOND_STEP_OVER');
    return found.charged ? found.userId : fail('RATE_LIMITED', {}, found.wait);
  }

  const chargePassword = (request: FastifyRequest, who: Caller) =>
    guesses.charge({ purpose: 'change', who: who.id, address: request.ip, device: undefined });

  const tell = (who: Caller, about: (config: Config, who: Caller) => Letter) =>
    deliver([{ letter: about(config, who) }]);

  /**
   * A visit of Better Auth whose new session is refused if the password is replaced after `hash`
   * was read.
   */
  function whileHolds(userId: string, hash: string | null, refuse: () => Promise<never>): Visit {
    const current: Visit = {
      letters: [],
      onlyFor: userId,
      beforeAnswer: async () => {
        const { sessionId } = current;
        if (!(await passwordStillHolds(database, { userId, hash, sessionId }))) await refuse();
      },
    };
    return current;
  }

  door('POST', '/sign-in/second-step', { max: 30 }, async (request, reply) => {
    const { code } = parse(forms.code, request.body);
    // With a session, whosever it is, Better Auth would take the code for that session's.
    const cookies: AuthCookie[] = ['two_factor', 'dont_remember'];
    const userId = await chargeCode(request);
    // Read before Better Auth spends the pending step: a password that is replaced from now on lets
    // no session through.
    const hash = await passwordOf(database.db, userId);
    const current = whileHolds(userId, hash, () => fail('SECOND_STEP_OVER'));
    current.mayEnter = async (userId) => {
      // Whoever looked over a shoulder has the code for another minute.
      if (!(await guesses.once(userId, code)))
        throw new APIError('BAD_REQUEST', { code: 'INVALID_CODE' });
    };
    const answer = await ask(request, reply, { code }, current, { path: routeFor(code), cookies });
    await sql`
      update two_factor set failed_verification_count = 0, locked_until = null where user_id = ${userId}
    `.execute(database.db);
    const { user } = (await answer.json()) as { user: AuthUser };
    const { id, email, name, image } = user;
    return { user: { id, email, name: cleanName(name), image } };
  });

  door('POST', '/two-factor/enable', { max: 10 }, async (request, reply) => {
    const { password } = parse(forms.password, request.body);
    const who = await holder(request);
    await mustBeConfirmed(who.id);
    const guess = await chargePassword(request, who);
    const answer = await ask(request, reply, { password, method: 'totp' });
    await guess.succeeded();
    const { totpURI, backupCodes } = (await answer.json()) as {
      totpURI: string;
      backupCodes: string[];
    };
    return { uri: totpURI, secret: new URL(totpURI).searchParams.get('secret') ?? '', backupCodes };
  });

  // The first right code proves that the app has the secret; only then it is wanted at the next
  // sign-in.
  door('POST', '/two-factor/verify', { max: 10 }, async (request, reply) => {
    const { code } = parse(forms.totp, request.body);
    const who = await holder(request);
    await mustBeConfirmed(who.id);
    if (await isOn(who.id)) fail('SECOND_STEP_ON');
    const current = whileHolds(who.id, await passwordOf(database.db, who.id), async () => {
      // The owner has just chosen a new password: this session ended with the old one, and its
      // factor must not stay.
      await sql`update "user" set two_factor_enabled = false where id = ${who.id}`.execute(
        database.db,
      );
      await sql`delete from two_factor where user_id = ${who.id}`.execute(database.db);
      return fail('UNAUTHENTICATED');
    });
    current.mayEnter = async (userId) => void (await guesses.once(userId, code));
    await ask(request, reply, { code }, current, { path: '/two-factor/verify-totp' });
    // Sessions that began without a second step end; this browser has just got a new one.
    await sql`delete from session where user_id = ${who.id} and id <> ${current.sessionId ?? null}`.execute(
      database.db,
    );
    tell(who, turnedOn);
    return { status: true };
  });

  door('POST', '/two-factor/disable', { max: 10 }, async (request, reply) => {
    const { password, code } = parse(forms.passwordAndCode, request.body);
    const who = await holder(request);
    if (!(await isOn(who.id))) fail('SECOND_STEP_OFF');
    const guess = await chargePassword(request, who);
    const hash = await passwordOf(database.db, who.id);
    await show(request, reply, who, code);
    await ask(
      request,
      reply,
      { password },
      whileHolds(who.id, hash, () => fail('UNAUTHENTICATED')),
    );
    await guess.succeeded();
    tell(who, turnedOff);
    return { status: true };
  });

  door('POST', '/two-factor/backup-codes', { max: 10 }, async (request, reply) => {
    const { password, code } = parse(forms.passwordAndCode, request.body);
    const who = await holder(request);
    if (!(await isOn(who.id))) fail('SECOND_STEP_OFF');
    const guess = await chargePassword(request, who);
    await show(request, reply, who, code);
    const answer = await ask(request, reply, { password }, undefined, {
      path: '/two-factor/generate-backup-codes',
    });
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
  const found = await database.transaction(async (handle) => {
    const { rows } = await sql<Removed>`
      select id, email, name, email_verified, coalesce(two_factor_enabled, false) as is_on
      from "user" where email = ${email} for update`.execute(handle);
    const user = rows[0];
    if (!user?.isOn) return user;
    await sql`update "user" set two_factor_enabled = false, updated_at = now() where id = ${user.id}`.execute(
      handle,
    );
    await sql`delete from two_factor where user_id = ${user.id}`.execute(handle);
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
    await mail.send(removed(config, found.emailVerified ? found : { ...found, name: '' }));
    return { done: true, says };
  } catch {
    return {
      done: false,
      says: `${says}\nThe mail about it could not be sent: please tell the owner.`,
    };
  }
}

interface Removed {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  isOn: boolean;
}

const letter = (subject: string, words: string, otherwise: string) => {
  return ({ brand, publicUrl }: Config, { email, name }: Caller): Letter => ({
    to: email,
    subject,
    text: `${greeting(name)}\n\n${words} If it was not you, ${otherwise}:\n\n${publicUrl}/login\n\n${brand}\n${publicUrl}`,
  });
};

const turnedOn = letter(
  'Two-step sign-in is on',
  'from now on signing in needs a code from your authenticator app, and every other device was signed out.',
  'choose a new password at once and write to us: a new password alone does not turn it off',
);
const turnedOff = letter(
  'Two-step sign-in is off',
  'signing in needs only your password again.',
  'choose a new password at once',
);

const removed = (
  { brand, publicUrl }: Config,
  { email, name }: Pick<Removed, 'email' | 'name'>,
): Letter => ({
  to: email,
  subject: 'Two-step sign-in was removed',
  text: `${name ? greeting(name) : 'Hello,'}\n\nwe removed two-step sign-in from your account. Your password and your backup codes no longer work, and every device was signed out. Please choose a new password:\n\n${publicUrl}/forgotpassword\n\nThen you can turn two-step sign-in on again on your account page. If you did not ask us for this, please write to us.\n\n${brand}\n${publicUrl}`,
});
