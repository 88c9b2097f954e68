// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { ErrorCode } from '../../contract/platform/errors.ts';
import { settings } from '../../contract/platform/settings.ts';
import { signIn } from '../../contract/signin/signin.ts';
import { unknownSettings } from '../platform/api/query.ts';
import { selection } from '../people/session/selection.ts';
import { answers, refuses, show } from '../testing/screen.tsx';
import { Login } from './Login.tsx';

beforeEach(() => selection.forget());

const contact = 'hello@rally.test';
function logIn(refusal: ErrorCode) {
  const known = answers(settings, { ...unknownSettings, contact });
  const { sent } = show(<Login />, { role: null, replies: [known, refuses(signIn, refusal)] });
  for (const [label, value] of [
    ['Email', 'pat@example.com'],
    ['Password', 'Wrong#2026'],
  ] as const)
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  const button = screen.getByRole('button', { name: 'Login' });
  fireEvent.click(button);
  fireEvent.click(button);
  return () => sent.filter(({ method }) => method === 'POST');
}

it.each<[ErrorCode, string]>([
  ['WRONG_CREDENTIALS', 'Wrong email or password.'],
  ['INVALID_INPUT', 'Wrong email or password.'],
  ['ACCOUNT_BLOCKED', `This account is blocked. Write to ${contact}.`],
])('%s is said as "%s", and sent once', async (refusal, words) => {
  const sent = logIn(refusal);
  expect((await screen.findByRole('alert')).textContent).toBe(words);
  expect(sent()).toHaveLength(1);
});

it('after too many tries leads to a new password by email', async () => {
  logIn('RATE_LIMITED');
  const way = await screen.findByRole('link', { name: 'choose a new password by email' });
  expect(way.getAttribute('href')).toBe('/forgotpassword');
});

it('says that Google is not set up, instead of hiding it', () => {
  show(<Login />, { role: null });
  const google = screen.getByRole('button', { name: 'Continue with Google' });
  expect(google.hasAttribute('disabled')).toBe(true);
  expect(screen.getByText('Sign-in with Google is not available here yet.')).toBeTruthy();
});

it('offers the sign-up first to who is new and chose a class', async () => {
  selection.keep('a class');
  show(<Login />, { role: null });
  expect(await screen.findByRole('button', { name: 'Sign Up' })).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'Login' }));
  expect(await screen.findByRole('button', { name: 'Login' })).toBeTruthy();
});
