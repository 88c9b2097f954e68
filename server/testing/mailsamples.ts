// Every mail with sample data, for the tests that look at each of them and for the recording of their
// texts (checks/spec/mails.json).
import type { Message } from '../mail/mail.ts';
import * as classes from '../classes/texts.ts';
import type { MailBrand } from '../mail/common.ts';
import * as family from '../people/texts.ts';
import * as identity from '../signin/texts.ts';
import * as money from '../checkout/texts.ts';
import * as lists from '../checkout/waiting/texts.ts';
import * as office from '../academy/texts.ts';

const person = {
  id: 'person',
  email: 'ines@example.com',
  name: 'Inês Duarte',
  proven: true,
};
const coach = { id: 'coach', email: 'coach@example.com', name: 'Marco Silva' };
const admin = { id: 'admin', email: 'admin@example.com', name: 'Ana Costa' };
const mia = { id: '00000000-0000-4000-8000-000000000001', name: 'Mia Duarte' };
const leo = { id: '00000000-0000-4000-8000-000000000002', name: 'Leo Duarte' };
const classId = '00000000-0000-4000-8000-00000000000a';
const otherId = '00000000-0000-4000-8000-00000000000b';
const at = new Date('2027-03-01T16:42:00Z');

const payment = {
  id: '00000000-0000-4000-8000-0000000000f1',
  payer: person,
  itemName: 'Tennis for Beginners',
  amountCents: 12_900,
  creditCents: 0,
  swapCents: 0,
  intentId: 'pi_3Q9x7e2eZvKYlo2C',
  receiptNumber: 'R-2027-000142',
  date: at,
};
const booked = {
  schedule: 'Mon, Wed · 16:00–17:30 · 8 Mar – 12 May 2027',
  place: 'Court 3',
  instructor: coach.name,
  bring: 'Racket, water, indoor shoes',
};
const meeting = {
  name: payment.itemName,
  starts: '16:00',
  minutes: 90,
  place: 'Court 3',
  address: 'Rua do Campo 12, Lisboa',
  instructor: coach.name,
  bring: booked.bring,
};
const words =
  'Dear families,\n\non Wednesday we play on Court 5, because Court 3 gets a new net. Please come ten minutes early.\n\nMarco';
