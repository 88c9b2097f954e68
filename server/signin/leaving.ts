// Leaving for good: when it is refused, and what is erased.
import type { Services } from '../platform/services.ts';
import { type Db, execute, exists, query, type RowOf, sql } from '../platform/db/connection.ts';
import { isLive, liveHold, placeholder } from '../platform/db/states.ts';
import type { Account, AuditLine, Named } from '../platform/db/write.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { endEnrolments } from '../checkout/payments/rows.ts';
import { followPayment } from '../checkout/refunds/rows.ts';
import type { GiveUp } from '../checkout/seats/release.ts';
import { lockPlan } from '../classes/meetings.ts';
import { lockClassesOf, needOf } from '../classes/teaching.ts';
import { mail } from '../mail/kinds.ts';
import type { Erased } from '../platform/ends.ts';
import { tellOfLeaving } from '../people/guardians.ts';
import { endStaffInvitations } from '../people/users.ts';
import {
  eraseParticipants,
  lockParticipants,
  type SeatAhead,
  seatsAhead,
  sharesWith,
} from '../people/participants.ts';
import { passwordOf } from './prove.ts';

/**
 * Asked once before anything is given up, and again under the locks. Students of a class that is
 * over need no instructor; a meeting that takes place needs its substitute, with students or without:
 * the instructor of the class may teach elsewhere at that time.
 */
export async function refuseWhileNeeded(db: Db, who: Caller): Promise<void> {
  const isLastAdmin = await exists(db)`
    select from "user" u where id = ${who.id} and role = 'admin' and not exists (
      select from "user" o where o.role = 'admin' and o.blocked_at is null and o.id <> u.id)`;
  if (isLastAdmin) fail('LAST_ADMIN');
  const { classes, substitute } = await needOf(db, who.id, false);
  if (classes > 0)
    fail('TEACHES_STUDENTS', {
      message: `Students are enrolled in ${classes} of your classes. Please ask an admin to hand ${classes === 1 ? 'it' : 'them'} over to another instructor first.`,
    });
  if (substitute > 0)
    fail('TEACHES_STUDENTS', {
      message: `You are the substitute in ${substitute === 1 ? 'a class' : `${substitute} classes`}. Please ask an admin to choose another instructor for these meetings first.`,
    });
}

/** A seat still to come is not left behind: it is kept, or given back without money. */
export async function refuseSeats(db: Db, who: Caller): Promise<void> {
  const seats = await seatsAhead(db, who.id);
  const [seat] = seats;
  if (!seat) return;
  const more = seats.length > 1 ? ` and ${seats.length - 1} more` : '';
  fail('SEATS_AHEAD', {
    message: `${seat.child} is enrolled in ${seat.className}${more}. Give the seats back without money first, or ask the academy.`,
  });
}

/**
 * Seats that are being paid for go back first; a person who has paid at this moment shall see what
 * they bought before they leave.
 */
export async function giveUpSeats(db: Db, who: Caller, giveUp: GiveUp): Promise<void> {
  const live = await query<{ id: string }>(db)`
    select id from hold where student_id = ${who.id} and ${liveHold()}`;
  for (const { id } of live) {
    const outcome = await giveUp({ id }, 'account deleted');
    if (outcome === 'paid') fail('ALREADY_PAID');
    if (outcome === 'processing') fail('PAYMENT_IN_PROGRESS', {}, 5);
    if (outcome === 'silent') fail('PROVIDER_DOWN', {}, 5);
  }
}

/** With the admins, of whom one must stay, and those to whom a shared child passes on. */
export async function leavers(db: Db, who: Caller): Promise<Named> {
  const rows = await query<{ userId: string }>(db)`${sharesWith(who.id)}`;
  return { ids: rows.map(({ userId }) => userId), lock: 'update', admins: true };
}

/**
 * A payment that is being recorded is waited for, and its row then pseudonymised with the others. What
 * stays is the legal record: which amount, when, by which transaction.
 */
