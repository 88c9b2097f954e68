// A valid input for every call, with a user who may send it, which the fuzzer then damages. Made
// anew each time, because a cart item is removed once and a payment refunded once. Calls by cookie:
// fuzzcookies.ts.
import { createHash } from 'node:crypto';
import type { AnyCall } from '../../contract/platform/call.ts';
import { noCare } from '../../contract/people/care.ts';
import { addDays } from '../../contract/platform/days.ts';
import { makeFeed } from '../../contract/classes/feeds.ts';
import { dollars } from '../../contract/platform/rules.ts';
import { unique } from '../../server/testing/app.ts';
import { aClosure, aMeeting, aPlace } from '../../server/testing/meetings.ts';
import {
  aBoughtSeat,
  aHeldSeat,
  aPaidSeat,
  aShopper,
  type Shop,
} from '../../server/testing/checkout.ts';
import { aCode, aCoupon } from '../../server/testing/discounts.ts';
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
import { aDeadJob } from '../../server/testing/jobs.ts';
import { byCookie } from './fuzzcookies.ts';

export interface Right {
  who: TestUser | null;
  input: Record<string, unknown>;
  /** Cookies from an earlier call, instead of a session's. */
  cookie?: string;
}

export type Callers = Record<'student' | 'instructor' | 'admin', TestUser>;
type Recipe = (shop: Shop, callers: Callers) => Promise<Right>;

export const callersOf = async ({ app }: Shop): Promise<Callers> => ({
  student: await aUser(app),
  instructor: await anInstructor(app),
  admin: await anAdmin(app),
});

const by =
  (role: keyof Callers, input: (who: TestUser) => object = () => ({})): Recipe =>
  (_shop, callers) =>
    Promise.resolve({ who: callers[role], input: { ...input(callers[role]) } });

const onClass =
  (more: object = {}): Recipe =>
  async ({ app }, { admin }) => ({
    who: admin,
    input: { id: (await aClass(app, { status: 'pending' })).id, ...more },
  });

const onUser: Recipe = async ({ app }, { admin }) => ({
  who: admin,
  input: { id: (await aUser(app)).id },
});

/** A child of the caller and of another guardian. */
const onChild =
  (more: (child: { id: string }, who: TestUser) => object): Recipe =>
  async ({ app }) => {
    const who = await aUser(app);
    const child = await aChild(app, [who, await aUser(app)]);
    return { who, input: { ...more(child, who) } };
  };

/** An open invitation to the caller. */
const invited: Recipe = async ({ app }) => {
  const [who, sender, secret] = [await aUser(app), await aUser(app), crypto.randomUUID()];
  const { id: participantId } = await aChild(app, [sender]);
  const secretHash = createHash('sha256').update(secret).digest();
  const values = { secretHash, participantId, email: who.email, invitedBy: sender.id };
  await app.db.insertInto('invitation').values(values).execute();
  return { who, input: { secret } };
};

const aWeek = { from: '2027-01-04', to: '2027-01-10' };
const email = ({ email }: TestUser) => ({ email });
const someMeeting = {
  day: addDays(new Date().toJSON().slice(0, 10), 30),
  starts: '16:00',
  minutes: 60,
};
const newClass = { name: 'Soccer', img: 'https://example.com/a.png', price: 19.99, seat: 5 };

