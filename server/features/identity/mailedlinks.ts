// The doors that a mailed link leads to (confirm an address, choose a new password), and the change
// of a password.
// Not for: what happens behind them (confirmation.ts: one transaction each) and the text of the
// mails (betterauth.ts).
import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/connection.ts';
import { cookieOf } from '../../http/cookies.ts';
import { fail } from '../../http/fail.ts';
import type { Caller } from '../../http/on.ts';
import { cookiePrefix, passwordChanged, type Visit } from './betterauth.ts';
import {
  accountOfLink,
  changePassword,
  type Claimed,
  confirm,
  isConfirmed,
  isResetLink,
  passwordOf,
  resetByLink,
  type Shown,
} from './confirmation.ts';
import { type createForms, parse } from './forms.ts';
import type { Guesses } from './guesses.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import type { Ask } from './secondfactor.ts';

/** What gate.ts hands over. */
interface Deps {
  config: Config;
  database: Database;
  guesses: Guesses;
  forms: ReturnType<typeof createForms>;
  door: (
    method: 'GET' | 'POST',
    path: string,
    limit: { max: number; hours?: number },
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) => void;
  ask: Ask;
  holder: (request: FastifyRequest) => Promise<Caller>;
  holderOf: (request: FastifyRequest) => Promise<Caller | null>;
  deliver: (letters: Visit['letters']) => void;
  rememberDevice: (reply: FastifyReply, value: string) => void;
}

export function mailedLinks(deps: Deps): void {
  const { config, database, guesses, forms, door, ask, holder, holderOf, deliver, rememberDevice } =
    deps;
  const prefix = cookiePrefix(config);
  const tell = (who: { email: string; name: string; emailVerified: boolean }) =>
    deliver([{ letter: passwordChanged(config, who) }]);

  door('POST', '/send-verification-email', { max: 5 }, async (request, reply) => {
    parse(forms.empty, request.body);
    const { id, email } = await holder(request);
    if (await isConfirmed(database.db, id)) return { status: true, already: true };
    await ask(request, reply, { email });
    return { status: true };
  });

  // Mail scanners follow every link, so a GET confirms nothing. Links of older mails come here.
  door('GET', '/verify-email', { max: 30 }, (request, reply) => {
    const { token } = request.query as { token?: unknown };
    const search = typeof token === 'string' ? `?${new URLSearchParams({ token })}` : '';
    return Promise.resolve(reply.redirect(`/confirm${search}`, 302));
  });

  // What a page says before its form: whether the link still works. Nothing is spent.
  door('POST', '/check-link', { max: 30 }, async (request) => {
    const { token, kind } = parse(forms.link, request.body);
    if (kind === 'reset') return { works: await isResetLink(database.db, token) };
    const user = await accountOfLink(database.db, config, token);
    if (!user) return { works: false };
    const who = await holderOf(request);
    return {
      works: true,
      email: user.email,
      confirmed: user.emailVerified,
      signedIn: who?.id === user.id,
    };
  });

  door('POST', '/verify-email', { max: 30 }, async (request, reply) => {
    const { token, password, newPassword } = parse(forms.confirm, request.body);
    const user = (await accountOfLink(database.db, config, token)) ?? fail('BAD_LINK');
    // A link must never set the password of a confirmed account: confirm() asks again under its
    // lock.
    if (user.emailVerified) return { status: true, already: true };
    if (newPassword !== undefined) {
      const newHash = await hashPassword(newPassword);
      const outcome = await confirm(database, config, user, { newHash });
      if (outcome === 'already') return { status: true, already: true };
      await guesses.forgetPlaces(user);
      rememberDevice(reply, guesses.deviceFor(user.email, newHash));
      tell(user);
      return { status: true };
    }
    const finish = async (shown: Shown) => {
      const outcome = await confirm(database, config, user, shown);
      if (outcome === 'refused') fail('PASSWORD_NEEDED', { field: 'password' });
      return outcome === 'already' ? { status: true, already: true } : { status: true };
    };
    if (password !== undefined) return byPassword(request, reply, { user, password, finish });
    const who = await holderOf(request);
    if (who?.id !== user.id) fail('PASSWORD_NEEDED', { field: 'password' });
    return finish({ sessionId: who.sessionId });
  });

  /** Guessed as often as at sign-in, and no more. */
  async function byPassword(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { user: Claimed; password: string; finish: (shown: Shown) => Promise<object> },
  ) {
    const { user, password, finish } = given;
    const device = cookieOf(request, `${prefix}.device`);
    const guess = await guesses.charge({
      purpose: 'sign-in',
      who: user.email,
      address: request.ip,
      device,
    });
    const hash = await passwordOf(database.db, user.id);
    if (!hash || !(await verifyPassword({ hash, password })))
      fail('WRONG_PASSWORD', {
        field: 'password',
        message: 'This is not the password of the sign-up.',
      });
    const answer = await finish({ hash });
    rememberDevice(reply, await guess.succeeded(hash));
    return answer;
  }

  door('POST', '/reset-password', { max: 10 }, async (request, reply) => {
    const { token, newPassword } = parse(forms.reset, request.body);
    // A dead link must not cost a hash.
    if (!(await isResetLink(database.db, token))) fail('BAD_LINK');
    const newHash = await hashPassword(newPassword);
    const user = await resetByLink(database, config, { token, newHash });
    await guesses.forgetPlaces(user);
    // An owner who is locked out by others' guesses comes in again through the mailbox.
    rememberDevice(reply, guesses.deviceFor(user.email, newHash));
    tell(user);
    return { status: true };
  });

  // Each change is mailed to the owner, so a thief must not change without end.
  door('POST', '/change-password', { max: 10, hours: 1 }, async (request, reply) => {
    const { currentPassword, newPassword } = parse(forms.changePassword, request.body);
    const who = await holder(request);
    // A stolen session must not become a way to guess the password.
    const guess = await guesses.charge({
      purpose: 'change',
      who: who.id,
      address: request.ip,
      device: undefined,
    });
    const oldHash = await passwordOf(database.db, who.id);
    if (!oldHash || !(await verifyPassword({ hash: oldHash, password: currentPassword })))
      fail('WRONG_PASSWORD');
    const newHash = await hashPassword(newPassword);
    const session = await changePassword(database, who, { oldHash, newHash });
    if (!session) fail('UNAUTHENTICATED');
    // A thief of the old password may have signed in from many places.
    await guesses.forgetPlaces(who);
    await guess.succeeded();
    setSession(request, reply, session);
    // The old device cookies ended with the old password.
    rememberDevice(reply, guesses.deviceFor(who.email, newHash));
    tell({ ...who, emailVerified: await isConfirmed(database.db, who.id) });
    return { status: true };
  });

  /** As Better Auth signs its session cookie. */
  function setSession(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, seconds }: { token: string; seconds: number },
  ) {
    const mac = createHmac('sha256', config.secret).update(token).digest('base64');
    const keep = cookieOf(request, `${prefix}.dont_remember`) ? '' : `; Max-Age=${seconds}`;
    const secure = prefix.startsWith('__Host-') ? '; Secure' : '';
    reply.header(
      'set-cookie',
      `${prefix}.session_token=${encodeURIComponent(`${token}.${mac}`)}${keep}; Path=/; HttpOnly; SameSite=Lax${secure}`,
    );
  }
}
