// Users and their roles (specification, sections 6 and 7). Authentication: signin/gate.ts.
import type { Services } from '../platform/services.ts';
import {
  createUser,
  exportUsers,
  isAdmin,
  isInstructor,
  listUsers,
  makeAdmin,
  makeInstructor,
} from '../../contract/people/users.ts';
import { type Parsed, type Role, roles } from '../../contract/platform/call.ts';
import { isDeletedAddress, slice } from '../../contract/platform/rules.ts';
import {
  type Db,
  execute,
  exists,
  queryOne,
  type RowOf,
  sql,
  withoutNulls,
} from '../platform/db/connection.ts';
import { has, listing, wordsOf } from '../platform/db/lists.ts';
import { csv } from '../platform/http/csv.ts';
import { type Account, changed, type Named, own, unchanged } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { audit, auditOnceADay } from './audit.ts';
import { mail } from '../mail/kinds.ts';

/** Once a day, and no other word of the caller's: the log cannot be erased. */
async function noteRefused(db: Db, { id }: Caller, role: string): Promise<void> {
  const detail = (roles as readonly string[]).includes(role) ? role : 'unknown role';
  await auditOnceADay(db, { actorId: id, action: 'role refused', subject: id, detail });
}

export function users({ on, db, write, writeAccounts, jobs }: Services): void {
  on(createUser, async ({ name, email, role }, { who, status }) => {
    if (email !== who.email) fail('UNAUTHENTICATED');
    if (role !== undefined && role !== 'student') {
      // One request after another, so that the day has one line.
      await writeAccounts(who, { ids: [], lock: 'update' }, async (db) =>
        own(await noteRefused(db, who, role)),
      );
      fail('ROLE_NOT_GIVEN', { field: 'role' });
    }
    const created = await write(who, async (db) =>
      own(
        await execute(db)`
          update "user" set registered_at = now(), name = ${name}
          where id = ${who.id} and registered_at is null`,
      ),
    );
    if (created === 0) status(200);
    return { insertedId: who.id };
  });

  on(listUsers, async (input) => {
    const { rows, total } = await listing(
      db,
      {
        table: 'user',
        search: input.search,
        where: (words) => conditions(input, words),
        order: orderOf(input),
        ...slice(input),
      },
      (page) => inOrder(page, input),
    );
    return { items: rows.map(withoutNulls), total };
  });

  on(exportUsers, async (input) => {
    const rows = await inOrder(db, input).where(conditions(input)).limit(100_000).execute();
    return csv([['Name', 'Email', 'Role'], ...rows.map((row) => [row.name, row.email, row.role])]);
  });

  on(makeAdmin, ({ id }, { who }) =>
    writeAccounts(who, withAdmins(id), (db, accounts) =>
      giveRole(db, who, { accounts, id, role: 'admin' }),
    ),
  );
  on(makeInstructor, ({ id }, { who }) =>
    writeAccounts(who, withAdmins(id), async (db, accounts) => {
      const given = await giveRole(db, who, { accounts, id, role: 'instructor' });
      if (given !== unchanged)
        await jobs.send(db, 'send-mail', mail('instructor-made', { to: id }));
      return given;
    }),
  );

  on(isAdmin, async ({ email }, { who }) => ({ admin: await hasRole(db, who, email, 'admin') }));
  on(isInstructor, async ({ email }, { who }) => ({
    instructor: await hasRole(db, who, email, 'instructor'),
  }));
}

type UserFilter = Parsed<typeof exportUsers>;

const orders = {
  name: ['name', 'id'],
  '-name': ['name desc', 'id'],
  email: ['email', 'id'],
  '-email': ['email desc', 'id'],
  role: ['role', 'name', 'id'],
  '-role': ['role desc', 'name', 'id'],
  new: ['created_at desc', 'id'],
} as const;

const conditions = ({ search, role }: UserFilter, words = has('user', wordsOf(search))) =>
  sql<boolean>`(${words} and ${role ? sql`"user".role = ${role}` : sql`true`})`;

const orderOf = ({ sort }: UserFilter) => orders[sort ?? 'name'];

const inOrder = (db: Pick<Db, 'selectFrom'>, filter: UserFilter) =>
  db
    .selectFrom('user')
    .select([
      'id as _id',
      'name',
      'email',
      sql<Role>`role`.as('role'),
      sql<true | undefined>`nullif(proven_at is null, false)`.as('unconfirmed'),
      sql<true | undefined>`nullif(blocked_at is not null, false)`.as('blocked'),
      sql<string | undefined>`nullif(image, '')`.as('image'),
    ])
    .orderBy(sql.raw(orderOf(filter).join(', ')));

