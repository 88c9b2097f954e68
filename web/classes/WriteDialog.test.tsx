// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { announce, countFamilies } from '../../contract/classes/announcements.ts';
import { settings } from '../../contract/platform/settings.ts';
import { someSettings } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { WriteDialog } from './WriteDialog.tsx';

const to = (families: number) => {
  const replies = [
    answers(settings, someSettings),
    answers(countFamilies, { families }),
    answers(announce, { families }),
  ];
  let closed = 0;
  const classes = [{ _id: 'c1', name: 'Judo' }];
  const shown = show(<WriteDialog classes={classes} onClose={() => (closed += 1)} />, {
    role: 'instructor',
    replies,
  });
  return { ...shown, closed: () => closed };
};
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });

it('says how many families get it, shows the mail, and sends it', async () => {
  const { sent, closed } = to(1);
  expect(await screen.findByText(/^1 family will get it\./)).toBeTruthy();
  type('Subject', 'Water');
  type('Text', 'Please bring two.');
  expect(screen.getByRole('region', { name: 'As a mail' }).textContent).toContain('bring two');
  fireEvent.click(send());
  await waitFor(() => expect(closed()).toBe(1));
  const body = { classIds: ['c1'], subject: 'Water', words: 'Please bring two.' };
  expect(sent).toContainEqual({ method: 'POST', path: '/api/announcements', body });
});

it('is not sent where no family would get it', async () => {
  to(0);
  expect(await screen.findByText('No family would get it.')).toBeTruthy();
  expect(send().disabled).toBe(true);
});
