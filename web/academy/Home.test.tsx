// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { readHome } from '../../contract/academy/site.ts';
import { myCalendar } from '../../contract/classes/calendar.ts';
import { listClasses } from '../../contract/classes/classes.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { aClass, aMeeting } from '../testing/samples.ts';
import { answers, show } from '../testing/screen.tsx';
import { Home } from './Home.tsx';

it('shows what is popular, answers, and thanks the sponsors', async () => {
  const ana = { id: 'i1', name: 'Ana', email: 'a@x.test', img: '/a.svg', classes: 1, sports: [] };
  show(<Home />, {
    role: null,
    replies: [
      answers(listClasses, { result: [aClass], outQueryResult: [], total: 1 }),
      answers(listInstructors, { items: [ana], total: 1 }),
      answers(readHome, {
        banners: [],
        faq: [{ question: 'Can I get my money back?', answer: 'Write to us.' }],
        sponsors: [{ name: 'Baseline', picture: '/media/b.png' }],
      }),
    ],
  });
  const [card] = await screen.findAllByRole('article');
  for (const words of ['Instructor', 'Available Seats', 'Price'])
    expect(card?.textContent).toContain(words);
  expect(await screen.findByText('Our Valuable Sponsors')).toBeTruthy();
  for (const words of [
    'Popular Courses',
    'All Popular Classes or Courses is here.....',
    'Popular Instructors',
    'All our Hero instructors.....',
    'World best companys trust us.....',
    'Before you book',
    'Can I get my money back?',
  ])
    expect(screen.getByText(words)).toBeTruthy();
  const sponsors = screen.getByRole('region', { name: 'Our Valuable Sponsors' });
  expect(within(sponsors).getAllByRole('img')).toHaveLength(1);
});

it('says what comes next to who is signed in', async () => {
  const day = new Date().toISOString().slice(0, 10);
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const meeting = {
    ...aMeeting,
    day,
    startsAt,
    classId: 'c1',
    name: 'Archery',
    sport: 'Archery',
    seat: 1,
  };
  show(<Home />, {
    replies: [
      answers(listClasses, { result: [], outQueryResult: [], total: 0 }),
      answers(listInstructors, { items: [], total: 0 }),
      answers(readHome, { banners: [], faq: [], sponsors: [] }),
      answers(myCalendar, [{ ...meeting, for: [{ id: 'p1', name: 'Leo Parent' }] }]),
    ],
  });
  const link = await screen.findByRole('link', { name: /^Next: / });
  expect(link.textContent).toBe('Next: Today 10:00 · Archery · Leo\u00A0→');
});
