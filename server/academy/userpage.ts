// GET /users/:id: one user as the admin sees them. Reads what other features own; writes nothing.
import type { Services } from '../platform/services.ts';
import { getUser, type UserPage } from '../../contract/academy/userpage.ts';
import { dollars } from '../../contract/platform/rules.ts';
import { type Db, instant, query, queryOne, sql, withoutNulls } from '../platform/db/connection.ts';
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
    return { ...withoutNulls(user), participants, enrolments, payments, teaches, needed, audit };
  });
}

type Profile = Omit<
  UserPage,
  'participants' | 'enrolments' | 'payments' | 'teaches' | 'needed' | 'audit'
>;

const profileOf = (db: Db, id: string) =>
  queryOne<Profile>(db)`
    select id as _id, name, email, role, nullif(image, '') as image, nullif(phone, '') as phone,
      nullif(about, '') as about, nullif(proven_at is null, false) as unconfirmed,
      nullif(blocked_at is not null, false) as blocked, ${instant(sql`blocked_at`)} as blocked_at,
      ${instant(sql`bounced_at`)} as bounced_at, ${instant(sql`created_at`)} as since,
      json_build_object('password', password_hash is not null, 'google', google_sub is not null,
        'twoFactor', totp_on_at is not null) as sign_ins,
      coalesce((select cents from credit where student_id = u.id), 0) as credit_cents,
      (select ${instant(sql`max(seen_at)`)} from session where user_id = u.id and expires_at > now()) as seen
    from "user" u left join login on login.user_id = u.id where id = ${id} and not ${erasedAccount()}`;

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
  const rows = await query<UserPage['payments'][number] & Record<'cents' | 'backCents', number>>(
    db,
  )`
    select id as _id, item_name, receipt_number, amount_cents + credit_cents + swap_cents as cents, back_cents, status, ${instant(sql`date`)} as date
    from payment where student_id = ${id} order by payment.date desc, id limit ${newest}`;
  return rows.map(({ cents, backCents, ...row }) =>
    Object.assign(row, {
      price: dollars(cents),
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
