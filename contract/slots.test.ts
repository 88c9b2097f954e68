import { describe, expect, it } from 'vitest';
import { describePlan, endOf, overlaps, type Plan, planOf, weekly } from './slots.ts';

describe('a weekly class', () => {
  const given = { from: '2027-01-04', until: '2027-01-17', starts: '16:00', minutes: 90 };
  it('meets on its weekdays, first and last day included', () => {
    const days = weekly({ ...given, weekdays: [1, 7] }).map(({ day }) => day);
    expect(days).toEqual(['2027-01-04', '2027-01-10', '2027-01-11', '2027-01-17']);
  });
  it('leaves holidays out', () => {
    const except = [{ firstDay: '2027-01-10', lastDay: '2027-01-11' }];
    const days = weekly({ ...given, weekdays: [1, 7], except }).map(({ day }) => day);
    expect(days).toEqual(['2027-01-04', '2027-01-17']);
  });
  it('has none when it ends before it begins', () => {
    expect(weekly({ ...given, until: '2027-01-03', weekdays: [1, 2, 3, 4, 5, 6, 7] })).toEqual([]);
  });
});

const at = (day: string, starts: string, minutes: number) => ({ day, starts, minutes });

describe('two meetings', () => {
  it('overlap when one begins before the other has ended, also past midnight', () => {
    expect(overlaps(at('2027-01-04', '16:00', 60), at('2027-01-04', '16:59', 60))).toBe(true);
    expect(overlaps(at('2027-01-04', '23:30', 60), at('2027-01-05', '00:15', 60))).toBe(true);
    expect(overlaps(at('2027-01-05', '00:15', 60), at('2027-01-04', '23:30', 60))).toBe(true);
  });
  it('may follow one another without a break', () => {
    expect(overlaps(at('2027-01-04', '16:00', 60), at('2027-01-04', '17:00', 60))).toBe(false);
    expect(overlaps(at('2027-01-04', '16:00', 60), at('2027-01-05', '16:00', 60))).toBe(false);
  });
});

describe('the words of a plan', () => {
  it('put weekdays with the same time together and the year once', () => {
    const slots = weekly({
      from: '2027-01-04',
      until: '2027-03-18',
      weekdays: [1, 3],
      starts: '16:00',
      minutes: 90,
    });
    expect(describePlan(planOf(slots), '2027-01-04', '2027-03-17')).toBe(
      'Mon, Wed · 16:00–17:30 · 4 Jan – 17 Mar 2027',
    );
  });
  it('name both years of a run over New Year, and one day as one day', () => {
    expect(describePlan([[5, '23:30', 60]], '2026-12-18', '2027-01-08')).toBe(
      'Fri · 23:30–00:30 · 18 Dec 2026 – 8 Jan 2027',
    );
    expect(describePlan([[6, '09:00', 45]], '2027-01-09', '2027-01-09')).toBe(
      'Sat · 09:00–09:45 · 9 Jan 2027',
    );
  });
  it.each([
    [[1, 2, 3, 4, 5], 'Mon–Fri'],
    [[1, 2, 4, 5, 6], 'Mon, Tue, Thu–Sat'],
    [[6, 7], 'Sat, Sun'],
    [[1, 2, 3, 4, 5, 6, 7], 'Daily'],
  ])('name the weekdays %j as %s', (days, words) => {
    const plan = days.map((day): Plan[number] => [day, '09:00', 60]);
    expect(describePlan(plan, '2027-01-09', '2027-01-09')).toBe(
      `${words} · 09:00–10:00 · 9 Jan 2027`,
    );
  });
  it('are none without meetings', () => expect(describePlan([], '', '')).toBe(''));
});

it('ends a meeting by the wall clock', () => {
  expect(endOf('16:00', 90)).toBe('17:30');
  expect(endOf('23:30', 45)).toBe('00:15');
});
