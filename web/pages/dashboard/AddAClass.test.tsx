// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listInstructors } from '../../../contract/instructors.ts';
import { listInvitations, type StaffInvitation } from '../../../contract/staff.ts';
import { answers, show } from '../../testing/screen.tsx';
import { AddForInstructor } from './AddAClass.tsx';

it('without an instructor says who is invited, and offers oneself', async () => {
  const invited = [
    { email: 'anna@example.com', role: 'instructor' },
    { email: 'boss@example.com', role: 'admin' },
  ] as StaffInvitation[];
  show(<AddForInstructor />, {
    role: 'admin',
    replies: [
      answers(listInstructors, { items: [], total: 0 }),
      answers(listInvitations, { items: invited, total: 2 }),
    ],
  });
  expect(await screen.findByText('Invited: anna@example.com.')).toBeTruthy();
  expect(screen.queryByRole('combobox')).toBeNull();
  const invite = screen.getByRole('link', { name: 'Invite an instructor' });
  expect(invite.getAttribute('href')).toBe('/dashboard/manageusers?invite=yes');
  expect(screen.getByRole('button', { name: 'I teach, too' })).toBeTruthy();
});
