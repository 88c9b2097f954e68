// One's own account as a whole: how one signs in, everything that is held about one, and leaving
// for good.
import type { Input } from '../../contract/platform/call.ts';
import type { Services } from '../platform/services.ts';
import {
  type Account,
  deleteAccount,
  endSession,
  getAccount,
  optionalMails,
  setMails,
  updateAccount,
} from '../../contract/signin/account.ts';
import { exportAccount } from '../../contract/signin/export.ts';
import {
  execute,
  instant,
  query,
  queryOne,
  type RowOf,
  sql,
  withoutNulls,
} from '../platform/db/connection.ts';
import { activeEnrolment } from '../platform/db/states.ts';
import { own } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import type { Asked, Caller } from '../platform/http/on.ts';
import { passwordOf } from './prove.ts';
import { gather } from './export.ts';
import type { Guesses } from './guesses.ts';
import type { OpenCare } from '../people/care.ts';
import { refuseCredit, renounceCredit } from '../checkout/credit.ts';
import type { GiveUp } from '../checkout/seats/release.ts';
import {
  erase,
  forgetPerson,
  giveUpSeats,
  leavers,
  refuseSeats,
  refuseWhileNeeded,
} from './leaving.ts';
import { accountOf } from '../people/users.ts';
import { rightPassword } from './services.ts';
import { mostSessions } from './sessions.ts';

export function account(
  deps: Services & { guesses: Guesses; giveUp: GiveUp; openCare: OpenCare },
): void {
  const { on, db, write, writeAccounts, guesses, giveUp, openCare, config } = deps;

  /**
   * The password or, where there is none, the address typed once more: a session left open must not
   * be enough. Answers the hash that the password was right for.
   */
  async function confirm(
    who: Caller,
    request: Asked,
    { password = '', email }: Pick<Input<typeof deleteAccount>, 'password' | 'email'>,
  ): Promise<string | null> {
    if ((await passwordOf(db, who.id)) !== null)
      return rightPassword(deps, who, request, { password, field: 'password' });
    return email === who.email ? null : fail('EMAIL_MISMATCH', { field: 'email' });
  }

  deps.ends.onErase((db, who) => forgetPerson(db, who, deps));

  on(getAccount, async (_input, { who }) => {
    const found = await queryOne<Known>(db)`
      select
        login.password_hash is not null as password, login.google_sub is not null as google,
        login.totp_on_at is not null as two_factor, nullif(u.proven_at is null, false) as unconfirmed,
        u.role = 'admin' as admin, nullif(u.teaches, false) as teaches, nullif(u.phone, '') as phone,
        nullif(u.about, '') as about, u.mail_off,
        (select count(*)::int from enrolment where student_id = u.id and ${activeEnrolment()}) as enrolments
      from "user" u left join login on login.user_id = u.id where u.id = ${who.id}`;
    if (!found) fail('UNAUTHENTICATED');
    const sessions = await query<Account['sessions'][number]>(db)`
      select id as _id, id = ${who.sessionId} as current, ${instant(sql`made_at`)} as since,
        ${instant(sql`seen_at`)} as seen, coalesce(browser, '') as browser from session
      where user_id = ${who.id} and expires_at > now() order by seen_at desc limit ${mostSessions}`;
    return {
      ...withoutNulls(found),
      mails: mailsOf(found.mailOff, found.admin),
      adminWaits: config.staffTwoStep && found.admin && !found.twoFactor,
      sessions,
    };
  });

  on(updateAccount, ({ phone, about }, { who }) =>
    write(who, async (db) => {
      // What is not given stays; what is empty goes.
      await execute(db)`
        update "user" set updated_at = now(),
          phone = case when ${phone === undefined} then phone else ${phone || null} end,
          about = case when ${about === undefined} then about else ${about || null} end
        where id = ${who.id}`;
      return own({ modifiedCount: 1 });
    }),
  );

  on(setMails, (wanted, { who }) => {
    const turned = (to: boolean) => optionalMails.filter((kind) => wanted[kind] === to);
    return write(who, async (db) => {
      // One statement: a choice in another tab is kept.
      const rows = await query<{ mailOff: string[] }>(db)`
        update "user" set mail_off = array (
          select kind from unnest(${optionalMails}::text[]) kind
          where (kind = any (mail_off) or kind = any (${turned(false)}::text[]))
            and not kind = any (${turned(true)}::text[]))
        where id = ${who.id} returning mail_off`;
      return own(mailsOf(rows[0]?.mailOff ?? fail('UNAUTHENTICATED'), who.role === 'admin'));
    });
  });

  on(endSession, ({ id }, { who }) =>
    write(who, async (db) => {
      const ended = await execute(db)`
        delete from session where id = ${id} and user_id = ${who.id}`;
      return ended === 1 ? own({ deletedCount: 1 }) : fail('NOT_FOUND');
    }),
  );

  on(exportAccount, (_input, { who }) => gather(db, who, openCare));

  on(
    deleteAccount,
    async ({ giveBack = false, renounce = false, ...confirmation }, { who, request }) => {
      const hash = await confirm(who, request, confirmation);
      await refuseWhileNeeded(db, who);
      if (!giveBack) await refuseSeats(db, who);
      // What payments under way have reserved comes back with their seats.
      await giveUpSeats(db, who, giveUp);
      if (!renounce) await refuseCredit(db, who);
      return writeAccounts(who, await leavers(db, who), async (db, accounts) => {
        // The address may have changed since the request began.
        const now = { ...who, ...accountOf(accounts, who.id) };
        const lines = await erase(db, { who: now, hash, giveBack }, deps);
        // Credit is locked last.
        lines.push(...(await renounceCredit(db, who, renounce)));
        await guesses.forget(db, who);
        return { answer: { deletedCount: 1 }, audit: lines };
      });
    },
  );
}

type Known = Omit<Account, 'mails' | 'adminWaits' | 'sessions'> &
  RowOf<'user', 'mailOff'> & { admin: boolean };

const mailsOf = (off: readonly string[], isAdmin: boolean) => ({
  reminders: !off.includes('reminders'),
  ...(isAdmin && { digests: !off.includes('digests') }),
});
