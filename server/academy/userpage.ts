// GET /users/:id: one user as the admin sees them. Reads what other features own; writes nothing.
import type { Services } from '../platform/services.ts';
import { getUser, type UserPage } from '../../contract/academy/userpage.ts';
import { dollars } from '../../contract/platform/rules.ts';
import type { Role } from '../../contract/platform/call.ts';
import { type Db, instant, query, type RowOf, sql } from '../platform/db/connection.ts';
import { activeEnrolment, erasedAccount } from '../platform/db/states.ts';
import { today } from '../platform/db/zone.ts';
import { fail } from '../platform/http/fail.ts';
import { linesOf } from '../people/audit.ts';
import { needOf } from '../classes/teaching.ts';
import { firstName } from '../people/participants.ts';

const newest = 50;
const newestLines = 15;

export function userPage({ on, db }: Services): void {
  on(getUser, async ({ id }) => {
    const user = (await profileOf(db, id)) ?? fail('NOT_FOUND');
    const [participants, enrolments, payments, teaches, needed, audit] = await Promise.all([
      participantsOf(db, id),
      enrolmentsOf(db, id),
      paymentsOf(db, id),
      classesOf(db, id),
      needOf(db, id),
      linesOf(db, id, newestLines),
    ]);
    return { ...user, participants, enrolments, payments, teaches, needed, audit };
  });
}

async function profileOf(db: Db, id: string) {
  const [row] = await query<
    RowOf<'user', 'id' | 'name' | 'email' | 'provenAt' | 'blockedAt' | 'bouncedAt' | 'createdAt'> &
      RowOf<'user', 'image' | 'phone' | 'about'> & { role: Role; seen: Date | null } & Record<
        'password' | 'google' | 'twoFactor',
        boolean
      >
  >(db)`
    select id, name, email, role, image, proven_at, blocked_at, bounced_at, phone, about, created_at,
      password_hash is not null as password, google_sub is not null as google, totp_on_at is not null as two_factor,
      (select max(seen_at) from session where user_id = u.id and expires_at > now()) as seen
    from "user" u left join login on login.user_id = u.id where id = ${id} and not ${erasedAccount()}`;
  return (
    row && {
      _id: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      since: row.createdAt.toISOString(),
      signIns: { password: row.password, google: row.google, twoFactor: row.twoFactor },
      ...(row.provenAt ? {} : { unconfirmed: true as const }),
      ...(row.blockedAt && { blocked: true as const, blockedAt: row.blockedAt.toISOString() }),
      ...(row.bouncedAt && { bouncedAt: row.bouncedAt.toISOString() }),
      ...(row.image && { image: row.image }),
      ...(row.phone && { phone: row.phone }),
      ...(row.about && { about: row.about }),
      ...(row.seen && { seen: row.seen.toISOString() }),
    }
  );
}

async function participantsOf(db: Db, userId: string): Promise<UserPage['participants']> {
  return query<UserPage['participants'][number]>(db)`
    select participant.id as _id, participant.name, participant.self_of is not null as self,
      extract(year from age(${today}, participant.born))::int as age,
      ${people(sql`g.participant_id = participant.id and g.user_id <> ${userId}`)} as guardians,
      ${people(sql`twin.self_of is null and participant.self_of is null and twin.id <> participant.id
        and twin.born = participant.born and ${firstName('twin')} = ${firstName('participant')}`)} as twins
    from guardian join participant on participant.id = guardian.participant_id
    where guardian.user_id = ${userId} order by participant.self_of, guardian.since, participant.id`;
}

/** Accounts, by the guards `g` of a participant `twin`. */
const people = (of: ReturnType<typeof sql>) => sql`(
  select coalesce(jsonb_agg(distinct jsonb_build_object('id', u.id, 'name', u.name)), '[]')
  from guardian g join participant twin on twin.id = g.participant_id join "user" u on u.id = g.user_id where ${of})`;

async function enrolmentsOf(db: Db, id: string): Promise<UserPage['enrolments']> {
  return query<UserPage['enrolments'][number]>(db)`
    select enrolment.id as _id, enrolment.class_id, ${instant(sql`enrolment.created_at`)} as date, class.name,
      participant.name as participant
    from enrolment join class on class.id = enrolment.class_id join participant on participant.id = enrolment.participant_id
    where enrolment.participant_id = any (array(select participant_id from guardian where user_id = ${id}))
      and ${activeEnrolment()}
    order by enrolment.created_at desc, enrolment.id limit ${newest}`;
}

async function paymentsOf(db: Db, id: string): Promise<UserPage['payments']> {
  const rows = await query<
    UserPage['payments'][number] & Record<'amountCents' | 'backCents', number>
  >(db)`
    select id as _id, item_name, receipt_number, amount_cents, back_cents, status, ${instant(sql`date`)} as date
    from payment where student_id = ${id} order by payment.date desc, id limit ${newest}`;
  return rows.map(({ amountCents, backCents, ...row }) =>
    Object.assign(row, {
      price: dollars(amountCents),
      refunded: backCents > 0 ? dollars(backCents) : undefined,
    }),
  );
}

async function classesOf(db: Db, userId: string): Promise<UserPage['teaches']> {
  return query<UserPage['teaches'][number]>(db)`
    select id as _id, name, status, sold, capacity from class
    where instructor_id = ${userId} and (ends_at is null or ends_at > now())
    order by sold > 0 desc, name, id limit ${newest}`;
}
