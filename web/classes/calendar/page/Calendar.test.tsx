// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { myCalendar, type OwnMeeting } from '../../../../contract/classes/calendar.ts';
import { listParticipants, type Participant } from '../../../../contract/people/family.ts';
import { listFeeds } from '../../../../contract/classes/feeds.ts';
import { addDays } from '../../../../contract/platform/days.ts';
import { answers, answersBy, show } from '../../../testing/screen.tsx';
import { dayName } from '../../../platform/ui/dates.ts';
import { Calendar } from './Calendar.tsx';
import { aMeeting } from '../../../testing/samples.ts';

const meeting = (classId: string, name: string, day: string): OwnMeeting => ({
  ...aMeeting,
  _id: `${classId} ${day}`,
  classId,
  name,
  day,
  sport: 'Tennis',
  seat: 3,
  place: 'Hall 1',
  instructor: 'Eva',
  starts: '16:00',
  ends: '17:00',
});

it('names the classes that meet only after the week shown', async () => {
  show(<Calendar />, {
    at: '/?week=2027-01-04',
    replies: [
      answersBy(myCalendar, (asked) =>
        asked.get('from') === '2027-01-04'
          ? [meeting('c1', 'Soccer', '2027-01-05')]
          : [
              meeting('c1', 'Soccer', '2027-01-12'),
              { ...meeting('c2', 'Tennis', '2027-01-13'), for: [{ id: 'p1', name: 'Mia' }] },
              meeting('c3', 'Yoga', '2027-01-14'),
              meeting('c2', 'Tennis', '2027-01-20'),
            ],
      ),
      answers(listParticipants, []),
    ],
  });
  const later = within(await screen.findByRole('region', { name: 'After this week' }));
  expect(later.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    `Tennis${dayName('2027-01-13')}, 16:00 · Mia`,
    `Yoga${dayName('2027-01-14')}, 16:00`,
  ]);
  expect(later.getByRole('link', { name: 'Tennis' }).getAttribute('href')).toContain(
    'week=2027-01-11',
  );
});

it('opens in the first week that has something', async () => {
  const day = addDays(new Date().toISOString().slice(0, 10), 15);
  const soon = [{ ...meeting('c1', 'Soccer', day), endsAt: `${day}T17:00:00Z` }];
  show(<Calendar />, {
    replies: [
      answersBy(myCalendar, (asked) =>
        (asked.get('from') ?? '') <= day && day <= (asked.get('to') ?? '') ? soon : [],
      ),
      answers(listParticipants, []),
    ],
  });
  expect(await screen.findByRole('link', { name: 'Soccer' })).toBeTruthy();
  expect(screen.queryByText(/^Nothing/)).toBeNull();
});

it('has all of the family, also those without a meeting', async () => {
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

it.each([
  ['a parent', [{ _id: 'p1', name: 'Mia', self: false }], '16:0017:00SoccerHall 1 · EvaYou'],
  ['an account without children', [], '16:0017:00SoccerHall 1 · Eva'],
])("says to %s that a meeting is one's own: %j", async (_, children, words) => {
  const own = { ...meeting('c1', 'Soccer', '2027-01-05'), for: [{ id: 'u1', name: 'Sam' }] };
  const family = [{ _id: 'u1', name: 'Sam', self: true }, ...children] as Participant[];
  show(<Calendar />, {
    at: '/?week=2027-01-04',
    replies: [
      answersBy(myCalendar, (asked) => (asked.get('from') === '2027-01-04' ? [own] : [])),
      answers(listParticipants, family),
    ],
  });
  if (children.length > 0) await screen.findByText('Everyone');
  const soccer = await screen.findByRole('link', { name: 'Soccer' });
  expect(soccer.closest('li')?.textContent).toBe(words);
});

it('a meeting leads to the roll call, or to the class', async () => {
  const taught = { ...meeting('c1', 'Soccer', '2027-01-05'), teaches: true as const };
  const proposed = { ...taught, _id: 'm2', name: 'Yoga', state: 'proposed' as const };
  const attended = { ...meeting('c2', 'Tennis', '2027-01-06'), for: [{ id: 'u1', name: 'Sam' }] };
  show(<Calendar />, {
    at: '/?week=2027-01-04',
    replies: [answers(myCalendar, [taught, proposed, attended]), answers(listParticipants, [])],
  });
  for (const [name, to] of [
    [/Soccer/, '/dashboard/rollcall/c1?meeting=c1%202027-01-05'],
    [/Yoga/, '/classes/c1'],
    [/Tennis/, '/classes/c2'],
  ] as const)
    expect((await screen.findAllByRole('link', { name }))[0]?.getAttribute('href')).toBe(to);
});
