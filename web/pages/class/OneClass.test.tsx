// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Navigate, Route, Routes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { listCart } from '../../../contract/cart.ts';
import { type Class, type ClassDetail, getClass, listClasses } from '../../../contract/classes.ts';
import { settings } from '../../../contract/identity.ts';
import { listEnrolments } from '../../../contract/payments.ts';
import { answers, answersBy, refuses, show } from '../../testing/screen.tsx';
import { OneClass } from './OneClass.tsx';

const item: ClassDetail = {
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
  bring: '',
  ages: '8 to 12',
  schedule: 'Sat 10:00',
  place: 'Range behind hall 2',
  description: 'Bows are here.',
};

const another = (_id: string, name: string): Class => ({ ...item, _id, name });

const page = (of: Partial<ClassDetail> = {}, found: Record<string, Class[]> = {}) =>
  show(at, {
    role: null,
    replies: [
      answers(getClass, { ...item, ...of }),
      answersBy(listClasses, (asked) => {
        const key = asked.has('instructor') ? 'theirs' : asked.has('sport') ? 'sport' : 'popular';
        const result = found[key] ?? [];
        return { result, outQueryResult: result, total: result.length };
      }),
      answers(settings, {
        brand: 'Rally',
        publicUrl: '',
        google: false,
        demo: false,
        strictPasswords: false,
        timeZone: 'Europe/Lisbon',
        cards: { publishableKey: '', sandbox: true },
        contact: 'hello@rally.test',
      }),
    ],
  });

const at = (
  <Routes>
    <Route path="/" element={<Navigate to="/classes/x" replace />} />
    <Route path="/classes/:id" element={<OneClass />} />
    <Route path="*" element={null} />
  </Routes>
);

const fact = async (label: string) => (await screen.findByText(label)).nextElementSibling;

describe('the page of a class', () => {
  it('shows the facts, the price and the free seats', async () => {
    page();
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Archery Basics');
    expect((await fact('When'))?.textContent).toBe('Sat 10:00');
    expect((await fact('Where'))?.textContent).toBe('Range behind hall 2');
    expect((await fact('Ages'))?.textContent).toBe('8 to 12');
    expect((await fact('Group size'))?.textContent).toBe('Up to 18, 12 enrolled');
    expect((await fact('Price'))?.textContent).toBe('$129');
    expect((await fact('Available Seats'))?.textContent).toBe('6');
    expect(screen.getByText('Bows are here.')).toBeTruthy();
  });

  it('leaves out what the instructor has not written', async () => {
    page({ schedule: '', place: '', ages: '', description: '', enrolled: 0 });
    expect((await fact('Group size'))?.textContent).toBe('Up to 18');
    for (const label of ['When', 'Where', 'Ages', 'About this class'])
      expect(screen.queryByText(label)).toBeNull();
  });

  it('shows the instructor with their email and their other classes', async () => {
    page({}, { theirs: [item, another('c2', 'Bow Making'), another('c3', 'Target Games')] });
    const link = await screen.findByRole('link', { name: '2 other classes' });
    expect(link.getAttribute('href')).toBe('/classes?instructor=i1');
    expect(screen.getByTitle(item.email).closest('a')?.getAttribute('href')).toBe(
      `mailto:${item.email}`,
    );
  });

  it('names no other classes of an instructor who has this one only', async () => {
    const { sent } = page({}, { theirs: [item], sport: [another('c2', 'Bow Making')] });
    await screen.findByText('Bow Making');
    await waitFor(() => expect(sent.length).toBeGreaterThan(3));
    expect(screen.queryByText(/other class/)).toBeNull();
  });

  it('says how to get money back, with the address of the academy', async () => {
    page();
    const link = await screen.findByRole('link', { name: 'hello@rally.test' });
    expect(link.closest('p')?.textContent).toContain('A refund goes in full to the card');
  });

  it('shows two similar classes: of the same sport first, then popular ones, never itself', async () => {
    page(
      {},
      {
        sport: [item, another('c2', 'Bow Making')],
        popular: [another('c2', 'Bow Making'), item, another('c4', 'Sunrise Yoga')],
      },
    );
    await screen.findByText('Sunrise Yoga');
    const similar = screen.getAllByRole('link', { name: /Archery Basics|Bow Making|Sunrise Yoga/ });
    expect(similar.map((link) => link.getAttribute('href'))).toEqual([
      '/classes/c2',
      '/classes/c4',
    ]);
  });

  it('asks for no popular classes when there are two of the same sport', async () => {
    const names = ['Bow Making', 'Target Games', 'Longbows'];
    page(
      {},
      {
        sport: names.map((name, index) => another(`c${index}`, name)),
        popular: [another('c9', 'Sunrise Yoga')],
      },
    );
    await screen.findByText('Target Games');
    for (const name of ['Longbows', 'Sunrise Yoga']) expect(screen.queryByText(name)).toBeNull();
  });

  it('leads a visitor who selects it to the login page', async () => {
    const { where } = page();
    fireEvent.click(await screen.findByRole('button', { name: 'Select Archery Basics' }));
    expect(where()).toBe('/login');
  });

  it('says that it is sold out and does not promise to hold a seat', async () => {
    page({ seat: 0 });
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: /^Sold out/ });
    expect(button.disabled).toBe(true);
    expect(screen.queryByText(/We hold your seat|Adding to your cart/)).toBeNull();
  });

  it('links to the enrolled classes when it is paid for', async () => {
    show(at, {
      replies: [
        answers(getClass, item),
        answers(listCart, []),
        answers(listEnrolments, { items: [{ itemId: 'x' } as never], total: 1 }),
      ],
    });
    const link = await screen.findByRole('link', { name: /Enrolled ?: Archery Basics/ });
    expect(link.getAttribute('href')).toBe('/dashboard/myenrolledclasses');
  });

  it('says that a class is not offered, and leads to the others', async () => {
    show(at, { role: null, replies: [refuses(getClass, 'NOT_FOUND')] });
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(
      'This class is not offered',
    );
  });

  it('offers to try again when it could not be read', async () => {
    show(at, { role: null, replies: [refuses(getClass, 'RATE_LIMITED')] });
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});
