// What is shown of the lists: to a family its waits, to the office and who teaches the line of a class.
import type { Services } from '../../platform/services.ts';
import {
  classLine,
  classWaiting,
  type InLine,
  listWaits,
  type Wait,
  type Wish,
} from '../../../contract/checkout/waits.ts';
import { limits } from '../../../contract/platform/limits.ts';
import { type Db, query, queryOne, sql } from '../../platform/db/connection.ts';
import { activeEnrolment, liveHold, onSale } from '../../platform/db/states.ts';
import { fail } from '../../platform/http/fail.ts';
import type { Caller } from '../../platform/http/on.ts';
import { isGuardian } from '../../people/participants.ts';

type Sql = ReturnType<typeof sql>;

/** An offer has its seats. Those who wait elsewhere for the moment come back to their place. */
const wantsSeats = (wish: string) =>
  sql`${sql.id(wish, 'state')} in ('waiting', 'gathering', 'passed', 'paused')`;

/** Seats that are wanted in a class before `position`, or by all. */
export const seatsBefore = (classId: Sql, position?: Sql) => sql<number>`(
  select coalesce(sum(w.seats), 0)::int from wish before join wait w on w.id = before.wait_id
  where before.class_id = ${classId} and ${wantsSeats('before')}
    and (${position === undefined} or before.position < ${position ?? sql`0`}))`;

const ownPlace = sql<number | null>`case when ${wantsSeats('wish')}
  then 1 + ${seatsBefore(sql`wish.class_id`, sql`wish.position`)} end`;

/**
 * Of the wishes of the sport that ended in a year, of those that had no more seats before them: how many
 * were offered one. Of few cases nothing is told, and never of one class: it would tell about people.
 */
const chances = sql`
  select count(past.offered_at)::int as offered, count(*)::int as of
  from wish past join class c on c.id = past.class_id
  where c.sport = class.sport and past.state = 'ended' and past.ended_at > now() - interval '365 days'
    and past.ahead < place.n`;

interface Chances {
  offered: number;
  of: number;
}
const oddsOf = ({ offered, of }: Chances) => (of < limits.wait.odds ? null : { offered, of });

export async function placesOf(db: Db, waitIds: readonly string[]) {
  const rows = await query<{ waitId: string; classId: string; place: number } & Chances>(db)`
    select wish.wait_id, wish.class_id, place.n as place, chances.*
    from wish join class on class.id = wish.class_id
    cross join lateral (select coalesce(${ownPlace}, 1) as n) place cross join lateral (${chances}) chances
    where wait_id = any (${waitIds}::uuid[]) order by wish.position`;
  return waitIds.map((id) => ({
    id,
    places: rows
      .filter(({ waitId }) => waitId === id)
      .map((row) => ({ classId: row.classId, place: row.place, odds: oddsOf(row) })),
  }));
}

export function listRoutes({ on, db }: Services): void {
  on(listWaits, (_, { who }) => waitsOf(db, who));

  on(classWaiting, async ({ id }) => {
    const asked = await queryOne<{ waiting: number }>(db)`
      select ${seatsBefore(sql`class.id`)} as waiting from class where id = ${id} and ${onSale}`;
    if (!asked) fail('NOT_FOUND');
    const others = await query<{
      classId: string;
      name: string;
      schedule: string;
      waiting: number;
    }>(db)`
      select class.id as class_id, class.name, class.schedule, ${seatsBefore(sql`class.id`)} as waiting
      from class join class asked on asked.id = ${id} and asked.sport = class.sport and asked.id <> class.id
        and int4range(asked.min_age, asked.max_age, '[]') && int4range(class.min_age, class.max_age, '[]')
      where ${onSale} and class.free < 1 order by waiting, class.name, class.id limit ${limits.wait.classes - 1}`;
    return { ...asked, others };
  });

  on(classLine, async ({ id }, { who }) => {
    const mine = await queryOne(db)`select from class
      where id = ${id} and (${who.role === 'admin'} or instructor_id = ${who.id})`;
    return mine ? lineOf(db, who, id) : fail('NOT_FOUND');
  });
}

async function lineOf(db: Db, who: Caller, classId: string): Promise<InLine[]> {
  const rows = await query<
    Omit<InLine, 'since' | 'until' | 'who'> & { since: Date; until: Date | null } & NonNullable<
        InLine['who']
      >
  >(db)`
    select wish.wait_id, ${ownPlace} as place, wait.seats, wish.state, wait.joined_at as since, ${until} as until,
      wait.student_id as user_id, "user".name, wish.put_first, array(
        select participant.name from waiter join participant on participant.id = waiter.participant_id
        where waiter.wait_id = wish.wait_id and waiter.class_id = wish.class_id and participant.id <> wait.student_id
        order by participant.id) as children
    from wish join wait on wait.id = wish.wait_id join "user" on "user".id = wait.student_id
    where wish.class_id = ${classId} and wish.state <> 'ended' order by wish.position`;
  const isOffice = who.role === 'admin';
  return rows.map(({ waitId, place, seats, state, since, until: ends, putFirst, ...who }) => ({
    waitId,
    place,
    seats,
    state,
    since: since.toISOString(),
    until: ends?.toISOString() ?? null,
    putFirst: isOffice ? putFirst : null,
    who: isOffice ? who : null,
  }));
}

