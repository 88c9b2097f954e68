// What each file of this room is given.
import type { Services } from '../platform/services.ts';
import type { Db } from '../platform/db/connection.ts';
import type { MailJob } from '../platform/db/jobs.ts';
import { fail } from '../platform/http/fail.ts';
import type { Asked } from '../platform/http/on.ts';
import { doneBy, mail } from '../mail/kinds.ts';
import type { Cookies, Exchange } from './cookies.ts';
import type { IdentityGate } from './gate.ts';
import type { Guesses, MailKind } from './guesses.ts';
import { isPassword } from './hashes.ts';
import { type Claimed, passwordOf } from './prove.ts';
import { type Begun, isOwnNetwork, startSession } from './sessions.ts';
import type { Tokens } from './tokens.ts';

interface Given extends Services {
  guesses: Guesses;
  cookies: Cookies;
  tokens: Tokens;
  gate: IdentityGate;
}

export type Signin = ReturnType<typeof forSignin>;

export function forSignin(services: Given) {
  const { guesses, jobs, cookies, gate, log } = services;

  /**
   * To an account. A mail too many of a kind that a stranger can cause is dropped, and to an address
   * that is not proven every mail is of such a kind.
   */
  async function tell(db: Db, user: Claimed, mail: MailJob, kind?: MailKind): Promise<void> {
    const counted = kind ?? (user.proven ? null : 'notice');
    if (counted && !(await guesses.mayWrite(user.email, counted, db))) return;
    await jobs.send(db, 'send-mail', mail);
  }

  /**
   * Begins a session in the transaction that has judged the person, and tells of a network that is new
   * to the account.
   */
  async function letIn(
    db: Db,
    user: Claimed,
    { kept, request }: { kept: boolean; request: Asked },
  ): Promise<Begun> {
    const isKnown = await isOwnNetwork(db, user.email, request.ip);
    const session = await startSession(db, { userId: user.id, kept, request });
    // The first sign-in of all is expected, and a stranger may have chosen an unproven address.
    if (user.proven && user.registered && !isKnown)
      await tell(db, user, mail('new-device', { to: user.id, ...doneBy(request) }), 'device');
    return session;
  }

  const holderOf = (request: Asked) => gate.holderOf(request);

  /** After the commit. */
  function giveCookie(exchange: Exchange, { id, userId, secret, kept, seconds }: Begun): void {
    log.info({ userId, sessionId: id }, 'signed in');
    cookies.set(exchange, 'session_token', secret, kept ? seconds : undefined);
  }

  return {
    ...services,
    holderOf,
    tell,
    letIn,
    giveCookie,
    rightPassword: rightPassword.bind(null, services),
  };
}

/**
 * Counted as a guess: a stolen session must not become a way to guess the password. Answers the hash
 * that it is right for.
 */
export async function rightPassword(
  { db, guesses }: Pick<Given, 'db' | 'guesses'>,
  { id, email }: { id: string; email: string },
  { ip }: Asked,
  { password, field }: { password: string; field?: 'password' },
): Promise<string> {
  const hash = await passwordOf(db, id);
  const isRight = await guesses.judge({ email, ip }, () => isPassword(hash, password));
  return isRight && hash !== null ? hash : fail('WRONG_PASSWORD', field ? { field } : {});
}
