// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { denyClass } from '../../contract/classes/classes.ts';
import { errors } from '../../contract/platform/errors.ts';
import { answers, refuses, show } from '../testing/screen.tsx';
import { DenyReason } from './ApproveDeny.tsx';

const item = {
  _id: 'x',
  name: 'Archery Basics',
  instructor: 'Ana Costa',
  status: 'denied',
} as const;

const told = answers(denyClass, { modifiedCount: 1 });

function ask(reply: typeof told | ReturnType<typeof refuses> = told) {
  let closed = 0;
  const shown = show(<DenyReason item={item} onClose={() => (closed += 1)} />, {
    role: 'admin',
    replies: [reply],
  });
  return { ...shown, closed: () => closed };
}

const write = (reason: string) => {
  const field = screen.getByLabelText<HTMLTextAreaElement>('Why? (mailed to the coach)');
  expect(document.activeElement).toBe(field);
  fireEvent.change(field, { target: { value: reason } });
  return field;
};
const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });

it('can be left without an answer', () => {
  const { sent, closed } = ask();
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
  expect([closed(), sent]).toEqual([1, []]);
});

it('sends the reason, and only once there is one', async () => {
  const { sent, closed } = ask();
  write('  ');
  expect(sendButton().disabled).toBe(true);
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'The photo is blurred.' } });
  fireEvent.click(sendButton());
  await waitFor(() => expect(closed()).toBe(1));
  expect(sent[0]).toEqual({
    method: 'PATCH',
    path: '/api/classes/deny/x',
    body: { reason: 'The photo is blurred.' },
  });
});

it('keeps what was written when it cannot be sent', async () => {
  const { closed } = ask(refuses(denyClass, 'NOT_FOUND'));
  const field = write('The photo is blurred.');
  fireEvent.click(sendButton());
  expect((await screen.findByRole('alert')).textContent).toBe(errors.NOT_FOUND[1]);
  expect([field.value, closed()]).toEqual(['The photo is blurred.', 0]);
});
