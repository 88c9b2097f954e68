// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { addToCart, type CartItem, getCart } from '../../contract/checkout/cart.ts';
import type { Class } from '../../contract/classes/classes.ts';
import { type Enrolment, listEnrolments } from '../../contract/checkout/payments.ts';
import type { Role } from '../../contract/platform/call.ts';
import { selection } from '../people/session/selection.ts';
import { aCartItem as inCart, aClass } from '../testing/samples.ts';
import { answers, aUser, show } from '../testing/screen.tsx';
import { ClassCard } from './ClassCard.tsx';

const item: Class = { ...aClass, _id: 'c1' };

const enrolment = {
  enrolmentId: 'e1',
  classId: 'c1',
  participantId: 'u1',
  name: item.name,
} as Enrolment;

interface Given {
  role?: Role | null;
  cart?: CartItem[];
  enrolled?: Enrolment[];
}

const card = (
  of: Partial<Class> = {},
  { role = 'student', cart = [], enrolled = [] }: Given = {},
) =>
  show(<ClassCard item={{ ...item, ...of }} />, {
    role,
    replies: [
      answers(addToCart, { insertedId: 'b1' }),
      answers(getCart, cart),
      answers(listEnrolments, { items: enrolled, total: enrolled.length }),
    ],
  });

const when = () => screen.getAllByRole('listitem')[0]?.textContent;

describe('a class card', () => {
  it('shows weekdays, time and, until it has begun, the first day', () => {
    const firstDay = `${new Date().getFullYear()}-01-05`;
    const schedule = 'Mon, Wed · 16:00–17:30 · 5 Jan – 18 Mar';
    card({ schedule, firstDay });
    expect(when()).toBe('Mon, Wed · 16:00–17:30 · from 5 Jan');
    cleanup();
    card({ schedule: schedule.replace(' · 5', '; Wed 13 Jan · 07:00–08:30 · 5'), firstDay });
    expect(when()).toBe('Mon, Wed · 16:00–17:30 · from 5 Jan');
    cleanup();
    card({ schedule, firstDay, left: 7, of: 10 });
    expect(when()).toBe('Mon, Wed · 16:00–17:30');
  });

  it('shows name, instructor, ages, schedule, price and free seats', () => {
    card();
    const text = screen.getByRole('article').textContent;
    for (const fact of ['Archery Basics', 'Ana Costa', '8 to 12', 'Sat 10:00', '$129', 'Seats6'])
      expect(text).toContain(fact);
    expect(screen.getByRole('link', { name: 'Archery Basics' }).getAttribute('href')).toBe(
      '/classes/c1',
    );
  });

  it('says how much is left of a class, and its level', () => {
    const year = new Date().getFullYear();
    card({ firstDay: `${year}-01-05`, left: 7, of: 10, level: 'beginner' });
    const text = screen.getByRole('article').textContent;
    expect(text).toContain('Began 5 Jan, 7 of 10 meetings left');
    expect(text).toContain('Ages 8 to 12 · Beginner');
  });

  it('leads a visitor to the login page and keeps the class', () => {
    const { where, sent } = card({}, { role: null });
    fireEvent.click(screen.getByRole('button', { name: 'Select Archery Basics' }));
    expect(where()).toBe('/login');
    expect(selection.read()).toBe('c1');
    expect(sent).toEqual([]);
  });

  it('adds the class to the cart of a student, once for two clicks', async () => {
    const { sent } = card();
    const select = screen.getByRole('button', { name: 'Select Archery Basics' });
    fireEvent.click(select);
    fireEvent.click(select);
    const posts = () => sent.filter(({ method }) => method === 'POST');
    await waitFor(() => expect(posts()).toHaveLength(1));
    expect(posts()[0]).toMatchObject({
      path: '/api/bookeds',
      body: { itemId: 'c1', price: 129, email: aUser.email },
    });
  });

  it('says how many of the last three seats are left', () => {
    card({ seat: 3 });
    expect(screen.getByText('Available Seats').parentElement?.textContent).toContain('3 left');
  });

  it('links to the cart when the class is in it', async () => {
    card({}, { cart: [inCart] });
    const link = await screen.findByRole('link', { name: /In your cart ?: Archery Basics/ });
    expect(link.getAttribute('href')).toBe('/dashboard/mycart');
  });

  it('links to the enrolled classes when it is paid for', async () => {
    card({ seat: 0 }, { enrolled: [enrolment] });
    const link = await screen.findByRole('link', { name: /Enrolled ?: Archery Basics/ });
    expect(link.getAttribute('href')).toBe('/dashboard/myenrolledclasses');
  });
});
