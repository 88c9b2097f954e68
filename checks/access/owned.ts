// The callers of the access matrix, and rows that belong to them. Used by matrix.ts.
import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import { addDays } from '../../contract/platform/days.ts';
import { createTokens } from '../../server/signin/tokens.ts';
import { testApp } from '../../server/testing/app.ts';
import { aDeadJob } from '../../server/testing/jobs.ts';
import { aCoupon } from '../../server/testing/discounts.ts';
import {
  aClass,
  anAdmin,
  anInstructor,
  aSession,
  aStaffInvitation,
  aUser,
  type TestUser,
} from '../../server/testing/factories.ts';
import { aChild, aMeetingRow } from '../../server/testing/family.ts';
import { aClosure, aMeeting, aPlace } from '../../server/testing/meetings.ts';
import { aHoldRow, anEnrolmentRow, aPaymentRow } from '../../server/testing/rows.ts';

export const app = await testApp();

export const people = {
  student: await aUser(app),
  'other student': await aUser(app),
  instructor: await anInstructor(app),
  'other instructor': await anInstructor(app),
  admin: await anAdmin(app),
};
export type Person = keyof typeof people;
export const persons = Object.keys(people) as Person[];
export const neighbour: Record<Person, Person> = {
  student: 'other student',
  'other student': 'student',
  instructor: 'other instructor',
  'other instructor': 'instructor',
  admin: 'student',
};

const ended = await aUser(app);
await app.db.deleteFrom('session').where('id', '=', ended.sessionId).execute();
const { id: userId, sessionId } = people.student;
export const strangers = {
  'no token': undefined,
  'expired token': await expiredToken(people.student),
  'token of an ended session': ended.token,
  'forged token': await createTokens({
    ...app.config,
    secret: 'another secret of thirty-two letters or more',
  }).sign({
    userId,
    sessionId,
  }),
};

/** Signed with our own key an hour ago, so that only its age is wrong. */
async function expiredToken({ id, sessionId }: TestUser): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  try {
    return await createTokens(app.config).sign({ userId: id, sessionId });
  } finally {
    vi.useRealTimers();
  }
}

export const classOf = async (person: Person) =>
  (await aClass(app, { instructor: people[person], status: 'pending' })).id;
export const approvedClass = async () => (await aClass(app)).id;
export const someUser = async () => (await aUser(app)).id;
export async function someUnproven(): Promise<string> {
  const id = await someUser();
  await app.db.updateTable('user').set({ provenAt: null }).where('id', '=', id).execute();
  return id;
}

export const someInvitation = async () =>
  (await aStaffInvitation(app, { invitedBy: people.admin.id })).id;

export async function cartItemOf(person: Person): Promise<string> {
  const values = {
    studentId: people[person].id,
    participantId: people[person].id,
    classId: await approvedClass(),
    seenPriceCents: 1_999,
  };
  return (
    await app.db.insertInto('cartItem').values(values).returning('id').executeTakeFirstOrThrow()
  ).id;
}

export const releaseAll = (person: Person) =>
  app.db
    .updateTable('hold')
    .set({ state: 'released', basketId: null })
    .where('studentId', '=', people[person].id)
    .where('state', '=', 'held')
    .execute();

export async function holdOf(
  person: Person,
  state: 'consumed' | 'held' = 'consumed',
): Promise<string> {
  await releaseAll(person);
  const studentId = people[person].id;
  return (await aHoldRow(app, { studentId, classId: await approvedClass(), state })).id;
}

/** Its coupon took everything off. */
export async function freeBasketOf(person: Person): Promise<string> {
  const id = await holdOf(person, 'held');
  await app.db.updateTable('basket').set({ totalCents: 0 }).where('id', '=', id).execute();
  await app.db.updateTable('hold').set({ discountCents: 1_999 }).where('id', '=', id).execute();
  await app.pool.query(
    'update class set held = 1 where id = (select class_id from hold where id = $1)',
    [id],
  );
  return id;
}

export async function paymentOf(person: Person, status = 'succeeded'): Promise<string> {
  await releaseAll(person);
  const studentId = people[person].id;
  return (await aPaymentRow(app, { studentId, classId: await approvedClass(), status })).id;
}

