// Which optional mails an account gets, and whether its address takes mail.
import { optionalMails, setMails } from '../../contract/signin/account.ts';
import { type Db, sql } from '../platform/db/connection.ts';
import { own } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import type { Services } from '../platform/services.ts';

export function mailPreferences({ on, write }: Services): void {
  on(setMails, (wanted, { who }) => {
    const off = optionalMails.filter((kind) => wanted[kind] === false);
    const on = optionalMails.filter((kind) => wanted[kind] === true);
    return write(who, async (db) => {
      // One statement: a choice in another tab is kept.
      const { rows } = await sql<{ mailOff: string[] }>`
        update "user" set mail_off = array (
          select kind from unnest(${optionalMails}::text[]) kind
          where (kind = any (mail_off) or kind = any (${off}::text[])) and not kind = any (${on}::text[]))
        where id = ${who.id} returning mail_off`.execute(db);
      return own(mailsOf(rows[0]?.mailOff ?? fail('UNAUTHENTICATED'), who.role === 'admin'));
    });
  });
}

export const mailsOf = (off: readonly string[], isAdmin: boolean) => ({
  reminders: !off.includes('reminders'),
  ...(isAdmin && { digests: !off.includes('digests') }),
});

/** Writes only where something changes: almost every mail arrives. */
export async function markBounced(db: Db, email: string, refused: boolean): Promise<void> {
  await sql`
    update "user" set bounced_at = case when ${refused} then now() end
    where email = ${email.toLowerCase()} and (bounced_at is not null) <> ${refused}`.execute(db);
}
