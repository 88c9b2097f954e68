// Confirming an address, by the link of a mail or by its six digits. Whoever shows a session or the
// password of the sign-up is who signed up: nothing ends. The link with a new password may be another
// person's: see prove.ts.
// Mail scanners follow every link, so a GET confirms nothing.
import { checkLink, passwordCalls, sendConfirmation } from '../../contract/signin/signin.ts';
import type { Answer } from '../../contract/platform/call.ts';
import type { Db } from '../platform/db/connection.ts';
import { own } from '../platform/db/write.ts';
import { doneBy, mail } from '../mail/kinds.ts';
import { fail } from '../platform/http/fail.ts';
import type { Exchange } from './cookies.ts';
import { hashPassword, isPassword } from './hashes.ts';
import type { Signin } from './services.ts';
import { tryCode } from './links.ts';
import {
  accountOfLink,
  accountOn,
  type Claimed,
  isSession,
  lockAccount,
  markProven,
  passwordOf,
  proveAddress,
} from './prove.ts';

type Confirmed = Answer<typeof sendConfirmation>;
const done: Confirmed = { status: true };
const already: Confirmed = { status: true, already: true };

export function confirmation(s: Signin): void {
  const { adminEmail } = s.config;

  s.on(sendConfirmation, (_form, { who }) =>
    s.write(who, async (db) => {
      const user = (await accountOn(db, who.email)) ?? fail('UNAUTHENTICATED');
      if (user.proven) return own(already);
      await s.tell(db, user, mail('confirm-address', { to: who.id }), 'confirm');
      return own(done);
    }),
  );

  // What a page says before its form. Nothing is spent.
  s.on(checkLink, async ({ token, kind }, { request }) => {
    const user = await accountOfLink(s.db, kind, token);
    if (!user || kind === 'reset') return { works: user !== null };
    const who = await s.holderOf(request);
    const signedIn = who?.id === user.id;
    return { works: true, email: user.email, confirmed: user.proven, signedIn };
  });

  s.on(passwordCalls(s.config.strictPasswords).confirmEmail, async (form, exchange) => {
    const { token, code = '', password, newPassword } = form;
    if (token === undefined) return byCode(exchange, code);
    const user = (await accountOfLink(s.db, 'confirm', token)) ?? fail('BAD_LINK');
    if (user.proven) return already;
    if (newPassword !== undefined) return byNewPassword(exchange, user, newPassword);
    if (password !== undefined) return byPassword(exchange, user, password);
    return bySession(exchange, user);
  });

  /** What was shown is asked again under the lock: it may have ended meanwhile. */
  async function proven(
    { id, email }: Pick<Claimed, 'id' | 'email'>,
    stillHolds: (db: Db) => Promise<boolean>,
    prove = (db: Db, user: Claimed) => markProven(db, user, s.config),
  ): Promise<Confirmed> {
    return s.system([], async (db) => {
      // Without the account or the address that the link was mailed to the link is dead.
      const user = (await lockAccount(db, { id, email, adminEmail })) ?? fail('BAD_LINK');
      if (user.blocked) fail('ACCOUNT_BLOCKED');
      // A link must never set the password of a proven account.
      if (user.proven) return already;
      if (!(await stillHolds(db))) fail('PASSWORD_NEEDED', { field: 'password' });
      await prove(db, user);
      return done;
    });
  }

  async function bySession({ request }: Exchange, user: Claimed) {
    const who = await s.holderOf(request);
    if (who?.id !== user.id) fail('PASSWORD_NEEDED', { field: 'password' });
    return proven(user, (db) => isSession(db, who));
  }

  async function byPassword({ request }: Exchange, user: Claimed, password: string) {
    const hash = await passwordOf(s.db, user.id);
    const guess = { email: user.email, ip: request.ip };
    if (!(await s.guesses.judge(guess, () => isPassword(hash, password))))
      fail('WRONG_PASSWORD', {
        field: 'password',
        message: 'This is not the password of the sign-up.',
      });
    return proven(user, async (db) => (await passwordOf(db, user.id)) === hash);
  }

  async function byNewPassword({ request }: Exchange, account: Claimed, newPassword: string) {
    const newHash = await hashPassword(newPassword);
    const prove = async (db: Db, user: Claimed) => {
      await proveAddress(db, user, { adminEmail, newHash });
      await s.guesses.lift(db, user.email);
      const ids = { to: user.id, ...doneBy(request), wasConfirmed: false };
      await s.tell(db, { ...user, proven: true }, mail('password-changed', ids));
    };
    return proven(account, async () => true, prove);
  }

  async function byCode({ request }: Exchange, code: string) {
    const who = (await s.holderOf(request)) ?? fail('UNAUTHENTICATED');
    const outcome = await s.system([], async (db) => {
      const user = await lockAccount(db, { ...who, adminEmail });
      if (!user || !(await isSession(db, who))) fail('UNAUTHENTICATED');
      if (user.blocked) fail('ACCOUNT_BLOCKED');
      if (user.proven) return 'already';
      const tried = await tryCode(db, { userId: who.id, key: s.config.secret, code });
      if (tried === 'right') await markProven(db, user, s.config);
      return tried;
    });
    // After the commit: a wrong code stays counted.
    if (outcome === 'over') fail('CODE_OVER', { field: 'code' });
    if (outcome === 'wrong')
      fail('WRONG_CODE', { field: 'code', message: 'This is not the code of the newest mail.' });
    return outcome === 'already' ? already : done;
  }
}
