// A participant's own clashes: meetings to come of a class that overlap those of another class in
// which the same participant is enrolled, has a seat on hold, or which is in this cart for them. They
// are warnings: whether a child leaves ten minutes early is the family's business.
import type { Clash } from '../../contract/platform/clash.ts';
import { type Db, query, type RowOf, sql } from '../platform/db/connection.ts';
import { activeEnrolment, liveHold } from '../platform/db/states.ts';
import type { Wanted } from './payments/look.ts';

/** Of one class. More say nothing new, and a cart is read often. */
const most = 20;

const keyOf = ({ classId, participantId }: Wanted) => `${participantId} ${classId}`;

type Row = Wanted & RowOf<'class', 'name'> & { otherId: string; day: string; starts: string };

/** In UTC, where a day has 24 hours. */
const dayOf = sql`(lower(during) at time zone 'UTC')::date`;

/**
 * The clashes of each wanted class that has dates, by a function of it.
 * A meeting lasts 24 hours at most, so two that overlap begin on the same day or on neighbouring days.
 * Joined by the day, a full cart takes milliseconds; joined by the overlap alone, PostgreSQL looked
 * through the meetings of all classes.
 */
export async function clashesOf(
  db: Db,
  studentId: string,
  wanted: readonly (Wanted & { dated: boolean })[],
): Promise<(one: Wanted) => Clash[]> {
  const dated = wanted.filter((one) => one.dated);
  if (dated.length === 0) return () => [];
  const participants = dated.map(({ participantId }) => participantId);
  const rows = await query<Row>(db)`
    with wanted as (
      select * from unnest(${dated.map(({ classId }) => classId)}::uuid[], ${participants}::uuid[]) as wanted (class_id, participant_id)
    ), other as materialized (
      select participant_id, class_id from enrolment where participant_id = any (${participants}::uuid[]) and ${activeEnrolment()}
      union select participant_id, class_id from hold where participant_id = any (${participants}::uuid[]) and ${liveHold()}
      union select participant_id, class_id from cart_item where student_id = ${studentId} and participant_id = any (${participants}::uuid[])
    ), mine as materialized (
      select participant_id, class_id, day, starts, during, ${dayOf} + shift as near
      from wanted join meeting using (class_id) cross join generate_series(-1, 1) as shift
      where state = 'on' and upper(during) > now()
    ), theirs as materialized (
      select participant_id, class_id, during, ${dayOf} as near from other join meeting using (class_id) where state = 'on'
    ), clash as (
      select mine.*, theirs.class_id as other_id,
        row_number() over (partition by participant_id, mine.class_id order by day, starts, theirs.class_id) as nth
      from mine join theirs using (participant_id, near)
      where theirs.class_id <> mine.class_id and theirs.during && mine.during
    )
    select participant_id, class_id, other_id, class.name, to_char(day, 'YYYY-MM-DD') as day, to_char(starts, 'HH24:MI') as starts
    from clash join class on class.id = other_id where nth <= ${most} order by participant_id, class_id, nth`;
  const found = Map.groupBy(rows, keyOf);
  return (one) =>
    (found.get(keyOf(one)) ?? []).map(({ day, starts, name, otherId }) => ({
      day,
      starts,
      kind: 'participant',
      with: name,
      classId: otherId,
    }));
}
