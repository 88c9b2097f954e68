// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { messages } from '../../contract/platform/messages.ts';
import { listInvitations } from '../../contract/people/staff.ts';
import {
  type ListedUser,
  listUsers,
  makeAdmin,
  makeInstructor,
} from '../../contract/people/users.ts';
import { answers, answersBy, show } from '../testing/screen.tsx';
import { OpenDialog } from '../platform/ui/Messages.tsx';
import { useMessages } from '../platform/ui/alert.ts';
import { ManageUsers } from './ManageUsers.tsx';

const kim: ListedUser = { _id: 'x', name: 'Kim', email: 'kim@example.com', role: 'student' };
const changed = { modifiedCount: 1 };
const Toasts = () => useMessages().toasts.map(({ id, title }) => <p key={id}>{title}</p>);

const list = (items: ListedUser[], at = '/') =>
  show(
    <>
      <ManageUsers />
      <OpenDialog />
      <Toasts />
    </>,
    {
      role: 'admin',
      at,
      replies: [
        answersBy(listUsers, (asked) => ({ items, total: asked.has('search') ? 1 : 26 })),
        answers(listInvitations, { items: [], total: 0 }),
        answers(makeAdmin, changed),
        answers(makeInstructor, changed),
      ],
    },
  );
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const given = (role: string) => ({ method: 'PATCH', path: `/api/users/${role}/x`, body: {} });

it.each([
  ['Make Admin', 'admin', messages.isAdminNow('Kim')],
  ['Make Instructor', 'instructor', messages.isInstructorNow('Kim')],
])('%s gives the role, and says so', async (label, role, said) => {
  const { sent } = list([kim]);
  await press(`${label}: Kim`);
  expect(await screen.findByText(said)).toBeTruthy();
  expect(sent).toContainEqual(given(role));
});

it('asks before an address that is not confirmed gets a role', async () => {
  const { sent } = list([{ ...kim, unconfirmed: true }]);
  await press('Make Admin: Kim');
  expect(screen.getByText('Address not confirmed')).toBeTruthy();
  const why = /^A stranger may have signed up with kim@example\.com\./;
  expect(await screen.findByText(why)).toBeTruthy();
  await press('Cancel');
  await waitFor(() => expect(screen.queryByText(why)).toBeNull());
  expect(sent).not.toContainEqual(given('admin'));
  await press('Make Instructor: Kim');
  await press('Make Instructor all the same');
  await waitFor(() => expect(sent).toContainEqual(given('instructor')));
});

it('counts all in its heading, and says how many a search found', async () => {
  list([kim], '/?q=kim');
  expect(await screen.findByRole('heading', { level: 1, name: 'Total Users: 26' })).toBeTruthy();
  expect(screen.getByText('1 found')).toBeTruthy();
});

it('is sorted by its headings, on a phone by a choice', async () => {
  const { where } = list([kim]);
  await press('Name');
  await waitFor(() => expect(where()).toBe('/?sort=-name'));
  const heading = screen.getByRole('columnheader', { name: 'Name' });
  expect(heading.getAttribute('aria-sort')).toBe('descending');
  fireEvent.change(screen.getByLabelText('Sort by'), { target: { value: 'email' } });
  await waitFor(() => expect(where()).toBe('/?sort=email'));
});

it('says that a page is past the end, and leads to the first', async () => {
  const { where } = list([], '/?page=9');
  expect(await screen.findByText('This page is past the end')).toBeTruthy();
  await press('First page');
  await waitFor(() => expect(where()).toBe('/'));
});