/** When the seats of a wish that are held go to the next. */
const until = sql<Date | null>`case wish.state
  when 'offered' then (select min(hold.expires_at) from hold
    where hold.wait_id = wish.wait_id and hold.class_id = wish.class_id and ${liveHold()})
  when 'gathering' then wish.kept_until end`;

interface WishRow extends Omit<Wish, 'until' | 'odds' | 'holds'>, Chances {
  waitId: string;
  until: Date | null;
  /** None is null. */
  holds: string[];
  offeredAt: Date | null;
  endedAt: Date | null;
  keptUntil: Date | null;
  putFirstAt: Date | null;
  /** The office put others first. */
  overtaken: Date[];
}

interface WaitRow extends Omit<Wait, 'classes' | 'history'> {
  joinedAt: Date;
}

/** Those that are open, and those that ended some days ago. */
async function waitsOf(db: Db, who: Caller): Promise<Wait[]> {
  const mine = isGuardian(who.id, sql`waiter.participant_id`);
  const waits = await query<WaitRow>(db)`
    select wait.id, wait.seats, wait.ended is null as open, wait.joined_at,
      (select id from enrolment where id = wait.instead and student_id = ${who.id} and ${activeEnrolment()}) as instead, people.participants
    from wait cross join lateral (
      select json_agg(distinct jsonb_build_object('participantId', participant.id,
        'name', case when participant.id <> ${who.id} then participant.name end)) as participants
      from waiter join participant on participant.id = waiter.participant_id
      where waiter.wait_id = wait.id and ${mine}) people
    where wait.id in (select wait_id from guardian join waiter using (participant_id) where user_id = ${who.id})
      and (wait.ended is null or wait.ended_at > now() - interval '14 days')
    order by wait.ended is not null, wait.joined_at, wait.id`;
  if (waits.length === 0) return [];
  const wishes = await query<WishRow>(db)`
    select wish.wait_id, wish.class_id, class.name, class.schedule, wish.state, wish.ended, place.n as place, ${until} as until,
      wish.offered_at, wish.ended_at, wish.kept_until, wish.put_first_at, seats.*, chances.*,
      array(select other.put_first_at from wish other where other.class_id = wish.class_id and other.wait_id <> wish.wait_id
        and other.put_first_at between wait.joined_at and coalesce(wish.ended_at, now())) as overtaken
    from wish join wait on wait.id = wish.wait_id join class on class.id = wish.class_id
    cross join lateral (select ${ownPlace} as n) place cross join lateral (${chances}) chances
    cross join lateral (
      select count(*)::int as kept, case when wish.state = 'offered' then sum(hold.list_cents)::int end as cents,
        coalesce(array_agg(hold.id order by hold.id)
          filter (where wish.state = 'offered' and ${isGuardian(who.id, sql`hold.participant_id`)}), '{}') as holds
      from hold where hold.wait_id = wish.wait_id and hold.class_id = wish.class_id and ${liveHold()}) seats
    where wish.wait_id = any (${waits.map(({ id }) => id)}::uuid[]) order by wish.position`;
  return waits.map(({ id, seats, open, instead, participants, joinedAt }) => {
    const own = wishes.filter(({ waitId }) => waitId === id);
    const [classes, history] = [own.map(shown), historyOf(joinedAt, own)];
    return { id, seats, open, instead, participants, classes, history };
  });
}

const shown = (row: WishRow): Wish => ({
  ...row,
  until: row.until?.toISOString() ?? null,
  odds: row.place === null ? null : oddsOf(row),
});

const endings: Record<NonNullable<Wish['ended']>, ((name: string) => string) | null> = {
  enrolled: (name) => `A seat in ${name} was booked.`,
  left: (name) => `You left the list of ${name}.`,
  declined: (name) => `You said no to the seat in ${name}.`,
  expired: (name) => `The offer in ${name} ran out.`,
  closed: (name) => `${name} is not sold any more.`,
  elsewhere: null,
};

function historyOf(joinedAt: Date, wishes: readonly WishRow[]): Wait['history'] {
  const told = wishes.flatMap((wish) => {
    const { name } = wish;
    const end = wish.ended && endings[wish.ended];
    const isOver = wish.keptUntil !== null && wish.keptUntil < new Date();
    return [
      { at: wish.offeredAt, text: `A seat in ${name} was offered.` },
      { at: wish.endedAt, text: end?.(name) },
      { at: wish.putFirstAt, text: `The office put you first for ${name}.` },
      ...wish.overtaken.map((at) => ({
        at,
        text: `The office put another family first for ${name}.`,
      })),
      {
        at: isOver && wish.offeredAt === null ? wish.keptUntil : null,
        text: `Too few seats in ${name} came free in time. You get the next that are free together.`,
      },
    ];
  });
  return [{ at: joinedAt, text: 'Put on the list.' }, ...told]
    .flatMap(({ at, text }) => (at && text ? [{ at: at.toISOString(), text }] : []))
    .toSorted((one, two) => (one.at < two.at ? -1 : 1));
}
