// Adds marks to roll calls. A mark is stored once, however often and in whichever order it arrives.
// Opens a roll call of a class without dates: a meeting in the state `called`, from now for 12
// hours. So long its instructor reads care facts (scope.ts).
import type { Services } from '../platform/services.ts';
import { limits } from '../../contract/platform/limits.ts';
import type { MarkRefusal } from '../../contract/rollcall/marks.ts';
import {
  type MarkResult,
  type NewMark,
  openRollCall,
  sendMarks,
} from '../../contract/rollcall/rollcall.ts';
import { type Db, execute, query, sql } from '../platform/db/connection.ts';
import { changed, own, unchanged } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { instructorOf } from '../classes/meetings.ts';
import { lockOrder } from '../people/participants.ts';
import { expectedAt, mayCall } from './scope.ts';

export function marks({ on, db, write, writeAccounts }: Services): void {
  on(sendMarks, ({ marks }, { who }) =>
    write(who, async (db) => own(await addMarks(db, who, marks))),
  );

  on(openRollCall, async ({ id }, { who }) =>
    writeAccounts(who, { ids: await instructorOf(db, id), lock: 'key share' }, async (db) => {
      // Waits for a hand-over, and for dates that are being set.
      const [found] = await query<{ dated: boolean; cancelled: boolean }>(db)`
        select ends_at is not null as dated, status = 'cancelled' as cancelled from class
        where id = ${id} and (instructor_id = ${who.id} or ${who.role === 'admin'}) for share`;
      if (!found) fail('NOT_FOUND');
      if (found.cancelled) fail('CLASS_CLOSED');
      if (found.dated) fail('DATES_CHANGED');
      const opened = await execute(db)`
        insert into meeting (class_id, instructor_id, day, starts, minutes, state)
        select id, instructor_id, here, date_trunc('minute', here), 720, 'called'
        from class, academy, lateral (select now() at time zone time_zone as here) clock where id = ${id}
        on conflict on constraint meeting_called_once do nothing`;
      return opened > 0 ? changed({ action: 'roll call opened', subject: id }) : unchanged;
    }),
  );
}

/** How long a phone may stay without a network, and how long a coach may not know of a seat's end. */
const slack = sql`interval '7 days'`;

// A mark is never later than its arrival. Those of a phone whose clock is ahead keep their order: a
// millisecond for each mark of the batch that is later.
const later = sql`make_interval(secs => (row_number() over (order by at desc, _id desc) - 1) / 1000.0)`;

/** One person of a meeting: a participant, or a guest by their words. */
const keyOf = (row: 's' | 'mark') =>
  sql`coalesce(${sql.ref(`${row}.participant_id`)}::text, '/' || ${sql.ref(`${row}.guest`)})`;

interface Judged {
  id: string;
  reason: MarkRefusal | null;
  saved: boolean;
  /** Stored before this statement: 'same' or 'other' than the mark that was sent. */
  stored: 'same' | 'other' | null;
}

// A meeting that is being moved or removed and a child that is being erased are seen as they are
// afterwards, and no foreign key fails the batch. Batches of one meeting run one after the other, so its walk-ins and the marks
// of each person are counted.
async function lockMarked(db: Db, who: Caller, sent: readonly NewMark[]): Promise<void> {
  const people = sent.flatMap(({ participantId }) => participantId ?? []);
  const meetings = sent.map(({ meetingId }) => meetingId);
  await execute(db)`select from meeting join class on class.id = meeting.class_id
    where meeting.id = any (${meetings}::uuid[]) and ${mayCall(who)}
    order by meeting.id for no key update of meeting`;
  await execute(db)`
    select from participant where id = any (${people}::uuid[]) ${lockOrder} for key share`;
}

// One statement judges and inserts. A row that cannot be stored is refused alone. A person whose
// seat ended a few days ago may have come all the same.
async function addMarks(db: Db, who: Caller, sent: readonly NewMark[]): Promise<MarkResult[]> {
  await lockMarked(db, who, sent);
  const rows = await query<Judged>(db)`
    with sent as materialized (
      select n, _id as id, "meetingId" as meeting_id, "participantId" as participant_id, guest, status,
        coalesce(note, '') as note, least(at, date_trunc('milliseconds', now()) - ${later}) as marked_at
      from jsonb_to_recordset(${asJson(sent)}::jsonb) as s (n integer, _id uuid, "meetingId" uuid,
        "participantId" uuid, guest text, status text, note text, at timestamptz(3))
    ), read as materialized (
      select s.*, ${keyOf('s')} as person_key, exists (select from mark where mark.id = s.id) as known,
        person.erased_at is not null as erased, case
        when class.id is null then 'unknown meeting'
        when s.participant_id is not null and not exists (select from enrolment e
          where e.participant_id = s.participant_id and ${expectedAt(slack)}) then 'not enrolled'
        when s.marked_at < lower(meeting.during) - interval '1 day' then 'too early'
        when s.marked_at > upper(meeting.during) + interval '30 days'
          or now() > upper(meeting.during) + interval '30 days' + ${slack} then 'too late' end as reason
      from sent s left join meeting on meeting.id = s.meeting_id
        left join class on class.id = meeting.class_id and ${mayCall(who)}
        left join participant person on person.id = s.participant_id
    ), newcomer as (
      select meeting_id, guest, row_number() over (partition by meeting_id order by min(n)) + (
        select count(distinct guest) from mark where meeting_id = read.meeting_id) as nth
      from read where guest is not null and reason is null and not exists (
        select from mark where mark.meeting_id = read.meeting_id and mark.guest = read.guest)
      group by meeting_id, guest
    ), before as materialized (
      select meeting_id, ${keyOf('mark')} as person_key, count(*) as marks from mark
      where meeting_id = any (array(select meeting_id from sent)) and made_by = ${who.id} group by 1, 2
    ), judged as materialized (
      select read.n, read.id, meeting_id, participant_id, guest, status, note, marked_at, erased, case
        when reason is not null then reason
        when nth > ${limits.mark.walkIns} then 'too many walk-ins'
        when coalesce(before.marks, 0) + count(*) filter (where not known) over (
          partition by meeting_id, person_key order by read.n) > ${limits.mark.ofOne} then 'too many marks' end as reason
      from read left join newcomer using (meeting_id, guest) left join before using (meeting_id, person_key)
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
    order by j.n`;
  const saved = new Set<string>();
  return rows.map((row) => {
    const isFirst = !saved.has(row.id);
    saved.add(row.id);
    return Object.assign({ _id: row.id }, resultOf(row, isFirst));
  });
}

/** Neither refused nor saved nor stored before: it arrived twice at this moment. */
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
  JSON.stringify(sent.map((mark, n) => Object.assign({ n }, mark)));
