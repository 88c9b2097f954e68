// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { studentFigures } from '../../contract/academy/figures.ts';
import { getCart } from '../../contract/checkout/cart.ts';
import { listParticipants } from '../../contract/people/family.ts';
import { paths } from '../platform/paths.ts';
import { aCartItem } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { TabBar } from './TabBar.tsx';

const words = () => screen.getByRole('navigation', { name: 'Tabs' }).textContent;

it.each([
  ['admin', 'HomeUsersClassesMore'],
  ['instructor', 'TodayRoll CallCalendarMore'],
] as const)('has the four ways of the %s', (role, said) => {
  show(<TabBar />, { role });
  expect(words()).toBe(said);
});

it('counts the cart of a family, and marks where one is', async () => {
  show(<TabBar />, {
    role: 'student',
    at: paths.classes,
    replies: [answers(getCart, [aCartItem])],
  });
  expect((await screen.findByRole('link', { name: 'Cart (1)' })).getAttribute('href')).toBe(
    paths.dashboard.myCart,
  );
  expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Classes');
});

it('opens the menu of the dashboard', async () => {
  show(<TabBar />, {
    role: 'instructor',
    replies: [
      answers(studentFigures, { cart: 0, enrolled: 0, paid: 0, payments: 0 }),
      answers(listParticipants, []),
    ],
  });
  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  const menu = await screen.findByRole('dialog', { name: 'Menu' });
  expect(menu.textContent).toContain('Instructor Classes');
});

it('is not there for a visitor', () => {
  show(<TabBar />, { role: null });
  expect(screen.queryByRole('navigation')).toBeNull();
});
