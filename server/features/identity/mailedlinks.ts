// The calls that a mailed link leads to (confirm an address, choose a new password), and the change
// of a password.
// Not for: what they do (confirmation.ts: one transaction each) and the text of the mails
// (mails/identity.ts).
import type { Services } from '../../services.ts';
import {
  checkLink,
  openConfirmation,
  type passwordCalls,
  sendConfirmation,
} from '../../../contract/auth.ts';
import type { Database, Db } from '../../db/connection.ts';
import { cookieOf } from '../../http/cookies.ts';
import { fail } from '../../http/fail.ts';
import type { Asked, Caller } from '../../http/on.ts';
import { doneBy, mail } from '../mails/kinds.ts';
import { cookiePrefix } from './betterauth.ts';
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
import type { Guesses } from './guesses.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import type { Exchange, Provider } from './provider.ts';

/** What routes.ts hands over. */
interface Confirmed {
  status: boolean;
  already?: boolean;
}

const notice = ({ id: to, emailVerified: wasConfirmed }: Claimed, request: Asked) =>
  mail('password-changed', { to, ...doneBy(request), wasConfirmed });

export function mailedLinks(
  deps: Pick<Services, 'on' | 'config' | 'jobs'> & {
    database: Database;
    guesses: Guesses;
    provider: Provider;
    passwords: ReturnType<typeof passwordCalls>;
    holderOf: (request: Asked) => Promise<Caller | null>;
  },
): void {
  const { on, config, database, jobs, guesses, provider, passwords, holderOf } = deps;
  const { ask, deliver, rememberDevice } = provider;
  const prefix = cookiePrefix(config);
  /** In the transaction that replaces the password. The link has proven the address. */
  const tellOf =
    ({ request }: Exchange) =>
    (db: Db, user: Claimed) =>
      jobs.send(db, 'send-mail', notice(user, request));

  on(sendConfirmation, async (_form, context) => {
    const { id, email } = context.who;
    if (await isConfirmed(database.db, id)) return { status: true, already: true };
    await ask(context, { email });
    return { status: true };
  });

  // Mail scanners follow every link, so a GET confirms nothing. Links of older mails come here.
  on(openConfirmation, ({ token }) => {
    const search = typeof token === 'string' ? `?${new URLSearchParams({ token })}` : '';
    return Promise.resolve(`/confirm${search}`);
  });

  // What a page says before its form: whether the link still works. Nothing is spent.
  on(checkLink, async ({ token, kind }, { request }) => {
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

  on(passwords.confirmEmail, async ({ token, password, newPassword }, context) => {
    const user = (await accountOfLink(database.db, config, token)) ?? fail('BAD_LINK');
    // A link must never set the password of a confirmed account: confirm() asks again under its
    // lock.
    if (user.emailVerified) return { status: true, already: true };
    if (newPassword !== undefined) {
      const newHash = await hashPassword(newPassword);
      const outcome = await confirm(database, config, user, { newHash }, tellOf(context));
      if (outcome === 'already') return { status: true, already: true };
      await guesses.forgetPlaces(user);
      rememberDevice(context, guesses.deviceFor(user.email, newHash));
      return { status: true };
    }
    const finish = async (shown: Shown): Promise<Confirmed> => {
      const outcome = await confirm(database, config, user, shown);
      if (outcome === 'refused') fail('PASSWORD_NEEDED', { field: 'password' });
      return outcome === 'already' ? { status: true, already: true } : { status: true };
    };
    if (password !== undefined) return byPassword(context, { user, password, finish });
    const who = await holderOf(context.request);
    if (who?.id !== user.id) fail('PASSWORD_NEEDED', { field: 'password' });
    return finish({ sessionId: who.sessionId });
  });

  /** Guessed as often as at sign-in, and no more. */
  async function byPassword(
    context: Exchange,
    given: { user: Claimed; password: string; finish: (shown: Shown) => Promise<Confirmed> },
  ) {
    const { user, password, finish } = given;
    const { request } = context;
    const device = cookieOf(request, `${prefix}.device`);
    const guess = await guesses.charge({
      purpose: 'sign-in',
      who: user.email,
      address: request.ip,
      device,
    });
    const hash = await passwordOf(database.db, user.id);
    if (!hash || !(await guess.judge(verifyPassword({ hash, password }))))
      fail('WRONG_PASSWORD', {
        field: 'password',
        message: 'This is not the password of the sign-up.',
      });
    const answer = await finish({ hash });
    rememberDevice(context, await guess.succeeded(hash));
    return answer;
  }

  on(passwords.resetPassword, async ({ token, newPassword }, context) => {
    // A dead link must not cost a hash.
    if (!(await isResetLink(database.db, token))) fail('BAD_LINK');
    const newHash = await hashPassword(newPassword);
    const user = await resetByLink(database, config, { token, newHash }, tellOf(context));
    await guesses.forgetPlaces(user);
    // An owner who is locked out by others' guesses comes in again through the mailbox.
    rememberDevice(context, guesses.deviceFor(user.email, newHash));
    return { status: true };
  });

  on(passwords.changePassword, async ({ currentPassword, newPassword }, context) => {
    const { who, request } = context;
    // A stolen session must not become a way to guess the password.
    const guess = await guesses.charge({ purpose: 'change', who: who.id, address: request.ip });
    const oldHash = await passwordOf(database.db, who.id);
    if (
      !oldHash ||
      !(await guess.judge(verifyPassword({ hash: oldHash, password: currentPassword })))
    )
      fail('WRONG_PASSWORD');
    const newHash = await guess.judge(hashPassword(newPassword));
    const hashes = { oldHash, newHash };
    const changed = await changePassword(database, who, hashes, async (db, user) => {
      if (user.emailVerified) await jobs.send(db, 'send-mail', notice(user, request));
    });
    const { user, session } = changed ?? fail('UNAUTHENTICATED');
    // A thief of the old password may have signed in from many places.
    await guesses.forgetPlaces(user);
    await guess.succeeded();
    provider.setSession(context, session);
    // The old device cookies ended with the old password.
    rememberDevice(context, guesses.deviceFor(user.email, newHash));
    // To an unconfirmed address a few times an hour only: this is counted.
    if (!user.emailVerified) deliver([{ mail: notice(user, request) }]);
    return { status: true };
  });
}
