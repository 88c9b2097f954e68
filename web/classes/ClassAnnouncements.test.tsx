// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listAnnouncements } from '../../contract/classes/announcements.ts';
import { answersBy, show } from '../testing/screen.tsx';
import { ClassAnnouncements } from './ClassAnnouncements.tsx';

it('announcements come by themselves when the network is back', async () => {
  // The page asks again by an interval; nothing else is faked, so that the test can wait.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let online = false;
  const reply = answersBy(listAnnouncements, () => {
    if (!online) throw new Error('no network');
    return { items: [], total: 0 };
  });
  show(<ClassAnnouncements classId="c1" name="Tennis" />, { replies: [reply] });
  await screen.findByRole('button', { name: 'Retry' });
  online = true;
  vi.advanceTimersByTime(5_000);
  expect(await screen.findByText(/Nothing was written/)).toBeTruthy();
});