/** Of a class whose dates were changed a moment ago. */
export async function enrolmentOf(person: Person): Promise<string> {
  await releaseAll(person);
  const klass = await aClass(app);
  const paid = await aPaymentRow(app, { studentId: people[person].id, classId: klass.id });
  const { id } = await anEnrolmentRow(app, paid);
  await aMeetingRow(app, klass);
  return id;
}

export async function failedRefundOf(person: Person): Promise<string> {
  const paymentId = await paymentOf(person, 'refund_failed');
  const { id: lineId } = await app.db
    .selectFrom('paymentLine')
    .select('id')
    .where('paymentId', '=', paymentId)
    .executeTakeFirstOrThrow();
  const values = { paymentId, lineId, amountCents: 1_999, reason: 'x', state: 'failed' };
  await app.db.insertInto('refund').values(values).execute();
  return paymentId;
}

export async function stray(): Promise<string> {
  const values = {
    intentId: `pi_${crypto.randomUUID().replaceAll('-', '')}`,
    amountCents: 1,
    currency: 'usd',
    reason: 'x',
  };
  return (
    await app.db
      .insertInto('quarantine')
      .values(values)
      .returning('intentId')
      .executeTakeFirstOrThrow()
  ).intentId;
}

export async function failedEvent(): Promise<string> {
  const eventId = `evt_${crypto.randomUUID().replaceAll('-', '')}`;
  const values = { eventId, type: 'charge.refunded', objectId: 'pi_unknown', state: 'failed' };
  await app.db.insertInto('stripeEvent').values(values).execute();
  return eventId;
}

export const deadJob = () => aDeadJob(app);

export async function transactionOf(person: Person): Promise<string> {
  const id = await paymentOf(person);
  const { intentId } = await app.db
    .selectFrom('payment')
    .select('intentId')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return intentId ?? '';
}

export const someMeeting = {
  day: addDays(new Date().toJSON().slice(0, 10), 30),
  starts: '16:00',
  minutes: 60,
};
export const somePlace = async () => (await aPlace(app)).id;
export const someDiscount = async () => (await aCoupon(app)).id;
export const someClosure = async () => (await aClosure(app)).id;

export const aWeek = { from: '2027-01-04', to: '2027-01-10' };

export async function plannedClass(): Promise<string> {
  const planned = await aClass(app);
  await aMeeting(app, planned);
  return planned.id;
}

/** Cancelled, because an instructor cannot be at two meetings at once. */
export async function meetingOf(person: Person): Promise<string> {
  const klass = await aClass(app, { instructor: people[person] });
  return (await aMeetingRow(app, klass, { state: 'cancelled' })).id;
}
export const aGuestAt = (meetingId: string) => ({
  _id: crypto.randomUUID(),
  meetingId,
  guest: 'Tom',
  status: 'present',
  at: new Date().toJSON(),
});

export const childOf = async (person: Person) => (await aChild(app, [people[person]])).id;

/** With a second guardian, so that the person may leave. */
export const sharedChildOf = async (person: Person) =>
  (await aChild(app, [people[person], await aUser(app)])).id;

/** The secret of an invitation to the person. */
export async function invitationOf(person: Person): Promise<string> {
  const secret = crypto.randomUUID();
  const sender = await aUser(app);
  // The people of the matrix have more children than an account may gain.
  await app.db
    .updateTable('guardian')
    .set({ userId: sender.id })
    .where('userId', '=', people[person].id)
    .where('participantId', '<>', people[person].id)
    .execute();
  await app.db
    .insertInto('invitation')
    .values({
      participantId: (await aChild(app, [sender])).id,
      email: people[person].email,
      invitedBy: sender.id,
      secretHash: createHash('sha256').update(secret).digest(),
    })
    .execute();
  return secret;
}

async function newFeed(person: Person) {
  const secret = crypto.randomUUID();
  const { id } = await app.db
    .insertInto('feed')
    .values({
      userId: people[person].id,
      participantId: await childOf(person),
      secretHash: createHash('sha256').update(secret).digest(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, secret };
}
export const otherSessionOf = async (person: Person) =>
  (await aSession(app, people[person].id)).sessionId;
export const feedOf = async (person: Person) => (await newFeed(person)).id;
export const feedSecretOf = async (person: Person) => (await newFeed(person)).secret;
