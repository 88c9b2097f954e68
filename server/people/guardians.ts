// Guardians of a child: invited by mail, accepted, removed. All guardians of a child are told when
// one is added or removed. The audit log has ids only: it cannot be erased.
import type { AuditAction } from '../../contract/platform/audit.ts';
import { limits } from '../../contract/platform/limits.ts';
import type { Mailing, Services } from '../platform/services.ts';
import {
  acceptInvitation,
  addGuardian,
  inviteGuardian,
  readInvitation,
  removeGuardian,
} from '../../contract/people/family.ts';
import { type Db, execute, exists, query, type RowOf, sql } from '../platform/db/connection.ts';
import { hashOf, newSecret } from '../platform/db/hashed.ts';
import { changed, unchanged } from '../platform/db/write.ts';
import { fail, refuseField } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { mail } from '../mail/kinds.ts';
import { isAhead, isGuardian, lockOrder, mayRemove, passOn } from './participants.ts';

/** A child as one of its guardians finds it: `made` by them, so they may remove the others. */
type Child = { made: boolean; selfOf: string | null; guardians: string[] };

export function guardians(
  deps: Services & {
    guesses: { mayInvite(email: string, sender: string, db: Db): Promise<boolean> };
  },
): void {
  const { on, db, write, writeAccounts, ends, jobs, config, guesses } = deps;
  on(inviteGuardian, ({ email, participantIds }, { who }) =>
    write(who, async (db) => {
      const ids = [...new Set(participantIds)];
      // With oneself: one caller's invitations run one after another, so that they are counted.
      await execute(db)`select from participant where id = any (${[who.id, ...ids]}::uuid[])
        ${lockOrder} for no key update`;
      // Only children can be shared.
      const own = await query(db)`
        select from participant where id = any (${ids}::uuid[]) and self_of is null
          and ${isGuardian(who.id, sql`participant.id`)}`;
      if (own.length < ids.length) fail('NOT_FOUND');
      if (email === who.email) refuseField('email', 'is your own address');
      if (config.rateLimit) await refuseOften(db, who, 'told', 1);
      if (!(await guesses.mayInvite(email, who.id, db))) fail('RATE_LIMITED', {}, 1_200);
      // The mail gets a secret of its own when it is sent. This one nobody knows.
      await execute(db)`
        insert into invitation (secret_hash, participant_id, email, invited_by)
        select ${hashOf(newSecret())}, id, ${email}, ${who.id} from unnest(${ids}::uuid[]) id order by id
        on conflict (participant_id, email) do update
          set secret_hash = excluded.secret_hash, invited_by = excluded.invited_by, expires_at = excluded.expires_at`;
      const invitation = { email, by: who.id, participantIds: ids };
      await jobs.send(db, 'send-mail', mail('guardian-invitation', invitation));
      return {
        answer: { invited: ids.length },
        audit: ids.map((subject) => ({ action: 'guardian invited' as const, subject })),
      };
    }),
  );

  on(readInvitation, async ({ secret }, { who }) => {
    const found = await invitationTo(db, who, secret);
    return { from: found[0]?.from ?? null, children: found.map(({ child }) => child) };
  });

  on(acceptInvitation, async ({ secret }, { who }) => {
    const found = await invitationTo(db, who, secret);
    const ids = found.map(({ participantId }) => participantId);
    return write(who, async (db) => {
      // An erasure of the child and a removal of the sender are waited for: both end the invitation.
      // With oneself: the children that one account gains are counted one after another.
      await execute(db)`select from participant where id = any (${[who.id, ...ids]}::uuid[])
        ${lockOrder} for no key update`;
      const children = await accept(db, who, secret);
      if (children.length === 0) fail('BAD_LINK');
      // Whoever has the secret reads the mails of the address.
      if (!who.proven)
        await execute(db)`
          update "user" set proven_at = now() where id = ${who.id} and proven_at is null`;
      await refuseFull(db, who, { accounts: [who.id], children: ids });
      const gained = children.filter(({ added }) => added).map(({ id }) => id);
      await tell(db, { participantIds: gained, userIds: [who.id], joins: true }, jobs);
      return {
        answer: { children: children.map(({ name }) => name) },
        audit: gained.map((subject) => ({
          action: 'guardian added' as const,
          subject,
          detail: who.id,
        })),
      };
    });
  });

  on(addGuardian, async ({ id, email }, { who }) => {
    const known = sql`email = ${email} and proven_at is not null and blocked_at is null`;
    const rows = await query<{ id: string }>(db)`select id from "user" where ${known}`;
    const added = rows[0]?.id ?? refuseField('email', 'has no account that is confirmed');
    return writeAccounts(who, { ids: [added], lock: 'key share' }, async (db) => {
      await execute(db)`select from participant where id = any (${[added, id]}::uuid[])
        ${lockOrder} for no key update`;
      const isChild = await exists(db)`
        select from participant where id = ${id} and self_of is null and erased_at is null`;
      if (!isChild) fail('NOT_FOUND');
      // Of an account that was blocked or has changed its address meanwhile, nothing is written.
      const count = await execute(db)`
        insert into guardian (user_id, participant_id) select u.id, ${id} from "user" u where u.id = ${added} and ${known}
        on conflict do nothing`;
      if (count === 0) return unchanged;
      await refuseFull(db, who, { accounts: [added], children: [id] });
      await tell(db, { participantIds: [id], userIds: [added], joins: true }, jobs);
      return changed({ action: 'guardian added' as const, subject: id, detail: added });
    });
  });

  on(removeGuardian, async ({ id, who: given }, { who }) => {
    // Those to whom the child may pass on.
    const rows = await query<RowOf<'guardian', 'userId'>>(db)`
      select user_id from guardian where participant_id = ${id}`;
    const carers = rows.map(({ userId }) => userId);
    return writeAccounts(who, { ids: carers, lock: 'key share' }, async (db) => {
      const whom = given.toLowerCase();
      const office = who.role === 'admin';
      // Two last guardians who leave at the same moment: the second one finds that it is the last.
      await execute(db)`select from participant where id = ${id} for update`;
      const [child] = await query<Child>(db)`
        select ${office} or ${mayRemove(who.id)} as made, self_of,
          array(select user_id::text from guardian where participant_id = participant.id) as guardians
        from participant where id = ${id} and (${office} or ${isGuardian(who.id, sql`participant.id`)})`;
      if (!child) fail('NOT_FOUND');
      if (whom.includes('@')) return withdraw(db, who, { id, email: whom, any: child.made });
      if (!child.guardians.includes(whom) || (whom !== who.id && !child.made)) fail('NOT_FOUND');
      if (child.guardians.length === 1 || whom === child.selfOf) fail('LAST_GUARDIAN');
      // Or an invitation that they sent to themselves would bring them back.
      await execute(db)`
        delete from invitation where participant_id = ${id} and (invited_by = ${whom}
        or email = (select email from "user" where id = ${whom}))`;
      await tell(db, { participantIds: [id], userIds: [whom], joins: false }, jobs);
      // Who paid for a seat still to come goes by themselves, or by the office.
      const count = await execute(db)`
        delete from guardian where participant_id = ${id} and user_id = ${whom}
          and (${office} or user_id = ${who.id} or not exists (
            select from enrolment join class on class.id = enrolment.class_id
            where enrolment.participant_id = ${id} and enrolment.student_id = guardian.user_id and ${isAhead}))`;
      if (count !== 1) fail('PAID_SEAT_AHEAD');
      await ends.noLonger(db, [id], whom);
      // After the commit: holds are locked before participants.
      await jobs.send(db, 'guardian-gone', { studentId: whom, participantId: id });
      await passOn(db, [id], whom);
      return {
        answer: { deletedCount: 1 },
        audit: { action: 'guardian removed', subject: id, detail: whom },
      };
    });
  });
}