const recipes: Record<string, Recipe> = {
  'POST /jwt': by('student', email),
  'POST /users': by('student', ({ name, email }) => ({ name, email })),
  'GET /settings': by('student'),
  'GET /academy': by('admin'),
  'PATCH /academy': async ({ app }, { admin }) => {
    const { version } = await app.db
      .selectFrom('academy')
      .select('version')
      .executeTakeFirstOrThrow();
    return { who: admin, input: { version, tagline: unique('Play'), city: 'Lisbon' } };
  },
  'POST /academy/preview': by('admin', () => ({ text: '# Terms' })),
  'GET /steps': by('admin'),
  'PATCH /steps': by('admin', () => ({ hidden: true })),
  'POST /steps/mail': by('admin'),
  'GET /home': by('student'),
  'GET /pages/:name': async ({ app }, { student }) => {
    await app.db.updateTable('academy').set({ terms: '# Terms' }).execute();
    return { who: student, input: { name: 'terms' } };
  },
  'GET /allusers': by('admin'),
  'GET /allusers.csv': by('admin'),
  'GET /audit': by('admin', () => ({ actor: 'system', what: 'roles', ...aWeek })),
  'GET /audit.csv': by('admin'),
  'GET /users/:id': onUser,
  'PATCH /users/student/:id': onUser,
  'PATCH /users/address/:id': async ({ app }, { admin }) => {
    const { id } = await aUser(app);
    await app.db.updateTable('user').set({ provenAt: null }).where('id', '=', id).execute();
    return { who: admin, input: { id, email: `${unique('right')}@example.com` } };
  },
  'PATCH /users/block/:id': onUser,
  'PATCH /users/unblock/:id': onUser,
  'DELETE /account/sessions/:id': async ({ app }, { student }) => ({
    who: student,
    input: { id: (await aSession(app, student.id)).sessionId },
  }),
  'GET /invitations': by('admin'),
  'POST /invitations': by('admin', () => ({
    email: `${unique('coach')}@example.com`,
    role: 'instructor',
  })),
  'DELETE /invitations/:id': async ({ app }, { admin }) => ({
    who: admin,
    input: { id: (await aStaffInvitation(app, { invitedBy: admin.id })).id },
  }),
  'PATCH /users/admin/:id': onUser,
  'PATCH /users/instructor/:id': onUser,
  'GET /users/admin/:email': by('student', email),
  'GET /users/instructor/:email': by('student', email),
  'GET /classes': by('student'),
  'GET /classes/plans': by('student'),
  'GET /classes.csv': by('admin'),
  'GET /allpayments.csv': by('admin', () => aWeek),
  'GET /allpayments/sum': by('admin', () => ({ ...aWeek, status: 'succeeded' })),
  'POST /attention/event/:id/again': async ({ app }, { admin }) => {
    const eventId = unique('evt').replaceAll('-', '_');
    const values = { eventId, type: 'charge.refunded', objectId: 'pi_1', state: 'failed' };
    await app.db.insertInto('stripeEvent').values(values).execute();
    return { who: admin, input: { id: eventId } };
  },
  'POST /attention/job/:id/again': async ({ app }, { admin }) => ({
    who: admin,
    input: { id: await aDeadJob(app) },
  }),
  'GET /classes/:id': onClass(),
  'GET /classes/instructor': by('instructor', email),
  'POST /classes': by('instructor', () => newClass),
  'PATCH /classes/:id': onClass({ price: 30, seat: '20' }),
  'PATCH /classes/approve/:id': onClass(),
  'PATCH /classes/deny/:id': onClass(),
  'PATCH /classes/refuse/:id': onClass({ reason: 'No' }),
  'PATCH /classes/over/:id': onClass(),
  'PATCH /classes/feedback/:id': onClass({ feedback: 'Well done' }),
  'PATCH /classes/handover/:id': async ({ app }, { admin, instructor }) => ({
    who: admin,
    input: { id: (await aClass(app)).id, to: instructor.id },
  }),
  'POST /classes/dates/:id': onClass({ version: 0, meetings: [someMeeting] }),
  'POST /meetings/check': by('instructor', () => ({ seat: 10, meetings: [someMeeting] })),
  'PATCH /account/teaches': by('admin', () => ({ teaches: true })),
  'PATCH /account/mails': by('student', () => ({ reminders: false, digests: true })),
  'POST /announcements/families': async ({ app }, { instructor }) => ({
    who: instructor,
    input: { classIds: [(await aClass(app, { instructor })).id] },
  }),
  'POST /announcements': async ({ app }, { instructor }) => ({
    who: instructor,
    input: {
      classIds: [(await aClass(app, { instructor })).id],
      subject: 'Rain',
      words: 'We play in the hall.',
    },
  }),
  'GET /announcements': by('student'),
  'GET /places': by('student'),
  'POST /places': by('admin', () => ({ name: unique('Court'), address: '', capacity: 20 })),
  'PATCH /places/:id': async ({ app }, { admin }) => ({
    who: admin,
    input: { id: (await aPlace(app)).id, capacity: 30, closed: true },
  }),
  'GET /closures': by('student'),
  'POST /closures': by('admin', () => ({
    name: 'Carnival',
    firstDay: '2027-02-08',
    lastDay: '2027-02-10',
  })),
  'DELETE /closures/:id': async ({ app }, { admin }) => ({
    who: admin,
    input: { id: (await aClosure(app)).id },
  }),
  'GET /discounts': by('admin'),
  'POST /discounts': by('admin', () => ({
    kind: 'coupon',
    name: 'Welcome',
    code: aCode(),
    percent: 10,
    usesMost: 5,
  })),
  'PATCH /discounts/:id': async ({ app }, { admin }) => ({
    who: admin,
    input: { id: (await aCoupon(app)).id, ended: true },
  }),
  'GET /instructors': by('student'),
  'GET /calendar': by('student', () => ({ ...aWeek, sport: 'Tennis', age: '7', level: 'all' })),
  'GET /calendar/next': by('student', () => ({ after: aWeek.from })),
  'GET /calendar/mine': by('student', ({ id }) => ({ ...aWeek, participant: id })),
  'GET /calendar/all': by('admin', () => aWeek),
  'GET /classes/calendar/:id': async ({ app }) => {
    const planned = await aClass(app);
    await aMeeting(app, planned);
    return { who: null, input: { id: planned.id } };
  },
  'GET /participants': by('student'),
  'POST /participants': by('student', () => ({ name: 'Mia', born: '2018-05-04', shareWith: [] })),
  'PATCH /participants/:id': onChild(({ id }) => ({ id, name: 'Leo', born: '2017-01-31' })),
  'DELETE /participants/:id': onChild(({ id }) => ({ id })),
  'POST /guardians/invite': onChild(({ id }) => ({
    email: 'aunt@example.com',
    participantIds: [id],
  })),
  'POST /guardians/invitation': invited,
  'POST /guardians/accept': invited,
  'POST /participants/guardians/:id': async ({ app }, { admin }) => ({
    who: admin,
    input: { id: (await aChild(app, [await aUser(app)])).id, email: admin.email },
  }),
  'DELETE /participants/:id/guardians/:who': onChild(({ id }, who) => ({ id, who: who.id })),
  'GET /participants/care/:id': by('student', ({ id }) => ({ id })),
  'PATCH /participants/care/:id': by('student', ({ id }) => ({
    id,
    ...noCare,
    contacts: [{ name: 'Eva', relation: 'Aunt', phone: '+351 912 345 678' }],
  })),
  'GET /feeds': by('student'),
  'POST /feeds': by('student', ({ id }) => ({ participantId: id })),
  'DELETE /feeds/:id': async ({ app }) => {
    const who = await aUser(app);
    const { body } = await app.send(makeFeed, {}, who.token);
    return { who, input: { id: body.insertedId } };
  },
  'GET /feeds/:secret/rally.ics': async ({ app }) => {
    const { body } = await app.send(makeFeed, {}, (await aUser(app)).token);
    return { who: null, input: { secret: body.url.split('/').at(-2) } };
  },
  'GET /bookeds': by('student', email),
  'POST /bookeds': async ({ app }) => ({
    who: await aUser(app),
    input: { itemId: (await aClass(app)).id },
  }),
  'DELETE /booked/:id': async ({ app }) => {
    const { who, item } = await aShopper(app);
    return { who, input: { id: item } };
  },
  'PATCH /cart/:id': async ({ app }) => {
    const { who, item } = await aShopper(app);
    return { who, input: { id: item, participantId: (await aChild(app, [who])).id } };
  },
  'POST /create-payment-intent': async ({ app }) => {
    const { who, klass } = await aShopper(app);
    return { who, input: { price: dollars(klass.priceCents), itemId: klass.id } };
  },
  'GET /checkout': async ({ app }) => {
    const { who, item } = await aShopper(app);
    return { who, input: { items: item } };
  },
  'POST /checkout': async ({ app }) => {
    const { who, klass, item } = await aShopper(app);
    return { who, input: { total: dollars(klass.priceCents), items: [item] } };
  },
  'POST /checkout/pay/:id': async (shop) => {
    const held = await aHeldSeat(shop);
    const { rows } = await shop.app.pool.query<{ id: string }>(
      `update basket set total_cents = 0, intent_id = null where intent_id = $1 returning id`,
      [held.intent],
    );
    return { who: held.who, input: { id: rows[0]?.id } };
  },
  'PATCH /holds/:id': async (shop) => {
    const { who, holdId } = await aHeldSeat(shop);
    return { who, input: { id: holdId } };
  },
  'POST /payments': async (shop) => {
    const { who, intent } = await aPaidSeat(shop);
    return { who, input: { transactionId: intent } };
  },
  'GET /payments': by('student', email),
  'GET /payments/:id': async (shop) => {
    const { who, paymentId } = await aBoughtSeat(shop);
    return { who, input: { id: paymentId } };
  },
  'GET /enrolments': by('student', email),
  'POST /enrolments/answer/:id': async (shop, { admin }) => {
    const { paymentId } = await aBoughtSeat(shop);
    const { id } = await shop.app.db
      .selectFrom('enrolment')
      .select('id')
      .where('paymentId', '=', paymentId)
      .executeTakeFirstOrThrow();
    return { who: admin, input: { id, words: 'Come on Thursdays' } };
  },
  'POST /enrolments/object/:id': async (shop) => {
    const { who, klass, paymentId } = await aBoughtSeat(shop);
    await aMeetingRow(shop.app, klass);
    const { id } = await shop.app.db
      .selectFrom('enrolment')
      .select('id')
      .where('paymentId', '=', paymentId)
      .executeTakeFirstOrThrow();
    return { who, input: { id, words: 'We have school then.' } };
  },
  'PATCH /enrolments/:id': async (shop) => {
    const { who, paymentId } = await aBoughtSeat(shop);
    const { id } = await shop.app.db
      .selectFrom('enrolment')
      .select('id')
      .where('paymentId', '=', paymentId)
      .executeTakeFirstOrThrow();
    return { who, input: { id, participantId: (await aChild(shop.app, [who])).id } };
  },
  'GET /allpayments': by('admin'),
  'POST /enrolments/override/:id': async (shop, { admin }) => {
    const { paymentId } = await aBoughtSeat(shop);
    const { id } = await shop.app.db
      .selectFrom('enrolment')
      .select('id')
      .where('paymentId', '=', paymentId)
      .executeTakeFirstOrThrow();
    return { who: admin, input: { id, card: 5, end: false, reason: 'Asked for it' } };
  },
  'POST /payments/refund/:id': async (shop, { admin }) => {
    const { paymentId } = await aBoughtSeat(shop);
    return { who: admin, input: { id: paymentId, reason: 'Asked for it' } };
  },
  'POST /payments/refund/:id/again': async (shop, { admin }) => {
    const { paymentId } = await aBoughtSeat(shop);
    await shop.app.db
      .updateTable('payment')
      .set({ status: 'refund_failed' })
      .where('id', '=', paymentId)
      .execute();
    const { id: lineId } = await shop.app.db
      .selectFrom('paymentLine')
      .select('id')
      .where('paymentId', '=', paymentId)
      .executeTakeFirstOrThrow();
    const asked = { reason: 'Asked for it', state: 'failed' };
    const refund = { paymentId, lineId, amountCents: 1_999, ...asked };
    await shop.app.db.insertInto('refund').values(refund).execute();
    return { who: admin, input: { id: paymentId } };
  },
  'GET /attention': by('admin'),
  'POST /attention/resolve/:id': async ({ app }, { admin }) => {
    const intentId = `pi_${crypto.randomUUID().replaceAll('-', '')}`;
    const stray = { intentId, amountCents: 1, currency: 'usd', reason: 'No student is known' };
    await app.db.insertInto('quarantine').values(stray).execute();
    return { who: admin, input: { id: intentId, reason: 'Paid back by hand' } };
  },
  'GET /classes/roster/:id': onClass({ care: 'true' }),
  'POST /classes/roster/:id': onClass({}),
  'POST /marks': async ({ app }, { admin }) => {
    const meeting = await aMeetingRow(app, await aClass(app), { inMinutes: -10 });
    const mark = { meetingId: meeting.id, guest: 'Tom', status: 'present', note: '' };
    const at = new Date().toJSON();
    return { who: admin, input: { marks: [{ _id: crypto.randomUUID(), ...mark, at }] } };
  },
  'GET /attendance': by('student', ({ id }) => ({ participant: id, ...aWeek, limit: '10' })),
  'GET /attendance/meetings': by('admin', () => ({ missing: 'true', ...aWeek, limit: '10' })),
  'GET /attendance.csv': by('admin', () => aWeek),
  'GET /account': by('student'),
  'PATCH /account': by('student', () => ({ phone: '+351 912 345 678', about: 'Plays' })),
  'GET /account/export': by('student'),
  'POST /account/delete': by('student', email),
  'POST /pictures': by('student', () => ({ kind: 'person' })),
  'GET /figures/admin': by('admin'),
  'GET /figures/student': by('student'),
  'GET /live/seats': by('student'),
};

export async function rightFor(call: AnyCall, shop: Shop, callers: Callers): Promise<Right> {
  const cookieRecipe = byCookie[call.id];
  if (cookieRecipe) return { who: null, ...(await cookieRecipe(shop.app)) };
  const recipe = recipes[call.id];
  if (!recipe) throw new Error(`${call.id} has no input here that is right`);
  return recipe(shop, callers);
}
