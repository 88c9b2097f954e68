// Meetings on the wall clock, and their plan in words. Pure. PostgreSQL makes the instants.
import { addDays, asDate, weekdayOf, weekdays } from '../platform/days.ts';

export interface Slot {
  day: string;
  starts: string;
  minutes: number;
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

interface Weekly {
  from: string;
  until: string;
  weekdays: readonly number[];
  starts: string;
  minutes: number;
  except?: readonly { firstDay: string; lastDay: string }[];
}

export function weekly({ from, until, weekdays, starts, minutes, except = [] }: Weekly): Slot[] {
  const slots: Slot[] = [];
  for (let day = from; day <= until; day = addDays(day, 1)) {
    const closed = except.some(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay);
    if (weekdays.includes(weekdayOf(day)) && !closed) slots.push({ day, starts, minutes });
  }
  return slots;
}

const timeOf = ({ starts, minutes }: Slot) => `${starts} ${minutes}`;
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
const startOf = ({ day, starts }: Slot) => asDate(day).getTime() / 60_000 + minutesOf(starts);

/** By the wall clock. In the night of a clock change only the database knows. */
export const overlaps = (one: Slot, other: Slot) =>
  startOf(one) < startOf(other) + other.minutes && startOf(other) < startOf(one) + one.minutes;

export function endOf(starts: string, minutes: number): string {
  const end = (minutesOf(starts) + minutes) % 1_440;
  return `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}`;
}

export const describeDay = (day: string) => `${shortDay(day)} ${day.slice(0, 4)}`;
export const shortDay = (day: string) =>
  `${Number(day.slice(8))} ${months[Number(day.slice(5, 7)) - 1] ?? ''}`;

function describeRange(first: string, last: string): string {
  if (first === last) return describeDay(first);
  const sameYear = first.slice(0, 4) === last.slice(0, 4);
  return `${sameYear ? shortDay(first) : describeDay(first)} – ${describeDay(last)}`;
}

/** Three days or more in a row are written as 'Mon–Wed'. The days come in order. */
function describeWeekdays(days: readonly number[]): string {
  if (days.length === 7) return 'Daily';
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  const named = runs.map((run) => run.map((day) => weekdays[day - 1] ?? ''));
  return named
    .map((names) => (names.length > 2 ? `${names[0]}–${names.at(-1)}` : names.join(', ')))
    .join(', ');
}

/** 'Mon, Wed · 16:00–17:30', a line for each time of day, as `plan_words` of the database. */
function describeWeekly(slots: readonly Slot[]): string {
  const lines = [...Map.groupBy(slots, timeOf).values()].map((line) => {
    const days = [...new Set(line.map(({ day }) => weekdayOf(day)))].toSorted((a, b) => a - b);
    const { starts = '', minutes = 0 } = line[0] ?? {};
    return { days, starts, minutes };
  });
  return lines
    .toSorted(
      (a, b) =>
        (a.days[0] ?? 0) - (b.days[0] ?? 0) ||
        minutesOf(a.starts) - minutesOf(b.starts) ||
        a.minutes - b.minutes,
    )
    .map(({ days, starts, minutes }) => {
      return `${describeWeekdays(days)} · ${starts}–${endOf(starts, minutes)}`;
    })
    .join('; ');
}

/** The rest is counted, so that the text stays short. */
const mostSingles = 2;

// The words of a class that has these meetings. A single meeting has its day: 'Tue, Thu ·
// 16:00–17:30; Thu 26 Nov · 07:00–08:30 · 17 Nov 2026 – 14 Jan 2027'. The database has the same in
// `dates_words` of the database; a test compares the two.
export function describeDates(slots: readonly Slot[]): string {
  const inOrder = slots.toSorted((a, b) => startOf(a) - startOf(b) || a.minutes - b.minutes);
  const [first, last] = [inOrder[0], inOrder.at(-1)];
  if (!first || !last) return '';
  const isSingle = singlesIn(inOrder);
  const singles = inOrder.filter(isSingle);
  const named = singles.slice(0, mostSingles).map(({ day, starts, minutes }) => {
    const weekday = weekdays[weekdayOf(day) - 1] ?? '';
    return `; ${weekday} ${shortDay(day)} · ${starts}–${endOf(starts, minutes)}`;
  });
  const others = singles.length - named.length;
  const words = named.join('') + (others > 0 ? ` and ${others} more` : '');
  const every = describeWeekly(inOrder.filter((slot) => !isSingle(slot)));
  return `${every}${words} · ${describeRange(first.day, last.day)}`;
}

/** The same words without the single meetings, for a card. */
export const withoutSingles = (words: string) =>
  words.replaceAll(/; [A-Z][a-z]{2} \d+ [A-Z][a-z]{2} · [\d:]+–[\d:]+( and \d+ more)?/g, '');

// Weekdays of a weekly plan differ by one meeting at most. So a meeting that has its weekday and
// time alone is single if another weekday and time has three meetings. If it has two, the time must
// be of this meeting alone.
function singlesIn(slots: readonly Slot[]): (slot: Slot) => boolean {
  const kindOf = (slot: Slot) => `${weekdayOf(slot.day)} ${timeOf(slot)}`;
  const atTime = Map.groupBy(slots, timeOf);
  const alike = Map.groupBy(slots, kindOf);
  const most = Math.max(...[...alike.values()].map(({ length }) => length));
  return (slot) =>
    alike.get(kindOf(slot))?.length === 1 &&
    most >= (atTime.get(timeOf(slot))?.length === 1 ? 2 : 3);
}
