// A row for every call that says which input names which row and what is expected: all that the
// declaration of a call does not say. Used by access.test.ts, which fails when a row is missing.
import { noCare } from '../../contract/people/care.ts';
import { unique } from '../../server/testing/app.ts';
import { anInstructor } from '../../server/testing/factories.ts';
import {
  app,
  classOf,
  approvedClass,
  someInvitation,
  someUser,
  someUnproven,
  cartItemOf,
  releaseAll,
  freeBasketOf,
  holdOf,
  paymentOf,
  enrolmentOf,
  failedRefundOf,
  stray,
  failedEvent,
  deadJob,
  transactionOf,
  someMeeting,
  somePlace,
  someClosure,
  someDiscount,
  aWeek,
  childOf,
  meetingOf,
  aGuestAt,
  sharedChildOf,
  feedOf,
  feedSecretOf,
  otherSessionOf,
  plannedClass,
  people,
} from './owned.ts';
import {
  type Row,
  unknownId,
  emailOf,
  byEmail,
  byInvitation,
  thing,
  byId,
  foundByOwner,
  ownerGets,
  forOneself,
  ofAdminToo,
  foundByAll,
  openGet,
  plain,
} from './rowkinds.ts';

export { ask, bearer, type Headers, refusedBy } from './asking.ts';
export { app, people, type Person, persons, strangers } from './owned.ts';
export { type Row, whose, type Whose } from './rowkinds.ts';

const known = { email: people.student.email };
const newClass = { name: 'Soccer', img: 'https://example.com/a.png', price: 19.99, seat: 5 };

/** What the academy says about itself. */
const ofTheAcademy: Record<string, Row> = {
  'GET /academy': plain(),
  'PATCH /academy': plain({ version: 1 }),
  'POST /academy/preview': plain({ text: '# x' }),
  'GET /steps': plain(),
  'PATCH /steps': plain({}),
  'POST /steps/mail': plain(),
  'GET /home': plain(),
  'GET /pages/:name': {
    // Not written yet.
    input: (_person, of) => ({ name: of === 'malformed' ? 'x' : 'about' }),
    expected: (_person, of) => (of === 'malformed' ? 400 : 404),
  },
};

