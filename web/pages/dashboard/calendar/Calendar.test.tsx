// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { myCalendar } from '../../../../contract/calendar.ts';
import { listParticipants, type Participant } from '../../../../contract/family.ts';
import { listFeeds } from '../../../../contract/feeds.ts';
import { answers, show } from '../../../testing/screen.tsx';
import { Calendar } from './Calendar.tsx';

it('has all of the family, also those without a meeting in the days that are shown', async () => {
  const family = [
    { _id: 'u1', name: 'Eva', self: true },
    { _id: 'p1', name: 'Mia', self: false },
  ] as Participant[];
  show(<Calendar />, {
    replies: [answers(myCalendar, []), answers(listParticipants, family), answers(listFeeds, [])],
  });
  expect(await screen.findByText('Everyone')).toBeTruthy();
  expect(screen.getByText('Mia')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Subscribe on your phone' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('All my dates')).toBeTruthy();
  expect(dialog.getByText('Mia')).toBeTruthy();
});
