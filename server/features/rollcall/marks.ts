// Adds marks to roll calls. A mark is stored once, however often and in whichever order it arrives.
// Not for: what the marks say together (contract/marks.ts).
import type { MarkRefusal } from '../../../contract/marks.ts';
import { type MarkResult, type NewMark, sendMarks } from '../../../contract/rollcall.ts';
import { type Database, type Db, sql } from '../../db/connection.ts';
import type { Caller, On } from '../../http/on.ts';
import { mayCall } from './scope.ts';

export const marks = ({ on, db }: { on: On; db: Database['db'] }): void =>
  on(sendMarks, ({ marks }, { who }) => addMarks(db, who, marks));

/**
 * A mark is never later than its arrival. Those of a phone whose clock is ahead keep their order: a
 * millisecond for each mark of the batch that is later.
 */
const later = sql`make_interval(secs => (row_number() over (order by at desc, id desc) - 1) / 1000.0)`;

interface Judged {
  id: string;
  reason: MarkRefusal | null;
  saved: boolean;
  /** Stored before this statement: 'same' or 'other' than the mark that was sent. */
  stored: 'same' | 'other' | null;
}

/**
 * One statement, so a crash leaves all or nothing of a batch. A row that cannot be stored is refused
 * alone. Meetings and participants are locked in the order of docs/locking.md: a meeting that is
 * being removed and a child that is being erased are seen as they are afterwards, and no foreign key
 * fails the batch.
 */
export async function addMarks(
  db: Db,
  who: Pick<Caller, 'id' | 'role'>,
  sent: readonly NewMark[],
): Promise<MarkResult[]> {
  const { rows } = await sql<Judged>`
    with sent as materialized (
      select *, least(at, date_trunc('milliseconds', now()) - ${later}) as marked_at
      from jsonb_to_recordset(${asJson(sent)}::jsonb) as s (n integer, id uuid, meeting_id uuid,
        participant_id uuid, guest text, status text, note text, at timestamptz)
    ), allowed as materialized (
      select meeting.id, meeting.class_id, meeting.during from meeting join class on class.id = meeting.class_id
      where meeting.id in (select meeting_id from sent) and ${mayCall(who)}
      order by meeting.id for key share of meeting
    ), person as materialized (
      select id, erased_at from participant where id in (select participant_id from sent)
      order by id for key share
    ), judged as materialized (
      select s.*, person.erased_at is not null as erased, case
        when allowed.id is null then 'unknown meeting'
        when s.participant_id is not null and (person.id is null or not exists (
          select from enrolment e where e.class_id = allowed.class_id and e.participant_id = s.participant_id)) then 'not enrolled'
        when s.marked_at < lower(allowed.during) - interval '1 day' then 'too early'
        when s.marked_at > upper(allowed.during) + interval '30 days' then 'too late' end as reason
      from sent s left join allowed on allowed.id = s.meeting_id left join person on person.id = s.participant_id
    ), added as (
      insert into mark (id, meeting_id, participant_id, guest, status, note, at, made_by)
      select id, meeting_id, participant_id, guest, status, case when erased then '' else note end, marked_at, ${who.id}
      from judged where reason is null order by id, n
      on conflict (id) do nothing returning id
    )
    select j.id, j.reason, added.id is not null as saved, case
      when old.id is null then null
      when (old.meeting_id, old.participant_id, old.guest, old.status)
        is distinct from (j.meeting_id, j.participant_id, j.guest, j.status) then 'other'
      else 'same' end as stored
    from judged j left join added on added.id = j.id left join mark old on old.id = j.id
    order by j.n`.execute(db);
  const saved = new Set<string>();
  return rows.map((row) => {
    const isFirst = !saved.has(row.id);
    saved.add(row.id);
    return Object.assign({ _id: row.id }, resultOf(row, isFirst));
  });
}

/**
 * Neither refused nor saved nor stored before: the same mark arrived twice at this moment, and the
 * other one was first.
 */
function resultOf(
  { reason, saved, stored }: Judged,
  isFirst: boolean,
): Pick<MarkResult, 'result' | 'reason'> {
  if (stored === 'other') return { result: 'refused', reason: 'used id' };
  if (stored === 'same') return { result: 'known' };
  if (reason) return { result: 'refused', reason };
  return { result: saved && isFirst ? 'saved' : 'known' };
}

const asJson = (sent: readonly NewMark[]) =>
  JSON.stringify(
    sent.map((mark, n) => ({
      n,
      id: mark._id,
      meeting_id: mark.meetingId,
      participant_id: mark.participantId ?? null,
      guest: mark.guest ?? null,
      status: mark.status,
      note: mark.note ?? '',
      at: new Date(mark.at).toISOString(),
    })),
  );
