// Who comes, as distinct from who pays. Every account is its own participant, under the same id;
// children have ids of their own. A guardian may book for a participant.
import { type AgeRange, agesInWords } from '../../../contract/ages.ts';
import { type Db, type RowOf, sql } from '../../db/connection.ts';
import { fail } from '../../http/fail.ts';

type Sql = ReturnType<typeof sql>;

/**
 * Whether the account looks after the participant: themselves, or a child. `participantId` is
 * qualified: guardian has a column of that name.
 */
export const isGuardian = (userId: string, participantId: Sql): Sql =>
  sql`exists (select from guardian g where g.user_id = ${userId} and g.participant_id = ${participantId})`;

/** The day by the academy's clock. */
export const today = sql`(now() at time zone coalesce((select time_zone from academy), 'UTC'))::date`;

/**
 * Whether `participant` is of the right age for `class` on its first day, or today when it has no
 * dates. Somebody without a birth date is.
 */
export const fitsAge = sql`coalesce(
  extract(year from age(coalesce(class.first_day, ${today}), participant.born))
    between coalesce(class.min_age, 0) and coalesce(class.max_age, 1000), true)`;

export function wrongAge(range: AgeRange): never {
  fail('WRONG_AGE', { message: `This class is for ages ${agesInWords(range)}.` });
}

/** Oneself and the children one looks after. */
export const participantsOf = (userId: string): Sql => sql`
  select participant.id, participant.self_of is not null as self, participant.name, participant.born::text as born, guardian.since
  from guardian join participant on participant.id = guardian.participant_id
  where guardian.user_id = ${userId} order by participant.self_of, guardian.since, participant.id`;

/**
 * Those who go when this account goes: oneself, and the children whom nobody else looks after. All
 * whom the account looks after are locked, so of two last guardians one stays or takes the child
 * along.
 */
export async function lockParticipants(db: Db, userId: string): Promise<string[]> {
  await sql`
    select from participant where id in (select participant_id from guardian where user_id = ${userId})
    order by id for update`.execute(db);
  const { rows } = await sql<RowOf<'participant', 'id'>>`
    select g.participant_id as id from guardian g where g.user_id = ${userId} and (g.participant_id = ${userId}
      or not exists (select from guardian o where o.participant_id = g.participant_id and o.user_id <> ${userId}))`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/**
 * Nobody can be recognised in the rows that stay for the books. A child with another guardian stays
 * a child of theirs.
 */
export async function eraseParticipants(db: Db, userId: string): Promise<void> {
  const gone = sql`${await lockParticipants(db, userId)}::uuid[]`;
  await sql`delete from care where participant_id = any (${gone})`.execute(db);
  await sql`delete from invitation where participant_id = any (${gone}) or invited_by = ${userId}`.execute(
    db,
  );
  await sql`delete from guardian where participant_id = any (${gone}) or user_id = ${userId}`.execute(
    db,
  );
  await sql`update mark set note = '' where participant_id = any (${gone}) and note <> ''`.execute(
    db,
  );
  await sql`
    update participant set name = case when self_of is null then 'Removed child' else 'Deleted user' end,
      born = null, made_by = null, erased_at = now() where id = any (${gone})`.execute(db);
  await sql`
    update participant set made_by = (
      select user_id from guardian where participant_id = participant.id order by since, user_id limit 1)
    where made_by = ${userId}`.execute(db);
}