export const rows: Record<string, Row> = {
  ...ofTheAcademy,
  // Without the cookie of the identity provider these refuse all callers; with it:
  // server/signin/signin.test.ts.
  'POST /jwt': byEmail(),
  'POST /users': byEmail({ name: 'x' }),
  'GET /settings': plain(),
  // Their responses to a valid cookie, and that known and unknown addresses get the same:
  // server/signin.
  'POST /auth/sign-up/email': plain(
    {
      name: 'Ada',
      image: 'https://example.com/a.png',
      email: 'matrix@example.com',
      password: 'Tennis#2026',
    },
    200,
  ),
  'POST /auth/sign-in/email': {
    input: (person, of) => ({
      password: 'Wrong#2026',
      email: of === 'malformed' ? 1 : emailOf(person, of),
    }),
    expected: (_person, of) => (of === 'malformed' ? 400 : 401),
  },
  'POST /auth/sign-in/social': plain({ provider: 'google' }, 404),
  'GET /auth/callback/google': openGet(404),
  'POST /auth/sign-in/second-step': plain({ code: '123456' }, 400),
  'POST /auth/sign-out': plain({}, 200),
  'GET /auth/get-session': openGet(200),
  'POST /auth/request-password-reset': {
    input: (person, of) => ({ email: emailOf(person, of) }),
    expected: (_person, of) => (of === 'malformed' ? 400 : 200),
  },
  'POST /auth/reset-password': plain({ token: 'unknown', newPassword: 'Tennis#2026' }, 400),
  'POST /auth/verify-email': plain({ token: 'unknown' }, 400),
  'POST /auth/check-link': plain({ token: 'unknown', kind: 'confirm' }, 200),
  'POST /auth/update-user': plain({ name: 'Ada' }),
  'POST /auth/change-password': plain({ currentPassword: 'x', newPassword: 'Tennis#2026' }),
  'POST /auth/revoke-other-sessions': plain(),
  'POST /auth/send-verification-email': plain(),
  'POST /auth/two-factor/enable': plain({ password: 'x' }),
  'POST /auth/two-factor/verify': plain({ code: '123456' }),
  'POST /auth/two-factor/disable': plain({ password: 'x', code: '123456' }),
  'POST /auth/two-factor/backup-codes': plain({ password: 'x', code: '123456' }),
  'GET /allusers': plain(),
  'GET /allusers.csv': plain(),
  'GET /audit': plain(),
  'GET /audit.csv': plain(),
  'GET /users/:id': byId(someUser, foundByAll),
  'PATCH /users/student/:id': byId(someUser, foundByAll),
  'PATCH /users/block/:id': byId(someUser, foundByAll),
  'PATCH /users/unblock/:id': byId(someUser, foundByAll),
  'PATCH /users/address/:id': {
    input: async (person, of) => ({
      ...(await thing(someUnproven, person, of)),
      email: `${unique('right')}@example.com`,
    }),
    expected: foundByAll,
  },
  'GET /invitations': plain(),
  'POST /invitations': {
    input: (_person, of) =>
      of === 'own'
        ? { email: `${unique('coach')}@example.com`, role: 'instructor' }
        : of === 'malformed'
          ? { email: 'no email', role: 'instructor' }
          : null,
    expected: (_person, of) => (of === 'own' ? 201 : 400),
  },
  'DELETE /invitations/:id': byId(someInvitation, foundByAll),
  // With a right secret: server/signin/join.test.ts.
  'POST /auth/invitation': plain({ secret: 'unknown' }, 400),
  'POST /auth/accept-invitation': plain({ secret: 'unknown' }, 400),
  'POST /auth/change-email': plain({ email: 'new@example.com', password: 'x' }),
  'POST /auth/confirm-new-email': plain({ token: 'unknown' }),
  'PATCH /users/admin/:id': byId(someUser, foundByAll),
  'PATCH /users/instructor/:id': byId(someUser, foundByAll),
  'GET /users/admin/:email': byEmail({}, () => 200),
  'GET /users/instructor/:email': byEmail({}, () => 200),
  'GET /participants': plain(),
  'POST /participants': plain({ name: 'Mia', born: '2018-05-04' }, 201),
  'PATCH /participants/:id': byId(childOf, foundByOwner, { name: 'Leo' }),
  'DELETE /participants/:id': byId(childOf, foundByOwner),
  'POST /guardians/invite': {
    input: async (person, of) => ({
      email: 'aunt@example.com',
      participantIds: [(await thing(childOf, person, of)).id],
    }),
    expected: foundByOwner,
  },
  'POST /guardians/invitation': byInvitation,
  'POST /guardians/accept': byInvitation,
  'POST /participants/guardians/:id': byId(sharedChildOf, foundByAll, known),
  'DELETE /participants/:id/guardians/:who': {
    input: async (person, of) => ({
      ...(await thing(sharedChildOf, person, of)),
      who: people[person].id,
    }),
    expected: foundByOwner,
  },
  'GET /classes': plain({ status: 'approved' }),
  'GET /classes/plans': plain(),
  'GET /classes.csv': plain(),
  'GET /allpayments.csv': plain(),
  'GET /classes/:id': {
    ...byId(classOf, ofAdminToo),
    // The class is pending, so a visitor cannot see it.
    visitor: (of) => (of === 'malformed' ? 400 : 404),
  },
  'GET /classes/instructor': byEmail({}, (person) => (person === 'admin' ? 200 : 403)),
  'POST /classes': {
    input: async (person, of) => ({
      ...newClass,
      email: emailOf(person, of),
      ...(person === 'admin' && { instructorId: (await anInstructor(app)).id }),
    }),
    expected: (person, of) =>
      of === 'own' || (person === 'admin' && of !== 'malformed') ? 201 : 400,
  },
  'PATCH /classes/:id': byId(classOf, ofAdminToo, { price: 30 }),
  'PATCH /classes/approve/:id': byId(() => classOf('instructor'), foundByAll),
  'PATCH /classes/deny/:id': byId(classOf, foundByAll),
  'PATCH /classes/refuse/:id': byId(classOf, ofAdminToo, { reason: 'No' }),
  'PATCH /classes/over/:id': byId(() => classOf('instructor'), foundByAll),
  'PATCH /classes/feedback/:id': byId(classOf, foundByAll, { feedback: 'Well done' }),
  'PATCH /classes/handover/:id': {
    input: async (person, of) => ({
      ...(await thing(classOf, person, of)),
      to: (await anInstructor(app)).id,
    }),
    expected: foundByAll,
  },
  'POST /classes/dates/:id': byId(classOf, ofAdminToo, { version: 0, meetings: [someMeeting] }),
  'POST /meetings/check': {
    input: async (person, of) => {
      const { id: classId } = await thing(classOf, person, of);
      return { classId, meetings: [someMeeting] };
    },
    expected: ofAdminToo,
  },
  'GET /places': plain(),
  'POST /places': {
    input: (_person, of) =>
      of === 'own'
        ? { name: unique('Court'), capacity: 20 }
        : of === 'malformed'
          ? { name: '', capacity: 20 }
          : null,
    expected: (_person, of) => (of === 'own' ? 201 : 400),
  },
  'PATCH /places/:id': byId(somePlace, foundByAll, { capacity: 30 }),
  'GET /closures': plain(),
  'POST /closures': plain({ name: 'Carnival', firstDay: '2027-02-08', lastDay: '2027-02-10' }, 201),
  'DELETE /closures/:id': byId(someClosure, foundByAll),
  'GET /discounts': plain(),
  'POST /discounts': plain(
    { kind: 'siblings', name: 'Siblings', steps: [{ rank: 2, percent: 10 }] },
    201,
  ),
  'PATCH /discounts/:id': byId(someDiscount, foundByAll, { ended: true }),
  'GET /instructors': plain(),
  'GET /calendar': plain(aWeek),
  'GET /calendar/next': plain({ after: '2027-01-04' }),
  'GET /calendar/mine': {
    input: async (person, of) => ({ ...aWeek, participant: (await thing(childOf, person, of)).id }),
    expected: foundByOwner,
  },
  'GET /calendar/all': plain(aWeek),
  'GET /classes/calendar/:id': byId(plannedClass, foundByAll),
  'GET /feeds': plain(),
  'POST /feeds': {
    input: async (person, of) => ({ participantId: (await thing(childOf, person, of)).id }),
    expected: ownerGets(201),
  },
  'DELETE /feeds/:id': byId(feedOf, foundByOwner),
  // Who asks does not matter: the address is the key.
  'GET /feeds/:secret/rally.ics': {
    input: async (person, of) => ({ secret: (await thing(feedSecretOf, person, of)).id }),
    expected: (_person, of) =>
      ({ own: 200, "someone else's": 200, unknown: 404, malformed: 404 })[of],
  },
  'GET /participants/care/:id': byId(childOf, ofAdminToo),
  'PATCH /participants/care/:id': byId(childOf, foundByOwner, noCare),
  'GET /bookeds': byEmail(),
  'POST /bookeds': {
    input: async (person, of) => ({ itemId: await approvedClass(), email: emailOf(person, of) }),
    expected: (_person, of) =>
      ({ own: 201, "someone else's": 403, unknown: 403, malformed: 400 })[of],
  },
  'DELETE /booked/:id': byId(cartItemOf, foundByOwner),
  'PATCH /cart/:id': forOneself(cartItemOf),
  'POST /create-payment-intent': {
    // There is no card provider here: a request that gets as far as asking it counts as allowed.
    input: async (person, of) => {
      // Seats that earlier requests left held must not cause a refusal.
      await releaseAll(person);
      const { id: itemId } = await thing(cartItemOf, person, of);
      return { price: 19.99, itemId };
    },
    expected: ownerGets(503),
  },
  'GET /checkout': {
    input: async (person, of) => ({ items: (await thing(cartItemOf, person, of)).id }),
    expected: foundByOwner,
  },
  'POST /checkout': {
    input: async (person, of) => {
      await releaseAll(person);
      return { total: 19.99, items: [(await thing(cartItemOf, person, of)).id] };
    },
    expected: ownerGets(503),
  },
  'POST /checkout/pay/:id': {
    input: async (person, of) => ({ id: (await thing(freeBasketOf, person, of)).id }),
    expected: ownerGets(201),
  },
  'PATCH /holds/:id': byId((person) => holdOf(person, 'held'), foundByOwner),
  'POST /payments': {
    input: async (person, of) => {
      const { id } = await thing(transactionOf, person, of);
      return { transactionId: of === 'unknown' ? 'pi_unknown' : id };
    },
    expected: foundByOwner,
  },
  'GET /payments': byEmail(),
  'GET /payments/:id': byId(paymentOf, ofAdminToo),
  'GET /enrolments': byEmail(),
  'POST /enrolments/object/:id': byId(enrolmentOf, foundByOwner, { words: 'Too late' }),
  'POST /enrolments/answer/:id': byId(enrolmentOf, foundByAll, { words: 'Come on Thursdays' }),
  'PATCH /enrolments/:id': forOneself(enrolmentOf),
  'GET /allpayments': plain(),
  'POST /payments/refund/:id': byId(paymentOf, foundByAll, { reason: 'Asked for it' }),
  'POST /enrolments/override/:id': byId(enrolmentOf, foundByAll, {
    card: 1,
    end: false,
    reason: 'Rain',
  }),
  'POST /payments/refund/:id/again': byId(failedRefundOf, foundByAll),
  'GET /allpayments/sum': plain(),
  'GET /attention': plain(),
  'POST /attention/event/:id/again': {
    input: async (_person, of) => ({
      id: of === 'malformed' ? 'x' : of === 'unknown' ? 'evt_unknown' : await failedEvent(),
    }),
    expected: foundByAll,
  },
  'POST /attention/job/:id/again': byId(deadJob, foundByAll),
  'POST /attention/resolve/:id': {
    input: async (_person, of) => ({
      id: of === 'malformed' ? 'x' : of === 'unknown' ? 'pi_unknown' : await stray(),
      reason: 'Paid back by hand',
    }),
    expected: foundByAll,
  },
  'GET /classes/roster/:id': byId(classOf, ofAdminToo),
  'POST /classes/roster/:id': byId(classOf, ofAdminToo),
  // Marks of foreign and unknown meetings are refused one by one:
  // server/rollcall/marks.test.ts.
  'POST /marks': {
    input: async (person, of) => ({
      marks: [aGuestAt((await thing(meetingOf, person, of)).id)],
    }),
    expected: (_person, of) => (of === 'malformed' ? 400 : 200),
  },
  'GET /attendance': {
    input: async (person, of) => ({ participant: (await thing(childOf, person, of)).id }),
    expected: ofAdminToo,
  },
  'GET /attendance/meetings': plain(),
  'GET /attendance.csv': plain(),
  'PATCH /account/teaches': plain({ teaches: true }),
  'PATCH /account/mails': plain({ reminders: false }),
  'POST /announcements/families': {
    input: async (person, of) => ({ classIds: [(await thing(classOf, person, of)).id] }),
    expected: ofAdminToo,
  },
  'POST /announcements': {
    input: async (person, of) => ({
      classIds: [(await thing(classOf, person, of)).id],
      subject: 'Rain',
      words: 'We play in the hall.',
    }),
    expected: (person, of) => {
      const status = ofAdminToo(person, of);
      return status === 200 ? 201 : status;
    },
  },
  // A student has no class of their own: families of a class, office/announcements.test.ts.
  'GET /announcements': {
    input: async (person, of) => ({ classId: (await thing(classOf, person, of)).id }),
    expected: ofAdminToo,
  },
  'GET /account': plain(),
  'PATCH /account': plain({ phone: '+351 912 345 678' }),
  'DELETE /account/sessions/:id': byId(otherSessionOf, foundByOwner),
  'GET /account/export': plain(),
  // Without a password or the own address nothing is deleted; with it:
  // server/signin/account.test.ts.
  'POST /account/delete': {
    input: (person, of) =>
      of === 'own'
        ? {}
        : of === 'malformed'
          ? { password: 1 }
          : { email: emailOf(person, of), password: 'x' },
    expected: () => 400,
  },
  'POST /pictures': plain({ kind: 'person' }, 201),
  'POST /pictures/signup': plain({}, 201),
  'GET /figures/admin': plain(),
  'GET /figures/student': plain(),
  // Without a connection (app.inject) the stream ends after its first bytes.
  'GET /live/seats': {
    input: (_person, of) => (of === 'own' ? {} : of === 'malformed' ? { class: unknownId } : null),
    expected: (_person, of) => (of === 'malformed' ? 400 : 200),
  },
};
