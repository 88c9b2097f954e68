// What the examples of the contract name by words ('class', 'my address'), made as rows for a user.
import { addDays } from '../../contract/platform/days.ts';
import { grant, post } from '../../server/checkout/ledger.ts';
import { hashOf } from '../../server/platform/db/hashed.ts';
import { type TestApp, unique } from '../../server/testing/app.ts';
import { aCode, aCoupon } from '../../server/testing/discounts.ts';
import {
  aClass,
  anInstructor,
  aSession,
  aStaffInvitation,
  aUser,
  type TestUser,
} from '../../server/testing/factories.ts';
import { aChild, aMeetingRow } from '../../server/testing/family.ts';
import { aDeadJob } from '../../server/testing/jobs.ts';
import { aClosure, aMeeting, aPlace } from '../../server/testing/meetings.ts';
import { aHoldRow, anEnrolmentRow, aPaymentRow } from '../../server/testing/rows.ts';

type Make = (app: TestApp, who: TestUser) => unknown;

const idOf = async (row: Promise<{ id: string }>) => (await row).id;
const randomId = (prefix: string) => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`;

/** One seat of a class is held at most by a user at once. */
const releaseAll = (app: TestApp, who: TestUser) =>
  app.pool.query(
    `update hold set state = 'released', basket_id = null where student_id = $1 and state = 'held'`,
    [who.id],
  );

async function cartItem(app: TestApp, who: TestUser) {
  await releaseAll(app, who);
  const classId = (await aClass(app)).id;
  const values = { studentId: who.id, participantId: who.id, classId, seenPriceCents: 1_999 };
  return idOf(
    app.db.insertInto('cartItem').values(values).returning('id').executeTakeFirstOrThrow(),
  );
}

async function hold(app: TestApp, who: TestUser): Promise<string> {
  await releaseAll(app, who);
  const classId = (await aClass(app)).id;
  return (await aHoldRow(app, { studentId: who.id, classId, state: 'held' })).id;
}

/** Its coupon took everything off. */
async function freeBasket(app: TestApp, who: TestUser): Promise<string> {
  const id = await hold(app, who);
  for (const change of [
    'update basket set total_cents = 0 where id = $1',
    'update hold set discount_cents = 1999 where id = $1',
    'update class set held = 1 where id = (select class_id from hold where id = $1)',
  ])
    await app.pool.query(change, [id]);
  return id;
}

async function payment(app: TestApp, who: TestUser, status = 'succeeded') {
  await releaseAll(app, who);
  return aPaymentRow(app, { studentId: who.id, classId: (await aClass(app)).id, status });
}

/** Of a class whose dates were changed a moment ago. */
async function enrolment(app: TestApp, who: TestUser): Promise<string> {
  await releaseAll(app, who);
  const klass = await aClass(app);
  const paid = await aPaymentRow(app, { studentId: who.id, classId: klass.id });
  const { id } = await anEnrolmentRow(app, paid);
  await app.pool.query('update class set sold = sold + 1 where id = $1', [klass.id]);
  await aMeetingRow(app, klass);
  return id;
}

async function failedRefund(app: TestApp, who: TestUser): Promise<string> {
  const { id: paymentId, lineId } = await payment(app, who, 'refund_failed');
  const values = { paymentId, lineId, amountCents: 1_999, reason: 'x', state: 'failed' };
  await app.db.insertInto('refund').values(values).execute();
  return paymentId;
}

async function refundToChoose(app: TestApp, who: TestUser): Promise<string> {
  const { id: paymentId, lineId } = await payment(app, who, 'refund_due');
  const choiceUntil = new Date(Date.now() + 3_600_000);
  const values = { paymentId, lineId, amountCents: 1_999, reason: 'x', choiceUntil };
  const row = { ...values, nextTry: choiceUntil };
  return idOf(app.db.insertInto('refund').values(row).returning('id').executeTakeFirstOrThrow());
}

async function fullClass(app: TestApp): Promise<string> {
  const { id } = await aClass(app, { capacity: 1 });
  await app.pool.query('update class set held = 1 where id = $1', [id]);
  return id;
}

async function wait(app: TestApp, who: TestUser): Promise<string> {
  const { rows } = await app.pool.query<{ id: string }>(
    `with w as (insert into wait (student_id, seats) values ($1, 1) returning id),
      v as (insert into wish (wait_id, class_id, state) select id, $2, 'passed' from w returning wait_id, class_id)
    insert into waiter (wait_id, class_id, participant_id) select wait_id, class_id, $1 from v returning wait_id as id`,
    [who.id, await fullClass(app)],
  );
  return rows[0]?.id ?? '';
}

/** The secret of an invitation to look after a child. */
async function invitation(app: TestApp, who: TestUser): Promise<string> {
  const secret = crypto.randomUUID();
  const sender = await aUser(app);
  // Some callers have more children than an account may gain.
  const pass = 'update guardian set user_id = $1 where user_id = $2 and participant_id <> $2';
  await app.pool.query(pass, [sender.id, who.id]);
  const { id: participantId } = await aChild(app, [sender]);
  const values = { participantId, email: who.email, invitedBy: sender.id };
  const invited = { ...values, secretHash: hashOf(secret) };
  await app.db.insertInto('invitation').values(invited).execute();
  return secret;
}

async function feed(app: TestApp, who: TestUser) {
  const secret = crypto.randomUUID();
  const { id: participantId } = await aChild(app, [who]);
  const { id } = await app.db
    .insertInto('feed')
    .values({ userId: who.id, participantId, secretHash: hashOf(secret) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, secret };
}

/** Things that belong to somebody. */
export const owned: Record<string, Make> = {
  'my address': (_app, { email }) => email,
  class: (app, instructor) => idOf(aClass(app, { instructor, status: 'pending' })),
  child: (app, who) => idOf(aChild(app, [who])),
  // With a second guardian, so that the first may leave.
  'shared child': async (app, who) => idOf(aChild(app, [who, await aUser(app)])),
  'cart item': cartItem,
  hold,
  'free basket': freeBasket,
  payment: (app, who) => idOf(payment(app, who)),
  intent: async (app, who) => (await payment(app, who)).intentId,
  'failed refund': failedRefund,
  'refund to choose': refundToChoose,
  enrolment,
  // Cancelled, because an instructor cannot be at two meetings at once.
  meeting: async (app, instructor) =>
    idOf(aMeetingRow(app, await aClass(app, { instructor }), { state: 'cancelled' })),
  invitation,
  wait,
  feed: (app, who) => idOf(feed(app, who)),
  'feed secret': async (app, who) => (await feed(app, who)).secret,
  session: async (app, who) => (await aSession(app, who.id)).sessionId,
};

/** Things of the academy: whoever may ask for one may ask for all. */
export const shared: Record<string, Make> = {
  user: (app) => idOf(aUser(app)),
  'unproven user': async (app) => {
    const { id } = await aUser(app);
    await app.pool.query('update "user" set proven_at = null where id = $1', [id]);
    return id;
  },
  'staff invitation': (app) => idOf(aStaffInvitation(app)),
  'class to review': (app) => idOf(aClass(app, { status: 'pending' })),
  'planned class': async (app) => {
    const planned = await aClass(app);
    await aMeeting(app, planned);
    return planned.id;
  },
  'class with a list': async (app) => {
    const { rows } = await app.pool.query<{ id: string }>(
      'select class_id as id from wish where wait_id = $1',
      [await wait(app, await aUser(app))],
    );
    return rows[0]?.id ?? '';
  },
  place: (app) => idOf(aPlace(app)),
  closure: (app) => idOf(aClosure(app)),
  discount: (app) => idOf(aCoupon(app)),
  'dead job': aDeadJob,
  'failed event': async (app) => {
    const eventId = randomId('evt');
    const values = { eventId, type: 'charge.refunded', objectId: 'pi_unknown', state: 'failed' };
    await app.db.insertInto('stripeEvent').values(values).execute();
    return eventId;
  },
  stray: async (app) => {
    const intentId = randomId('pi');
    const values = { intentId, amountCents: 1, currency: 'usd', reason: 'x' };
    await app.db.insertInto('quarantine').values(values).execute();
    return intentId;
  },
};

/** What goes with a thing. What is only mailed to a user is none that anybody knows. */
const values: Record<string, Make> = {
  me: (_app, { id }) => id,
  'my credit': async ({ db }, { id: studentId }) => {
    const given = { once: crypto.randomUUID(), actorId: null, note: 'x' };
    await post(db, grant(studentId, 100, given));
    return 100;
  },
  'class on sale': (app) => idOf(aClass(app)),
  'full class': fullClass,
  // Of the class that was made just before.
  'its wait': async ({ pool }) => {
    const last = 'select wait_id as id from wish order by position desc limit 1';
    return (await pool.query<{ id: string }>(last)).rows[0]?.id ?? '';
  },
  'another instructor': (app) => idOf(anInstructor(app)),
  'new id': () => crypto.randomUUID(),
  'new name': () => unique('new'),
  'new code': aCode,
  'new address': () => `${unique('new')}@example.com`,
  'in a month': () => addDays(new Date().toJSON().slice(0, 10), 30),
  now: () => new Date().toJSON(),
  version: async ({ db }) =>
    (await db.selectFrom('academy').select('version').executeTakeFirstOrThrow()).version,
  'written page': async ({ db }) => {
    await db.updateTable('academy').set({ about: '# Us' }).execute();
    return 'about';
  },
  ...Object.fromEntries(
    ['reset link', 'confirm link', 'new address link', 'staff secret', 'google state'].map(
      (word) => [word, () => 'unknown'],
    ),
  ),
  ...Object.fromEntries(
    ['sign-in code', 'first code', 'app code'].map((word) => [word, () => '123456']),
  ),
};

const all: Record<string, Make> = { ...owned, ...shared, ...values };
export const make = (word: string, app: TestApp, who: TestUser) => all[word]?.(app, who);

/** Every text in it, in order. */
const textsIn = (part: unknown): string[] =>
  typeof part === 'string'
    ? [part]
    : typeof part === 'object' && part
      ? Object.values(part).flatMap(textsIn)
      : [];

/** The first thing of an example: the one that the call is about. */
export const subjectOf = (example: object = {}) =>
  textsIn(example).find((text) => text in owned || text in shared);

/** The example with what its words stand for, made in its order. */
export async function filled(example: unknown, by: (word: string) => unknown): Promise<unknown> {
  if (typeof example === 'string') return example in all ? by(example) : example;
  if (typeof example !== 'object' || !example) return example;
  const parts: [string, unknown][] = [];
  for (const [name, part] of Object.entries(example)) parts.push([name, await filled(part, by)]);
  return Array.isArray(example) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}
