// How much a family may hold, and how often it may change in a day.
import type { AuditAction } from '../../contract/platform/audit.ts';
import { limits } from '../../contract/platform/limits.ts';
import { type Db, sql } from '../platform/db/connection.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';

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
  const { rows } = await sql<{ acts: number; seconds: number }>`
    select count(distinct (at, detail))::int as acts,
      coalesce(ceil(extract(epoch from min(at) + interval '1 day' - now()))::int, 1) as seconds
    from (select * from audit where actor_id = ${who.id} order by id desc limit 1000) line
    where at > now() - interval '1 day' and action = any (${actions})
      and detail <> ${who.id}`.execute(db);
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
  const { rows } = await sql<{ userId: string | null }>`
    select user_id from guardian join participant on participant.id = participant_id
    where user_id = any (${accounts}::uuid[]) and self_of is null
    group by user_id having count(*) > ${mostChildren}
    union all
    select null from guardian where participant_id = any (${children}::uuid[])
    group by participant_id having count(*) > ${mostGuardians}`.execute(db);
  const [full] = rows;
  if (!full) return;
  if (rows.some(({ userId }) => userId === who.id)) fail('FAMILY_FULL');
  fail('FAMILY_FULL', {
    message: full.userId
      ? `A person you share with looks after ${mostChildren} children already.`
      : `A child has at most ${mostGuardians} guardians.`,
  });
}
