import { describe, expect, test } from 'vitest';
import { addressWith, atToday, inView, neighbours, shownBy } from './shown.ts';

const today = '2026-11-18';
const shown = (query: string) => shownBy(new URLSearchParams(query), today);
const address = (query: string, change: Parameters<typeof addressWith>[2]) =>
  addressWith('/calendar', new URLSearchParams(query), change);

describe('the days that a calendar shows', () => {
  test('are those of this week unless the URL says otherwise', () => {
    for (const query of ['', 'week=2026-11-31', 'week=x', 'week=2999-01-01', 'month=2026-13'])
      expect(shown(query)).toMatchObject({ view: 'week', title: '16 – 22 November 2026' });
    expect(shown('week=2027-01-06')).toMatchObject({ from: '2027-01-04', to: '2027-01-10' });
    expect(shown('view=agenda').view).toBe('agenda');
  });

  test('begin with the first week that has something', () => {
    expect(shownBy(new URLSearchParams(), today, '2026-12-02').from).toBe('2026-11-30');
    expect(shownBy(new URLSearchParams('week=2026-11-18'), today, '2026-12-02').from).toBe(
      '2026-11-16',
    );
  });

  test('are named over the end of a month and of a year', () => {
    expect(shown('week=2026-11-30').title).toBe('30 November – 6 December 2026');
    expect(shown('week=2026-12-28').title).toBe('28 December 2026 – 3 January 2027');
  });

  test('of a month are whole weeks, at most 42 days', () => {
    const february = { from: '2027-02-01', to: '2027-02-28', title: 'February 2027', day: null };
    expect(shown('month=2027-02')).toMatchObject({ view: 'month', ...february });
    const august = shown('month=2027-08&day=2027-08-03');
    expect(august).toMatchObject({ from: '2027-07-26', to: '2027-09-05', day: '2027-08-03' });
    expect(august.days).toHaveLength(42);
    expect(shown('month=2026-11').day).toBe(today);
  });

  test('go by weeks and by months, and keep the filters', () => {
    const { previous, next } = neighbours(shown(''));
    expect(address('sport=Tennis', next)).toBe('/calendar?sport=Tennis&week=2026-11-23');
    expect(address('', previous)).toBe('/calendar?week=2026-11-09');
    const back = neighbours(shown('week=2026-11-23&view=agenda')).previous;
    expect(address('week=2026-11-23&view=agenda', back)).toBe(
      '/calendar?week=2026-11-16&view=agenda',
    );
    const month = neighbours(shown('month=2026-12&day=2026-12-03'));
    expect(address('month=2026-12&day=2026-12-03', month.next)).toBe('/calendar?month=2027-01');
    expect(address('month=2026-12', month.previous)).toBe('/calendar?month=2026-11');
  });

  test('stay around the same day in another view', () => {
    expect(address('', inView(shown(''), 'month', today))).toBe('/calendar?month=2026-11');
    const january = shown('month=2027-01&day=2027-01-20');
    expect(address('month=2027-01&day=2027-01-20', inView(january, 'week', today))).toBe(
      '/calendar?week=2027-01-18',
    );
    expect(address('month=2027-01', atToday(january, today))).toBe('/calendar?month=2026-11');
  });
});
