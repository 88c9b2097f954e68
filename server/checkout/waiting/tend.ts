// The worker of the lists: ends what has ended, offers the seats that are left to those who wait, in
// their order, and sets or clears `class.queued`. It reads nothing but rows. Whatever frees a seat
// knows no list; the worker hears of it (note_line, the sweep). What it decides: decide.ts.
import type { Services } from '../../platform/services.ts';
import {
  type Db,
  type RowOf,
  execute,
  query,
  queryOne,
  sql,
} from '../../platform/db/connection.ts';
import { activeEnrolment, liveHold, onSale } from '../../platform/db/states.ts';
import { academyZone } from '../../platform/db/zone.ts';
import { mail } from '../../mail/kinds.ts';
import { lockOrder } from '../../people/participants.ts';
import { offerSeats } from '../seats/counters.ts';
import { startRelease } from '../seats/holds.ts';
import { type Change, decide, isInLine, type Wish } from './decide.ts';
import { closeWaits, lockLists, pause } from './rows.ts';

/** A family is reminded so long before its offer ends. */
const remindHours = 3;
/** Classes that one call tends. More are left to the sweep. */
const most = 100;

export function createTend({ db, system, jobs, log }: Services) {
  /** Classes of which somebody told, and whether they are being tended. */
  const heard = new Set<string>();
  let tending = false;

  /** These, and the classes of all that were paused or ended by it. */
  async function tend(classIds: readonly string[]): Promise<void> {
    const todo = [...classIds];
    for (let n = 0; n < todo.length && n < most; n++) todo.push(...(await tendLine(todo[n] ?? '')));
  }

  /** By note: two processes that hear it find one piece of work. A note that is lost is swept. */
  function hear(classId: string): void {
    heard.add(classId);
    if (tending) return;
    tending = true;
    void (async () => {
      for (const id of heard) {
        heard.delete(id);
        await tend([id]);
      }
    })()
      .catch((error: unknown) => log.warn({ err: error }, 'a list is left to the sweep'))
      .finally(() => (tending = false));
  }

  async function sweep(): Promise<void> {
    await tend(await toTend(db));
  }

  return { tend, hear, sweep };

  async function tendLine(classId: string): Promise<string[]> {
    const known = await query<{ id: string }>(db)`
      select distinct student_id as id from wish join wait on wait.id = wish.wait_id
      where class_id = ${classId} and state <> 'ended'`;
    const families = known.map(({ id }) => id);
    return system(families, async (db) => {
      const found = await lockLine(db, classId);
      if (!found) return [];
      const { room, wishes, offers } = found;
      // Who joined meanwhile is not locked. The next round serves them.
      const isNew = wishes.findIndex(({ studentId }) => !families.includes(studentId));
      const line = isNew < 0 ? wishes : wishes.slice(0, isNew);
      const changes = decide(room, line);
      const touched = await carryOut(db, room, line, changes);
      await freeLeftOver(db, offers, wishes, changes);
      return [...touched, ...(isNew < 0 ? [] : [classId])];
    });
  }

  /** Answers the other classes of those whose turn begins or ends. */
  async function carryOut(
    db: Db,
    room: Line,
    line: readonly Waiting[],
    changes: readonly Change[],
  ): Promise<string[]> {
    const changed = new Map(changes.map((change) => [change.waitId, change]));
    const after = line.map((wish) => ({ ...wish, ...changed.get(wish.waitId) }));
    const queued = after.some(({ to, state }) => isInLine({ state: to ?? state }));
    // The key demands that the flag is set first and cleared last.
    const taken = changes.reduce((sum, { take }) => sum + take, 0);
    if (queued) await offerSeats(db, room.id, taken, true);
    await writeEnds(db, room, changes);
    for (const to of ['waiting', 'passed'] as const) {
      const ids = idsOf(changes, to);
      if (ids.length > 0)
        await execute(db)`update wish set state = ${to}
          where class_id = ${room.id} and wait_id = any (${ids}::uuid[])`;
    }
    const served = after.filter(({ take = 0, to }) => take > 0 || to === 'offered');
    await offer(db, room, served);
    const begun = served.filter(({ to, state }) => to !== state).map(({ waitId }) => waitId);
    const paused = await pause(db, room.id, begun);
    if (!queued) await offerSeats(db, room.id, taken, false);
    const over = [...idsOf(changes, 'ended'), ...idsOf(changes, 'passed')];
    return [...paused, ...(await pausedOf(db, over))];
  }

  async function writeEnds(db: Db, { id: classId }: Line, changes: readonly Change[]) {
    const ends = Map.groupBy(
      changes.flatMap(({ waitId, ended }) => (ended ? [{ waitId, ended }] : [])),
      ({ ended }) => ended,
    );
    for (const [ended, group] of ends) {
      const ids = group.map(({ waitId }) => waitId);
      await execute(db)`
        update wish set state = 'ended', ended = ${ended}, ended_at = now()
        where class_id = ${classId} and wait_id = any (${ids}::uuid[])`;
      await closeWaits(db, ids);
      if (ended === 'expired' || ended === 'closed')
        await tell(db, ids, (to, waitId) => mail('off-the-list', { to, waitId, classId }));
    }
  }

  /** Holds the seats: until the end of the offer, or while the rest of a group's seats is gathered. */
  async function offer(db: Db, room: Line, served: readonly (Waiting & Partial<Change>)[]) {
    if (served.length === 0) return;
    const { id: classId, offerEnds, gatherEnds, listCents } = room;
    const offered = idsOf(served, 'offered');
    const gathering = idsOf(served, 'gathering');
    const seats = served.flatMap(({ waitId, studentId, missing, take = 0, to, keptUntil }) =>
      missing.slice(0, take).map((participantId) => ({
        waitId,
        studentId,
        participantId,
        until: to === 'offered' ? offerEnds : (keptUntil ?? gatherEnds),
      })),
    );
    const of = (field: keyof (typeof seats)[number]) => seats.map((seat) => seat[field]);
    await execute(db)`
      insert into hold (student_id, participant_id, class_id, list_cents, reason, wait_id, expires_at)
      select student_id, participant_id, ${classId}, ${listCents}, 'offer', wait_id, until
      from unnest(${of('studentId')}::uuid[], ${of('participantId')}::uuid[], ${of('waitId')}::uuid[],
        ${of('until')}::timestamptz[]) as seat (student_id, participant_id, wait_id, until)`;
    if (gathering.length > 0)
      await execute(db)`
        update wish set state = 'gathering', kept_until = coalesce(kept_until, ${gatherEnds})
        where class_id = ${classId} and wait_id = any (${gathering}::uuid[])`;
    if (offered.length === 0) return;
    await execute(db)`
      update wish set state = 'offered', offered_at = now()
      where class_id = ${classId} and wait_id = any (${offered}::uuid[])`;
    // Those that were gathered are locked already (lockLine).
    await execute(db)`
      update hold set expires_at = ${offerEnds} where class_id = ${classId} and state = 'held'
        and wait_id = any (${offered}::uuid[]) and expires_at <> ${offerEnds}`;
    await tell(db, offered, (to, waitId) => mail('offer', { to, waitId, classId, again: false }));
    const hours = (offerEnds.getTime() - Date.now()) / 3_600_000;
    if (hours > remindHours + 1)
      await tell(db, offered, (to, waitId) => mail('offer', { to, waitId, classId, again: true }), {
        afterSeconds: Math.round((hours - remindHours) * 3_600),
      });
  }

  /** All guardians: each of them may take an offer. */
  async function tell(
    db: Db,
    waitIds: readonly string[],
    about: (to: string, waitId: string) => ReturnType<typeof mail>,
    when: { afterSeconds?: number } = {},
  ) {
    const rows = await query<{ to: string; waitId: string }>(db)`
      select distinct told_guardian.user_id as to, waiter.wait_id from waiter join told_guardian using (participant_id)
      where waiter.wait_id = any (${waitIds}::uuid[]) order by 1, 2`;
    const mails = rows.map(({ to, waitId }) => about(to, waitId));
    await jobs.sendAll(db, 'send-mail', mails, when);
  }
}

