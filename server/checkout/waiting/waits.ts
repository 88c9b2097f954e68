// Joining the list of a class, leaving it, saying no to an offer; and the office puts somebody first.
import type { Services } from '../../platform/services.ts';
import type { Parsed } from '../../../contract/platform/call.ts';
import { endWait, joinList, putFirst } from '../../../contract/checkout/waits.ts';
import { limits } from '../../../contract/platform/limits.ts';
import {
  type Db,
  type RowOf,
  execute,
  query,
  queryOne,
  sql,
} from '../../platform/db/connection.ts';
import { activeEnrolment, liveHold, onSale } from '../../platform/db/states.ts';
import { changed, own, unchanged } from '../../platform/db/write.ts';
import { fail, refuseField, refusing } from '../../platform/http/fail.ts';
import type { Caller } from '../../platform/http/on.ts';
import type { AgeRange } from '../../../contract/people/ages.ts';
import { fitsAge, isGuardian, lockOrder, wrongAge } from '../../people/participants.ts';
import { refuseUnless } from '../payments/intent.ts';
import { setQueued } from '../seats/counters.ts';
import type { GiveUp } from '../seats/release.ts';
import { placesOf, seatsBefore } from './list.ts';
import { closeWaits, lockLists } from './rows.ts';
import { declined } from './tend.ts';

type Asked = Parsed<typeof joinList>;

export function waitRoutes({ on, db, write, jobs, giveUp }: Services & { giveUp: GiveUp }) {
  on(joinList, async (asked, { who }) => {
    const ids = await write(who, async (db) => own(await join(db, who, asked))).catch(
      refusing({ waiter_once: () => fail('ALREADY_WAITING') }),
    );
    return { waits: await placesOf(db, ids) };
  });

  on(endWait, async ({ id, classId = null }, { who }) => {
    const mine = await queryOne(db)`select from waiter where wait_id = ${id}
      and ${isGuardian(who.id, sql`waiter.participant_id`)} limit 1`;
    if (!mine) fail('NOT_FOUND');
    const holds = await query<RowOf<'hold', 'id'>>(db)`
      select id from hold where wait_id = ${id} and class_id = coalesce(${classId}, class_id) and ${liveHold()}`;
    const ids = holds.map((hold) => hold.id);
    // The worker ends the wish when its seats are free, if it comes first.
    if (ids.length > 0) await refuseUnless(db, await giveUp({ ids }, declined), holds);
    return write(who, async (db) => {
      await execute(db)`select from wait where id = ${id} for update`;
      const ended = await query<{ classId: string }>(db)`
        update wish set state = 'ended', ended_at = now(),
          ended = case when state = 'offered' then 'declined' else 'left' end
        where wait_id = ${id} and class_id = coalesce(${classId}, class_id) and state <> 'ended'
        returning class_id`;
      if (ended.length + ids.length === 0) return unchanged;
      await closeWaits(db, [id]);
      // The others of the wait, too: they may have been paused.
      const left = await query<{ classId: string }>(db)`
        select class_id from wish where wait_id = ${id} and state <> 'ended'`;
      await jobs.send(db, 'tend', { classIds: [...ended, ...left].map((wish) => wish.classId) });
      return own({ modifiedCount: 1 });
    });
  });

  on(putFirst, ({ id: classId, waitId, reason }, { who }) =>
    write(who, async (db) => {
      await lockLists(db);
      const wish = await queryOne<RowOf<'wish', 'state'>>(db)`
        select state from wish where class_id = ${classId} and wait_id = ${waitId} for update`;
      if (!wish) fail('NOT_FOUND');
      const moved = await execute(db)`
        update wish set put_first = ${reason}, put_first_at = now(),
          position = (select min(position) - 1 from wish where class_id = ${classId})
        where class_id = ${classId} and wait_id = ${waitId} and state in ('waiting', 'passed', 'paused')`;
      if (moved === 0) return unchanged;
      await jobs.send(db, 'tend', { classIds: [classId] });
      return changed({ action: 'put first on the list', subject: classId, detail: waitId });
    }),
  );
}

