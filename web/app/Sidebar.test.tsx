// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type Account, getAccount } from '../../contract/signin/account.ts';
import { getCart } from '../../contract/checkout/cart.ts';
import { listParticipants, type Participant } from '../../contract/people/family.ts';
import { type AdminFigures, adminFigures, studentFigures } from '../../contract/academy/figures.ts';
import { markRollCallUsed } from '../people/session/phone.ts';
import { SessionContext } from '../people/session/SessionProvider.tsx';
import { answers, show } from '../testing/screen.tsx';
import { Sidebar } from './Sidebar.tsx';

const person = (name: string) => ({ _id: name, name }) as Participant;
const nothing = answers(studentFigures, { cart: 0, enrolled: 0, paid: 0, payments: 0 });
const menu = (...people: string[]) =>
  show(<Sidebar onGo={() => undefined} />, {
    role: 'instructor',
    replies: [nothing, answers(listParticipants, people.map(person))],
  });
const entries = () =>
  screen
    .getAllByRole('link')
    .map((link) => link.textContent)
    .join(', ');

it.each([
  [
    'admin',
    'Admin Home, Manage Users, Manage Classes, Attendance, Calendar, Places, Payments, Discounts, Needs Attention, Academy, Audit Log, Account',
  ],
  [
    'student',
    'User Home, My Cart, Payment, Payment History, My Enrolled Classes, Waiting, Calendar, Family, Credit, Classes, Account',
  ],
] as const)('the menu of the %s is the specified one', async (role, own) => {
  const { sent } = show(<Sidebar onGo={() => undefined} />, {
    role,
    replies: [
      answers(getCart, []),
      answers(getAccount, {} as Account),
      answers(adminFigures, { classes: { pending: 0 }, waiting: [] as object[] } as AdminFigures),
    ],
  });
  await waitFor(() => expect(sent).toHaveLength(role === 'admin' ? 2 : 1));
  expect(entries()).toBe(`${own}, Home, Signup, Login`);
});

it('an instructor who books has the menu of a student, too', async () => {
  menu('Ana', 'Mia');
  await screen.findByRole('link', { name: 'Family' });
  expect(entries()).toBe(
    'Add a Class, Instructor Classes, Calendar, Roll Call, Account, User Home, My Cart, Payment, Payment History, My Enrolled Classes, Waiting, Family, Credit, Classes, Home, Signup, Login',
  );
});

it('an instructor who books nothing has one menu', async () => {
  const { sent } = menu('Ana');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(screen.queryByRole('link', { name: 'Family' })).toBeNull();
});

it('has the roll call without a server, if this phone took one', () => {
  const unknown = { state: 'loading', user: null, role: null, roleLoading: false } as const;
  const offline = (
    <SessionContext value={{ ...unknown, retryRole: () => undefined }}>
      <Sidebar onGo={() => undefined} />
    </SessionContext>
  );
  const others = 'Home, Signup, Login';
  show(offline);
  expect(entries()).toBe(others);
  cleanup();
  markRollCallUsed();
  show(offline);
  expect(entries()).toBe(`Roll Call, ${others}`);
  expect(document.querySelector('[aria-busy]')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull();
});

it('an admin who teaches has an instructor’s entries', async () => {
  show(<Sidebar onGo={() => undefined} />, {
    role: 'admin',
    replies: [
      answers(getAccount, { teaches: true } as Account),
      // A change of a class on sale.
      answers(adminFigures, { classes: { pending: 0 }, waiting: [{}] } as AdminFigures),
    ],
  });
  const own = await screen.findByRole('list', { name: 'Instructor' });
  expect(own.textContent).toBe('Add a ClassInstructor ClassesRoll Call');
  expect(await screen.findByText('to review', { exact: false })).toBeTruthy();
});
