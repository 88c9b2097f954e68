// Everything that is held about somebody, for their export. No token, no hash, no secret.
import type { AccountExport } from '../../contract/signin/export.ts';
import { facts } from '../../contract/classes/classes.ts';
import { type Db, queryOne, sql } from '../platform/db/connection.ts';
import { fail } from '../platform/http/fail.ts';
import type { Caller } from '../platform/http/on.ts';
import { firstClass } from '../checkout/payments/rows.ts';
import type { OpenCare } from '../people/care.ts';
import { isGuardian, participantsOf } from '../people/participants.ts';

const inDollars = (cents: string) => sql`(${sql.ref(cents)} / 100.0)::float8`;

const isProven = (who: Caller) =>
  sql`exists (select from "user" where id = ${who.id} and proven_at is not null)`;

/** Of the audit log: those that the account wrote, and those about the people it looks after. */
const mostLines = 10_000;
const line = sql.raw('audit.id, at, actor_id, action, subject, detail');

/**
 * The rows of each feature, by their name in the export. A feature that keeps something about people
 * adds its query here, and its function to `erases` (leaving.ts).
 */
const gathers: Record<
  Exclude<keyof AccountExport, 'exportedAt' | 'profile' | 'care'>,
  (who: Caller) => ReturnType<typeof sql>