/** Of a query with "user": who can be given classes and meetings. */
export const isCoach = sql<boolean>`(("user".role = 'instructor' or "user".teaches) and "user".blocked_at is null)`;

/** The same of an account that is locked. */
export const mayTeach = ({ role, teaches, blockedAt }: Account) =>
  (role === 'instructor' || teaches) && blockedAt === null;

/**
 * The accounts of an act about one of them, with the admins: when two admins demote or block each
 * other, the second waits and finds that it is none any more.
 */
export const withAdmins = (id: string) =>
  ({ ids: [id], lock: 'update', admins: true }) satisfies Named;

/** The row of a deleted account stays for its payments. */
export const accountOf = (accounts: readonly Account[], id: string): Account =>
  accounts.find((account) => account.id === id && !isDeletedAddress(account.email)) ??
  fail('NOT_FOUND');

interface Given {
  accounts: readonly Account[];
  id: string;
  role: Role;
}

/** Never to the last admin who can sign in, never to oneself. */
export async function giveRole(db: Db, who: Caller, { accounts, id, role }: Given) {
  const user = accountOf(accounts, id);
  if (user.role === role) return unchanged;
  const others = accounts.filter(
    (account) => account.role === 'admin' && account.blockedAt === null && account.id !== id,
  );
  if (user.role === 'admin' && (id === who.id || others.length === 0)) fail('LAST_ADMIN');
  await endStaffInvitations(db, { by: user.role === 'admin' ? id : undefined, to: user.email });
  await execute(db)`
    update "user" set role = ${role}, teaches = teaches and ${role === 'admin'} where id = ${id}`;
  // The subject is the id of the user. A name here could not be erased when its owner deletes the
  // account.
  return changed({ action: `role ${user.role} → ${role}`, subject: id });
}

/**
 * An open invitation must not outlast the rights of its sender, and one of before must not change a
 * role that an admin has decided about since. Locked in the order of their ids, as two admins may have
 * invited one another.
 */
export const endStaffInvitations = (db: Db, { by, to }: { by?: string | undefined; to?: string }) =>
  sql`
    delete from staff_invitation where id in (
      select id from staff_invitation where invited_by = ${by ?? null} or email = ${to ?? null}
      order by id for update)`.execute(db);

/**
 * A caller who is not an admin gets false for other users: the answer reveals nothing and does not
 * sign the caller out.
 */
async function hasRole(db: Db, who: Caller, email: string, role: Role): Promise<boolean> {
  if (email === who.email) return who.role === role;
  if (who.role !== 'admin') return false;
  const user = await queryOne<RowOf<'user', 'role'>>(db)`
    select role from "user" where email = ${email}`;
  return user?.role === role;
}

export interface FirstAdmin {
  says: string;
  done: boolean;
  /** There is no admin, and no account whose address is confirmed: an invitation makes it one. */
  invite?: true;
}

const refused = (says: string): FirstAdmin => ({ done: false, says });

/**
 * For an installation without any admin. A stranger may have made an account with this address that is
 * not proven, so it is never promoted.
 */
export async function promoteFirst(db: Db, email: string): Promise<FirstAdmin> {
  if (await exists(db)`select from "user" where role = 'admin' for update`)
    return refused('There is an admin already; ask them to promote you in Manage Users.');
  const user = await queryOne<RowOf<'user', 'id' | 'name' | 'role' | 'provenAt' | 'blockedAt'>>(db)`
    select id, name, role, proven_at, blocked_at from "user" where email = ${email} for update`;
  if (!user) return { ...refused(`There is no account for ${email} yet.`), invite: true };
  if (!user.provenAt) {
    const says = `The account ${email} is not confirmed: it may belong to a stranger who signed up with your address.`;
    return { ...refused(says), invite: true };
  }
  if (user.blockedAt) return refused(`The account ${email} is blocked.`);
  await execute(db)`update "user" set role = 'admin' where id = ${user.id}`;
  await audit(db, {
    actorId: null,
    action: `role ${user.role as Role} → admin`,
    subject: user.id,
    detail: 'first admin',
  });
  return { done: true, says: `${user.name} is an Admin Now!` };
}

/** Writes only where something changes: almost every mail arrives. */
export async function markBounced(db: Db, email: string, refused: boolean): Promise<void> {
  await execute(db)`
    update "user" set bounced_at = case when ${refused} then now() end
    where email = ${email.toLowerCase()} and (bounced_at is not null) <> ${refused}`;
}
