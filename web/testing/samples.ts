// A class, an item of the cart, a receipt and the settings, as the server answers them, for the
// component tests. A test changes what it is about.
import type { CartItem } from '../../contract/checkout/cart.ts';
import { type ClassDetail, type Fact, facts } from '../../contract/classes/classes.ts';
import type { Receipt, ReceiptLine, ReceiptRefund } from '../../contract/checkout/payments.ts';
import { unknownSettings } from '../platform/api/query.ts';
import { email } from './screen.tsx';

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

export const aCartItem: CartItem = {
  _id: 'b1',
  itemId: 'c1',
  name: aClass.name,
  img: aClass.img,
  price: 129,
  seenPrice: 129,
  email,
  seat: 6,
  state: 'ok',
};

const { name, instructor, schedule, place } = aClass;

export const aLine: ReceiptLine = {
  _id: 'l1',
  enrolmentId: 'x',
  itemId: 'c1',
  name,
  instructor,
  schedule,
  place,
  price: 129,
  amount: 129,
  state: 'enrolled',
};

export const aRefund: ReceiptRefund = {
  _id: 'r1',
  lineId: 'l1',
  amount: 5,
  state: 'succeeded',
  reason: 'Rain',
  date: '2026-11-17T10:00:00.000Z',
};

export const aReceipt: Receipt = {
  _id: 'x',
  email,
  customer: 'Sam Student',
  itemId: 'c1',
  transactionId: 'pi_1',
  price: 129,
  date: '2026-11-16T15:00:00.000Z',
  status: 'succeeded',
  itemName: name,
  receiptNumber: 'R-2026-000112',
  brand: 'Rally',
  instructor,
  schedule,
  place,
  refundedAt: null,
};

export const someSettings = { ...unknownSettings, brand: 'Rally' };
