// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { endSession, getAccount } from '../../contract/signin/account.ts';
import { changeEmail } from '../../contract/signin/join.ts';
import { getSession } from '../../contract/signin/signin.ts';
import { correctAddress } from '../../contract/people/staff.ts';
import { type UserPage } from '../../contract/academy/userpage.ts';
import { AddressDialog } from '../academy/users/AddressDialog.tsx';
import { answers, aUser, refuses, show } from '../testing/screen.tsx';
import { OwnAddress } from './OwnAddress.tsx';
import { Sessions } from './Sessions.tsx';

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const session = { id: 's1', expiresAt: '2027-01-01T10:00:00Z' };

it.each([
  ['corrects one that nobody confirmed', 'maria@gmail.com', /^Corrected\. We have mailed six/],
  ['tells nothing of one that has an account', aUser.email, /^We have written to maria@gmail/],
])('%s', async (_what, now, words) => {
  const { sent } = show(<OwnAddress password unconfirmed />, {
    replies: [
      answers(changeEmail, { status: true }),
      answers(getSession, { user: { ...aUser, email: now }, session }),
    ],
  });
  expect(screen.getByText('Not confirmed yet')).toBeTruthy();
  type('New email', 'maria@gmial.con');
  fireEvent.blur(screen.getByLabelText('New email'));
  fireEvent.click(await screen.findByRole('button', { name: 'gmail.com' }));
  expect(screen.queryByText(/Did you mean/)).toBeNull();
  type('Your password', 'x');
  press('Correct email');
  expect(await screen.findByText(words)).toBeTruthy();
  expect(sent[0]?.body).toEqual({ email: 'maria@gmail.com', password: 'x' });
});

it('an admin corrects one that nobody confirmed', async () => {
  const user = { _id: 'x', name: 'Sam', email: 'sam@gmial.com', unconfirmed: true } as UserPage;
  show(<AddressDialog user={user} onClose={() => undefined} />, {
    role: 'admin',
    replies: [refuses(correctAddress, 'HAS_ACCOUNT', 'email')],
  });
  expect(await screen.findByLabelText<HTMLInputElement>('Email')).toHaveProperty(
    'value',
    user.email,
  );
  type('Email', 'sam@gmail.com');
  press('Correct');
  expect((await screen.findByRole('alert')).textContent).toMatch(/account with this address/);
});

it('any session but this one is ended alone', async () => {
  const at = '2026-11-01T10:00:00Z';
  const one = { _id: 'x', since: at, seen: at, browser: 'Firefox on Linux', current: false };
  const { sent } = show(<Sessions sessions={[{ ...one, _id: 'y', current: true }, one]} />, {
    replies: [answers(endSession, { deletedCount: 1 }), answers(getAccount, {} as never)],
  });
  expect(screen.getAllByRole('button', { name: /^Sign out: / })).toHaveLength(1);
  press('Sign out: Firefox on Linux');
  await expect
    .poll(() => sent)
    .toMatchObject([{ method: 'DELETE', path: '/api/account/sessions/x' }]);
});
