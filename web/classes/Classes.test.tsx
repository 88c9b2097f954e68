// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Navigate, Route, Routes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { type Class, listClasses } from '../../contract/classes/classes.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { listPlaces } from '../../contract/classes/places.ts';
import { answers, answersBy, show } from '../testing/screen.tsx';
import { Classes } from './Classes.tsx';
import { aClass } from '../testing/samples.ts';

const court = '11111111-1111-4111-8111-111111111111';
const instructor = '22222222-2222-4222-8222-222222222222';

const item: Class = {
  ...aClass,
  name: 'Table Tennis Club',
  instructorId: instructor,
  sport: 'Table Tennis',
};

type Found = (asked: URLSearchParams) => { total: number; alike?: true };

/** The page at this address; `found` says how many classes a question finds. */
const open = (search: string, found: Found = () => ({ total: 1 })) => {
  const asked: URLSearchParams[] = [];
  const shown = show(
    <Routes>
      <Route path="/" element={<Navigate to={`/classes${search}`} replace />} />
      <Route path="/classes" element={<Classes />} />
    </Routes>,
    {
      role: null,
      replies: [
        answersBy(listClasses, (query) => {
          asked.push(query);
          const { total, ...more } = found(query);
          const result = total > 0 ? [item] : [];
          return { result, outQueryResult: result, total, ...more };
        }),
        answers(listInstructors, { items: [], total: 0 }),
        answers(listPlaces, [
          { _id: court, name: 'Court 1', address: '', capacity: 8, closed: false },
          { _id: instructor, name: 'Old Barn', address: '', capacity: 8, closed: true },
        ]),
      ],
    },
  );
  return { ...shown, asked };
};

const chips = async () => {
  const list = await screen.findByRole('list', { name: 'Filters in use' });
  return within(list)
    .getAllByRole('link')
    .map((link) => link.textContent?.replace(': remove this filter', '').trim());
};

describe('the filters of the catalogue', () => {
  it('ask for what the URL says, and leave out what is nonsense', async () => {
    const { asked } = open(
      `?day=sat&time=morning&age=7&place=${court}&level=beginner&sport=Chess&free=maybe`,
    );
    await screen.findByText('1 class');
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      status: 'approved',
      limit: '24',
      page: '1',
      day: 'sat',
      time: 'morning',
      age: '7',
      place: court,
      level: 'beginner',
    });
    const { asked: other } = open('?day=someday&time=noon&age=700&level=expert&place=here');
    await waitFor(() => expect(other).toHaveLength(1));
    expect([...(other[0]?.keys() ?? [])].toSorted()).toEqual(['limit', 'page', 'status']);
  });

  it.each([
    ['Day', 'sat', 'day=sat'],
    ['Time of day', 'evening', 'time=evening'],
    ['Level', 'advanced', 'level=advanced'],
    ['Place', court, `place=${court}`],
  ])('%s writes the URL at once', async (label, value, written) => {
    const { where } = open('');
    fireEvent.change(await screen.findByLabelText(label), { target: { value } });
    await waitFor(() => expect(where()).toBe(`/classes?${written}`));
  });

  it('Age writes the URL after a pause in typing', async () => {
    const { where } = open('?day=sat');
    fireEvent.change(await screen.findByLabelText('Age'), { target: { value: '7' } });
    expect(where()).toBe('/classes?day=sat');
    await waitFor(() => expect(where()).toBe('/classes?day=sat&age=7'));
  });

  it('offer the places that are open', async () => {
    open('');
    const places = await screen.findByLabelText('Place');
    expect([...places.querySelectorAll('option')].map((option) => option.textContent)).toEqual([
      'All places',
      'Court 1',
    ]);
  });

  it('are chips while they are in use, which can be removed', async () => {
    const { where } = open(`?search=ball&day=sat&time=morning&age=7&place=${court}&level=advanced`);
    await screen.findByRole('option', { name: 'Court 1' });
    expect(await chips()).toEqual([
      'Saturdays',
      'Morning',
      'Age 7',
      'Court 1',
      'Advanced',
      'Clear filters',
    ]);
    fireEvent.click(screen.getByRole('link', { name: 'Age 7 : remove this filter' }));
    await waitFor(() => expect(where()).not.toContain('age='));
    expect(document.activeElement?.tagName).toBe('SUMMARY');
    fireEvent.click(screen.getByRole('link', { name: 'Clear filters' }));
    await waitFor(() => expect(where()).toBe('/classes?search=ball'));
  });

  it('say who teaches, and a chip takes the instructor away', async () => {
    const { where, asked } = open(`?instructor=${instructor}`);
    expect(await screen.findByText('What Ana Costa teaches.')).toBeTruthy();
    expect(asked[0]?.get('instructor')).toBe(instructor);
    fireEvent.click(screen.getByRole('link', { name: 'Ana Costa : remove this filter' }));
    await waitFor(() => expect(where()).toBe('/classes'));
  });
});

describe('the catalogue without a match', () => {
  it('says what was asked for, and which filter to drop', async () => {
    open('?day=sat&age=7', (asked) => ({ total: asked.has('day') ? 0 : 4 }));
    expect(await screen.findByText('No class on Saturdays for age 7')).toBeTruthy();
    expect(screen.getByText(/Try another day\./)).toBeTruthy();
    const offers = await screen.findByRole('list', { name: 'With one filter less' });
    const links = within(offers).getAllByRole('link');
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Without Saturdays: 4 classes', '/classes?age=7'],
    ]);
    const clear = screen.getAllByRole('link', { name: 'Clear filters' });
    expect(clear.at(-1)?.getAttribute('href')).toBe('/classes');
  });

  it.each([
    ['?day=sat&time=morning', 'No class on Saturday mornings'],
    ['?time=evening&level=beginner', 'No beginner class in the evening'],
    ['?sport=Tennis&free=true&maxPrice=20', 'No Tennis class up to $20 with free seats'],
    [`?place=${court}&minPrice=5`, 'No class at Court 1 from $5'],
  ])('names the filters of %s', async (search, words) => {
    open(search, () => ({ total: 0 }));
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'With one filter less' })).toBeNull();
  });

  it('shows classes with a similar name, and says that they are', async () => {
    open('?search=tenis', () => ({ total: 1, alike: true }));
    expect(
      await screen.findByRole('heading', {
        name: 'Nothing is called “tenis”. Classes with similar names:',
      }),
    ).toBeTruthy();
    expect(screen.getByRole('article').textContent).toContain('Table Tennis Club');
  });
});
