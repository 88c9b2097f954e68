// A participant's own clashes: meetings to come of a class that overlap those of another class in
// which the same participant is enrolled, has a seat on hold, or which is in this cart for them. They
// are warnings: whether a child leaves ten minutes early is the family's business.
import type { Clash } from '../../../contract/clash.ts';
import { type Db, type RowOf, sql } from '../../db/connection.ts';
import { approvedFacts } from '../classes/reviewed.ts';
import type { Wanted } from './payments/look.ts';

/** Of one class. More say nothing new, and a cart is read often. */
const most = 20;

const keyOf = ({ classId, participantId }: Wanted) => `${participantId} ${classId}`;

/** The clashes of each wanted class, by a function of it. */
export async function clashesOf(
  db: Db,
  studentId: string,
  wanted: readonly Wanted[],
): Promise<(one: Wanted) => Clash[]> {
  const found = new Map<string, Clash[]>();
  const { rows } = await (wanted.length === 0 ? { rows: [] } : overlaps(db, studentId, wanted));
  for (const { participantId, classId, otherId, name, day, starts } of rows) {
    const key = keyOf({ participantId, classId });
    const clash: Clash = { day, starts, kind: 'participant', with: name, classId: otherId };
    found.set(key, [...(found.get(key) ?? []), clash]);
  }
  return (one) => found.get(keyOf(one)) ?? [];
}

/** For an answer: nothing where there is none. */
export const withClashes = (clashes: Clash[]) => (clashes.length > 0 ? { clashes } : {});

type Row = Wanted & RowOf<'class', 'name'> & { otherId: string; day: string; starts: string };

function overlaps(db: Db, studentId: string, wanted: readonly Wanted[]) {
  const participants = sql`${[...new Set(wanted.map((one) => one.participantId))]}::uuid[]`;
  return sql<Row>`
    with wanted as (
      select * from unnest(${wanted.map((one) => one.classId)}::uuid[], ${wanted.map((one) => one.participantId)}::uuid[])
        as wanted (class_id, participant_id)
    ), other as materialized (
      select participant_id, class_id from enrolment where participant_id = any (${participants}) and state = 'active'
      union select participant_id, class_id from hold where participant_id = any (${participants}) and state in ('held', 'releasing')
      union select participant_id, class_id from cart_item where student_id = ${studentId} and participant_id = any (${participants})
    )
    select wanted.participant_id, wanted.class_id, clash.* from wanted cross join lateral (
      select class.id as other_id, ${approvedFacts('name')}, to_char(mine.day, 'YYYY-MM-DD') as day, to_char(mine.starts, 'HH24:MI') as starts
      from other join class on class.id = other.class_id
      join meeting mine on mine.class_id = wanted.class_id and mine.state = 'on' and upper(mine.during) > now()
      join meeting theirs on theirs.class_id = other.class_id and theirs.state = 'on' and theirs.during && mine.during
      where other.participant_id = wanted.participant_id and other.class_id <> wanted.class_id
      order by mine.day, mine.starts, class.id limit ${most}
    ) clash`.execute(db);
}
