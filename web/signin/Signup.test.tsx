// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { signIn, signUp } from '../../contract/signin/signin.ts';
import { answers, refuses, show } from '../testing/screen.tsx';
import { Signup } from './Signup.tsx';

const right = {
  Name: 'Pat Parent',
  'Photo URL': '/media/avatar/soccer.webp',
  Email: 'pat@example.com',
  Password: 'Lob&Volley7',
  'Confirm Password': 'Lob&Volley7',
};
type Form = Partial<typeof right>;

function fill(form: Form) {
  for (const [label, value] of Object.entries({ ...right, ...form }))
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }));
}

it.each<[Form, string, RegExp]>([
  [{ Name: '' }, 'Name', /^Name is required/],
  [{ 'Photo URL': 'javascript:alert(1)' }, 'Photo URL', /must be an https:\/\/ address/],
  [{ 'Confirm Password': 'Other#2026' }, 'Confirm Password', /are not the same/],
])('signing up with %j names the rule at %s', async (wrong, label, words) => {
  const { sent } = show(<Signup />, { role: null });
  fill(wrong);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.getByLabelText(label).getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe(wrong.Email ?? right.Email);
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
});

it('does not tell that an address is taken', async () => {
  show(<Signup />, {
    role: null,
    replies: [answers(signUp, {} as never), refuses(signIn, 'WRONG_CREDENTIALS')],
  });
  fill({});
  expect(await screen.findByText(/Please check your mailbox, or log in/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe(right.Email);
});

const type = (typed: string) =>
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: typed } });

it('ticks the rules that a password keeps while it is typed', () => {
  show(<Signup />, { role: null });
  type('kyXqim6');
  const words = screen.getAllByText('Done:').map(({ parentElement }) => parentElement?.textContent);
  expect(words).toEqual([
    'Done: 6 to 20 characters',
    'Done: upper and lower case',
    'Done: a number',
  ]);
});

it('fills the second password while the first one is shown', () => {
  show(<Signup />, { role: null });
  fireEvent.click(screen.getByRole('button', { name: 'Show Password' }));
  type('Lob&Volley7');
  const second = screen.getByLabelText<HTMLInputElement>('Confirm Password');
  expect(second.value).toBe('Lob&Volley7');
  fireEvent.click(screen.getByRole('button', { name: 'Hide Password' }));
  type('Lob&Volley8');
  expect(second.value).toBe('Lob&Volley7');
});
