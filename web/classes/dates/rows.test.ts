import { describe, expect, it } from 'vitest';
import type { ClassMeeting } from '../../../contract/classes/meetings.ts';
import {
  changesOf,
  type DateRow,
  emptyRow,
  fillIn,
  inputOf,
  isChanged,
  merge,
  type Pattern,
  problemOf,
  problemsOf,
  rowsOf,
  wordsOf,
} from './rows.ts';

const today = '2026-12-01';
const places = [
  { _id: 'c1', name: 'Court 1', address: '', capacity: 8, closed: false },
  { _id: 'c2', name: 'Court 2', address: '', capacity: 20, closed: false },
];
const christmas = {
  _id: 'h1',
  name: 'Christmas holiday',
  firstDay: '2026-12-21',
  lastDay: '2027-01-02',
};
const pattern: Pattern = {
  weekdays: [1, 3],
  from: '2026-12-07',
  until: '2027-01-06',
  starts: '16:00',
  minutes: '90',
  placeId: 'c1',
};

const row = (day: string, part: Partial<DateRow> = {}): DateRow => ({
  ...emptyRow(),
  day,
  starts: '16:00',
  minutes: '90',
  placeId: 'c1',
  ...part,
});
const stored = (key: string, day: string, part: Partial<DateRow> = {}) =>
  row(day, { key, _id: key, ...part });

describe('filling in', () => {
  it('makes a date of every weekday, without the holidays', () => {
    const { rows, said } = fillIn([], pattern, [christmas]);
    const days = [
      '2026-12-07',
      '2026-12-09',
      '2026-12-14',
      '2026-12-16',
      '2027-01-04',
      '2027-01-06',
    ];
    expect(rows.map(({ day }) => day)).toEqual(days);
    expect(said).toBe('6 dates filled in. 4 days left out: Christmas holiday.');
  });

  it('adds nothing twice and keeps what was moved by hand', () => {
    const first = fillIn([], pattern, [christmas]).rows;
    const [one, ...others] = first as [DateRow, ...DateRow[]];
    const moved = [{ ...one, starts: '18:00' }, ...others];
    const again = fillIn(moved, pattern, [christmas]);
    expect(again.rows).toHaveLength(7);
    expect(again.said).toContain('1 date filled in.');
    expect(again.said).toContain('5 dates in the list already.');
  });

  it('stops at 200 dates and says so', () => {
    const daily = { ...pattern, weekdays: [1, 2, 3, 4, 5, 6, 7], until: '2027-12-06' };
    const { rows, said } = fillIn([], daily, []);
    expect(rows).toHaveLength(200);
    expect(said).toContain('at most 200 dates: 165 dates left out');
  });

  it.each([
    [{ weekdays: [] }, 'weekdays'],
    [{ from: '' }, 'from'],
    [{ from: '2026-11-30' }, 'from'],
    [{ until: '' }, 'until'],
    [{ until: '2026-12-06' }, 'until'],
    [{ until: '2031-01-01' }, 'until'],
    [{ starts: '' }, 'starts'],
    [{ minutes: '4' }, 'minutes'],
    [{ minutes: 'long' }, 'minutes'],
    [{}, undefined],
  ])('with %j it says what is wrong at %s', (wrong, field) => {
    expect(problemOf({ ...pattern, ...wrong }, today)?.field).toBe(field);
  });
});