/** The class, locked. */
interface Line extends RowOf<'class', 'id'> {
  closed: boolean;
  onSale: boolean;
  left: number;
  listCents: number;
  offerEnds: Date;
  gatherEnds: Date;
}

interface Waiting extends Wish, RowOf<'wish', 'keptUntil'>, RowOf<'wait', 'studentId'> {
  /** Those of it who have no seat, held or sold. */
  missing: string[];
}

type LiveOffer = Pick<RowOf<'hold', 'id' | 'waitId' | 'state'>, 'id' | 'waitId' | 'state'>;

/**
 * In the order of docs/locking.md: the offers that are there, the class, the waits, who comes. Only
 * the worker adds offers, so that all of the class are locked. Null: there is no such class.
 */
async function lockLine(db: Db, classId: string) {
  await lockLists(db);
  const offers = await query<LiveOffer>(db)`
    select id, wait_id, state from hold where class_id = ${classId} and reason = 'offer' and ${liveHold()}
    order by id for update`;
  const room = await queryOne<Line>(db)`
    select class.id, seats_left as left, now_cents as list_cents, ${onSale} as on_sale,
      status in ('denied', 'cancelled') or status = 'approved' and not ${onSale} as closed, ends.offer_ends,
      least(now() + make_interval(hours => academy.gather_hours), closes_at) as gather_ends
    from class cross join academy cross join lateral (${offerEnds}) ends
    where class.id = ${classId} for update of class`;
  if (!room) return null;
  await execute(db)`
    select from wait where id in (select wait_id from wish where class_id = ${classId} and state <> 'ended')
    order by id for update`;
  await execute(db)`
    select from participant where id in (select participant_id from waiter where class_id = ${classId} and live)
    ${lockOrder} for key share`;
  const wishes = await query<Waiting>(db)`
    select wish.wait_id, wish.state, wish.kept_until, wait.student_id, wait.seats, seats.*,
      exists (select from hold where hold.wait_id = wish.wait_id and hold.class_id = wish.class_id
        and ended_because = ${declined}) as declined,
      coalesce(wish.kept_until > now(), true) as patient, wish.kept_until is not null as had_turn,
      exists (select from wish other where other.wait_id = wish.wait_id and other.class_id <> wish.class_id
        and other.state in ('gathering', 'offered')) as elsewhere,
      "user".blocked_at is not null or "user".erased_at is not null or seats.lost as gone
    from wish join wait on wait.id = wish.wait_id join "user" on "user".id = wait.student_id
    cross join lateral (
      select count(*) filter (where hold.wait_id = wish.wait_id and hold.state = 'held' and hold.expires_at > now())::int as kept,
        coalesce(bool_or(hold.wait_id is distinct from wish.wait_id or hold.state <> 'held' or hold.expires_at <= now())
          filter (where ${liveHold()}), false) as busy,
        coalesce(array_agg(waiter.participant_id order by waiter.participant_id) filter (where hold.id is null), '{}') as missing,
        bool_or(exists (select from enrolment where enrolment.participant_id = participant.id
          and enrolment.class_id = wish.class_id and ${activeEnrolment()})) as paid,
        bool_or(participant.erased_at is not null or guardian.user_id is null) as lost
      from waiter join participant on participant.id = waiter.participant_id
      left join guardian on guardian.participant_id = participant.id and guardian.user_id = wait.student_id
      left join hold on hold.participant_id = participant.id and hold.class_id = wish.class_id and ${liveHold()}
      where waiter.wait_id = wish.wait_id and waiter.class_id = wish.class_id
    ) seats
    where wish.class_id = ${classId} and wish.state <> 'ended' order by wish.position`;
  return { room, wishes, offers };
}