const done = { at, browser: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Version/19.0 Safari/605.1' };
const same = { instructor: '', former: '' };
const sofia = { instructor: 'Sofia Reis', former: coach.name };
const met = { day: '2027-03-08', starts: '16:00', minutes: 90, place: 'Court 3' };
const cancelled = {
  name: payment.itemName,
  reason: 'Marco is ill, and nobody can stand in for him.',
  children: [mia.name, leo.name],
  card: 5_500,
  credit: 600,
  until: new Date('2027-03-04T16:42:00Z'),
  choices: [{ paymentId: payment.id, cents: 5_500 }],
};
/** The class, as each of the mails calls it. */
const tennis = {
  classId,
  name: payment.itemName,
  itemName: payment.itemName,
  className: payment.itemName,
};
const ill = (after: typeof met | null, by = same) => ({
  ...tennis,
  tell: 'Marco is ill today.',
  changes: [{ before: met, after, ...by }],
});

/** By name. The name of a function is the name of its sample; several states have a suffix. */
export const samples = (academy: MailBrand): Record<string, Message> => ({
  receiptMail: money.receiptMail(academy, payment, booked, {
    calendar: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n',
    child: mia,
  }),
  basketMail: money.basketMail(
    academy,
    { ...payment, itemName: '3 classes', amountCents: 25_400 },
    [
      { ...line(classId), child: mia },
      { ...line(otherId), itemName: 'Swimming, Level 2', worthCents: 8_000, child: leo },
      {
        ...line(otherId),
        itemName: 'Morning Yoga',
        worthCents: 4_500,
        problem: 'No seat was left.',
        child: null,
      },
    ],
  ),
  bookedMail: money.bookedMail(academy, { ...person, name: 'Rui Duarte' }, [
    { ...booked, ...tennis, child: mia },
  ]),
  refundMail: money.refundMail(academy, payment, [
    { ...ended(mia), whole: false, reason: 'Rain on two days', booked: true },
  ]),
  'refundMail of several seats': money.refundMail(academy, payment, [ended(mia), ended(leo)]),
  creditedMail: money.creditedMail(academy, person, [
    { cents: 1_200, note: 'Rain on two days', itemName: null, nowCents: 3_000 },
  ]),
  endedMail: money.endedMail(academy, payment, {
    ...tennis,
    reason: 'You asked us to end it',
    child: mia,
  }),
  seatEndedMail: money.seatEndedMail(academy, { ...person, name: 'Rui Duarte' }, [ended(mia)]),
  'seatEndedMail of several seats': money.seatEndedMail(academy, person, [ended(mia), ended(leo)]),
  whoComesMail: money.whoComesMail(academy, person, {
    ...tennis,
    before: mia.name,
    now: leo.name,
  }),
  objectionAnsweredMail: money.objectionAnsweredMail(academy, person, {
    ...tennis,
    words: 'Mia can come on Thursdays instead, as we said on the phone.',
  }),
  leftMail: money.leftMail(academy, payment, { ...left, cardCents: 3_150 }),
  'leftMail of a withdrawal': money.leftMail(academy, payment, {
    ...left,
    cardCents: 9_000,
    creditCents: 3_900,
    withdrawn: true,
  }),
  'leftMail without money': money.leftMail(academy, payment, { ...left, child: null }),
  seatCreditMail: money.seatCreditMail(academy, payment, {
    ...tennis,
    child: mia,
    cents: 1_200,
    reason: 'Rain on two days',
  }),
  askAnsweredMail: money.askAnsweredMail(academy, person, {
    ...tennis,
    words: 'We keep the seat for Mia until her arm is well.',
  }),
  cancelledMail: money.cancelledMail(academy, person, cancelled),
  'cancelledMail to who did not pay': money.cancelledMail(academy, person, {
    ...cancelled,
    children: [mia.name],
    card: 0,
    credit: 0,
    until: null,
    choices: [],
  }),
  calledOffMail: classes.calledOffMail(academy, coach, { ...tennis, ...cancelled }),
  newPlanMail: classes.newPlanMail(academy, person, {
    before: { ...tennis, schedule: 'Mon 16:00–17:30', place: 'Court 3' },
    after: { ...tennis, schedule: 'Tue 16:00–17:30', place: 'Court 5' },
  }),
  newDatesMail: classes.newDatesMail(academy, person, {
    ...tennis,
    tell: 'The court is being repaired. We add a meeting at the end.',
    changes: [
      { before: met, after: { ...met, day: '2027-03-09' }, ...same },
      { before: { ...met, day: '2027-03-15' }, after: null, ...same },
      { before: null, after: { ...met, day: '2027-05-17' }, ...sofia },
    ],
  }),
  'newDatesMail of a cancelled meeting': classes.newDatesMail(academy, person, ill(null)),
  'newDatesMail of a moved meeting': classes.newDatesMail(
    academy,
    person,
    ill({ ...met, day: '2027-03-09', starts: '17:00' }),
  ),
  'newDatesMail of a substitute': classes.newDatesMail(academy, person, ill(met, sofia)),
  officeDatesMail: classes.officeDatesMail(academy, admin, { ...ill(null), by: coach, told: 12 }),
  substituteMail: classes.substituteMail(academy, coach, {
    ...ill(met),
    meetings: [{ ...met, id: otherId }],
    children: 7,
  }),
  reminderMail: classes.reminderMail(academy, person, {
    day: '2027-03-08',
    meetings: [
      { ...meeting, child: mia.name },
      {
        ...meeting,
        name: 'Swimming, Level 2',
        starts: '18:00',
        minutes: 45,
        place: 'Pool',
        address: '',
        bring: '',
        child: leo.name,
      },
    ],
  }),
  announcementMail: classes.announcementMail(academy, person, {
    ...tennis,
    subject: 'Another court on Wednesday',
    words,
    from: coach,
  }),
  approvedMail: classes.approvedMail(academy, coach, tennis),
  refusedMail: classes.refusedMail(academy, coach, {
    ...tennis,
    reason: 'The new price is above that of the other courses.',
  }),
  deniedMail: classes.deniedMail(academy, coach, {
    ...tennis,
    reason: 'The photo shows another sport.\nPlease choose one of tennis.',
  }),
  'deniedMail without a reason': classes.deniedMail(academy, coach, { ...tennis, reason: '' }),
  givenBackMail: classes.givenBackMail(academy, coach, { ...tennis, seats: 1 }),
  feedbackMail: classes.feedbackMail(academy, coach, {
    ...tennis,
    words: 'A good text. Please say which racket beginners should bring.',
  }),
  changedMail: classes.changedMail(academy, coach, {
    ...tennis,
    changes: ['price 120 → 129', classes.changeInWords({ before: met, after: met, ...sofia })],
  }),
  handedOverMail: classes.handedOverMail(academy, person, { ...tennis, to: sofia.instructor }),
  takenOverMail: classes.takenOverMail(academy, coach, { ...tennis, children: 7 }),
  invitationMail: family.invitationMail(academy, 'rui@example.com', {
    from: person,
    children: [mia.name, leo.name],
    link: `${academy.publicUrl}/invitation#sample`,
  }),
  guardianMail: family.guardianMail(
    academy,
    { ...person, you: false },
    { children: [mia.name], who: ['Rui Duarte'], joins: true },
  ),
  childRemovedMail: family.childRemovedMail(academy, person),
  careEndsMail: family.careEndsMail(academy, person, mia.id),
  childEndsMail: family.childEndsMail(academy, person, mia.id),
  welcome: identity.welcome(academy, person, confirmation(academy)),
  signUpAgain: identity.signUpAgain(academy, person),
  unconfirmedAgain: identity.unconfirmedAgain(
    academy,
    { ...person, proven: false },
    confirmation(academy),
  ),
  passwordReset: identity.passwordReset(academy, person, 'sample'),
  takenOver: identity.takenOver(academy, person),
  googleConnected: identity.googleConnected(academy, person),
  passwordChanged: identity.passwordChanged(academy, person, done),
  newDevice: identity.newDevice(academy, person, done),
  secondStepOn: identity.secondStepOn(academy, person, done),
  secondStepOff: identity.secondStepOff(academy, person, done),
  backupCodesNew: identity.backupCodesNew(academy, person, done),
  secondStepRemoved: identity.secondStepRemoved(academy, person),
  staffInvitationMail: family.staffInvitationMail(academy, coach.email, {
    from: admin.name,
    role: 'instructor',
    link: `${academy.publicUrl}/join#sample`,
  }),
  instructorMail: family.instructorMail(academy, person),
  offerMail: lists.offerMail(academy, person, { ...offered, again: false }),
  'offerMail that ends soon': lists.offerMail(academy, person, { ...offered, again: true }),
  offTheListMail: lists.offTheListMail(academy, person, { ...off, closed: false }),
  'offTheListMail of a class that ended': lists.offTheListMail(academy, person, {
    ...off,
    closed: true,
  }),
  blockedMail: identity.blockedMail(academy, person),
  newAddressMail: identity.newAddressMail(
    academy,
    person.email,
    `${academy.publicUrl}/newaddress#sample`,
  ),
  addressTakenMail: identity.addressTakenMail(academy, person),
  addressChangedMail: identity.addressChangedMail(academy, person, 'new@example.com'),
  classesMail: office.classesMail(academy, admin, [
    { subject: classId, words: payment.itemName },
    { subject: otherId, words: 'Swimming, Level 2' },
  ]),
  alarmsMail: office.alarmsMail(academy, admin, [
    { subject: 'refund', words: `A refund failed: ${payment.itemName}` },
    { subject: 'disk', words: 'The disk is nearly full: 3 % are free' },
  ]),
  testMail: office.testMail(academy, admin.email),
});

const whom = { self: false, children: [mia.name, leo.name] };
const offered = { ...booked, name: payment.itemName, whom, cents: 25_800, until: at };
const off = { classId, name: payment.itemName, whom, participantIds: [mia.id, leo.id] };

const confirmation = ({ publicUrl }: MailBrand) => ({
  code: '482913',
  link: `${publicUrl}/confirm?token=sample`,
});

const ended = (child: typeof mia) => ({
  ...tennis,
  amountCents: 4_300,
  whole: true,
  reason: 'The coach has left us',
  child,
  booked: false,
});

const left = {
  ...tennis,
  child: mia,
  paymentId: payment.id,
  endedAt: at,
  withdrawn: false,
  cardCents: 0,
  creditCents: 0,
};

const line = (id: string) => ({
  ...booked,
  itemName: payment.itemName,
  classId: id,
  worthCents: payment.amountCents,
  problem: null as string | null,
});