export async function erase(
  db: Db,
  { who, hash, giveBack }: { who: Account & Caller; hash: string | null; giveBack: boolean },
  services: Pick<Services, 'jobs' | 'ends'>,
): Promise<AuditLine[]> {
  await lockPlan(db);
  const holds = await query<RowOf<'hold', 'state'>>(db)`
    select state from hold where student_id = ${who.id} order by id for update`;
  if (holds.some(isLive)) fail('PAYMENT_IN_PROGRESS', {}, 5);
  const seats = giveBack ? await seatsAhead(db, who.id) : [];
  await execute(db)`select from payment where student_id = ${who.id}
    or id = any (${seats.map(({ paymentId }) => paymentId)}::uuid[]) order by id for update`;
  await lockClassesOf(
    db,
    who.id,
    seats.map(({ classId }) => classId),
  );
  // A claim refers to the participant: it is seen here, or waits. One that waits makes a hold, which
  // expires; money for it is refunded (settle.ts).
  const going = await lockParticipants(db, who.id);
  const isBeingPaid = await exists(db)`
    select from hold where participant_id = any (${going}::uuid[]) and ${liveHold()} limit 1`;
  if (isBeingPaid) fail('PAYMENT_IN_PROGRESS', {}, 5);
  if ((await passwordOf(db, who.id)) !== hash) fail('WRONG_PASSWORD', { field: 'password' });
  await refuseWhileNeeded(db, who);
  // Of the seats, one may have ended or been bought meanwhile.
  if (!giveBack) await refuseSeats(db, who);
  const ahead = await seatsAhead(db, who.id);
  if (ahead.some(({ id }) => !seats.some((seat) => seat.id === id)))
    fail('PAYMENT_IN_PROGRESS', {}, 5);
  const lines = await giveBackSeats(db, who, ahead, services);
  const rows = await query<RowOf<'user', 'image'>>(db)`
    select image from "user" where id = ${who.id}`;
  await services.ends.erase(db, { ...who, image: rows[0]?.image ?? null });
  for (const id of new Set(ahead.map(({ paymentId }) => paymentId))) await followPayment(db, id);
  return [...lines, { action: 'account deleted', subject: who.id }];
}

/** The payments stay as they are. The names of those who go are not told: they are erased now. */
async function giveBackSeats(
  db: Db,
  who: Caller,
  seats: readonly SeatAhead[],
  { jobs }: Pick<Services, 'jobs'>,
): Promise<AuditLine[]> {
  for (const { id } of seats) await endEnrolments(db, { id }, 'family');
  const rows = await query<{ to: string; classId: string; seats: number }>(db)`
    select class.instructor_id as to, class.id as class_id, count(*)::int as seats
    from enrolment join class on class.id = enrolment.class_id
    where enrolment.id = any (${seats.map(({ id }) => id)}::uuid[]) and class.instructor_id <> ${who.id}
    group by class.id order by class.id`;
  for (const row of rows) await jobs.send(db, 'send-mail', mail('seats-given-back', row));
  return seats.map(({ classId, paymentId }) => {
    return { action: 'seat given back', subject: classId, detail: paymentId };
  });
}

/** The account itself. Children of other guardians, too, lose this one: they are told. */
export async function forgetPerson(
  db: Db,
  who: Erased,
  { jobs, ends }: Pick<Services, 'jobs' | 'ends'>,
): Promise<void> {
  for (const table of ['session', 'login', 'link'] as const)
    await db.deleteFrom(table).where('userId', '=', who.id).execute();
  await tellOfLeaving(db, who.id, jobs);
  await endStaffInvitations(db, { by: who.id, to: who.email });
  await eraseParticipants(db, who, ends.noLonger);
  await db
    .updateTable('user')
    .set({
      ...placeholder(who.id),
      image: null,
      phone: null,
      about: null,
      role: 'student',
      teaches: false,
      provenAt: null,
      erasedAt: new Date(),
      mailOff: [],
      bouncedAt: null,
    })
    .set({ registeredAt: sql`coalesce(registered_at, now())`, updatedAt: sql`now()` })
    .where('id', '=', who.id)
    .execute();
}
