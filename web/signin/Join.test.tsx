// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { joinStaff, readStaffInvitation } from '../../contract/signin/join.ts';
import { staffInvitation } from '../people/session/invitation.ts';
import { answers, email, refuses, show } from '../testing/screen.tsx';
import { Join } from './Join.tsx';

const invited = { email, role: 'instructor' } as const;

function keep() {
  staffInvitation.keep('secret');
  onTestFinished(() => staffInvitation.forget());
}

it('gives the role to who is signed in with the address', async () => {
  keep();
  const { sent } = show(<Join />, {
    replies: [
      answers(readStaffInvitation, { ...invited, account: 'yours' }),
      answers(joinStaff, { ...invited, status: true }),
    ],
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Accept' }));
  const link = await screen.findByRole('link', { name: 'Go to the dashboard' });
  expect(link.getAttribute('href')).toBe('/dashboard/myclasses');
  const accepted = sent.filter(({ path }) => path.endsWith('/accept-invitation'));
  expect(accepted.map(({ body }) => body)).toEqual([{ secret: 'secret' }]);
});

it('shows a stranger the address that was invited', async () => {
  keep();
  const replies = [answers(readStaffInvitation, { ...invited, account: 'none' })];
  show(<Join />, { role: null, replies });
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe(email);
});

it('says that a link no longer works', async () => {
  keep();
  show(<Join />, { role: null, replies: [refuses(readStaffInvitation, 'BAD_LINK')] });
  expect(await screen.findByText('This invitation no longer works')).toBeTruthy();
});
