// @vitest-environment happy-dom
import { useQueryClient } from '@tanstack/react-query';
import { fireEvent, screen, within } from '@testing-library/react';
import { useEffect } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import {
  type Class,
  type ClassDetail,
  getClass,
  listClasses,
} from '../../../contract/classes/classes.ts';
import type { Answer } from '../../../contract/platform/call.ts';
import { classWaiting } from '../../../contract/checkout/waits.ts';
import { settings } from '../../../contract/platform/settings.ts';
import type { ClassMeeting } from '../../../contract/classes/meetings.ts';
import { aClass as item, aMeeting, someSettings } from '../../testing/samples.ts';
import { zoneInWords } from '../../platform/ui/dates.ts';
import { answers, answersBy, refuses, show } from '../../testing/screen.tsx';
import { OneClass } from './OneClass.tsx';

const meeting = (after: number, of: Partial<ClassMeeting> = {}): ClassMeeting => {
  const start = new Date(Date.now() + after * 86_400_000).toISOString();
  const endsAt = new Date(Date.parse(start) + 5_400_000).toISOString();
  const time = { day: start.slice(0, 10), startsAt: start, endsAt };
  return { ...aMeeting, _id: `m${after}`, ...time, ...of };
};

const another = (_id: string, name: string): Class => ({ ...item, _id, name });

const page = (
  of: Partial<Answer<typeof getClass>> = {},
  found: Record<string, Class[]> = {},
  seen?: ClassDetail,
) =>
  show(<>{seen ? [<Seen key="seen" item={seen} />, at] : at}</>, {
    role: null,
    replies: [
      answers(getClass, { ...item, ...of }),
      answersBy(listClasses, (asked) => {
        const age = asked.get('age');
        const key = asked.has('instructor') ? 'theirs' : age ? `age ${age}` : 'sport';
        const result = found[key] ?? [];
        return { result, outQueryResult: result, total: result.length };
      }),
      answers(classWaiting, { waiting: 4, others: [] }),
      answers(settings, { ...someSettings, contact: 'hello@rally.test' }),
    ],
  });

/** As if its page had been looked at. */
function Seen({ item: seen }: { item: ClassDetail }) {
  const client = useQueryClient();
  useEffect(() => void client.setQueryData([getClass.id, { id: seen._id }], seen), [client, seen]);
  return null;
}

const at = (
  <Routes key="at">
    <Route path="/" element={<Navigate to="/classes/x" replace />} />
    <Route path="/classes/:id" element={<OneClass />} />
    <Route path="*" element={null} />
  </Routes>
);

const fact = async (label: string) => (await screen.findByText(label)).nextElementSibling;

describe('the page of a class', () => {
  it('shows the facts, the price and the free seats', async () => {
    page();
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Archery Basics');
    expect((await fact('When'))?.textContent).toBe('Sat 10:00');
    expect((await fact('Where'))?.textContent).toBe('Range behind hall 2');
    expect((await fact('Ages'))?.textContent).toBe('8 to 12');
    expect((await fact('Group size'))?.textContent).toBe('Up to 18, 12 enrolled');
    expect((await fact('Price'))?.textContent).toBe('$129');
    expect((await fact('Available Seats'))?.textContent).toBe('6');
    expect(screen.getByText('Bows are here.')).toBeTruthy();
  });

  it('leaves out what the instructor has not written', async () => {
    page({ schedule: '', place: '', ages: '', description: '', enrolled: 0 });
    expect((await fact('Group size'))?.textContent).toBe('Up to 18');
    for (const label of ['When', 'Where', 'Ages', 'About this class', 'What to bring', 'Level'])
      expect(screen.queryByText(label)).toBeNull();
  });

  it('shows the instructor with email and other classes', async () => {
    page(
      { instructorAbout: 'Shot for Portugal.' },
      { theirs: [item, another('c2', 'Bow Making'), another('c3', 'Target Games')] },
    );
    expect(await screen.findByText('Shot for Portugal.')).toBeTruthy();
    const link = await screen.findByRole('link', { name: '2 other classes' });
    expect(link.getAttribute('href')).toBe('/classes?instructor=i1');
    expect(screen.getByTitle(item.email).closest('a')?.getAttribute('href')).toBe(
      `mailto:${item.email}`,
    );
  });

  it('says how to get money back, with the address of the academy', async () => {
    page();
    const link = await screen.findByRole('link', { name: 'hello@rally.test' });
    expect(link.closest('p')?.textContent).toContain('If we refund, it goes back to the card');
  });

  it('shows two similar classes: same age, first of the sport', async () => {
    const yoga = { ...another('c4', 'Sunrise Yoga'), sport: 'Yoga' };
    page(
      { minAge: 5, maxAge: 8 },
      {
        'age 6': [item, yoga, another('c2', 'Bow Making')],
        sport: [another('c5', 'Target Games')],
      },
    );
    await screen.findByText('Sunrise Yoga');
    const links = screen.getAllByRole('link', { name: /^(Bow|Sunrise|Target)/ });
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['/classes/c2', '/classes/c4']);
  });

  it('says when it starts and what a meeting costs', async () => {
    page({ firstDay: '2027-06-05', meetings: [meeting(1), meeting(2)] });
    expect(
      await screen.findByText('Starts Sat 5 Jun 2027 · 2 meetings · $64.50 each'),
    ).toBeTruthy();
  });

  it('opens the map at the address of the place', async () => {
    page({ meetings: [meeting(1, { address: 'Rua 1' })] });
    const map = await screen.findByRole('link', { name: item.place });
    expect(map.getAttribute('href')).toMatch(/^https:.*query=Rua%201$/);
  });

  it('is compared with the class looked at before', async () => {
    page({}, {}, { ...item, _id: 'c2', name: 'Bow Making', price: 95 });
    fireEvent.click(await screen.findByRole('button', { name: 'Compare with Bow Making' }));
    const sheet = await screen.findByRole('dialog', { name: 'Compare' });
    expect(within(sheet).getByText('Price').parentElement?.textContent).toBe('Price$129$95');
  });

  it('that is full has a list, and does not promise to hold a seat', async () => {
    const { where } = page({ seat: 0 });
    expect(await screen.findByText('Full · 4 waiting')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Join the list' }));
    expect(where()).toBe('/login');
    expect(screen.queryByText(/We hold your seat|Adding to your cart/)).toBeNull();
  });

  it('says that a class is not offered, and leads to the others', async () => {
    show(at, { role: null, replies: [refuses(getClass, 'NOT_FOUND')] });
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(
      'This class is not offered',
    );
    expect(
      screen.getByText(
        /academy may be checking a change\. A seat that you have paid for stays yours\./,
      ),
    ).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See all classes' }).getAttribute('href')).toBe(
      '/classes',
    );
  });

  it('shows its address to copy where the clipboard is refused', async () => {
    page();
    const refused = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error());
    fireEvent.click(await screen.findByRole('button', { name: 'Share this class' }));
    const field = await screen.findByLabelText<HTMLInputElement>('Copy this address');
    expect([field.value, document.activeElement]).toEqual([location.href, field]);
    refused.mockRestore();
  });
});

