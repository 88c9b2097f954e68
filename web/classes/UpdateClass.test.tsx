// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { getClass } from '../../contract/classes/classes.ts';
import { settings } from '../../contract/platform/settings.ts';
import { listClosures, listPlaces } from '../../contract/classes/places.ts';
import { aClass, someSettings } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { UpdateClass } from './UpdateClass.tsx';

const stays = 'The class stays on sale as it is until the office has approved your change.';
const waits = 'On sale unchanged; your change waits for the office.';
const waiting = { proposedAt: '2026-11-19T02:00:00.000Z', proposal: { name: 'Bows' } };

it.each([
  ['booked', { seat: 6 }, `${stays} Dates change at once.`],
  ['not booked', { seat: aClass.capacity }, stays],
  ['waiting', { seat: aClass.capacity, ...waiting }, waits],
])('says what becomes of a change of a class that is %s', async (_, more, words) => {
  const own = { ...aClass, ...more, feedback: '' };
  show(<UpdateClass />, {
    role: 'instructor',
    at: { pathname: '/updateclass', search: '', state: { item: { _id: 'x' } } },
    replies: [
      answers(getClass, own),
      answers(settings, someSettings),
      answers(listPlaces, []),
      answers(listClosures, []),
    ],
  });
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryAllByRole('button', { name: 'Withdraw' })).toHaveLength(
    'proposal' in more ? 1 : 0,
  );
});

it('shows what the office wrote above the form', async () => {
  show(<UpdateClass />, {
    role: 'instructor',
    at: { pathname: '/updateclass', search: '', state: { item: { _id: 'x' } } },
    replies: [
      answers(getClass, { ...aClass, feedback: 'Which ages is it for?' }),
      answers(settings, someSettings),
      answers(listPlaces, []),
      answers(listClosures, []),
    ],
  });
  expect(await screen.findByText('Which ages is it for?')).toBeTruthy();
});

it.each([
  ['instructor', 'My Classes', '/dashboard/myclasses'],
  ['admin', 'Manage Classes', '/dashboard/manageclasses'],
] as const)('without a class leads the %s to the list', (role, name, to) => {
  show(<UpdateClass />, { role, replies: [answers(settings, someSettings)] });
  expect(screen.getByText('No class was chosen')).toBeTruthy();
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(to);
});
