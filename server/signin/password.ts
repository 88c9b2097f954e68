// A new password: by a mailed link when it is forgotten, or with the old one. What ends with the old
// one: prove.ts.
// A change of password does not end the mailed links: a thief of the password could delay the owner.
import { passwordCalls, requestPasswordReset } from '../../contract/signin/signin.ts';
import { execute } from '../platform/db/connection.ts';
import { doneBy, mail } from '../mail/kinds.ts';
import { fail } from '../platform/http/fail.ts';
import type { Asked } from '../platform/http/on.ts';
import { hashPassword } from './hashes.ts';
import type { Signin } from './services.ts';
import { endLinks, spendLink } from './links.ts';
import {
  accountOfLink,
  accountOn,
  type Claimed,
  lockAccount,
  passwordOf,
  proveAddress,
  replacePassword,
} from './prove.ts';
import { renewSession } from './sessions.ts';

const notice = ({ id: to, proven: wasConfirmed }: Claimed, request: Asked) =>
  mail('password-changed', { to, ...doneBy(request), wasConfirmed });

export async function password(s: Signin): Promise<void> {
  const { adminEmail, strictPasswords } = s.config;
  const { resetPassword, changePassword } = passwordCalls(strictPasswords);

  // One job for every address, so that the answer is the same and as fast; it looks for the account.
  s.on(requestPasswordReset, async ({ email }) => {
    await s.jobs.send(s.db, 'reset-asked', { email });
    return { status: true };
  });

  await s.jobs.work('reset-asked', ({ email }) =>
    s.system([], async (db) => {
      const user = await accountOn(db, email);
      if (!user) return;
      const ids = { to: user.id };
      const told = user.blocked ? mail('account-blocked', ids) : mail('new-password', ids);
      await s.tell(db, user, told, 'reset');
    }),
  );

  s.on(resetPassword, async ({ token, newPassword }, { request }) => {
    // A dead link must not cost a hash.
    const { id, email } = (await accountOfLink(s.db, 'reset', token)) ?? fail('BAD_LINK');
    const newHash = await hashPassword(newPassword);
    await s.system([], async (db) => {
      const user = (await lockAccount(db, { id, email, adminEmail })) ?? fail('BAD_LINK');
      if (user.blocked) fail('ACCOUNT_BLOCKED');
      // Under the lock: of two requests with one link, or with two links of one person, the second
      // finds none.
      if (!(await spendLink(db, 'reset', token))) fail('BAD_LINK');
      if (user.proven) {
        await replacePassword(db, id, { newHash });
        await endLinks(db, id);
      } else await proveAddress(db, user, { adminEmail, newHash });
      // Wrong passwords and codes of others must not keep the owner of the mailbox out.
      await s.guesses.lift(db, email);
      await execute(db)`update login set totp_failures = 0, totp_locked_until = null
        where user_id = ${id}`;
      await s.tell(db, { ...user, proven: true }, notice(user, request));
    });
    return { status: true };
  });

  s.on(changePassword, async ({ currentPassword, newPassword }, exchange) => {
    const { who, request } = exchange;
    const oldHash = await s.rightPassword(who, request, { password: currentPassword });
    const newHash = await hashPassword(newPassword);
    const session = await s.system([], async (db) => {
      const user = (await lockAccount(db, { id: who.id })) ?? fail('UNAUTHENTICATED');
      if (user.blocked || (await passwordOf(db, who.id)) !== oldHash) fail('UNAUTHENTICATED');
      const renewed = (await renewSession(db, who)) ?? fail('UNAUTHENTICATED');
      await replacePassword(db, who.id, { newHash, kept: renewed.id });
      await s.tell(db, user, notice(user, request));
      return renewed;
    });
    s.giveCookie(exchange, session);
    return { status: true };
  });
}