/** The children of an open invitation to the caller's address, and who sent it. */
async function invitationTo(db: Db, who: Caller, secret: string) {
  const rows = await query<
    RowOf<'invitation', 'participantId' | 'email'> & { child: string; from: string | null }
  >(db)`
    select invitation.participant_id, invitation.email, participant.name as child, sender.name as "from"
    from invitation join participant on participant.id = invitation.participant_id
      left join "user" sender on sender.id = invitation.invited_by
    where secret_hash = ${hashOf(secret)} and expires_at > now() order by participant.name, participant.id`;
  const [found] = rows;
  if (!found) fail('BAD_LINK');
  if (found.email !== who.email)
    fail('EMAIL_MISMATCH', {
      message: `This invitation was sent to ${found.email}. Please sign in with that address.`,
    });
  return rows;
}

/** One statement: a secret that is used twice at the same moment is found once. */
async function accept(db: Db, who: Caller, secret: string) {
  return query<RowOf<'participant', 'id' | 'name'> & { added: boolean }>(db)`
    with used as (
      delete from invitation where secret_hash = ${hashOf(secret)} and email = ${who.email} and expires_at > now()
      returning participant_id
    ), added as (
      insert into guardian (user_id, participant_id) select ${who.id}, participant_id from used
      on conflict do nothing returning participant_id
    )
    select participant.id, participant.name, added.participant_id is not null as added
    from used join participant on participant.id = used.participant_id
      left join added on added.participant_id = participant.id
    order by participant.name, participant.id`;
}

