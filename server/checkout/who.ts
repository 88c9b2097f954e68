// Who comes is changed: of a cart item, whose seat stays held, and of a booked seat until its first
// meeting begins. A payment that is open for the seat is closed first, so the name that is charged is
// the name that stands.
import type { Services } from '../platform/services.ts';
import { changeCartItem, changeWho } from '../../contract/checkout/cart.ts';
import { type Db, execute, query, queryOne, sql } from '../platform/db/connection.ts';
import { activeEnrolment, liveHold } from '../platform/db/states.ts';
import { type Act, own } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { mail } from '../mail/kinds.ts';
import { isGuardian, wrongAge } from '../people/participants.ts';
import { examine, lockCart } from './cart.ts';
import { clashesOf } from './clashes.ts';
import type { Close } from './payments/close.ts';
import { refuseUnless } from './payments/intent.ts';
import type { Wanted } from './payments/look.ts';
import { lockSeats } from './seats/counters.ts';
import type { Hold } from './seats/holds.ts';
import type { GiveUp } from './seats/release.ts';

/** Of a query with `enrolment`: a meeting has begun since the seat was bought. */
export const hasBegun = sql<boolean>`exists (select from meeting
  where meeting.class_id = enrolment.class_id and meeting.state = 'on'
    and lower(meeting.during) <= now() and upper(meeting.during) > enrolment.created_at)`;

/** In the audit log, where the books look for it. */
export const seatGiven = 'seat given to another participant';

/** Another tab may open a payment again and again. */
const rounds = 5;

type To = Pick<Wanted, 'participantId'> & { id: string };

export function whoRoutes(deps: Services & { close: Close; giveUp: GiveUp }) {
  const { on, db, write, close, giveUp, jobs } = deps;
  const told = async (who: Caller, changed: Wanted) => {
    const clashes = await clashesOf(db, who.id, [{ ...changed, dated: true }]);
    return { modifiedCount: 1, clashes: clashes(changed) };
  };

  on(changeCartItem, async (to, { who }) => {
    for (let round = 1; round <= rounds; round++) {
      const { changed, hold } = await write(who, async (db) => own(await changeItem(db, who, to)));
      if (changed) return told(who, changed);
      if (hold)
        await refuseUnless(
          db,
          await (hold.basketId
            ? close(hold.basketId, 'for somebody else')
            : giveUp({ id: hold.id }, 'expired')),
          [hold],
        );
    }
    return fail('PAYMENT_IN_PROGRESS', {}, 5);
  });

  on(changeWho, async (to, { who }) =>
    told(who, await write(who, (db) => changeSeat(db, who, to, jobs))),
  );
}

/** Whose it is now; or the hold that is in the way, null for one that has just been made. */
async function changeItem(db: Db, who: Caller, { id, participantId }: To) {
  await lockCart(db, who.id);
  const item = await queryOne<Wanted>(db)`select class_id, participant_id from cart_item
    where id = ${id} and student_id = ${who.id}`;
  if (!item) fail('NOT_FOUND');
  const changed = { classId: item.classId, participantId };
  if (item.participantId === participantId) return { changed };
  const live = sql`
    select id, basket_id from hold where student_id = ${who.id} and class_id = ${item.classId}
      and participant_id = ${item.participantId} and ${liveHold()}`;
  const locked = await queryOne<Pick<Hold, 'id'>>(db)`${live} for update`;
  await lockSeats(db, item.classId);
  if ((await refuse(db, who, changed)).inCart) fail('ALREADY_IN_CART');
  // Claims lock the class: what is read now is what there is.
  const hold = await queryOne<Pick<Hold, 'id' | 'basketId'>>(db)`${live}`;
  if (hold?.id !== locked?.id) return { hold: null };
  const held = await execute(db)`update hold set participant_id = ${participantId}
    where id = ${hold?.id ?? null} and state = 'held'
      and basket_id is null and expires_at > now()`;
  if (hold && held !== 1) return { hold };
  const kept = await execute(db)`
    update cart_item set participant_id = ${participantId} where id = ${id}`;
  return kept === 1 ? { changed } : fail('NOT_FOUND');
}

/** The unique index on (participant, class) is the guard against a second seat. */
async function changeSeat(
  db: Db,
  who: Caller,
  { id, participantId }: To,
  jobs: Services['jobs'],
): Promise<Act<Wanted>> {
  // As whoever ends the seat does.
  await execute(db)`select from payment
    where id = (select payment_id from enrolment where id = ${id}) for update`;
  const mayBook = isGuardian(who.id, sql`enrolment.participant_id`);
  const seat = await queryOne<Wanted & { mine: boolean; begun: boolean }>(db)`
    select class_id, participant_id, ${hasBegun} as begun, student_id = ${who.id} and ${mayBook} as mine
    from enrolment where id = ${id} and ${activeEnrolment()} and (student_id = ${who.id} or ${mayBook})
    for update`;
  if (!seat) fail('NOT_FOUND');
  if (!seat.mine) fail('NOT_YOURS_TO_END');
  const { classId } = seat;
  const changed = { classId, participantId };
  if (seat.participantId === participantId) return { answer: changed, unaudited: 'unchanged' };
  if (seat.begun) fail('TOO_LATE');
  await lockSeats(db, classId);
  await refuse(db, who, changed);
  await execute(db)`update enrolment set participant_id = ${participantId} where id = ${id}`;
  await execute(db)`delete from cart_item
    where participant_id = ${participantId} and class_id = ${classId}`;
  const people = await peopleToTell(db, classId, [seat.participantId, participantId]);
  const told = { enrolmentId: id, before: seat.participantId, now: participantId };
  const mails = people.map((to) => mail('who-comes', { to, ...told }));
  await jobs.sendAll(db, 'send-mail', mails);
  const detail = `${seat.participantId} → ${participantId}`;
  return { answer: changed, audit: { action: seatGiven, subject: id, detail } };
}

/** Unless the participant may have the seat. */
async function refuse(db: Db, who: Caller, wanted: Wanted) {
  const found = (await examine(db, who, wanted)) ?? fail('NOT_FOUND');
  if (found.enrolled) fail('ALREADY_ENROLLED');
  if (found.beingPaid) fail('BEING_PAID');
  if (!found.rightAge) wrongAge(found);
  return found;
}

/** The instructor and the guardians of both. */
async function peopleToTell(db: Db, classId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await query<{ to: string }>(db)`
    select instructor_id as to from class where id = ${classId}
    union select user_id from guardian where participant_id = any (${ids}::uuid[]) order by 1`;
  return rows.map(({ to }) => to);
}
