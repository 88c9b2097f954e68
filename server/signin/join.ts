// Accepting an invitation as staff. The secret was mailed to the address (or printed for the
// operator), so it proves the address. It does not prove that the account on it is the same
// person's: one that is not proven may be a stranger's unless its session is shown, and loses every
// way in of before (prove.ts). A proven account is never changed without its session.
import type { AuditAction } from '../../contract/platform/audit.ts';
import { joinCall, readStaffInvitation } from '../../contract/signin/join.ts';
import type { StaffRole } from '../../contract/people/staff.ts';
import type { Role } from '../../contract/platform/call.ts';
import { type Db, execute, query, type RowOf, sql, queryOne } from '../platform/db/connection.ts';
import { hashOf } from '../platform/db/hashed.ts';
import { audit } from '../people/audit.ts';
import { fail } from '../platform/http/fail.ts';
import { hashPassword } from './hashes.ts';
import type { Signin } from './services.ts';
import { accountOn, isSession, lockAccount, markProven, proveAddress } from './prove.ts';

type Open = RowOf<'staffInvitation', 'email'> & { role: StaffRole };
type Shown = { id: string; sessionId: string } | { name: string; newHash: string };

export function join({ on, db, system, config, guesses, holderOf }: Signin): void {
  on(readStaffInvitation, async ({ secret }, { request }) => {
    const open = (await read(db, secret)) ?? fail('BAD_LINK');
    const who = await holderOf(request);
    const found = await accountOn(db, open.email);
    const signedOut = found?.proven ? 'login' : 'none';
    const account = who ? (who.email === open.email ? 'yours' : 'other') : signedOut;
    return { ...open, account } as const;
  });

  on(joinCall(config.strictPasswords), async ({ secret, name, password }, { request }) => {
    const { email } = (await read(db, secret)) ?? fail('BAD_LINK');
    const who = await holderOf(request);
    const isOwner = who?.email === email;
    // A link must never set the password of a proven account: accept() asks again under its lock.
    if (!isOwner && (await accountOn(db, email))?.proven) fail('SIGN_IN_FIRST');
    if (!isOwner && (name === undefined || password === undefined))
      fail('PASSWORD_NEEDED', {
        field: name === undefined ? 'name' : 'password',
        message: 'Please choose a name and a password.',
      });
    const shown = isOwner ? who : { name: name ?? '', newHash: await hashPassword(password ?? '') };
    // Of an account that signs up with the address at this moment the next try finds the row.
    for (let tries = 0; tries < 3; tries++) {
      const role = await system([], (db) => accept(db, { secret, email }, shown));
      if (role) return { status: true, email, role };
    }
    return fail('UNAVAILABLE', {}, 1);
  });

  /** Null: an account has come to the address, or has left it. */
  async function accept(
    db: Db,
    { secret, email }: Record<'secret' | 'email', string>,
    shown: Shown,
  ) {
    const found = await accountOn(db, email);
    if (!found) return 'newHash' in shown ? makeAccount(db, { secret, email }, shown) : null;
    const { adminEmail } = config;
    const user = await lockAccount(db, { id: found.id, email, adminEmail });
    if (!user) return null;
    if (user.blocked) fail('ACCOUNT_BLOCKED');
    const invitation = await spend(db, secret, email);
    if ('sessionId' in shown) {
      if (shown.id !== user.id || !(await isSession(db, shown))) fail('SIGN_IN_FIRST');
      if (!user.proven) await markProven(db, user, { adminEmail });
    } else {
      if (user.proven) fail('SIGN_IN_FIRST');
      await proveAddress(db, user, { adminEmail, newHash: shown.newHash });
      await execute(db)`update "user" set name = ${shown.name} where id = ${user.id}`;
      await guesses.lift(db, email);
    }
    return raise(db, user.id, invitation);
  }
}

async function makeAccount(
  db: Db,
  { secret, email }: Record<'secret' | 'email', string>,
  { name, newHash }: { name: string; newHash: string },
): Promise<StaffRole | null> {
  const { role } = (await read(db, secret, sql`for update`)) ?? fail('BAD_LINK');
  const rows = await query<{ id: string }>(db)`
    insert into "user" (email, name, role, proven_at, registered_at)
    values (${email}, ${name}, ${role}, now(), now())
    on conflict (email) do nothing returning id`;
  const id = rows[0]?.id;
  if (id === undefined) return null;
  await execute(db)`insert into login (user_id, password_hash) values (${id}, ${newHash})`;
  await note(db, id, await spend(db, secret, email), `role student → ${role}`);
  return role;
}

/** An invitation ends with the rights of its sender. */
const works = sql`expires_at > now() and (invited_by is null or exists (
  select from "user" u where u.id = invited_by and u.role = 'admin' and u.blocked_at is null))`;

async function read(db: Db, secret: string, lock = sql``): Promise<Open | null> {
  return queryOne<Open>(db)`
    select email, role from staff_invitation
    where secret_hash = ${hashOf(secret)} and ${works} ${lock}`;
}

/** One statement: of two requests with one secret the second finds none. */
async function spend(db: Db, secret: string, email: string) {
  const rows = await query<{ id: string; role: StaffRole }>(db)`
    delete from staff_invitation where secret_hash = ${hashOf(secret)} and email = ${email} and ${works}
    returning id, role`;
  return rows[0] ?? fail('BAD_LINK');
}

/** An invitation never takes rights away: an admin who accepts one as instructor stays an admin. */
async function raise(db: Db, userId: string, invitation: { id: string; role: StaffRole }) {
  const { role } = invitation;
  const rows = await query<{ role: Role }>(db)`
    select role from "user" where id = ${userId}`;
  const from = rows[0]?.role ?? fail('BAD_LINK');
  const raised = role === 'admin' ? from !== 'admin' : from === 'student';
  if (raised) await execute(db)`update "user" set role = ${role} where id = ${userId}`;
  const action = raised ? (`role ${from} → ${role}` as const) : 'staff invitation accepted';
  await note(db, userId, invitation, action);
  return role;
}

const note = (db: Db, userId: string, { id }: { id: string }, action: AuditAction) =>
  audit(db, { actorId: userId, action, subject: userId, detail: `invitation ${id}` });
