// Who comes, as distinct from who pays. Every account is its own participant, under the same id;
// children have ids of their own. A guardian may book for a participant.
import { type AgeRange, agesInWords } from '../../../contract/ages.ts';
import { sql } from '../../db/connection.ts';
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