const rows = (name: string) =>
  within(screen.getByRole('list', { name, hidden: true })).getAllByRole('listitem', {
    hidden: true,
  });

describe('the dates on the page of a class', () => {
  it('are the next five, and all of them on demand', async () => {
    const meetings = Array.from({ length: 8 }, (_, nth) => meeting(nth - 2));
    page({ meetings, firstDay: '2026-01-05', dates: 1 });
    await screen.findByRole('heading', { name: 'Meetings' });
    expect(rows('Next meetings')).toHaveLength(5);
    expect(rows('All meetings')).toHaveLength(8);
    expect(screen.getByText('All 8 meetings')).toBeTruthy();
    expect(rows('Next meetings')[0]?.textContent).toContain('10:00 to 11:30');
    const spoken = rows('Next meetings').map((row) => /^(?:Now|Next): /.exec(row.textContent)?.[0]);
    expect(spoken.filter(Boolean)).toEqual(['Now: ']);
  });

  it('keep a cancelled meeting, struck through and with its reason', async () => {
    const told = 'The court is under water.';
    page({ meetings: [meeting(1), meeting(2, { state: 'cancelled', told })], dates: 2 });
    await screen.findByRole('heading', { name: 'Meetings' });
    const [on, off] = rows('Next meetings');
    expect(on?.textContent).not.toContain('Cancelled');
    expect(off?.textContent).toContain(`Cancelled: ${told}`);
  });

  it('name another place and the substitute, not what is same', async () => {
    const other = { place: 'Hall 3', instructorId: 'i2', instructor: 'Ben Okafor' };
    page({ meetings: [meeting(1), meeting(2, other)], dates: 2 });
    await screen.findByRole('heading', { name: 'Meetings' });
    const [same, changed] = rows('Next meetings');
    expect(same?.textContent).not.toMatch(/Range behind|Ana/);
    expect(changed?.textContent).toContain('Hall 3 · with Ben Okafor');
  });

  it('say where each place is, once', async () => {
    const hall = { place: 'Hall 3', address: 'Rua 1' };
    page({ meetings: [meeting(1, hall), meeting(2, hall), meeting(3)], dates: 3 });
    expect((await screen.findAllByText('Hall 3: Rua 1')).length).toBe(1);
  });

  it.each([
    { hours: 0, notes: 0 },
    { hours: 1, notes: 1 },
  ])('name their clock where another one is $hours hours off', async ({ hours, notes }) => {
    const day = '2027-02-03';
    const start = new Date(`${day}T10:00`).getTime() + hours * 3_600_000;
    page({ meetings: [meeting(1, { day, startsAt: new Date(start).toISOString() })] });
    await screen.findByRole('list', { name: 'Next meetings' });
    const words = `Times are ${zoneInWords(someSettings.timeZone)}.`;
    expect(screen.queryAllByText(words)).toHaveLength(notes);
  });

  it('will follow while there are none, with words of the coach', async () => {
    page();
    const section = (await screen.findByText('Dates will follow.')).closest('section');
    expect(section?.textContent).toContain('Planned: Sat 10:00');
  });

  it('say that the class has ended, without Select', async () => {
    page({ ended: true, meetings: [meeting(-3)], dates: 1 });
    expect(await screen.findByText('This class has ended.')).toBeTruthy();
    for (const name of [/^Select/, /^Sold out/])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByText(/We hold your seat|Adding to your cart/)).toBeNull();
  });
});

describe('what to bring and the level', () => {
  it('are shown as a list and as a fact', async () => {
    page({ bring: 'water\n- Sun cream, a towel', level: 'beginner' });
    const heading = await screen.findByRole('heading', { name: 'What to bring' });
    const things = within(heading.closest('section') as HTMLElement).getAllByRole('listitem');
    expect(things.map((thing) => thing.textContent)).toEqual(['water', 'Sun cream', 'a towel']);
    expect((await fact('Level'))?.textContent).toBe('Beginner');
  });
});