async function join(db: Db, who: Caller, asked: Asked): Promise<string[]> {
  const { classIds, participantIds, instead } = asked;
  const together = asked.together && participantIds.length > 1;
  const seats = together ? participantIds.length : 1;
  const waits = together ? [participantIds] : participantIds.map((one) => [one]);
  await lockLists(db);
  const classes = await query<RowOf<'class', 'id' | 'free'> & { onSale: boolean }>(db)`
    select id, free, ${onSale} as on_sale from class where id = any (${classIds}::uuid[])
    order by id for update`;
  if (classes.length < classIds.length) fail('NOT_FOUND');
  if (classes.some((one) => !one.onSale)) fail('CLASS_CLOSED');
  await refuseParticipants(db, who, asked);
  // Allowed where a claim of this size would be refused now.
  const free = classes.find((one) => one.free >= seats);
  if (free) fail('SEATS_FREE', { classId: free.id });
  const open = await queryOne<{ n: number }>(db)`
    select count(*)::int as n from wait where student_id = ${who.id} and ended is null`;
  if ((open?.n ?? 0) + waits.length > limits.wait.open) fail('TOO_MANY_WAITS');
  if (instead) await refuseInstead(db, who, instead, participantIds);
  // A group that finds some seats, but too few, takes none of them off the sale.
  const full = classes.filter((one) => one.free < 1);
  const queued = full.map(({ id }) => id);
  await setQueued(db, queued, true);
  const made: string[] = [];
  for (const participants of waits)
    made.push(await add(db, who, { ...asked, participants, queued }));
  return made;
}

async function add(
  db: Db,
  who: Caller,
  {
    classIds,
    participants,
    queued,
    instead,
  }: Pick<Asked, 'classIds' | 'instead'> & Record<'participants' | 'queued', string[]>,
): Promise<string> {
  const made = await queryOne<{ id: string }>(db)`
    with made as (
      insert into wait (student_id, seats, instead) values (${who.id}, ${participants.length}, ${instead ?? null}) returning id
    ), wishes as (
      insert into wish (wait_id, class_id, state, ahead)
      select made.id, class.id, case when class.id = any (${queued}::uuid[]) then 'waiting' else 'passed' end,
        least(32767, ${seatsBefore(sql`class.id`)})
      from made, class where class.id = any (${classIds}::uuid[])
      returning wait_id, class_id
    ), waiters as (
      insert into waiter (wait_id, class_id, participant_id)
      select wait_id, class_id, one from wishes, unnest(${participants}::uuid[]) one
    )
    select id from made`;
  return made?.id ?? fail('NOT_FOUND');
}

/** The first reason why one of them cannot wait for one of the classes. */
async function refuseParticipants(db: Db, who: Caller, { classIds, participantIds }: Asked) {
  const mine = await query(db)`
    select from participant where id = any (${participantIds}::uuid[])
      and ${isGuardian(who.id, sql`participant.id`)} ${lockOrder} for key share`;
  if (mine.length < participantIds.length) fail('NOT_FOUND', { field: 'participantIds' });
  const of = sql`participant_id = participant.id and class_id = class.id`;
  const rows = await query<AgeRange & Record<'fits' | 'enrolled' | 'held' | 'waits', boolean>>(db)`
    select min_age, max_age,
      ${fitsAge} and not (participant.born is null and coalesce(class.max_age, 18) < 18) as fits,
      exists (select from enrolment where ${of} and ${activeEnrolment()}) as enrolled,
      exists (select from hold where ${of} and ${liveHold()} and reason = 'cart') as held,
      exists (select from waiter where ${of} and live) as waits
    from class, participant
    where class.id = any (${classIds}::uuid[]) and participant.id = any (${participantIds}::uuid[])`;
  for (const row of rows) {
    if (row.enrolled) fail('ALREADY_ENROLLED');
    if (row.waits) fail('ALREADY_WAITING');
    if (row.held) fail('BEING_PAID');
    if (!row.fits) wrongAge(row);
  }
}

/** A change of class: the seat that ends is one's own, and of who waits. */
async function refuseInstead(db: Db, who: Caller, id: string, participantIds: readonly string[]) {
  const seat = await queryOne<RowOf<'enrolment', 'participantId'> & { active: boolean }>(db)`
    select participant_id, ${activeEnrolment()} as active from enrolment
    where id = ${id} and student_id = ${who.id}`;
  if (!seat) fail('NOT_FOUND');
  if (!seat.active) fail('ENDED');
  if (participantIds.length > 1 || participantIds[0] !== seat.participantId)
    refuseField('instead', 'is the seat of somebody else');
}
