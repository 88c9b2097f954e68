// A class, a meeting, an item of the cart, a receipt and the settings, as the server answers them, for the
// component tests. A test changes what it is about.
import type { CartItem } from '../../contract/checkout/cart.ts';
import type { BasketLine } from '../../contract/platform/lines.ts';
import { type ClassDetail, type Fact, facts } from '../../contract/classes/classes.ts';
import type {
  Enrolment,
  Receipt,
  ReceiptLine,
  ReceiptRefund,
} from '../../contract/checkout/payments.ts';
import { unknownSettings } from '../platform/api/query.ts';
import { aUser, email } from './screen.tsx';
import type { ClassMeeting } from '../../contract/classes/meetings.ts';
import type { RollCall } from '../../contract/rollcall/rollcall.ts';

export const aClass: ClassDetail = {
  ...(Object.fromEntries(facts.map((fact) => [fact, ''])) as Pick<ClassDetail, Fact>),
  _id: 'x',
  name: 'Archery Basics',
  img: '/media/class/archery-basics.webp',
  instructor: 'Ana Costa',
  instructorId: 'i1',
  instructorImg: '/media/people/ana-costa.svg',
  email: 'ana@rally.test',
  price: 129,
  seat: 6,
  capacity: 18,
  enrolled: 12,
  status: 'approved',
  sport: 'Archery',
  level: 'all',
  ages: '8 to 12',
  schedule: 'Sat 10:00',
  place: 'Range behind hall 2',
  description: 'Bows are here.',
};

export const aMeeting: ClassMeeting = {
  _id: 'm1',
  place: aClass.place,
  instructor: aClass.instructor,
  instructorId: aClass.instructorId,
  day: '2027-06-05',
  starts: '10:00',
  ends: '11:30',
  minutes: 90,
  zone: 'Europe/Lisbon',
  startsAt: '2027-06-05T09:00:00Z',
  endsAt: '2027-06-05T10:30:00Z',
  state: 'on',
  told: '',
};

/** A meeting with its roll call, which nobody has taken. */
export const aRollCall: RollCall = {
  meetingId: 'm1',
  classId: 'c1',
  className: 'First Touch Soccer',
  state: 'on',
  told: '',
  instructor: 'Ana Costa',
  place: 'Court 1',
  day: '2026-11-16',
  starts: '16:00',
  ends: '17:00',
  startsAt: '2026-11-16T16:00:00.000Z',
  endsAt: '2026-11-16T17:00:00.000Z',
  over: false,
  coached: true,
  expected: 12,
  firstTimers: 0,
  present: 0,
  late: 0,
  absent: 0,
  excused: 0,
  guests: 0,
  taken: false,
};

export const aCartItem: CartItem = {
  cartItemId: 'b1',
  classId: 'c1',
  name: aClass.name,
  img: aClass.img,
  cents: 12_900,
  seenCents: 12_900,
  seat: 6,
  state: 'ok',
  inReview: false,
  paying: false,
  participantId: aUser.id,
  participant: null,
  schedule: '',
  place: '',
  minAge: null,
  maxAge: null,
  clashes: [],
  part: null,
};

export const aBasketLine: BasketLine = {
  ...aCartItem,
  listCents: 12_900,
  why: [],
  state: 'ok',
  unfit: false,
  undated: false,
};

export const anEnrolment = {
  enrolmentId: 'e1',
  classId: 'x',
  paymentId: 'x',
  name: aClass.name,
  email,
  cents: 12_900,
  date: '2026-11-16T15:00:00.000Z',
  img: aClass.img,
  schedule: 'Tue, Thu · 16:00–17:30',
  place: 'Court 1',
  participantId: aUser.id,
  participant: null,
  next: { day: '2027-01-12', starts: '16:00', place: 'Hall 2' },
  mayChangeWho: false,
  mayObject: false,
  objected: false,
  asked: false,
} satisfies Enrolment;

const { name, instructor, schedule, place } = aClass;

export const aLine: ReceiptLine = {
  lineId: 'l1',
  enrolmentId: 'x',
  classId: 'c1',
  name,
  participant: null,
  nowFor: null,
  instructor,
  schedule,
  place,
  listCents: 12_900,
  cents: 12_900,
  backCents: 0,
  creditCents: 0,
  leftCents: 12_900,
  why: [],
  state: 'enrolled',
  objection: null,
  objectionAbout: 'dates',
};

export const aRefund: ReceiptRefund = {
  refundId: 'r1',
  lineId: 'l1',
  cents: 500,
  state: 'succeeded',
  choiceUntil: null,
  reason: 'Rain',
  date: '2026-11-17T10:00:00.000Z',
};

export const aReceipt: Receipt = {
  paymentId: 'x',
  email,
  customer: 'Sam Student',
  transactionId: 'pi_1',
  cents: 12_900,
  cardCents: 12_900,
  creditCents: 0,
  backCents: 0,
  leftCents: 12_900,
  seats: 1,
  date: '2026-11-16T15:00:00.000Z',
  status: 'succeeded',
  itemName: name,
  receiptNumber: 'R-2026-000112',
  brand: 'Rally',
  refundedAt: null,
  lines: [aLine],
  refunds: [],
};

export const someSettings = { ...unknownSettings, brand: 'Rally' };
