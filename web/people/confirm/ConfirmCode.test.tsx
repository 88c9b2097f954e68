// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getAccount } from '../../../contract/signin/account.ts';
import type { ErrorCode } from '../../../contract/platform/errors.ts';
import {
  inviteGuardian,
  listParticipants,
  type Participant,
} from '../../../contract/people/family.ts';
import { confirmEmail, sendConfirmation } from '../../../contract/signin/signin.ts';
import { ShareDialog } from '../../academy/family/ShareDialog.tsx';
import { answers, email, refuses, show } from '../../testing/screen.tsx';
import { ConfirmCode } from './ConfirmCode.tsx';
import { ConfirmFirst } from './ConfirmFirst.tsx';

const done = { status: true };
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const typeCode = async (code: string) => {
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: code } });
  press('Confirm');
};

it('names the address, and its six digits confirm it', async () => {
  let confirmed = 0;
  const { sent } = show(<ConfirmCode onConfirmed={() => (confirmed += 1)} />, {
    replies: [answers(confirmEmail, done)],
  });
  expect(screen.getByText(email)).toBeTruthy();
  const code = screen.getByLabelText('Code');
  expect(code.getAttribute('inputmode')).toBe('numeric');
  expect(code.getAttribute('autocomplete')).toBe('one-time-code');
  await typeCode('123 456');
  await waitFor(() => expect(confirmed).toBe(1));
  expect(sent[0]?.body).toEqual({ code: '123456' });
});

it.each<ErrorCode>(['WRONG_CODE', 'CODE_OVER'])('says %s at the field', async (refused) => {
  show(<ConfirmCode />, { replies: [refuses(confirmEmail, refused, 'code')] });
  await typeCode('123456');
  expect((await screen.findByRole('alert')).textContent).toMatch(/code/);
  expect(screen.getByLabelText('Code').getAttribute('aria-invalid')).toBe('true');
});

it('sends a new mail, and leads to a wrong address', async () => {
  show(<ConfirmCode />, { replies: [answers(sendConfirmation, done)] });
  press('Send a new mail');
  expect(await screen.findByText(/^A new mail with six digits is on its way/)).toBeTruthy();
  const way = screen.getByRole('link', { name: 'Correct it' }).getAttribute('href');
  expect(way).toBe('/dashboard/account#email');
});

type Replies = (ReturnType<typeof answers> | ReturnType<typeof refuses>)[];

const invite = () => {
  let closed = 0;
  const kids = [{ _id: 'p1', name: 'Mia' } as Participant];
  const replies: Replies = [
    refuses(inviteGuardian, 'EMAIL_NOT_CONFIRMED'),
    answers(confirmEmail, done),
    answers(getAccount, {} as never),
    answers(listParticipants, []),
  ];
  const shown = show(
    <>
      <ConfirmFirst />
      <ShareDialog kids={kids} onClose={() => (closed += 1)} />
    </>,
    { replies },
  );
  const target = { value: 'ben@example.com' };
  fireEvent.change(screen.getByLabelText('Their email'), { target });
  press('Send the invitation');
  return { ...shown, replies, closed: () => closed };
};
const asked = () => screen.findByRole('dialog', { name: 'Please confirm your address first' });

it('a change that waits for the address goes on after the code', async () => {
  const { sent, closed, replies } = invite();
  await asked();
  replies.unshift(answers(inviteGuardian, { invited: 1 }));
  await typeCode('123456');
  await waitFor(() => expect(closed()).toBe(1));
  const body = { email: 'ben@example.com', participantIds: ['p1'] };
  expect(sent.filter(({ path }) => path === '/api/guardians/invite')).toEqual(
    [1, 2].map(() => ({ method: 'POST', path: '/api/guardians/invite', body })),
  );
});

it('a change is refused when the question is closed', async () => {
  const { closed } = invite();
  fireEvent.click(within(await asked()).getByRole('button', { name: 'Close' }));
  expect(await screen.findByText(/^Please confirm your address first: /)).toBeTruthy();
  expect(closed()).toBe(0);
});
