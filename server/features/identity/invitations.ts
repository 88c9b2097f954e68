// Accepting an invitation as staff. The secret was mailed to the address (or printed for the
// operator), so it proves the address. It does not prove that the account on it is the same person's:
// an unconfirmed account may be a stranger's unless its session is shown, and loses every way in of
// before (confirmation.ts). A confirmed account is never changed without its session.
// Not for: inviting (people/staff.ts).
import type { Services } from '../../services.ts';
import { joinCall, readStaffInvitation } from '../../../contract/join.ts';
import type { AuditAction } from '../../../contract/audit.ts';
import type { StaffRole } from '../../../contract/staff.ts';
import type { Role } from '../../../contract/users.ts';
import type { Config } from '../../config.ts';
import { type Database, type Db, type RowOf, sql } from '../../db/connection.ts';
import { hashOf } from '../../db/hashed.ts';
import { fail } from '../../http/fail.ts';
import type { Asked, Caller } from '../../http/on.ts';
import { audit } from '../audit.ts';
import { type Claimed, isShown, lock, markConfirmed, replacePassword } from './confirmation.ts';
import type { Guesses } from './guesses.ts';
import { hashPassword } from './passwords.ts';
import type { Provider } from './provider.ts';

type Open = RowOf<'staffInvitation', 'email'> & { role: StaffRole };

export function invitations({
  on,
  config,
  database,
  guesses,
  provider,
  holderOf,
}: Pick<Services, 'on' | 'config' | 'jobs'> & {
  database: Database;
  guesses: Guesses;
  provider: Provider;
  holderOf: (request: Asked) => Promise<Caller | null>;
}): void {
  const { db, system } = database;

  on(readStaffInvitation, async ({ secret }, { request }) => {
    const open = (await read(db, secret)) ?? fail('BAD_LINK');
    const who = await holderOf(request);
    const found = await accountOn(db, open.email);
    const signedOut = found?.emailVerified ? 'login' : 'none';
    const account = who ? (who.email === open.email ? 'yours' : 'other') : signedOut;
    return { ...open, account } as const;
  });

  on(joinCall(config.strictPasswords), async ({ secret, name, password }, context) => {
    const { email } = (await read(db, secret)) ?? fail('BAD_LINK');
    const who = await holderOf(context.request);
    if (who?.email === email) {
      const { role } = await accept({ secret, email }, { sessionId: who.sessionId });
      return { status: true, email, role };
    }
    // A link must never set the password of a confirmed account: accept() asks again under its lock.
    if ((await accountOn(db, email))?.emailVerified) fail('SIGN_IN_FIRST');
    if (name === undefined || password === undefined)
      fail('PASSWORD_NEEDED', {
        field: name === undefined ? 'name' : 'password',
        message: 'Please choose a name and a password.',
      });
    const newHash = await hashPassword(password);
    const { id, role } = await accept({ secret, email }, { name, newHash });
    await guesses.forgetPlaces({ id, email });
    provider.rememberDevice(context, guesses.deviceFor(email, newHash));
    return { status: true, email, role };
  });

  /** A sign-up with the same address at the same moment: the second try finds its account. */
  async function accept(given: Given, shown: Shown): Promise<Accepted> {
    for (let tries = 0; tries < 3; tries++) {
      const accepted = await system([], (db) => acceptOnce(db, config, given, shown));
      if (accepted) return accepted;
    }
    return fail('UNAVAILABLE', {}, 1);
  }
}

interface Given {
  secret: string;
  email: string;
}
type Shown = { sessionId: string } | { name: string; newHash: string };
interface Accepted {
  id: string;
  role: StaffRole;
}

async function acceptOnce(
  db: Db,
  config: Config,
  { secret, email }: Given,
  shown: Shown,
): Promise<Accepted | null> {
  const found = await accountOn(db, email);
  if (!found) {
    if ('sessionId' in shown) fail('BAD_LINK');
    const { role } = (await read(db, secret, sql`for update`)) ?? fail('BAD_LINK');
    const id = await insertAccount(db, { email, role }, shown);
    if (id === null) return null;
    await note(db, id, await spend(db, secret, email), `role student → ${role}`);
    return { id, role };
  }
  const user = await lock(db, config, found);
  const invitation = await spend(db, secret, email);
  await prove(db, config, user, shown);
  return { id: user.id, role: await raise(db, user.id, invitation) };
}

async function prove(db: Db, config: Config, user: Claimed, shown: Shown): Promise<void> {
  if ('sessionId' in shown) {
    if (!(await isShown(db, user.id, shown))) fail('SIGN_IN_FIRST');
    if (!user.emailVerified) await markConfirmed(db, config, user);
    return;
  }
  if (user.emailVerified) fail('SIGN_IN_FIRST');
  await replacePassword(db, user.id, shown.newHash);
  await sql`update "user" set name = ${shown.name} where id = ${user.id}`.execute(db);
  await markConfirmed(db, config, user);
}

async function insertAccount(
  db: Db,
  { email, role }: Open,
  { name, newHash }: { name: string; newHash: string },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into "user" (email, name, role, email_verified, registered_at) values (${email}, ${name}, ${role}, true, now())
    on conflict (email) do nothing returning id`.execute(db);
  const id = rows[0]?.id;
  if (id === undefined) return null;
  await sql`insert into account (user_id, account_id, provider_id, password)
    values (${id}, ${id}, 'credential', ${newHash})`.execute(db);
  return id;
}

/** An invitation ends with the rights of its sender. */
const works = sql`expires_at > now() and (invited_by is null or exists (
  select from "user" u where u.id = invited_by and u.role = 'admin' and u.blocked_at is null))`;

async function read(db: Db, secret: string, lock = sql``): Promise<Open | null> {
  const { rows } = await sql<Open>`
    select email, role from staff_invitation where secret_hash = ${hashOf(secret)} and ${works} ${lock}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** One statement: of two requests with one secret the second finds none. */
async function spend(db: Db, secret: string, email: string) {
  const { rows } = await sql<{ id: string; role: StaffRole }>`
    delete from staff_invitation where secret_hash = ${hashOf(secret)} and email = ${email} and ${works}
    returning id, role`.execute(db);
  return rows[0] ?? fail('BAD_LINK');
}

/** An invitation never takes rights away: an admin who accepts one as instructor stays an admin. */
async function raise(db: Db, userId: string, invitation: { id: string; role: StaffRole }) {
  const { role } = invitation;
  const from = await roleOf(db, userId);
  const raised = role === 'admin' ? from !== 'admin' : from === 'student';
  if (raised) await db.updateTable('user').set({ role }).where('id', '=', userId).execute();
  await note(
    db,
    userId,
    invitation,
    raised ? `role ${from} → ${role}` : 'staff invitation accepted',
  );
  return role;
}

const note = (db: Db, userId: string, { id }: { id: string }, action: AuditAction) =>
  audit(db, { actorId: userId, action, subject: userId, detail: `invitation ${id}` });

async function roleOf(db: Db, id: string): Promise<Role> {
  const { role } = await db
    .selectFrom('user')
    .select('role')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return role as Role;
}

async function accountOn(db: Db, email: string): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    select id, email, name, email_verified from "user" where email = ${email}`.execute(db);
  return rows[0] ?? null;
}
