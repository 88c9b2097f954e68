// The statement that grants seats: it locks the classes, counts the seats and writes the holds, or
// changes nothing. Which asks are written together: claim.ts.
import { limits } from '../../../contract/platform/limits.ts';
import { type Database, type RowOf, query, sql } from '../../platform/db/connection.ts';
import { activeEnrolment, liveHold, onSale } from '../../platform/db/states.ts';
import { lockOrder } from '../../people/participants.ts';

export interface Claim {
  /** Who pays. */
  studentId: string;
  /** Who comes. */
  participantId: string;
  classId: string;
  cartItemId: string | null;
  /** The price that the student saw. The class must still have it. */
  amountCents: number;
}

export interface Claimed extends RowOf<'hold', 'id' | 'expiresAt' | 'slot'> {
  amountCents: number;
}

/** Seats for one student, each of another participant or class. */
export interface Ask {
  claims: readonly Claim[];
  /** Of live holds of the student, these included. */
  most: number;
}

/** No seat is held after the sale of its class has ended. */
const heldUntil = sql`least(now() + make_interval(mins => ${limits.holdMinutes}), room.closes_at)`;

/**
 * Each ask is by another student and for other participants. The statement locks the students, then
 * the classes, so that `free` is correct until the commit, and then the participants. A student takes the lowest free slots of `most`, and an ask gets all its seats or none. An offer has no
 * slot (waiting/tend.ts). The
 * asks are numbered per class in order of arrival. A refused ask may have used up the place of a
 * later one: that one looks again. A seat or slot that was taken since the statement began violates
 * a unique index, which undoes the whole statement. Holds are inserted in the order of students and
 * slots, so two statements cannot deadlock on slots. Two statements meet at a participant and class
 * only after one of them has the class.
 */
export async function writeAsks(
  db: Database['db'],
  asks: readonly Ask[],
): Promise<(Claimed[] | null)[]> {
  const seats = asks.flatMap(({ claims, most }, ask) =>
    claims.map((claim) => ({ ask, most, claim })),
  );
  const of = (field: keyof Claim) => seats.map(({ claim }) => claim[field]);
  const rows = await query<{ ask: number } & { [key in keyof Claimed]: Claimed[key] | null }>(db)`
    with asked as materialized (
      select * from unnest(
        ${seats.map(({ ask }) => ask)}::int[], ${seats.map(({ most }) => most)}::int[], ${of('studentId')}::uuid[],
        ${of('participantId')}::uuid[], ${of('classId')}::uuid[], ${of('cartItemId')}::uuid[], ${of('amountCents')}::int[]
      ) with ordinality as asked (ask, most, student_id, participant_id, class_id, item_id, list_cents, place)
    ), payer as materialized (
      select id from "user" where id = any (${of('studentId')}::uuid[]) order by id for key share
    ), room as materialized (
      -- Read after the payers, for the order of locks.
      select id, ${onSale} as sellable, now_cents, free, closes_at
      from class where id = any (${of('classId')}::uuid[]) and (select count(*) from payer) >= 0
      order by id for no key update
    ), known as materialized (
      select id, erased_at from participant where id = any (array(
        select asked.participant_id from asked join room on room.id = asked.class_id))
      ${lockOrder} for key share
    ), mine as materialized (
      select asker.ask, live.n as live,
        array(select n from generate_series(1, asker.most) n where n <> all (live.slots) order by n) as open
      from (select distinct ask, most, student_id from asked) asker
      cross join lateral (
        select coalesce(array_agg(slot), '{}') as slots, count(*) as n
        from hold where student_id = asker.student_id and ${liveHold()} and slot is not null) live
    ), able as materialized (
      select asked.*, mine.open, mine.live, room.free, ${heldUntil} as expires_at,
        row_number() over (partition by asked.class_id order by asked.place) as nth,
        row_number() over (partition by asked.ask order by asked.place) as own
      from asked join mine using (ask)
      join room on room.id = asked.class_id and room.sellable and room.now_cents = asked.list_cents
      left join known on known.id = asked.participant_id
      cross join lateral (
        select coalesce(bool_or(class_id = asked.class_id), false) as has
        from enrolment where participant_id = asked.participant_id and ${activeEnrolment()}) taken
      where known.erased_at is null and not taken.has
        and not exists (select from hold where hold.participant_id = asked.participant_id
          and hold.class_id = asked.class_id and ${liveHold()})
    ), whole as materialized (
      select ask from (select ask, count(*) as n from asked group by ask) wanted
      join (select ask, count(*) as n from able
        where nth <= free and own <= cardinality(open) and live + own <= most group by ask) fit using (ask, n)
    ), made as (
      insert into hold (student_id, participant_id, class_id, item_id, list_cents, slot, expires_at)
      select student_id, participant_id, class_id, item_id, list_cents, open[own], expires_at from able
      where ask in (select ask from whole) order by student_id, open[own]
      returning id, participant_id, class_id, expires_at, list_cents, slot
    ), counted as (
      update class set held = held + new.n
      from (select class_id, count(*)::int as n from made group by class_id) new
      where class.id = new.class_id
    )
    select asked.ask, made.id, made.expires_at, made.list_cents as amount_cents, made.slot
    from asked left join made using (participant_id, class_id)
    order by asked.place`;
  return asks.map((_, ask) => {
    const own = rows.filter((row) => row.ask === ask);
    const holds = own.flatMap(({ id, expiresAt, amountCents, slot }) =>
      id && expiresAt && amountCents && slot ? [{ id, expiresAt, amountCents, slot }] : [],
    );
    return holds.length === own.length ? holds : null;
  });
}
