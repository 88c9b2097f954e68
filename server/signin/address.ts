// A new address of an account.
// A proven one changes when the new one is proven by a mailed link; the old one is told. The link
// works only in a session of the account: otherwise a stranger could mail it to a person whose press
// would prove the address for the stranger's account. It ends with the password: a thief who asked
// for a new address loses it when the owner chooses a new password.
// One that nobody has proven is corrected at once, by the password or by an admin: it may be a
// typing error, and what the account has is its own whoever reads the mails of the old address.
import { changeEmail, confirmNewEmail } from '../../contract/signin/join.ts';
import { correctAddress } from '../../contract/people/staff.ts';
import { type Db, execute } from '../platform/db/connection.ts';
import { type AuditLine, changed, own, unchanged } from '../platform/db/write.ts';
import { mail } from '../mail/kinds.ts';
import { endInvitations } from '../people/participants.ts';
import { accountOf, endStaffInvitations } from '../people/users.ts';
import { fail, refuseField } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import type { Signin } from './services.ts';
import { endLinks, spendLink } from './links.ts';
import { accountOn, type Claimed, endAccess, lockAccount, passwordOf } from './prove.ts';

export function address(s: Signin): void {
  const { on, db, writeAccounts, jobs, guesses, tell } = s;

  on(changeEmail, async ({ email, password }, { who, request }) => {
    if ((await passwordOf(db, who.id)) === null)
      fail('PASSWORD_NEEDED', {
        field: 'password',
        message: 'Your account has no password yet. Log out and choose one with Forgot password.',
      });
    const hash = await s.rightPassword(who, request, { password, field: 'password' });
    if (email === who.email) refuseField('email', 'is your address already');
    await unlessTaken(() => ask(who, { email, hash }));
    return { status: true };
  });

  /** The same answer for an address that has an account: only its holder is told. */
  const ask = (who: Caller, { email, hash }: { email: string; hash: string }) =>
    writeAccounts(who, { ids: [], lock: 'update' }, async (db) => {
      const user = (await lockAccount(db, { id: who.id })) ?? fail('UNAUTHENTICATED');
      if ((await passwordOf(db, who.id)) !== hash) fail('WRONG_PASSWORD', { field: 'password' });
      const holder = await accountOn(db, email);
      if (!holder && !user.proven) return { answer: null, audit: await correct(db, user, email) };
      const told = holder
        ? mail('address-taken', { to: holder.id })
        : mail('new-address', { by: who.id, email });
      await tell(db, { ...user, email }, told, 'new-address');
      return own(null);
    });

  on(confirmNewEmail, async ({ token }, { who }) => ({
    status: true,
    email: await unlessTaken(() => confirm(who, token)),
  }));

  const confirm = (who: Caller, token: string) =>
    writeAccounts(who, { ids: [], lock: 'update' }, async (db) => {
      const user = await lockAccount(db, { id: who.id });
      const link = await spendLink(db, 'address', token);
      if (!user?.proven || link?.userId !== who.id || !link.email) fail('BAD_LINK');
      if (await accountOn(db, link.email)) fail('HAS_ACCOUNT');
      await execute(db)`
        update "user" set email = ${link.email}, proven_at = now(), bounced_at = null, updated_at = now()
        where id = ${who.id}`;
      // These belong to the old address: invitations, the Google account, mailed links.
      await endStaffInvitations(db, { by: who.id, to: user.email });
      await endInvitations(db, { by: who.id, to: user.email });
      await endAccess(db, who.id, who.sessionId);
      await execute(db)`update login set google_sub = null where user_id = ${who.id}`;
      await endLinks(db, who.id);
      // Another person may sign up with it.
      await guesses.lift(db, user.email);
      const told = mail('address-changed', { to: who.id, email: user.email });
      await jobs.send(db, 'send-mail', told);
      return { answer: link.email, audit: { action: 'address changed', subject: who.id } };
    });

  on(correctAddress, ({ id, email }, { who }) =>
    unlessTaken(() =>
      writeAccounts(who, { ids: [id], lock: 'update' }, async (db, accounts) => {
        accountOf(accounts, id);
        const user = (await lockAccount(db, { id })) ?? fail('NOT_FOUND');
        if (user.proven) fail('ADDRESS_PROVEN');
        if (user.email === email) return unchanged;
        if (await accountOn(db, email)) fail('HAS_ACCOUNT', { field: 'email' });
        return changed(await correct(db, user, email));
      }),
    ),
  );

  /** What was mailed to the old address ends. Sessions, cart, children and payments stay. */
  async function correct(db: Db, user: Claimed, email: string): Promise<AuditLine> {
    await execute(db)`
      update "user" set email = ${email}, bounced_at = null, updated_at = now()
      where id = ${user.id}`;
    await endLinks(db, user.id);
    await guesses.lift(db, user.email);
    // Not of the kind 'confirm': anybody can cause it, and must not use up those of a sign-up.
    await tell(db, { ...user, email }, mail('confirm-address', { to: user.id }), 'new-address');
    return { action: 'address corrected', subject: user.id };
  }
}

/** A sign-up with the address at the same moment: the second try finds its account. */
async function unlessTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'user_email_key')
      return work();
    throw error;
  }
}
