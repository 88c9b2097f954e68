// Deletes what is not needed any more of families: care facts, children who never came, invitations.
// Guardians are told 30 days before. Part of the chore forget-old.
import type { Some } from '../platform/services.ts';
import { type Db, execute, query, type RowOf, sql } from '../platform/db/connection.ts';
import { activeEnrolment, liveHold } from '../platform/db/states.ts';
import { eraseRows } from './participants.ts';
import { mail } from '../mail/kinds.ts';

type Forgetting = Some<'system' | 'jobs' | 'ends'>;

/** A statement must not take longer than its time limit. */
const batch = 200;

/**
 * When the participant last had a class: the end of its last meeting, or of the enrolment if that
 * was cancelled. Of one who never had a class: null.
 */
const lastClass = sql`(
  select max(case when not ${activeEnrolment()} then coalesce(enrolment.ended_at, enrolment.created_at)
    else ends_for(class, enrolment.created_at) end)
  from enrolment join class on class.id = enrolment.class_id where enrolment.participant_id = participant.id)`;

const notice = sql`interval '30 days'`;
/** From this moment on the guardians are told. What they have just confirmed is kept for a year. */
const careDue = sql`(greatest(care.confirmed_at, ${lastClass}) + interval '12 months' - ${notice})`;

/** The last time that anything about a child was changed. */
const touched = sql`greatest(participant.changed_at, participant.created_at,
  (select confirmed_at from care where care.participant_id = participant.id),
  (select max(since) from guardian where guardian.participant_id = participant.id),
  (select max(created_at) from cart_item where cart_item.participant_id = participant.id))`;
const childDue = sql`(${touched} + interval '24 months' - ${notice})`;
const neverCame = sql`participant.self_of is null and participant.erased_at is null
  and not exists (select from enrolment where enrolment.participant_id = participant.id)
  and not exists (select from hold where hold.participant_id = participant.id and ${liveHold()})`;

/** What is deleted of a family, and when: `where` chooses among the rows of `table`. */
interface Rule {
  table: 'care' | 'participant';
  from: ReturnType<typeof sql>;
  where: ReturnType<typeof sql>;
  due: ReturnType<typeof sql>;
  kind: 'care-ends' | 'child-ends';
  forget: (db: Db, ids: readonly string[], deps: Forgetting) => Promise<unknown>;
}

const rules: readonly Rule[] = [
  {
    table: 'care',
    from: sql`from care join participant on participant.id = care.participant_id`,
    where: sql`true`,
    due: careDue,
    kind: 'care-ends',
    forget: (db, ids) =>
      sql`delete from care where participant_id = any (${ids}::uuid[])`.execute(db),
  },
  {
    table: 'participant',
    from: sql`from participant`,
    where: neverCame,
    due: childDue,
    kind: 'child-ends',
    forget: (db, ids, { ends }) => eraseRows(db, ids, ends.noLonger),
  },
];

export async function forgetFamilies(deps: Forgetting): Promise<void> {
  const { system } = deps;
  for (const rule of rules) {
    await repeat(() => system([], (db) => warn(db, rule, deps)));
    await repeat(() => system([], (db) => forget(db, rule, deps)));
  }
  await system([], (db) => sql`delete from invitation where expires_at <= now()`.execute(db));
  // An admin sees for a while who did not come.
  await system([], (db) =>
    sql`delete from staff_invitation where expires_at <= now() - interval '23 days'`.execute(db),
  );
}

async function repeat(step: () => Promise<number>): Promise<void> {
  while ((await step()) === batch);
}

/**
 * Locks participants, so an enrolment or a write under way is seen by the statement after this one.
 * Those who are locked elsewhere are taken the next night.
 */
async function lockThose(db: Db, { from }: Rule, where: ReturnType<typeof sql>) {
  const rows = await query<{ id: string }>(db)`
    select participant.id ${from} where ${where}
    order by participant.id limit ${batch} for update of participant skip locked`;
  return rows.map(({ id }) => id);
}

async function warn(db: Db, rule: Rule, { jobs }: Forgetting): Promise<number> {
  const { table, where, due, kind } = rule;
  const warnedAt = sql.ref(`${table}.warned_at`);
  const mustBeTold = sql`${where} and ${due} <= now() and (${warnedAt} is null or ${warnedAt} < ${due})`;
  const ids = await lockThose(db, rule, mustBeTold);
  const id = sql.ref(table === 'care' ? 'participant_id' : 'id');
  await execute(db)`
    update ${sql.table(table)} set warned_at = now() where ${id} = any (${ids}::uuid[])`;
  const rows = await query<RowOf<'guardian', 'participantId'> & { to: string }>(db)`
    select participant_id, user_id as to from told_guardian
    where participant_id = any (${ids}::uuid[]) order by user_id, participant_id`;
  const mails = rows.map((row) => mail(kind, row));
  if (mails.length > 0) await jobs.sendAll(db, 'send-mail', mails);
  return ids.length;
}

/** Told after it was due, and thirty days ago; asked again under the lock. */
async function forget(db: Db, rule: Rule, deps: Forgetting): Promise<number> {
  const { table, from, where, due } = rule;
  const warnedAt = sql.ref(`${table}.warned_at`);
  const wasTold = sql`${where} and ${warnedAt} >= ${due} and ${warnedAt} <= now() - ${notice}`;
  const locked = await lockThose(db, rule, wasTold);
  const rows = await query<{ id: string }>(db)`
    select participant.id ${from} where participant.id = any (${locked}::uuid[]) and ${wasTold}
    order by participant.id`;
  const ids = rows.map(({ id }) => id);
  await rule.forget(db, ids, deps);
  return locked.length;
}
