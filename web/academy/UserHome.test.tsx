// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { type Account, getAccount } from '../../contract/signin/account.ts';
import { type CartItem, getCart } from '../../contract/checkout/cart.ts';
import { classInReview } from '../../contract/platform/closed.ts';
import { studentFigures } from '../../contract/academy/figures.ts';
import { listParticipants, type Participant } from '../../contract/people/family.ts';
import {
  type Enrolment,
  listEnrolments,
  listPayments,
  type PaymentEntity,
} from '../../contract/checkout/payments.ts';
import { invitation } from '../people/session/invitation.ts';
import { aCartItem } from '../testing/samples.ts';
import { answers, aUser, show } from '../testing/screen.tsx';
import { dayName } from '../platform/ui/dates.ts';
import { UserHome } from './UserHome.tsx';

interface Has {
  cart?: CartItem[];
  payments?: PaymentEntity[];
  unconfirmed?: true;
  adminWaits?: true;
  enrolled?: Enrolment[];
  family?: Participant[];
}
const home = ({ cart = [], payments = [], enrolled = [], family = [], ...account }: Has) =>
  show(<UserHome />, {
    replies: [
      answers(getAccount, account as Account),
      answers(getCart, cart),
      answers(listEnrolments, { items: enrolled, total: enrolled.length }),
      answers(listParticipants, family),
      answers(listPayments, { items: payments, total: payments.length }),
      answers(studentFigures, {
        cart: cart.length,
        enrolled: 0,
        payments: payments.length,
        paid: 0,
      }),
    ],
  });
const region = async (name: string) => within(await screen.findByRole('region', { name }));
const cartOf = (...cart: CartItem[]) => {
  home({ cart });
  return region('In your cart');
};

it('asks to confirm the address until it is confirmed', async () => {
  home({ unconfirmed: true });
  const card = await region('Please confirm your address');
  expect(await card.findByLabelText('Code')).toBeTruthy();
});

it('offers the invitation that its owner came with', async () => {
  invitation.keep('secret');
  onTestFinished(invitation.forget);
  home({ unconfirmed: true });
  const card = await region('You are invited to look after a child');
  expect(card.getByRole('link').getAttribute('href')).toBe('/invitation');
  expect(screen.queryByText('Please confirm your address')).toBeNull();
});

it('tells an admin whose rights wait for two-step sign-in', async () => {
  home({ adminWaits: true });
  const card = await region('You are an admin once two-step sign-in is on');
  expect(card.getByRole('link').getAttribute('href')).toBe('/dashboard/account');
});

const mia = { _id: 'p1', name: 'Mia', self: false, care: 'none' } as Participant;
const tennis = {
  enrolmentId: 'e1',
  classId: 'c1',
  name: 'Tennis',
  img: '/t.webp',
  participantId: 'p1',
  participant: 'Mia',
  schedule: 'Tue, Thu · 16:00–17:30',
  place: 'Court 1',
  next: { day: '2027-01-12', starts: '16:00', place: 'Hall 2' },
} as Enrolment;

it('says when and where a class meets next', async () => {
  home({ enrolled: [tennis] });
  const words = `Next: ${dayName('2027-01-12')}, 16:00, Hall 2`;
  expect((await region('Enrolled: 1 class')).getByText(words)).toBeTruthy();
});

it('asks for the care facts of a child who is enrolled', async () => {
  home({ enrolled: [tennis], family: [mia] });
  const link = (await region('Care facts of Mia are missing')).getByRole('link');
  expect(link.getAttribute('href')).toBe('/dashboard/family/p1');
});

it.each([
  ['whose care facts are written', [tennis], { ...mia, care: 'filled' as const }],
  ['who is enrolled in no class', [], mia],
])('asks for no care facts of a child %s', async (_who, enrolled, child) => {
  home({ enrolled, family: [child] });
  await region('In your cart');
  expect(screen.queryByText(/Care facts|Please confirm/)).toBeNull();
});

it('shows no total of a cart in which nothing can be paid for', async () => {
  const cart = await cartOf({ ...aCartItem, state: 'sold-out', cents: 13_500 });
  expect(cart.getByText('Not available now')).toBeTruthy();
});

it.each([
  ['sold-out', {}, 'No seat is left. It may become free again.'],
  ['closed', {}, 'This class is no longer offered.'],
  ['closed', { inReview: true }, classInReview],
] as const)('says at the line why a %s item %j is not in the total', async (state, more, why) => {
  const cart = await cartOf(
    { ...aCartItem, cartItemId: 'i1', name: 'Yoga', cents: 2_000 },
    { ...aCartItem, cartItemId: 'i2', state, ...more },
  );
  expect(cart.getAllByText('$20.00')).toHaveLength(2);
  const [counted, other] = cart.getAllByRole('listitem');
  expect(counted?.textContent).toBe('Yoga$20.00Pay');
  expect(other?.textContent).toBe(`Archery Basics${why}$129.00`);
});

const paid: PaymentEntity = {
  _id: 'p1',
  email: aUser.email,
  customer: 'Sam Student',
  itemId: 'c1',
  transactionId: 'pi_1',
  price: 129,
  date: '2026-01-07T10:00:00.000Z',
  status: 'succeeded',
  itemName: 'Archery Basics',
  receiptNumber: 'R-2026-000001',
};

it('marks a refunded receipt, and says how much went back', async () => {
  home({
    payments: [
      paid,
      { ...paid, _id: 'p2', status: 'refunded' },
      { ...paid, _id: 'p3', status: 'part_refunded', refunded: 29 },
    ],
  });
  const receipts = await region('Receipts');
  expect(
    receipts.getAllByRole('listitem').map((row) => row.textContent?.replace(/^.*(?=\$129)/, '')),
  ).toEqual(['$129.00', '$129.00refunded', '$129.00part refunded$29.00 back']);
});
