// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { addClass } from '../../contract/classes/classes.ts';
import { settings } from '../../contract/platform/settings.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { listClosures, listPlaces } from '../../contract/classes/places.ts';
import { listInvitations, type StaffInvitation } from '../../contract/people/staff.ts';
import { someSettings } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { AddAClass, AddForInstructor } from './AddAClass.tsx';

it('without an instructor says who is invited, or I teach', async () => {
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

const ownClass = () =>
  show(<AddAClass />, {
    role: 'instructor',
    replies: [
      answers(settings, someSettings),
      answers(listPlaces, []),
      answers(listClosures, []),
      answers(addClass, { insertedId: 'c1' }),
    ],
  });

it('is sent once for two clicks, with a key of the form', async () => {
  const { where } = ownClass();
  const fetched = vi.spyOn(globalThis, 'fetch');
  for (const [label, value] of [
    ['Class Name', 'Diving'],
    ['Photo URL', '/media/class/learn-to-swim.webp'],
    ['Price', '19.99'],
    ['Available Seats', '12'],
  ] as const)
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const button = screen.getByRole('button', { name: 'Add Class' });
  fireEvent.click(button);
  fireEvent.click(button);
  await waitFor(() => expect(where()).toBe('/dashboard/myclasses'));
  const posts = fetched.mock.calls.filter(([, sent]) => sent?.method === 'POST');
  expect(posts.map(([, sent]) => new Headers(sent?.headers).get('idempotency-key'))).toEqual([
    expect.stringMatching(/^[\da-f-]{36}$/),
  ]);
});

it('has a preview that is only to be looked at', () => {
  ownClass();
  const preview = screen.getByRole('region', { name: 'As visitors will see it' });
  const controls = [...preview.querySelectorAll('a, button')];
  expect(controls.length).toBeGreaterThan(1);
  expect(controls.filter((control) => !control.closest('[inert]'))).toEqual([]);
});
