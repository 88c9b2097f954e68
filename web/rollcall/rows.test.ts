// What a row shows: the roster of the server with the marks of this phone over it.
import { expect, it } from 'vitest';
import { markStatuses } from '../../contract/rollcall/marks.ts';
import type { Mark, NewMark, Roster, RosterPerson } from '../../contract/rollcall/rollcall.ts';
import { afterTap, isHere, markOf, opens, rowsOf } from './rows.ts';

const me = { id: 'ana', name: 'Ana' };
const minute = (nth: number) => new Date(Date.UTC(2027, 0, 4, 16, nth)).toISOString();
const told = (status: Mark['status'], nth: number, by = 'Ben'): Mark => ({
  _id: `${by} ${nth}`,
  status,
  note: '',
  at: minute(nth),
  by,
  byId: by.toLowerCase(),
});
const child = (mark: Mark | null): RosterPerson => ({
  participantId: 'mia',
  name: 'Mia',
  age: 8,
  new: false,
  attended: 1,
  of: 2,
  mark,
  marks: [],
});
const roster = (mark: Mark | null = null): Roster => ({
  classId: 'tennis',
  name: 'Tennis',
  meetings: [],
  meetingId: 'monday',
  people: [child(mark)],
  guests: [],
  careWindow: null,
  asOf: minute(0),
  until: minute(59),
});
const own = (status: NewMark['status'], nth: number, more: Partial<NewMark> = {}): NewMark => ({
  _id: `own ${nth}`,
  meetingId: 'monday',
  participantId: 'mia',
  status,
  at: minute(nth),
  ...more,
});
const rows = (given: Roster, waiting: NewMark[], sent: NewMark[] = []) =>
  rowsOf(given, { waiting, sent }, me);

it('the later mark counts, and both are named if they differ', () => {
  const [later] = rows(roster(told('present', 1)), [own('absent', 3)]);
  expect(later).toMatchObject({ mark: { status: 'absent', by: 'Ana' }, waits: true });
  expect(later?.differing.map(({ by, status }) => `${by}: ${status}`)).toEqual([
    'Ben: present',
    'Ana: absent',
  ]);
  const [earlier] = rows(roster(told('present', 5)), [own('absent', 3)]);
  expect(earlier).toMatchObject({ mark: { status: 'present', by: 'Ben' }, waits: false });
  const [again] = rows(roster(told('present', 1)), [own('absent', 3), own('present', 4)]);
  expect(again?.differing).toEqual([]);
});

it('a sent mark stays until the roster has it, counted once', () => {
  expect(rows(roster(), [], [own('present', 1)])[0]).toMatchObject({
    mark: { status: 'present' },
    waits: false,
  });
  const known = { ...told('present', 1, 'Ana'), _id: 'own 1' };
  expect(rows(roster(known), [], [own('present', 1)])[0]?.differing).toEqual([]);
});

it('marks of another meeting are of no account', () => {
  expect(rows(roster(), [own('present', 1, { meetingId: 'tuesday' })])[0]?.mark).toBeNull();
});

it('a walk-in joins once, and leaves when marked absent', () => {
  const came = own('present', 1, { guest: 'Leo, 912 345 678' });
  delete came.participantId;
  const gone: NewMark = { ...came, _id: 'own 2', status: 'absent', at: minute(2) };
  expect(rows(roster(), [came]).map(({ name }) => name)).toEqual(['Mia', 'Leo, 912 345 678']);
  expect(rows(roster(), [came, gone])).toHaveLength(1);
});

const after = (...marks: NewMark[]) => rows(roster(), marks).map(afterTap)[0];

it('one tap is present, the second absent, the third present', () => {
  expect([after(), after(own('present', 1))]).toEqual(['present', 'absent']);
  expect([after(own('absent', 1)), after(own('late', 1))]).toEqual(['present', 'present']);
});

it('those who left are no longer here', () => {
  const here = markStatuses.filter((status) => rows(roster(), [own(status, 1)]).some(isHere));
  expect(here).toEqual(['present', 'late']);
});

it('a tap counts with a clock that is two hours slow', () => {
  const [row] = rows(roster(told('present', 30)), []);
  if (!row) throw new Error('no row');
  const slow = Date.parse(minute(30)) - 2 * 3_600_000;
  const mark = markOf(row, { meetingId: 'monday', status: 'absent' }, slow);
  expect(rows(roster(told('present', 30)), [mark])[0]?.mark).toMatchObject({ status: 'absent' });
  expect(mark._id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

it('marks are taken from a day before to 30 days after', () => {
  const meeting = { startsAt: '2027-01-04T16:00:00.000Z', endsAt: '2027-01-04T17:00:00.000Z' };
  const at = (text: string) => opens(meeting, Date.parse(text));
  expect(at('2027-01-03T15:59:59Z')).toBe('early');
  expect(at('2027-01-03T16:00:00Z')).toBe('open');
  expect(at('2027-02-03T17:00:00Z')).toBe('open');
  expect(at('2027-02-03T17:00:01Z')).toBe('late');
});
