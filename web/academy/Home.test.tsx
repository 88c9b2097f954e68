// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { readHome } from '../../contract/academy/site.ts';
import { listClasses } from '../../contract/classes/classes.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { aClass } from '../testing/samples.ts';
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
