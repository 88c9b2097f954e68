// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listParticipants, type Participant } from '../../contract/family.ts';
import { studentFigures } from '../../contract/figures.ts';
import { answers, show } from '../testing/screen.tsx';
import { Sidebar } from './Sidebar.tsx';

const person = (name: string) => ({ _id: name, name }) as Participant;
const nothing = answers(studentFigures, { cart: 0, enrolled: 0, paid: 0, payments: 0 });
const menu = (...people: string[]) =>
  show(<Sidebar onGo={() => undefined} />, {
    role: 'instructor',
    replies: [nothing, answers(listParticipants, people.map(person))],
  });
const entries = () => screen.getAllByRole('link').map((link) => link.textContent);

it('an instructor who books for a child has the menu of a student, too', async () => {
  menu('Ana', 'Mia');
  await screen.findByRole('link', { name: 'Family' });
  expect(entries()).toEqual([
    'Add a Class',
    'Instructor Classes',
    'Calendar',
    'Roll Call',
    'Account',
    'User Home',
    'My Cart',
    'Payment',
    'Payment History',
    'My Enrolled Classes',
    'Family',
    'Home',
    'Signup',
    'Login',
  ]);
});

it('an instructor who books nothing has one menu', async () => {
  const { sent } = menu('Ana');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(screen.queryByRole('link', { name: 'Family' })).toBeNull();
});