> = {
  participants: (who) => participantsOf(who.id),
  guardians: (who) => sql`
      select guardian.participant_id, "user".name, guardian.user_id = ${who.id} as you, guardian.since
      from guardian mine join participant on participant.id = mine.participant_id and participant.self_of is null
        join guardian on guardian.participant_id = mine.participant_id join "user" on "user".id = guardian.user_id
      where mine.user_id = ${who.id} order by guardian.participant_id, guardian.since, guardian.user_id`,
  // Whether an address is invited, and what was mailed to it, is told only to the one who has proven
  // that it is theirs.
  invitations: (who) => sql`
      select participant_id, email, invited_by = ${who.id} as by_you, expires_at from invitation
      where invited_by = ${who.id} or (email = ${who.email} and ${isProven(who)}) order by expires_at, participant_id`,
  staffInvitations: (who) => sql`
      select email, role, coalesce(invited_by = ${who.id}, false) as by_you, created_at, expires_at from staff_invitation
      where invited_by = ${who.id} or (email = ${who.email} and ${isProven(who)}) order by created_at, email`,
  signIns: (who) =>
    sql`select password_hash is not null as password, google_sub, totp_on_at from login where user_id = ${who.id}`,
  sessions: (who) =>
    sql`select id, network, browser, made_at, seen_at, expires_at from session where user_id = ${who.id}`,
  cart: (who) => sql`
      select item.class_id, item.participant_id, class.name, ${inDollars('item.seen_price_cents')} as seen_price, item.created_at
      from cart_item item join class on class.id = item.class_id where item.student_id = ${who.id} order by item.created_at`,
  holds: (who) => sql`
      select hold.id, class_id, participant_id, hold.state, ${inDollars('list_cents')} as price, intent_id as transaction_id, hold.created_at, expires_at
      from hold left join basket on basket.id = hold.basket_id where hold.student_id = ${who.id} order by hold.created_at`,
  waits: (who) => sql`
      select wish.class_id, waiter.participant_id, coalesce(wish.ended, wish.state) as state, wait.joined_at, wish.ended_at
      from waiter join wish on wish.wait_id = waiter.wait_id and wish.class_id = waiter.class_id
        join wait on wait.id = wish.wait_id
      where wait.student_id = ${who.id} or ${isGuardian(who.id, sql`waiter.participant_id`)} order by wait.joined_at, wish.class_id`,
  coupons: (who) => sql`
      select discount.code, discount.name, used_at, coupon_use.ended_at
      from coupon_use join discount on discount.id = coupon_use.discount_id
      where coupon_use.student_id = ${who.id} order by used_at`,
  payments: (who) => sql`
      select id, intent_id as transaction_id, email, customer, ${firstClass} as class_id, item_name, receipt_number, (amount_cents + credit_cents + swap_cents) / 100.0::float8 as price, currency, status, date, refunded_at
      from payment where student_id = ${who.id} order by date`,
  // The name of a child whom the payer no longer looks after stays in the books, not in the export.
  paymentLines: (who) => sql`
      select id, payment_id, class_id, participant_id, item_name,
        case when ${isGuardian(who.id, sql`payment_line.participant_id`)} then participant else '' end as participant,
        ${inDollars('list_cents')} as price, ${inDollars('discount_cents')} as discount, ${inDollars('back_cents')} as refunded, outcome
      from payment_line where student_id = ${who.id} order by payment_id, place`,
  enrolments: (who) => sql`
      select id, class_id, participant_id, case when student_id = ${who.id} then payment_id end as payment_id,
        state, created_at, ended_at,
        case when ${isGuardian(who.id, sql`enrolment.participant_id`)} then asked_at end as objected_at,
        case when ${isGuardian(who.id, sql`enrolment.participant_id`)} then ask else '' end as objection
      from enrolment where student_id = ${who.id} or ${isGuardian(who.id, sql`enrolment.participant_id`)} order by created_at`,
  refunds: (who) => sql`
      select refund.id, refund.payment_id, refund.line_id, ${inDollars('refund.amount_cents')} as price, refund.reason, refund.state, refund.created_at, refund.ended_at
      from refund join payment on payment.id = refund.payment_id where payment.student_id = ${who.id} order by refund.created_at`,
  credit: (who) => sql`
      select at, case when ledger.credit = 'credit' then cents else -cents end as cents, credit_after as after_cents, note
      from ledger where student_id = ${who.id} and credit_after is not null order by id`,
  classes: (who) => sql`
      select id, ${sql.join(facts.map((fact) => sql.ref(fact)))}, feedback, ${inDollars('price_cents')} as price, capacity, sold, status, created_at, updated_at
      from class where instructor_id = ${who.id} order by created_at`,
  // By index from the newest line on: the log grows for ever, and others write about a child, too.
  audit: (who) => sql`
      select at, coalesce(actor_id = ${who.id}, false) as by_you, action, subject, detail from (
        (select ${line} from audit where actor_id = ${who.id} order by id desc limit ${mostLines})
        union (select line.* from guardian cross join lateral (
          select ${line} from audit where subject = guardian.participant_id::text order by id desc limit ${mostLines}) line
          where guardian.user_id = ${who.id} order by line.id desc limit ${mostLines})) lines
      order by id`,
  marks: (who) => sql`
      select mark.id, mark.participant_id, meeting.class_id, meeting.day::text as day, mark.status, mark.note, mark.at
      from guardian join mark on mark.participant_id = guardian.participant_id join meeting on meeting.id = mark.meeting_id
      where guardian.user_id = ${who.id} order by mark.at, mark.id`,
  feeds: (who) =>
    sql`select id, participant_id, created_at, read_on::text as read_on from feed where user_id = ${who.id} order by created_at`,
  pictures: (who) => sql`
      select '/media/' || encode(sha256, 'hex') || '/' || width || '.webp' as url, kind, made_at as created_at
      from media where made_by = ${who.id} order by made_at`,
  announcements: (who) =>
    sql`select class_id, subject, words, at from announcement where author_id = ${who.id} order by at, id`,
  letters: (who) =>
    sql`select subject, sent_at from mailbox where recipient = ${who.email} and ${isProven(who)} order by id`,
};

export async function gather(db: Db, who: Caller, openCare: OpenCare): Promise<AccountExport> {
  const user = await queryOne<object>(db)`
    select id, name, email, proven_at, image, phone, about, role, teaches, created_at, updated_at,
      registered_at, mail_off, bounced_at from "user" where id = ${who.id}`;
  const found: Record<string, unknown> = {
    exportedAt: new Date(),
    profile: user ?? fail('UNAUTHENTICATED'),
  };
  for (const [name, rows] of Object.entries(gathers))
    found[name] = (await rows(who).execute(db)).rows;
  // Of oneself and of the children one looks after.
  const opened = await openCare(db, { guardianId: who.id });
  found['care'] = [...opened].map(([participantId, care]) =>
    Object.assign(care, { participantId }),
  );
  // Dates as they travel. What a row has too much is left behind by the response's own rules.
  return JSON.parse(JSON.stringify(found)) as AccountExport;
}
