// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { listRollCalls, type RollCall } from '../../contract/rollcall/rollcall.ts';
import { todayIn } from '../platform/ui/dates.ts';
import { aRollCall } from '../testing/samples.ts';
import { answers, refuses, show } from '../testing/screen.tsx';
import { Today } from './Today.tsx';

const hour = 3_600_000;
const day = todayIn();
/** It begins in so many hours, and is on today's list whatever the time is. */
const meeting = (hours: number, given: Partial<RollCall>): RollCall => ({
  ...aRollCall,
  meetingId: `m${hours}`,
  day,
  startsAt: new Date(Date.now() + hours * hour).toISOString(),
  ...given,
});
const today = (whose: 'mine' | 'all', ...items: RollCall[]) =>
  show(<Today whose={whose} />, {
    role: 'instructor',
    replies: [answers(listRollCalls, { items, total: items.length })],
  });
const texts = async () =>
  (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent ?? '');
const rollCalls = () => screen.getAllByRole('link', { name: /^Roll call:/ });

it('shows the day of a coach, roll call solid on what is next', async () => {
  today(
    'mine',
    meeting(3, {}),
    meeting(1, { expected: 8, firstTimers: 2 }),
    meeting(-3, { taken: true, present: 8, late: 1 }),
    meeting(-5, {}),
  );
  const rows = await texts();
  const said = [
    'Roll call is missing',
    '9 of 12 here',
    '8 expected · 2 first-timers',
    '12 expected',
  ];
  expect(said.map((words, nth) => rows[nth]?.includes(words))).toEqual([true, true, true, true]);
  expect(rows.map((row) => row.includes('Next:'))).toEqual([false, false, true, false]);
  const solid = rollCalls().map(({ className }) => className.includes('btn-primary'));
  expect(solid).toEqual([false, false, true, false]);
  expect(rollCalls()[2]?.getAttribute('href')).toBe('/dashboard/rollcall/c1?meeting=m1');
});

it('opens the next day once today is over', async () => {
  today('mine', meeting(50, { day: '2099-01-07' }));
  expect(await screen.findByText('No meeting today.')).toBeTruthy();
  const next = screen.getByRole('group');
  expect(within(next).getByText('Wed 7 Jan 2099 · 1 meeting')).toBeTruthy();
  expect(next.hasAttribute('open')).toBe(true);
});

it('shows the office who teaches, and what is missing', async () => {
  today('all', meeting(1, { coached: false }), meeting(-5, {}));
  const [missing, next] = await texts();
  expect(missing).toContain('Roll call is missing');
  expect(next).toContain('Ana Costa · Court 1 · 12 expected');
  expect(next).toContain('No coach');
  expect(rollCalls()).toHaveLength(1);
});

it('shows what is cancelled, without the ball and in no count', async () => {
  const off = { state: 'cancelled', told: 'rain' } as const;
  today('all', meeting(1, off), meeting(3, {}), meeting(50, { day: '2099-01-07', ...off }));
  const [cancelled, next] = await texts();
  expect(cancelled).toContain('Cancelled: rain');
  expect(cancelled).not.toContain('expected');
  expect(next).toContain('Next:');
  expect(screen.queryByRole('group')).toBeNull();
});

it('offers another try when it cannot be loaded', async () => {
  show(<Today whose="mine" />, { replies: [refuses(listRollCalls, 'NOT_FOUND')] });
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy();
});
