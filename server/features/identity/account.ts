// One's own account as a whole: how one signs in, everything that is held about one, and leaving
// for good.
// NOT for: name, password and the second step (routes.ts, secondfactor.ts), nor for other people's
// accounts (users.ts).
import {
  type AccountExport,
  deleteAccount,
  exportAccount,
  getAccount,
} from '../../../contract/account.ts';
import { facts } from '../../../contract/classes.ts';
import { deletedDomain } from '../../../contract/rules.ts';
import type { Config } from '../../config.ts';
import { type Database, sql, type Db } from '../../db/connection.ts';
import type { Jobs } from '../../db/jobs.ts';
import { fail } from '../../http/fail.ts';
import type { Caller, On } from '../../http/on.ts';
import { freeMeetings, lockPlan } from '../classes/meetings.ts';
import { audit } from '../audit.ts';
import { isConfirmed, isShown, passwordOf } from './confirmation.ts';
import { createGuesses } from './guesses.ts';
import type { GiveUp } from '../checkout/seats/release.ts';
import { verifyPassword } from './passwords.ts';

interface Deps extends Pick<Database, 'db' | 'transaction'> {
  on: On;
  database: Database;
  jobs: Pick<Jobs, 'send' | 'dropMail'>;
  giveUp: GiveUp;
  config: Pick<Config, 'secret' | 'rateLimit' | 'requireAdminTotp'>;
}

/**
 * Placeholder name and email for deleted accounts. Sign-up refuses the domain.
 */
const placeholder = (id: string) => ({
  name: 'Deleted user',
  email: `deleted-${id}${deletedDomain}`,
});

export function account({ on, db, transaction, database, jobs, giveUp, config }: Deps): void {
  const guesses = createGuesses(database, { secret: config.secret, enabled: config.rateLimit });

  on(getAccount, async (_input, { who }) => {
    const { rows } = await sql<{
      password: boolean;
      google: boolean;
      twoFactor: boolean;
      confirmed: boolean;
      admin: boolean;
      enrolments: number;
    }>`
      select
        exists (select from account where user_id = u.id and provider_id = 'credential' and password is not null) as password,
        exists (select from account where user_id = u.id and provider_id = 'google') as google,
        coalesce(u.two_factor_enabled, false) as two_factor, u.email_verified as confirmed, u.role = 'admin' as admin,
        (select count(*)::int from enrolment where student_id = u.id and state = 'active') as enrolments
      from "user" u where u.id = ${who.id}`.execute(db);
    const [found] = rows;
    if (!found) fail('UNAUTHENTICATED');
    const sessions = await db
      .selectFrom('session')
      .select(['id', 'createdAt', 'seenAt', 'userAgent'])
      .where('userId', '=', who.id)
      .where('expiresAt', '>', sql<Date>`now()`)
      .orderBy('seenAt', 'desc')
      .limit(100)
      .execute();
    return {
      ...found,
      ...(found.confirmed ? {} : { unconfirmed: true as const }),
      adminWaits: config.requireAdminTotp && found.admin && !found.twoFactor,
      sessions: sessions.map((one) => ({
        _id: one.id,
        current: one.id === who.sessionId,
        since: one.createdAt.toISOString(),
        seen: one.seenAt.toISOString(),
        browser: one.userAgent ?? '',
      })),
    };
  });

  on(exportAccount, (_input, { who }) => gather(db, who));

  on(deleteAccount, async (confirmation, { who, request }) => {
    // A stranger who signed up with an address must not end the links in its owner's mailbox.
    if (!(await isConfirmed(db, who.id))) fail('EMAIL_NOT_CONFIRMED');
    const guess = await guesses.charge({
      purpose: 'change',
      who: who.id,
      address: request.ip,
      device: undefined,
    });
    const hash = await confirm(db, who, confirmation);
    await guess.succeeded();
    await refuseWhileNeeded(db, who);
    await giveUpSeats(db, who, giveUp);
    await transaction(async (db) => {
      await erase(db, { who, hash }, jobs);
      await guesses.forget(db, who);
    });
    return { deletedCount: 1 };
  });
}

/**
 * The password or, where there is none, the address typed once more: a session left open must not
 * be enough. Answers the hash that the password was right for.
 */