/** Of a hold that the family gave up. */
export const declined = 'declined';

/**
 * An offer lasts some hours, but not after the next meeting begins, and two at least. Nobody must
 * answer at night: it ends at ten then.
 */
const offerEnds = sql`
  select least(class.closes_at, greatest(now() + interval '2 hours', least(next_meeting,
    case when local::time >= '22:00' then (local::date + 1 + time '10:00') at time zone ${academyZone}
      when local::time < '09:00' then (local::date + time '10:00') at time zone ${academyZone}
      else local at time zone ${academyZone} end))) as offer_ends
  from (select next_meeting, least(now() + make_interval(hours => academy.offer_hours),
      greatest(next_meeting, now() + interval '2 hours')) at time zone ${academyZone} as local
    from (select coalesce(min(lower(during)), 'infinity') as next_meeting from meeting
      where meeting.class_id = class.id and state = 'on' and lower(during) > now()) m) l`;

const idsOf = (changes: readonly Partial<Change>[], to: string) =>
  changes.flatMap((change) => (change.to === to && change.waitId ? [change.waitId] : []));

/** Of these waits: the classes that go on when an offer is over. */
async function pausedOf(db: Db, waitIds: readonly string[]): Promise<string[]> {
  if (waitIds.length === 0) return [];
  const rows = await query<{ classId: string }>(db)`
    select distinct class_id from wish where wait_id = any (${waitIds}::uuid[]) and state <> 'ended'`;
  return rows.map(({ classId }) => classId);
}

/** Offers of which the wish has ended: the family left, or has a seat already. */
async function freeLeftOver(
  db: Db,
  offers: readonly LiveOffer[],
  wishes: readonly Wish[],
  changes: readonly Change[],
) {
  const ended = new Set(idsOf(changes, 'ended'));
  const wanted = new Set(wishes.flatMap(({ waitId }) => (ended.has(waitId) ? [] : [waitId])));
  const ids = offers.flatMap(({ id, waitId, state }) =>
    state === 'held' && !wanted.has(waitId ?? '') ? [id] : [],
  );
  if (ids.length > 0) await startRelease(db, { ids }, 'no longer waits');
}

/** Where a call of the worker was lost, or nothing but time has passed. */
async function toTend(db: Db): Promise<string[]> {
  const isLost = sql`not exists (select from hold where hold.wait_id = wish.wait_id
    and hold.class_id = wish.class_id and ${liveHold()})`;
  const rows = await query<{ id: string }>(db)`
    select id from class where queued and (seats_left > 0 or not exists (
      select from wish where class_id = class.id and in_line))
    union
    select class_id from wish join class on class.id = class_id join wait on wait.id = wait_id where state <> 'ended' and (
      status <> 'pending' and not ${onSale}
      or state in ('offered', 'gathering') and ${isLost}
      or state = 'passed' and (wait.seats <= seats_left or kept_until is null and seats_left = 0)
      or state = 'paused' and not exists (select from wish other
        where other.wait_id = wish.wait_id and other.state in ('gathering', 'offered')))
    union
    select class_id from hold where reason = 'offer' and state = 'held' and not exists (
      select from wish where wish.wait_id = hold.wait_id and wish.class_id = hold.class_id and state <> 'ended')
    limit ${most}`;
  return rows.map(({ id }) => id);
}