describe('a list of dates', () => {
  it('has the meetings of a class, ended and cancelled ones too', () => {
    const meeting = {
      _id: 'm1',
      day: '2026-12-07',
      starts: '16:00',
      minutes: 90,
      placeId: 'c1',
      state: 'cancelled',
      endsAt: '2026-12-07T17:30:00Z',
    } as ClassMeeting;
    const [before, after] = ['17:00', '18:00'].map(
      (time) => rowsOf([meeting], Date.parse(`2026-12-07T${time}Z`))[0] as DateRow,
    );
    expect([before?.over, after?.over]).toEqual([false, true]);
    const { state: _state, endsAt: _endsAt, ...input } = meeting;
    expect(before && inputOf(before)).toEqual({ ...input, cancelled: true });
  });

  it.each([
    [{ day: '' }, 'day'],
    [{ day: '2026-11-30' }, 'day'],
    [{ starts: '' }, 'starts'],
    [{ minutes: '2000' }, 'minutes'],
  ] as const)('with %j says what is wrong at %s', (wrong, cell) => {
    const one = row('2026-12-07', wrong);
    expect(problemsOf([one], today)).toMatchObject([{ key: one.key, cell }]);
  });

  it('finds the later of two that overlap, unless cancelled', () => {
    const [one, other] = [row('2026-12-07'), row('2026-12-07', { starts: '17:00' })];
    expect(problemsOf([one, other], today)).toMatchObject([{ key: other.key, cell: 'starts' }]);
    expect(problemsOf([{ ...one, cancelled: true }, other], today)).toEqual([]);
    expect(problemsOf([stored('m1', '2026-11-02')], today)).toEqual([]);
  });

  it('is in words what the class will say of time and place', () => {
    const rows = [
      row('2027-01-06', { placeId: 'c2' }),
      row('2027-01-04'),
      row('2027-02-01', { cancelled: true, placeId: '' }),
    ];
    expect(wordsOf(rows, places)).toEqual({
      schedule: 'Mon, Wed · 16:00–17:30 · 4 Jan – 6 Jan 2027',
      place: 'Court 1 / Court 2',
    });
    expect(wordsOf([], places)).toEqual({ schedule: '', place: '' });
  });

  it('tells old from new', () => {
    const before = [
      stored('a', '2027-01-04'),
      stored('b', '2027-01-11'),
      stored('c', '2027-01-18'),
    ];
    const after = [
      stored('a', '2027-01-04'),
      stored('b', '2027-01-12', { placeId: 'c2' }),
      stored('c', '2027-01-18', { cancelled: true }),
      row('2027-01-25'),
    ];
    expect([isChanged(before, before), isChanged(before, after)]).toEqual([false, true]);
    const changes = changesOf(before, after, places);
    expect(changes.map(({ before: was, after: is }) => [was, is])).toEqual([
      ['Mon 11 Jan 2027, 16:00–17:30, Court 1', 'Tue 12 Jan 2027, 16:00–17:30, Court 2'],
      ['Mon 18 Jan 2027, 16:00–17:30, Court 1', null],
      [null, 'Mon 25 Jan 2027, 16:00–17:30, Court 1'],
    ]);
  });
});

describe('dates that somebody else has changed meanwhile', () => {
  const base = [stored('a', '2027-01-04'), stored('b', '2027-01-11'), stored('c', '2027-01-18')];

  it('keep what was typed here and take the rest', () => {
    const mine = [stored('a', '2027-01-05'), stored('b', '2027-01-11'), row('2027-02-01')];
    const fresh = [
      stored('a', '2027-01-04', { starts: '10:00' }),
      stored('b', '2027-01-13'),
      stored('c', '2027-01-18'),
      stored('d', '2027-01-25'),
    ];
    expect(merge(base, mine, fresh).map(({ day, starts }) => `${day} ${starts}`)).toEqual([
      '2027-01-05 16:00',
      '2027-01-13 16:00',
      '2027-01-25 16:00',
      '2027-02-01 16:00',
    ]);
  });

  it('have a date that was saved by a lost answer once', () => {
    const mine = [...base, row('2027-02-01')];
    const fresh = [...base, stored('d', '2027-02-01')];
    expect(merge(base, mine, fresh)).toEqual(fresh);
  });

  it('make a new date of one that was moved here and removed there', () => {
    const mine = [stored('a', '2027-01-05'), stored('b', '2027-01-11'), stored('c', '2027-01-18')];
    const merged = merge(base, mine, base.slice(1));
    expect(merged[0]).toMatchObject({ day: '2027-01-05' });
    expect(merged[0]?._id).toBeUndefined();
  });
});
