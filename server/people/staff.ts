// Invitations of staff: an admin invites an address as instructor or admin, lists and withdraws
// what is open.
import type { Services } from '../platform/services.ts';
import {
  inviteStaff,
  listInvitations,
  type StaffInvitation,
  type StaffRole,
  withdrawInvitation,
} from '../../contract/people/staff.ts';
import { slice } from '../../contract/platform/rules.ts';
import {
  type Database,
  type Db,
  execute,
  exists,
  instant,
  query,
  sql,
  withoutNulls,
} from '../platform/db/connection.ts';
import { hashOf, newSecret } from '../platform/db/hashed.ts';
import { fail } from '../platform/http/fail.ts';
import { audit } from './audit.ts';
import { mail } from '../mail/kinds.ts';
import { joinLink } from './mails.ts';

export function staff({ on, db, write, jobs }: Services): void {
  on(inviteStaff, ({ email, role }, { who }) =>
    write(who, async (db) => {
      await refuseMember(db, email);
      // The mail gets a secret of its own when it is sent. This one nobody knows.
      const id = await invite(db, newSecret(), { email, role, invitedBy: who.id });
      await jobs.send(db, 'send-mail', mail('staff-invitation', { invitationId: id }));
      // Neither address nor name: the log cannot be erased.
      return {
        answer: { insertedId: id },
        audit: { action: 'staff invited', subject: id, detail: role },
      };
    }),
  );

  on(listInvitations, async (input) => {
    const { limit, offset } = slice(input);
    const rows = await query<StaffInvitation>(db)`
      select i.id as _id, i.email, i.role, coalesce(u.name, '') as by, ${instant(sql`i.created_at`)} as at,
        ${instant(sql`i.expires_at`)} as expires_at, nullif(i.expires_at <= now(), false) as expired
      from staff_invitation i left join "user" u on u.id = i.invited_by
      order by i.created_at desc, i.id limit ${limit} offset ${offset}`;
    const counted = await sql<{ total: number }>`
      select count(*)::int as total from staff_invitation`.execute(db);
    return { items: rows.map(withoutNulls), total: counted.rows[0]?.total ?? 0 };
  });

  on(withdrawInvitation, ({ id }, { who }) =>
    write(who, async (db) => {
      const gone = await execute(db)`delete from staff_invitation where id = ${id}`;
      if (gone !== 1) fail('NOT_FOUND');
      return {
        answer: { deletedCount: 1 },
        audit: { action: 'staff invitation withdrawn', subject: id },
      };
    }),
  );
}

/** An account whose owner has proven the address gets its role on its page, not by mail. */
async function refuseMember(db: Db, email: string): Promise<void> {
  if (await exists(db)`select from "user" where email = ${email} and proven_at is not null`)
    fail('HAS_ACCOUNT', {
      field: 'email',
      message: 'There is an account with this address already. Give it the role on its page.',
    });
}

interface Invited {
  email: string;
  role: StaffRole;
  /** Null for the operator. */
  invitedBy: string | null;
}

/** One open invitation per address: a new one replaces the secret of the old. */
async function invite(
  db: Db,
  secret: string,
  { email, role, invitedBy }: Invited,
): Promise<string> {
  const rows = await query<{ id: string }>(db)`
    insert into staff_invitation (email, role, secret_hash, invited_by)
    values (${email}, ${role}, ${hashOf(secret)}, ${invitedBy})
    on conflict (email) do update set id = excluded.id, role = excluded.role, secret_hash = excluded.secret_hash,
      invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
    returning id`;
  return rows[0]?.id ?? '';
}

/** For the operator, while there is no admin. */
export const inviteFirstAdmin = (
  { system }: Pick<Database, 'system'>,
  config: { publicUrl: string },
  email: string,
) =>
  system([], async (db) => {
    const secret = newSecret();
    const id = await invite(db, secret, { email, role: 'admin', invitedBy: null });
    await audit(db, {
      actorId: null,
      action: 'staff invited',
      subject: id,
      detail: 'admin, by the operator',
    });
    return joinLink(config, secret);
  });
