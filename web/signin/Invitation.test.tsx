// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { acceptInvitation, readInvitation } from '../../contract/people/family.ts';
import { originOf } from '../people/session/origin.ts';
import { invitation } from '../people/session/invitation.ts';
import { answers, email, refuses, show } from '../testing/screen.tsx';
import { Invitation } from './Invitation.tsx';

beforeEach(() => {
  invitation.keep('secret');
  return () => invitation.forget();
});

it('for another address is said with the way on', async () => {
  show(<Invitation />, { replies: [refuses(readInvitation, 'EMAIL_MISMATCH')] });
  const title = 'This invitation is for another address';
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
  expect(screen.getByText(email)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Log out and use another account' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
  // The next account of this tab may be the right one.
  expect(invitation.read()).toBe('secret');
});

it('leads through sign-up and back to itself', () => {
  const { carried } = show(<Invitation />, { role: null });
  fireEvent.click(screen.getByRole('link', { name: 'Sign up' }));
  expect(originOf(carried())).toBe('/invitation');
});

it('names who invites to whom, and its button alone accepts', async () => {
  const { sent } = show(<Invitation />, {
    replies: [
      answers(readInvitation, { from: 'Eva', children: ['Mia', 'Leo'] }),
      answers(acceptInvitation, { children: ['Mia', 'Leo'] }),
    ],
  });
  expect(await screen.findByText('Eva invites you to look after Mia and Leo')).toBeTruthy();
  expect(sent).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Accept' }));
  expect(await screen.findByText('You now look after Mia and Leo')).toBeTruthy();
});
