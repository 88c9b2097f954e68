// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listAnnouncements } from '../../contract/classes/announcements.ts';
import { type Enrolment, listEnrolments } from '../../contract/checkout/payments.ts';
import { answers, email, show } from '../testing/screen.tsx';
import { MyEnrolledClasses } from './MyEnrolledClasses.tsx';

const seat = (_id: string, more: Partial<Enrolment> = {}): Enrolment => ({
  _id,
  itemId: _id,
  paymentId: 'p',
  name: `Class ${_id}`,
  email,
  price: 20,
  date: '2026-11-18T10:00:00.000Z',
  img: '/x.webp',
  schedule: 'Mon · 09:00–10:00',
  place: 'Hall 1',
  ...more,
});
const open = (...items: Enrolment[]) =>
  show(<MyEnrolledClasses />, {
    replies: [
      answers(listEnrolments, { items, total: items.length }),
      answers(listAnnouncements, { items: [], total: 0 }),
    ],
  });

it('says which seat is for oneself where another one is for a child', async () => {
  open(seat('1'), seat('2', { participant: 'Mia' }));
  expect(await screen.findByText('for Mia')).toBeTruthy();
  expect(screen.getByText('for you')).toBeTruthy();
});

it('does not say for whom a class is where all are for oneself', async () => {
  open(seat('1'), seat('2'));
  await screen.findByText('Class 2');
  expect(screen.queryByText(/^for /)).toBeNull();
});
