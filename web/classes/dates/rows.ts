// The dates of a class as the editor has them: one row per meeting, everything as typed. Pure.
import { isDay } from '../../../contract/platform/days.ts';
import { describeDates, endOf, overlaps, weekly } from '../../../contract/classes/slots.ts';
import { limits } from '../../../contract/platform/limits.ts';
import type { ClassMeeting, MeetingInput } from '../../../contract/classes/meetings.ts';
import type { Closure, Place } from '../../../contract/classes/places.ts';
import { dayName } from '../../platform/ui/dates.ts';

export interface DateRow {
  /** Its name in the page; a stored meeting has its id. */
  key: string;
  _id?: string;
  day: string;
  starts: string;
  minutes: string;
  /** Empty: not decided. */
  placeId: string;
  /** Who teaches it. Absent in a new row: the instructor of the class. */
  teacher?: Teacher;
  isChosen?: boolean;
  cancelled: boolean;
  over: boolean;
}

export interface Teacher {
  id: string;
  name: string;
}

export type Cell = 'day' | 'starts' | 'minutes' | 'placeId';

export interface Problem {
  key: string;
  cell: Cell;
  words: string;
}

let made = 0;
type Alike = Pick<DateRow, 'starts' | 'minutes' | 'placeId'>;

export const emptyRow = (like?: Alike): DateRow => ({
  key: `new${(made += 1)}`,
  day: '',
  starts: like?.starts ?? '',
  minutes: like?.minutes ?? '60',
  placeId: like?.placeId ?? '',
  cancelled: false,
  over: false,
});

export const rowsOf = (meetings: readonly ClassMeeting[], now = Date.now()): DateRow[] =>
  meetings.map(({ _id, day, starts, minutes, placeId = '', state, endsAt, ...meeting }) => ({
    key: _id,
    _id,
    day,
    starts,
    minutes: String(minutes),
    placeId,
    teacher: { id: meeting.instructorId, name: meeting.instructor },
    cancelled: state === 'cancelled',
    over: Date.parse(endsAt) <= now,
  }));

export const inputOf = (row: DateRow): MeetingInput => ({
  ...(row._id && { _id: row._id }),
  day: row.day,
  starts: row.starts,
  minutes: Number(row.minutes),
  ...(row.placeId && { placeId: row.placeId }),
  ...(row.isChosen && row.teacher && { instructorId: row.teacher.id }),
  ...(row.cancelled && { cancelled: true }),
});

const slotOf = ({ day, starts, minutes }: DateRow) => ({ day, starts, minutes: Number(minutes) });

const byTime = (a: DateRow, b: DateRow) => {
  const [one, other] = [`${a.day} ${a.starts}`, `${b.day} ${b.starts}`];
  return one < other ? -1 : Number(one > other);
};
export const inOrder = (rows: readonly DateRow[]) => rows.toSorted(byTime);

const isSame = (a: DateRow, b: DateRow) =>
  a.day === b.day &&
  a.starts === b.starts &&
  Number(a.minutes) === Number(b.minutes) &&
  a.placeId === b.placeId &&
  a.teacher?.id === b.teacher?.id &&
  a.cancelled === b.cancelled;

export function isChanged(before: readonly DateRow[], after: readonly DateRow[]): boolean {
  const known = new Map(before.map((row) => [row.key, row]));
  return (
    before.length !== after.length ||
    after.some((row) => {
      const was = known.get(row.key);
      return !was || !isSame(was, row);
    })
  );
}

export interface Pattern {
  weekdays: readonly number[];
  from: string;
  until: string;
  starts: string;
  minutes: string;
  placeId: string;
}

