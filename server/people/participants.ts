// Who comes, as distinct from who pays. Every account is its own participant, under the same id;
// children have ids of their own. A guardian may book for a participant.
import { type AgeRange, agesInWords } from '../../contract/people/ages.ts';
import { type Db, execute, query, type RowOf, sql } from '../platform/db/connection.ts';
import { activeEnrolment, liveHold } from '../platform/db/states.ts';
import { forgetLetters } from '../mail/mail.ts';
import { today } from '../platform/db/zone.ts';
import { fail } from '../platform/http/fail.ts';
import type { NoLonger } from '../platform/ends.ts';

type Sql = ReturnType<typeof sql>;

/**
 * Whether the account looks after the participant: themselves, or a child. `participantId` is
 * qualified: guardian has a column of that name.
 */
export const isGuardian = (userId: string, participantId: Sql): Sql =>
  sql`exists (select from guardian g where g.user_id = ${userId} and g.participant_id = ${participantId})`;

/**
 * Whether `participant` is of the right age for `class` on its first day, or today when it has no
 * dates. A person without a birth date is.
 */
export const fitsAge = sql`coalesce(
  extract(year from age(coalesce(class.first_day, ${today}), participant.born))
    between coalesce(class.min_age, 0) and coalesce(class.max_age, 1000), true)`;

export function wrongAge(range: AgeRange): never {
  fail('WRONG_AGE', { message: `This class is for ages ${agesInWords(range)}.` });
}

/** Two accounts that type a child often write another surname, or none. */
export const firstName = (table: string) =>
  sql`lower(split_part(${sql.ref(`${table}.name`)}, ' ', 1))`;

/** Oneself and the children one looks after. */
export const participantsOf = (userId: string): Sql => sql`
  select participant.id, participant.self_of is not null as self, participant.name, participant.born::text as born, guardian.since
  from guardian join participant on participant.id = guardian.participant_id
  where guardian.user_id = ${userId} order by participant.self_of, guardian.since, participant.id`;

/** The order in which rows of `participant` are locked: accounts before children, each by id. */
export const lockOrder = sql`order by participant.self_of is null, participant.id`;

/**
 * Those who go when this account goes: oneself, and the children whom nobody else looks after. All
 * whom the account looks after are locked, so of two last guardians one stays or takes the child
 * along. Who gives the account a child has locked its own participant: once that is locked here, no
 * child is added.
 */
export async function lockParticipants(db: Db, userId: string): Promise<string[]> {
  await execute(db)`select from participant where id = ${userId} for update`;
  await execute(db)`
    select from participant where id in (select participant_id from guardian where user_id = ${userId})
    ${lockOrder} for update`;
  const rows = await query<RowOf<'participant', 'id'>>(db)`${goWith(userId)}`;
  return rows.map(({ id }) => id);
}

const goWith = (userId: string) => sql`
  select g.participant_id as id from guardian g where g.user_id = ${userId} and (g.participant_id = ${userId}
    or not exists (select from guardian o where o.participant_id = g.participant_id and o.user_id <> ${userId}))`;

/** Those who look after a child together with this account, and the account itself. */
export const sharesWith = (userId: string) => sql<string>`(
  select other.user_id from guardian mine join guardian other using (participant_id) where mine.user_id = ${userId})`;

export const removedChild = 'Removed child';

/**
 * Nobody can be recognised in the rows that stay for the books. Asked under the locks on the
 * participants.
 */
export async function eraseRows(db: Db, ids: readonly string[], noLonger: NoLonger): Promise<void> {
  if (ids.length === 0) return;
  await noLonger(db, ids, null);
  await endInvitations(db, { ids });
  await forgetLetters(db, ids);
  const gone = sql`${ids}::uuid[]`;
  await execute(db)`delete from care where participant_id = any (${gone})`;
  await execute(db)`delete from guardian where participant_id = any (${gone})`;
  await execute(db)`update mark set note = '' where participant_id = any (${gone}) and note <> ''`;
  await execute(db)`
    update participant set name = case when self_of is null then ${removedChild} else 'Deleted user' end,
      born = null, made_by = null, erased_at = now() where id = any (${gone})`;
}

/** A child with another guardian stays a child of theirs. */
export async function eraseParticipants(
  db: Db,
  { id, email }: { id: string; email: string },
  noLonger: NoLonger,
): Promise<void> {
  const ids = await lockParticipants(db, id);
  await endInvitations(db, { by: id, to: email, ids });
  await eraseRows(db, ids, noLonger);
  const left = await query<RowOf<'guardian', 'participantId'>>(db)`
    delete from guardian where user_id = ${id} returning participant_id`;
  const children = left.map(({ participantId }) => participantId);
  await passOn(db, children, id);
}

/** The one who looks after `participant` longest, of those who are not blocked. */
const longest = sql`(
  select user_id from guardian join "user" u on u.id = user_id where participant_id = participant.id
  order by u.blocked_at is not null, since, user_id limit 1)`;

/**
 * Whether the account may remove `participant` and its other guardians: the one who added it or, while
 * that one is blocked, the one to whom it would pass on.
 */
export const mayRemove = (userId: string) => sql<boolean>`(case
  when exists (select from "user" u where u.id = participant.made_by and u.blocked_at is not null) then ${longest}
  else participant.made_by end is not distinct from ${userId})`;

/** Makes another guardian the one who may remove the child, when `from` leaves it. */
export async function passOn(db: Db, participantIds: readonly string[], from: string) {
  await execute(db)`
    update participant set made_by = ${longest}
    where made_by = ${from} and id = any (${participantIds}::uuid[])`;
}

/**
 * Open invitations: by an account, to an address, for participants. Two people may have invited one
 * another, so all are locked in the order of their key.
 */
export const endInvitations = (
  db: Db,
  { by, to, ids = [] }: { by?: string; to?: string; ids?: readonly string[] },
) =>
  sql`
    delete from invitation where (participant_id, email) in (
      select participant_id, email from invitation
      where invited_by = ${by ?? null} or email = ${to ?? null} or participant_id = any (${ids}::uuid[])
      order by participant_id, email for update)`.execute(db);

/** A seat of `participant` is being paid for. An offer that nobody has taken is not. */
export const isBeingPaid = sql<boolean>`exists (
  select from hold where hold.participant_id = participant.id and ${liveHold()}
    and (hold.reason = 'cart' or hold.basket_id is not null))`;

/** A seat of `enrolment` in a `class` still to come. One without dates lasts a year. */
export const isAhead = sql`${activeEnrolment()} and ends_for(class, enrolment.created_at) > now()`;

/** `participant` is enrolled in a class still to come. */
export const isEnrolled = sql<boolean>`exists (
  select from enrolment join class on class.id = enrolment.class_id
  where enrolment.participant_id = participant.id and ${isAhead})`;

export interface SeatAhead extends RowOf<'enrolment', 'id' | 'paymentId' | 'classId'> {
  instructorId: string;
  className: string;
  child: string;
}

/** The seats still to come of those who go when this account goes. */
export async function seatsAhead(db: Db, userId: string): Promise<SeatAhead[]> {
  return query<SeatAhead>(db)`
    select enrolment.id, enrolment.payment_id, class.id as class_id, class.instructor_id, class.name as class_name,
      participant.name as child
    from enrolment join class on class.id = enrolment.class_id join participant on participant.id = enrolment.participant_id
    where enrolment.participant_id in (${goWith(userId)}) and ${isAhead} order by class.id, enrolment.id`;
}
