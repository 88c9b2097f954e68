// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { acceptInvitation, readInvitation } from '../../contract/family.ts';
import { invitation } from '../session/invitation.ts';
import { answers, email, refuses, show } from '../testing/screen.tsx';
import { Invitation } from './Invitation.tsx';

beforeEach(() => {
  invitation.keep('secret');
  return () => invitation.forget();
});

it.each([
  ['EMAIL_MISMATCH', 'This invitation is for another address', 'Log out and use another account'],
  ['EMAIL_NOT_CONFIRMED', 'Please confirm your address first', 'My address is confirmed'],
] as const)('%s is said with the way on', async (code, title, way) => {
  show(<Invitation />, { replies: [refuses(readInvitation, code)] });
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeTruthy();
  expect(screen.getByText(email)).toBeTruthy();
  expect(screen.getByRole('button', { name: way })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull();
  // The next account of this tab may be the right one.
  expect(invitation.read()).toBe('secret');
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