async function confirm(
  db: Db,
  who: Caller,
  given: { password?: string | undefined; email?: string | undefined },
): Promise<string | null> {
  const hash = await passwordOf(db, who.id);
  if (hash === null) {
    if (given.email !== who.email) fail('EMAIL_MISMATCH', { field: 'email' });
    return null;
  }
  const right = await verifyPassword({ hash, password: given.password ?? '' });
  if (!right) fail('WRONG_PASSWORD', { field: 'password' });
  return hash;
}

/** Asked once before anything is given up, and again under the locks. */
async function refuseWhileNeeded(db: Db, who: Caller): Promise<void> {
  const { rows } = await sql<{ needed: number; lastAdmin: boolean }>`
    select (select count(*)::int from class where instructor_id = ${who.id}
        and exists (select from enrolment where class_id = class.id and state = 'active')) as needed,
      u.role = 'admin' and not exists (select from "user" o where o.role = 'admin' and o.id <> u.id) as last_admin
    from "user" u where u.id = ${who.id}`.execute(db);
  if (rows[0]?.lastAdmin) fail('LAST_ADMIN');
  const needed = rows[0]?.needed ?? 0;
  if (needed > 0) {
    const which = needed === 1 ? 'it' : 'them';
    fail('TEACHES_STUDENTS', {
      message: `Students are enrolled in ${needed} of your classes. Please ask an admin to hand ${which} over to another instructor first.`,
    });
  }
}

/**
 * Seats that are being paid for go back first; a person who has paid at this moment shall see what
 * they bought before they leave.
 */
async function giveUpSeats(db: Db, who: Caller, giveUp: GiveUp): Promise<void> {
  const live = await db
    .selectFrom('hold')
    .select('id')
    .where('studentId', '=', who.id)
    .where('state', 'in', ['held', 'releasing'])
    .execute();
  for (const { id } of live) {
    const outcome = await giveUp({ id }, 'account deleted');
    if (outcome === 'paid') fail('ALREADY_PAID');
    if (outcome === 'processing') fail('PAYMENT_IN_PROGRESS', {}, 5);
    if (outcome === 'silent') fail('PROVIDER_DOWN', {}, 5);
  }
}

/**
 * Locks as a sale does, holds before classes before users: a payment that is being recorded is
 * waited for, and its row then pseudonymised with the others. What stays is the legal record: which
 * amount, when, by which transaction.
 */
async function erase(
  db: Db,
  { who, hash }: { who: Caller; hash: string | null },
  jobs: Deps['jobs'],
): Promise<void> {
  await lockPlan(db);
  const holds = await db
    .selectFrom('hold')
    .select('state')
    .where('studentId', '=', who.id)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (holds.some(({ state }) => state === 'held' || state === 'releasing'))
    fail('PAYMENT_IN_PROGRESS', {}, 5);
  await db
    .selectFrom('class')
    .select('id')
    .where('instructorId', '=', who.id)
    .orderBy('id')
    .forUpdate()
    .execute();
  // In the same order as users.ts: of two last admins who leave at the same moment, one stays.
  const people = db.selectFrom('user').select('id').orderBy('id').forUpdate();
  await people
    .where((where) => where.or([where('role', '=', 'admin'), where('id', '=', who.id)]))
    .execute();
  // The owner of the address may have taken the account over since the proof was checked.
  if (!(await isShown(db, who.id, who))) fail('UNAUTHENTICATED');
  if ((await passwordOf(db, who.id)) !== hash) fail('WRONG_PASSWORD', { field: 'password' });
  await refuseWhileNeeded(db, who);

  await closeClasses(db, who, jobs);
  for (const table of ['session', 'account', 'twoFactor', 'feed'] as const)
    await db.deleteFrom(table).where('userId', '=', who.id).execute();
  await db.deleteFrom('cartItem').where('studentId', '=', who.id).execute();
  await db.deleteFrom('verification').where('value', 'like', `%${who.id}%`).execute();
  await db.deleteFrom('mailbox').where('recipient', '=', who.email).execute();
  await jobs.dropMail(db, who.email);
  const { name, email } = placeholder(who.id);
  await db
    .updateTable('payment')
    .set({ email, customer: name })
    .where('studentId', '=', who.id)
    .execute();
  await db
    .updateTable('user')
    .set({
      name,
      email,
      image: null,
      role: 'student',
      emailVerified: false,
      twoFactorEnabled: false,
    })
    .set({ registeredAt: sql`coalesce(registered_at, now())`, updatedAt: sql`now()` })
    .where('id', '=', who.id)
    .execute();
  await audit(db, { actorId: who.id, action: 'account deleted', subject: who.id });
}

