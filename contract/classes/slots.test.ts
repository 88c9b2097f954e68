import { describe, expect, it } from 'vitest';
import {
  describeDates,
  describePlan,
  overlaps,
  type Plan,
  planOf,
  type Slot,
  weekly,
  withoutSingles,
} from './slots.ts';

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
});

const at = (day: string, starts: string, minutes: number) => ({ day, starts, minutes });

describe('two meetings', () => {
  it('overlap until the other has ended, also past midnight', () => {
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
  it('name both years of a run over New Year, and one day once', () => {
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
});

const move = (slots: readonly Slot[], day: string, to: Partial<Slot>) =>
  slots.map((slot) => (slot.day === day ? { ...slot, ...to } : slot));

describe('the words of dates', () => {
  const tuesdaysAndThursdays = weekly({
    from: '2026-11-17',
    until: '2027-01-14',
    weekdays: [2, 4],
    starts: '16:00',
    minutes: 90,
  });
  const early = { starts: '07:00' };
  const all = ' · 17 Nov 2026 – 14 Jan 2027';

  it('are those of the plan without a single meeting', () => {
    expect(describeDates(tuesdaysAndThursdays)).toBe(`Tue, Thu · 16:00–17:30${all}`);
    expect(describeDates([])).toBe('');
  });

  it('name a single meeting with its day, after the weekly times', () => {
    const moved = move(tuesdaysAndThursdays, '2026-11-26', early);
    expect(describeDates(moved)).toBe(`Tue, Thu · 16:00–17:30; Thu 26 Nov · 07:00–08:30${all}`);
    const other = move(tuesdaysAndThursdays, '2026-11-26', { day: '2026-11-27' });
    expect(describeDates(other)).toBe(`Tue, Thu · 16:00–17:30; Fri 27 Nov · 16:00–17:30${all}`);
  });

  it('name two single meetings and count the rest', () => {
    const days = ['2026-12-03', '2026-11-26', '2026-12-08', '2026-12-11'];
    const starts = ['07:00', '08:00', '09:00', '10:00'];
    const moved = [
      ...tuesdaysAndThursdays,
      ...days.map((day, nth) => ({ day, starts: starts[nth] ?? '', minutes: 60 })),
    ];
    expect(describeDates(moved)).toBe(
      `Tue, Thu · 16:00–17:30; Thu 26 Nov · 08:00–09:00; Thu 3 Dec · 07:00–08:00 and 2 more${all}`,
    );
  });

  it('are the weekly ones when the single meetings are left out', () => {
    const one = move(tuesdaysAndThursdays, '2026-11-26', early);
    const two = move(one, '2026-12-08', { starts: '23:30' });
    const three = move(two, '2026-12-17', { starts: '10:00' });
    for (const slots of [tuesdaysAndThursdays, one, two, three])
      expect(withoutSingles(describeDates(slots))).toBe(`Tue, Thu · 16:00–17:30${all}`);
    const twoTimes = 'Mon · 09:00–10:00; Wed · 16:00–17:00 · 4 Jan – 17 Mar 2027';
    expect(withoutSingles(twoTimes)).toBe(twoTimes);
  });

  it.each([
    ['one meeting', ['2027-01-09'], 'Sat · 09:00–10:00 · 9 Jan 2027'],
    [
      'one week',
      ['2027-01-04', '2027-01-05', '2027-01-06'],
      'Mon–Wed · 09:00–10:00 · 4 Jan – 6 Jan 2027',
    ],
    [
      'a second week that has begun',
      ['2027-01-04', '2027-01-06', '2027-01-11'],
      'Mon, Wed · 09:00–10:00 · 4 Jan – 11 Jan 2027',
    ],
  ])('are those of the plan for %s', (_what, days, words) => {
    expect(describeDates(days.map((day) => ({ day, starts: '09:00', minutes: 60 })))).toBe(words);
  });

  it('name the other time of one of three meetings', () => {
    const three = ['2027-01-04', '2027-01-11', '2027-01-18'].map((day) => ({
      day,
      starts: day === '2027-01-11' ? '07:00' : '09:00',
      minutes: 60,
    }));
    expect(describeDates(three)).toBe(
      'Mon · 09:00–10:00; Mon 11 Jan · 07:00–08:00 · 4 Jan – 18 Jan 2027',
    );
  });
});