/** By the sender, or by the one who added the child. */
async function withdraw(
  db: Db,
  who: Caller,
  { id, email, any }: { id: string; email: string; any: boolean },
) {
  const count = await execute(db)`
    delete from invitation where participant_id = ${id} and email = ${email}
      and (${any}::boolean or invited_by = ${who.id})`;
  if (count !== 1) fail('NOT_FOUND');
  return {
    answer: { deletedCount: 1 },
    audit: { action: 'invitation withdrawn' as const, subject: id },
  };
}

interface Change {
  participantIds: readonly string[];
  /** Who were added, or who is about to be removed. */
  userIds: readonly string[];
  joins: boolean;
}

/** Tells all guardians of the children but one, also who is removed, by one mail each. */
export async function tell(
  db: Db,
  change: Change,
  jobs: Mailing['jobs'],
  but?: string,
): Promise<void> {
  const people = await guardiansOf(db, change.participantIds);
  const mails = people
    .filter((to) => to !== but)
    .map((to) => mail('guardians-changed', { to, ...change }));
  if (mails.length > 0) await jobs.sendAll(db, 'send-mail', mails);
}

/** An account is being deleted: the other guardians of its children are told, without its name. */
export async function tellOfLeaving(db: Db, userId: string, jobs: Mailing['jobs']): Promise<void> {
  const rows = await query<RowOf<'guardian', 'participantId'>>(db)`
    select participant_id from guardian join participant on participant.id = participant_id
    where user_id = ${userId} and self_of is null order by 1`;
  for (const { participantId } of rows) {
    const change = { participantIds: [participantId], userIds: [userId], joins: false };
    await tell(db, change, jobs, userId);
  }
}

/** The accounts that are mailed about these children. */
export async function guardiansOf(db: Db, participantIds: readonly string[]): Promise<string[]> {
  const rows = await query<RowOf<'guardian', 'userId'>>(db)`
    select distinct user_id from told_guardian
    where participant_id = any (${participantIds}::uuid[]) order by user_id`;
  return rows.map(({ userId }) => userId);
}

const { children: mostChildren, guardians: mostGuardians } = limits.family;

const daily: Record<'told' | 'changed', { actions: AuditAction[]; most: number }> = {
  // Each of them is a mail to somebody else.
  told: { actions: ['guardian invited', 'guardian added'], most: limits.family.invitationsPerDay },
  changed: { actions: ['child added', 'participant changed'], most: limits.family.changesPerDay },
};

/**
 * The acts of a day are counted in the audit log, which all processes write; one that concerns several
 * others counts once for each, and what concerns oneself does not. Lines before the newest thousand
 * cost nothing.
 */
export async function refuseOften(db: Db, who: Caller, kind: keyof typeof daily, more: number) {
  const { actions, most } = daily[kind];
  const rows = await query<{ acts: number; seconds: number }>(db)`
    select count(distinct (at, detail))::int as acts,
      coalesce(ceil(extract(epoch from min(at) + interval '1 day' - now()))::int, 1) as seconds
    from (select * from audit where actor_id = ${who.id} order by id desc limit 1000) line
    where at > now() - interval '1 day' and action = any (${actions})
      and detail <> ${who.id}`;
  const [{ acts, seconds } = { acts: 0, seconds: 1 }] = rows;
  if (more > 0 && acts + more > most) fail('RATE_LIMITED', {}, seconds);
}

/**
 * Refuses when an account has gained a child too many, or a child a guardian too many: each guardian is
 * mailed when another joins or leaves. Asked after the rows are written, and under the locks on the
 * children and on the accounts' own participants.
 */
export async function refuseFull(
  db: Db,
  who: Caller,
  { accounts, children }: { accounts: readonly string[]; children: readonly string[] },
): Promise<void> {
  const rows = await query<{ userId: string | null }>(db)`
    select user_id from guardian join participant on participant.id = participant_id
    where user_id = any (${accounts}::uuid[]) and self_of is null
    group by user_id having count(*) > ${mostChildren}
    union all
    select null from guardian where participant_id = any (${children}::uuid[])
    group by participant_id having count(*) > ${mostGuardians}`;
  const [full] = rows;
  if (!full) return;
  if (rows.some(({ userId }) => userId === who.id)) fail('FAMILY_FULL');
  fail('FAMILY_FULL', {
    message: full.userId
      ? `A person you share with looks after ${mostChildren} children already.`
      : `A child has at most ${mostGuardians} guardians.`,
  });
}