const isTime = (starts: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(starts);
const { min, max } = limits.meeting.minutes;
const isLength = (minutes: string) =>
  /^\d+$/.test(minutes) && Number(minutes) >= min && Number(minutes) <= max;
const lengthWords = `Length must be a whole number of minutes from ${min} to ${max}`;

export function problemOf(
  pattern: Pattern,
  today: string,
): { field: keyof Pattern; words: string } | null {
  const { weekdays, from, until, starts, minutes } = pattern;
  if (weekdays.length === 0) return { field: 'weekdays', words: 'Choose at least one weekday' };
  if (!isDay(from)) return { field: 'from', words: 'Choose the first day' };
  if (from < today) return { field: 'from', words: 'This day is over' };
  if (!isDay(until)) return { field: 'until', words: 'Choose the last day' };
  if (until < from) return { field: 'until', words: 'The last day must not be before the first' };
  if (Number(until.slice(0, 4)) > Number(today.slice(0, 4)) + limits.meeting.years)
    return { field: 'until', words: `Choose a day within ${limits.meeting.years} years` };
  if (!isTime(starts)) return { field: 'starts', words: 'Choose a time' };
  return isLength(minutes) ? null : { field: 'minutes', words: lengthWords };
}

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;
export const datesInWords = (count: number) => counted(count, 'date');

export function fillIn(rows: readonly DateRow[], pattern: Pattern, closures: readonly Closure[]) {
  const slot = { ...pattern, minutes: Number(pattern.minutes) };
  const open = weekly({ ...slot, except: closures });
  const taken = new Set(rows.map((row) => `${row.day} ${row.starts}`));
  const missing = open.filter(({ day, starts }) => !taken.has(`${day} ${starts}`));
  const added = missing
    .slice(0, limits.meeting.count - rows.length)
    .map(({ day }) => Object.assign(emptyRow(pattern), { day }));
  const cut = missing.length - added.length;
  const said = [
    added.length > 0 ? `${datesInWords(added.length)} filled in.` : 'No date was added.',
    leftOut(weekly(slot), closures),
    open.length > missing.length &&
      `${datesInWords(open.length - missing.length)} in the list already.`,
    cut > 0 && `A class has at most ${limits.meeting.count} dates: ${datesInWords(cut)} left out.`,
  ];
  return { rows: inOrder([...rows, ...added]), said: said.filter(Boolean).join(' ') };
}

function leftOut(slots: readonly { day: string }[], closures: readonly Closure[]): string {
  const closed = slots.flatMap(({ day }) => {
    const holiday = closures.find(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
    return holiday ? [holiday.name] : [];
  });
  if (closed.length === 0) return '';
  return `${counted(closed.length, 'day')} left out: ${[...new Set(closed)].join(', ')}.`;
}

/** What can be seen to be wrong without the server, the first of each row. */
export function problemsOf(rows: readonly DateRow[], today: string): Problem[] {
  const going = rows.filter((row) => !row.cancelled && !row.over);
  return going.flatMap((row, index): Problem[] => {
    const found = wrongCell(row, today) ?? overlapIn(going.slice(0, index), row);
    return found ? [{ key: row.key, ...found }] : [];
  });
}

type Wrong = Omit<Problem, 'key'> | null;

function wrongCell({ _id, day, starts, minutes }: DateRow, today: string): Wrong {
  if (!isDay(day)) return { cell: 'day', words: 'Choose a day' };
  if (!_id && day < today) return { cell: 'day', words: 'This day is over' };
  if (!isTime(starts)) return { cell: 'starts', words: 'Choose a time' };
  return isLength(minutes) ? null : { cell: 'minutes', words: lengthWords };
}

/** Of two that overlap the later one in the list is wrong. */
function overlapIn(earlier: readonly DateRow[], row: DateRow): Wrong {
  const other = earlier.find(
    (one) => isDay(one.day) && isTime(one.starts) && overlaps(slotOf(one), slotOf(row)),
  );
  return other ? { cell: 'starts', words: `Overlaps ${whenOf(other)}` } : null;
}

export const dayOf = ({ day }: Pick<DateRow, 'day'>) => (isDay(day) ? dayName(day) : 'New date');

export const timeOf = ({ starts, minutes }: Pick<DateRow, 'starts' | 'minutes'>) =>
  !isTime(starts) ? '' : isLength(minutes) ? `${starts}–${endOf(starts, Number(minutes))}` : starts;

export const whenOf = (row: DateRow) => [dayOf(row), timeOf(row)].filter(Boolean).join(', ');

export const placeNameOf = (places: readonly Place[], placeId: string) =>
  places.find(({ _id }) => _id === placeId)?.name ?? '';

const describeRow = (row: DateRow, places: readonly Place[]) =>
  [whenOf(row), placeNameOf(places, row.placeId), row.isChosen && `with ${row.teacher?.name}`]
    .filter(Boolean)
    .join(', ');

/** The words that the class will have. Empty ones: its own words stay. */
export function wordsOf(
  rows: readonly DateRow[],
  places: readonly Place[],
): { schedule: string; place: string } {
  const going = inOrder(
    rows.filter((row) => !row.cancelled && isDay(row.day) && isTime(row.starts)),
  );
  const names = going.map((row) => placeNameOf(places, row.placeId)).filter(Boolean);
  return {
    schedule: describeDates(going.map(slotOf)),
    place: [...new Set(names)].toSorted().join(' / '),
  };
}

/** What becomes of a meeting. Without `before` it is new, without `after` it does not take place. */
export interface Change {
  key: string;
  before: string | null;
  after: string | null;
}

/** Old and new of every meeting that is not the same, in the order of time. */
export function changesOf(
  before: readonly DateRow[],
  after: readonly DateRow[],
  places: readonly Place[],
): Change[] {
  const words = (row: DateRow | undefined) =>
    row && !row.cancelled ? describeRow(row, places) : null;
  const was = new Map(before.map((row) => [row.key, row]));
  const is = new Map(after.map((row) => [row.key, row]));
  const all = inOrder([...after, ...before.filter(({ key }) => !is.has(key))]);
  return all
    .map(({ key }) => ({ key, before: words(was.get(key)), after: words(is.get(key)) }))
    .filter((change) => change.before !== change.after);
}

// Somebody else has changed the dates meanwhile. A row that was changed here stays as typed; any
// other follows what is stored. One that was stored by an answer that got lost is there once.
export function merge(
  base: readonly DateRow[],
  mine: readonly DateRow[],
  fresh: readonly DateRow[],
): DateRow[] {
  const first = new Map(base.map((row) => [row.key, row]));
  const typed = new Map(mine.map((row) => [row.key, row]));
  const isTyped = (row: DateRow) => {
    const was = first.get(row.key);
    return !was || !isSame(was, row);
  };
  const kept = fresh.flatMap((row) => {
    const own = typed.get(row.key);
    if (!own) return first.has(row.key) ? [] : [row];
    return [isTyped(own) && !row.over ? own : row];
  });
  const known = new Set(fresh.flatMap(({ key, day, starts }) => [key, `${day} ${starts}`]));
  const added = mine.filter(
    (row) => isTyped(row) && !known.has(row.key) && !known.has(`${row.day} ${row.starts}`),
  );
  // A meeting that is gone: what was typed about it becomes a new one.
  return inOrder([
    ...kept,
    ...added.map((row) => (row._id ? Object.assign(emptyRow(row), { day: row.day }) : row)),
  ]);
}
