// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { address } from '../../../contract/platform/call.ts';
import { type AdminFigures, adminFigures } from '../../../contract/academy/figures.ts';
import { settings } from '../../../contract/platform/settings.ts';
import { listRollCalls } from '../../../contract/rollcall/rollcall.ts';
import { readSteps } from '../../../contract/academy/steps.ts';
import { addDays } from '../../../contract/platform/days.ts';
import { todayIn } from '../../platform/ui/dates.ts';
import { someSettings } from '../../testing/samples.ts';
import { answers, show } from '../../testing/screen.tsx';
import { AdminHome } from './AdminHome.tsx';

const nothing: AdminFigures = {
  users: { student: 0, instructor: 0, admin: 1 },
  classes: { pending: 0, approved: 0, denied: 0 },
  seats: { sold: 0, free: 0 },
  revenue: 0,
  enrolments: 0,
  days: [{ day: '2026-01-07', enrolments: 0, revenue: 0 }],
  before: { enrolments: 0, revenue: 0 },
  waiting: [],
  attention: 0,
  families: 0,
  failedRefunds: 0,
  fullest: [],
  emptiest: [],
  underThirty: 0,
};
const inSandbox = answers(settings, someSettings);
const noSteps = answers(readSteps, { hidden: true, done: [] });
const noMeetings = answers(listRollCalls, { items: [], total: 0 });
const home = (figures: Partial<AdminFigures>, steps = noSteps) =>
  show(<AdminHome />, {
    role: 'admin',
    replies: [answers(adminFigures, { ...nothing, ...figures }), inSandbox, steps, noMeetings],
  });
const needs = () => screen.findByRole('region', { name: 'Needs you' });

it('a new academy sees its first steps, and which are done', async () => {
  home({}, answers(readSteps, { hidden: false, done: ['name', 'place'] }));
  const steps = await screen.findByRole('region', { name: 'First steps' });
  expect(within(steps).getByText('2 of 10 done')).toBeTruthy();
  expect(within(steps).getAllByText('(done)')).toHaveLength(2);
  expect(
    within(steps).getByRole('link', { name: 'Currency and time zone' }).getAttribute('href'),
  ).toBe('/dashboard/academy?section=money');
  expect(within(steps).getByRole('button', { name: 'Send a test mail' })).toBeTruthy();
});

it('what waits is a sentence with its action, zeros are not', async () => {
  home({ failedRefunds: 2, attention: 3, families: 1 });
  const links = within(await needs()).getAllByRole('link');
  expect(links.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')])).toEqual(
    [
      ['Send again: 2 refunds have failed.', '/dashboard/payments?status=refund_failed'],
      ['Answer: 1 family waits for an answer.', '/dashboard/attention'],
    ],
  );
  expect(within(await needs()).getByText('Nothing else.')).toBeTruthy();
});

it('says so when nothing waits', async () => {
  home({});
  expect(within(await needs()).getByText('Nothing needs you now.')).toBeTruthy();
});

it('five of the waiting classes are shown, others on demand', async () => {
  const waiting = Array.from({ length: 7 }, (_, n) => ({
    _id: `c${n}`,
    name: `Class ${n}`,
    instructor: 'Casey',
    since: '2026-01-07T10:00:00.000Z',
    status: 'pending' as const,
    version: 1,
  }));
  home({ waiting, classes: { pending: 12, approved: 0, denied: 0 } });
  const region = await needs();
  expect(within(region).getAllByRole('listitem')).toHaveLength(5);
  fireEvent.click(within(region).getByRole('button', { name: 'Show 2 more' }));
  expect(within(region).getAllByRole('listitem')).toHaveLength(7);
  // It stays, so the focus does, too.
  expect(within(region).getByRole('button', { name: 'Show fewer' })).toBeTruthy();
  expect(within(region).getByRole('link', { name: 'See all 12 pending' })).toBeTruthy();
});

it('shows what is sold, of as many days as are chosen', async () => {
  const { where } = home({});
  for (const name of ['Revenue, 1 day', 'Enrolments, 1 day'])
    expect(await screen.findByRole('figure', { name })).toBeTruthy();
  fireEvent.change(screen.getByLabelText('When'), { target: { value: '7 days' } });
  const today = todayIn();
  expect(where()).toBe(`/?from=${addDays(today, -6)}&to=${today}`);
});

it('a visitor is led to the login, and nothing is asked', () => {
  const { sent } = show(<AdminHome />, { role: null });
  expect(screen.getByText('For admins only')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/login');
  expect(sent.filter(({ path }) => path !== address(settings, {}).path)).toEqual([]);
});
