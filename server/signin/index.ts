// The room of signing in: its calls under /api/auth, POST /jwt and GET /settings.
import type { Services } from '../platform/services.ts';
import { doneBy, mail } from '../mail/kinds.ts';
import { address } from './address.ts';
import type { Cookies } from './cookies.ts';
import type { IdentityGate } from './gate.ts';
import { google } from './google.routes.ts';
import type { Guesses } from './guesses.ts';
import { join } from './join.ts';
import { password } from './password.ts';
import { confirmation } from './confirm.ts';
import { secondFactor } from './secondfactor.ts';
import type { Signin } from './services.ts';
import { isOwnNetwork, startSession } from './sessions.ts';
import { settings } from './settings.ts';
import { signIn } from './signin.ts';
import { signUp } from './signup.ts';
import type { Tokens } from './tokens.ts';

export async function signin(
  services: Services & {
    guesses: Guesses;
    cookies: Cookies;
    tokens: Tokens;
    gate: IdentityGate;
    demoAccounts: boolean;
  },
): Promise<void> {
  const { guesses, jobs, cookies, gate } = services;
  const tell: Signin['tell'] = async (db, user, mail, kind) => {
    const counted = kind ?? (user.proven ? null : 'notice');
    if (counted && !(await guesses.mayWrite(user.email, counted, db))) return;
    await jobs.send(db, 'send-mail', mail);
  };
  const letIn: Signin['letIn'] = async (db, user, { kept, request }) => {
    const isKnown = await isOwnNetwork(db, user.email, request.ip);
    const session = await startSession(db, { userId: user.id, kept, request });
    // The first sign-in of all is expected, and a stranger may have chosen an unproven address.
    if (user.proven && user.registered && !isKnown)
      await tell(db, user, mail('new-device', { to: user.id, ...doneBy(request) }), 'device');
    return session;
  };
  const giveCookie: Signin['giveCookie'] = (exchange, { id, userId, secret, kept, seconds }) => {
    services.log.info({ userId, sessionId: id }, 'signed in');
    cookies.set(exchange, 'session_token', secret, kept ? seconds : undefined);
  };

  const given: Signin = {
    ...services,
    holderOf: (request) => gate.holderOf(request),
    tell,
    letIn,
    giveCookie,
  };
  settings({ ...services });
  signUp(given);
  signIn(given);
  confirmation(given);
  await password(given);
  address(given);
  join(given);
  secondFactor(given);
  google(given);
}
