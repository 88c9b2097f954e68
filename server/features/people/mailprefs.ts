// Which optional mails an account gets, and whether its address takes mail.
import { optionalMails, setMails } from '../../../contract/account.ts';
import { type Database, type Db, sql } from '../../db/connection.ts';
import { fail } from '../../http/fail.ts';
import type { On } from '../../http/on.ts';
import { lockCaller } from './users.ts';

export function mailPreferences({
  on,
  transaction,
}: { on: On } & Pick<Database, 'transaction'>): void {
  on(setMails, async (wanted, { who }) => {
    const off = optionalMails.filter((kind) => wanted[kind] === false);
    const on = optionalMails.filter((kind) => wanted[kind] === true);
    const { rows } = await transaction(async (db) => {
      await lockCaller(db, who);
      // One statement: a choice in another tab is kept.
      return sql<{ mailOff: string[] }>`
      update "user" set mail_off = array (
        select kind from unnest(${optionalMails}::text[]) kind
        where (kind = any (mail_off) or kind = any (${off}::text[])) and not kind = any (${on}::text[]))
      where id = ${who.id} returning mail_off`.execute(db);
    });
    return mailsOf(rows[0]?.mailOff ?? fail('UNAUTHENTICATED'), who.role === 'admin');
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