async function closeClasses(db: Db, who: Caller, jobs: Deps['jobs']): Promise<void> {
  const open = await db
    .selectFrom('class')
    .select(['id', 'name'])
    .where('instructorId', '=', who.id)
    .where('status', '<>', 'denied')
    .orderBy('id')
    .execute();
  // One by one: the sums of seats are changed in the order of the ids, as docs/locking.md wants.
  for (const { id, name } of open) {
    await db
      .updateTable('class')
      .set({ status: 'denied', updatedAt: sql`now()` })
      .where('id', '=', id)
      .execute();
    await audit(db, {
      actorId: who.id,
      action: 'class closed, its instructor left',
      subject: id,
      detail: name,
    });
    await jobs.send(db, 'class-denied', { classId: id });
  }
  await freeMeetings(
    db,
    open.map(({ id }) => id),
  );
}

async function gather(db: Db, who: Caller): Promise<AccountExport> {
  const of = async (query: ReturnType<typeof sql>) => (await query.execute(db)).rows;
  const user = await db
    .selectFrom('user')
    .select([
      'id',
      'name',
      'email',
      'emailVerified',
      'image',
      'role',
      'createdAt',
      'updatedAt',
      'registeredAt',
    ])
    .select(sql<boolean>`coalesce(two_factor_enabled, false)`.as('twoFactor'))
    .where('id', '=', who.id)
    .executeTakeFirst();
  const found = {
    exportedAt: new Date(),
    profile: user ?? fail('UNAUTHENTICATED'),
    signIns: await of(
      sql`select provider_id as provider, account_id, created_at from account where user_id = ${who.id}`,
    ),
    sessions: await of(
      sql`select id, ip_address, user_agent, created_at, seen_at, expires_at from session where user_id = ${who.id}`,
    ),
    cart: await of(sql`
      select item.class_id, class.name, ${inDollars('item.seen_price_cents')} as seen_price, item.created_at
      from cart_item item join class on class.id = item.class_id where item.student_id = ${who.id} order by item.created_at`),
    holds: await of(sql`
      select id, class_id, state, ${inDollars('amount_cents')} as price, intent_id as transaction_id, created_at, expires_at
      from hold where student_id = ${who.id} order by created_at`),
    payments: await of(sql`
      select id, intent_id as transaction_id, email, customer, class_id, item_name, receipt_number, ${inDollars('amount_cents')} as price, currency, status, date, refunded_at
      from payment where student_id = ${who.id} order by date`),
    enrolments: await of(sql`
      select id, class_id, payment_id, state, created_at, ended_at from enrolment where student_id = ${who.id} order by created_at`),
    refunds: await of(sql`
      select refund.id, refund.payment_id, ${inDollars('refund.amount_cents')} as price, refund.reason, refund.state, refund.created_at, refund.ended_at
      from refund join payment on payment.id = refund.payment_id where payment.student_id = ${who.id} order by refund.created_at`),
    classes: await of(sql`
      select id, ${sql.join(facts.map((fact) => sql.ref(fact)))}, feedback, ${inDollars('price_cents')} as price, capacity, sold, status, created_at, updated_at
      from class where instructor_id = ${who.id} order by created_at`),
    audit: await of(sql`
      select at, coalesce(actor_id = ${who.id}, false) as by_you, action, subject, detail
      from audit where actor_id = ${who.id} or subject = ${who.id} order by id`),
    letters: await of(
      sql`select subject, sent_at from mailbox where recipient = ${who.email} order by id`,
    ),
  };
  return asText(found) as AccountExport;
}

const inDollars = (cents: string) => sql`(${sql.ref(cents)} / 100.0)::float8`;

/** Dates as they travel. What a row has too much is left behind by the response's own rules. */
const asText = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
