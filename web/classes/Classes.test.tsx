// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Navigate, Route, Routes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { type Class, listClasses } from '../../contract/classes/classes.ts';
import { listOverlaps } from '../../contract/classes/calendar.ts';
import { listInstructors } from '../../contract/classes/instructors.ts';
import { getCart } from '../../contract/checkout/cart.ts';
import { listEnrolments } from '../../contract/checkout/payments.ts';
import { listParticipants, type Participant } from '../../contract/people/family.ts';
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
  minAge: 8,
  maxAge: 12,
};

const leo: Participant = {
  _id: 'p1',
  self: false,
  name: 'Leo Parent',
  born: '2016-01-01',
  age: 10,
  care: 'none',
  guardians: [],
  invited: [],
  mayRemove: true,
  enrolled: false,
};

type Found = (asked: URLSearchParams) => { total: number; alike?: true };

/** The page at this address; `found` says how many classes a question finds. */
const open = (
  search: string,
  found: Found = () => ({ total: 1 }),
  children: Participant[] | null = null,
) => {
  const asked: URLSearchParams[] = [];
  const shown = show(
    <Routes>
      <Route path="/" element={<Navigate to={`/classes${search}`} replace />} />
      <Route path="/classes" element={<Classes />} />
    </Routes>,
    {
      role: children && 'student',
      replies: [
        answers(listParticipants, children ?? []),
        answers(listOverlaps, [{ classId: item._id, participantId: 'p1', with: 'Stroke Clinic' }]),
        answers(getCart, []),
        answers(listEnrolments, { items: [], total: 0 }),
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
    ['Day', 'Saturday', 'day=sat'],
    ['Day', 'Weekdays', 'day=weekdays'],
    ['Time', 'Evening', 'time=evening'],
    ['Time', 'After 16:00', 'time=16'],
    ['Age', '7', 'age=7'],
  ])('%s %s writes the URL at once', async (sheet, choice, written) => {
    const { where } = open('');
    fireEvent.click(await screen.findByRole('button', { name: sheet }));
    fireEvent.click(await screen.findByLabelText(choice));
    await waitFor(() => expect(where()).toBe(`/classes?${written}`));
    fireEvent.click(await screen.findByRole('button', { name: 'Show 1 class' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('take several days, and name the whole week', async () => {
    const { where } = open('?day=mon,tue,wed');
    fireEvent.click(await screen.findByRole('button', { name: 'Day' }));
    fireEvent.click(await screen.findByLabelText('Friday'));
    await waitFor(() => expect(where()).toBe('/classes?day=mon%2Ctue%2Cwed%2Cfri'));
    fireEvent.click(screen.getByLabelText('Thursday'));
    await waitFor(() => expect(where()).toBe('/classes?day=weekdays'));
  });

  it('offer the places that are open', async () => {
    const { where } = open('');
    fireEvent.click(await screen.findByRole('button', { name: 'More' }));
    await screen.findByRole('option', { name: 'Court 1' });
    expect(screen.queryByRole('option', { name: 'Old Barn' })).toBeNull();
    fireEvent.change(screen.getByLabelText('Place'), { target: { value: court } });
    await waitFor(() => expect(where()).toBe(`/classes?place=${court}`));
  });

  it('understand what is typed, and say what', async () => {
    const { where, asked } = open('?search=kids+tennis+7+years+saturday');
    expect(await chips()).toEqual(['Saturdays', 'Age 7', 'Clear filters']);
    expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
      search: 'tennis',
      day: 'sat',
      age: '7',
    });
    fireEvent.click(screen.getByRole('link', { name: 'Age 7 : remove this filter' }));
    await waitFor(() => expect(where()).toBe('/classes?search=kids+tennis+saturday'));
    fireEvent.click(await screen.findByRole('button', { name: 'Day' }));
    fireEvent.click(await screen.findByLabelText('Sunday'));
    await waitFor(() => expect(where()).toBe('/classes?search=kids+tennis&day=weekend'));
  });

  it('have the age of each child as a chip', async () => {
    const { where } = open('', undefined, [leo]);
    const chip = await screen.findByRole('button', { name: 'For Leo (10)' });
    fireEvent.click(chip);
    await waitFor(() => expect(where()).toBe('/classes?age=10'));
    expect(screen.getByText('Fits Leo')).toBeTruthy();
    expect(await screen.findByText('Overlaps Stroke Clinic')).toBeTruthy();
    fireEvent.click(chip);
    await waitFor(() => expect(where()).toBe('/classes'));
  });

  it('are chips while they are in use, which can be removed', async () => {
    const { where } = open(`?search=ball&day=sat&time=morning&age=7&place=${court}&level=advanced`);
    await screen.findByText('Court 1');
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
    expect(document.activeElement?.textContent?.trim()).toBe('More');
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
    ['?day=weekdays&time=16', 'No class on weekdays after 16:00'],
    ['?sport=Tennis&free=true&maxPrice=20', 'No Tennis class up to $20 with free seats'],
    [`?place=${court}&maxPrice=5`, 'No class at Court 1 up to $5'],
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
