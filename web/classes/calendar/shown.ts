// Which days a calendar shows, and the addresses of the others. The URL is its only memory:
// ?week=2027-01-04 (a Monday), ?view=agenda, ?month=2027-01, ?day= within the month.
import { addDays, asDate, isDay, weekdayOf } from '../../../contract/platform/days.ts';
import { addressOf, searchWith } from '../search.ts';

export type View = 'agenda' | 'week' | 'month';

export interface Shown {
  view: View;
  from: string;
  to: string;
  days: readonly string[];
  title: string;
  step: string;
  day: string | null;
  month: string | null;
}

const mondayOf = (day: string) => addDays(day, 1 - weekdayOf(day));

function format(options: Intl.DateTimeFormatOptions) {
  let made: Intl.DateTimeFormat | undefined;
  return (day: string) =>
    (made ??= new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options })).format(
      asDate(day),
    );
}
/** 'Monday 4 January' */
export const longDay = format({ weekday: 'long', day: 'numeric', month: 'long' });
export const shortWeekday = format({ weekday: 'short' });
export const dayNumber = (day: string) => Number(day.slice(8));
const dayMonth = format({ day: 'numeric', month: 'long' });
const dayMonthYear = format({ day: 'numeric', month: 'long', year: 'numeric' });
const monthYear = format({ month: 'long', year: 'numeric' });

function weekTitle(from: string, to: string): string {
  if (from.slice(0, 7) === to.slice(0, 7)) return `${dayNumber(from)} – ${dayMonthYear(to)}`;
  if (from.slice(0, 4) === to.slice(0, 4)) return `${dayMonth(from)} – ${dayMonthYear(to)}`;
  return `${dayMonthYear(from)} – ${dayMonthYear(to)}`;
}

const daysFrom = (from: string, count: number) =>
  Array.from({ length: count }, (_, nth) => addDays(from, nth));

/** Nobody plans further ahead. Beyond it a crawler would find weeks without end. */
const farthest = 1_100;
const isNear = (day: string, today: string) =>
  day >= addDays(today, -farthest) && day <= addDays(today, farthest);

/** Otherwise a calendar opens in the first week that has something. */
export const isAsked = (search: URLSearchParams) => search.has('week') || search.has('month');

/** What makes no sense is left out: a mistyped address shows the week of `first`. */
export function shownBy(search: URLSearchParams, today: string, first = today): Shown {
  const month = search.get('month') ?? '';
  if (isDay(`${month}-01`) && isNear(`${month}-01`, today)) return monthOf(month, search, today);
  const asked = search.get('week') ?? '';
  const from = mondayOf(isDay(asked) && isNear(asked, today) ? asked : first);
  const days = daysFrom(from, 7);
  const to = addDays(from, 6);
  const view = search.get('view') === 'agenda' ? 'agenda' : 'week';
  return { view, from, to, days, title: weekTitle(from, to), step: 'week', day: null, month: null };
}

function monthOf(month: string, search: URLSearchParams, today: string): Shown {
  const first = `${month}-01`;
  const from = mondayOf(first);
  const last = addDays(nextMonth(month), -1);
  const to = addDays(mondayOf(last), 6);
  const asked = search.get('day') ?? '';
  const fallback = today.startsWith(month) ? today : null;
  const count = weekdayOf(first) - 1 + dayNumber(last) + (7 - weekdayOf(last));
  return {
    view: 'month',
    from,
    to,
    days: daysFrom(from, count),
    title: monthYear(first),
    step: 'month',
    day: isDay(asked) && asked >= from && asked <= to ? asked : fallback,
    month,
  };
}

const nextMonth = (month: string) => `${addDays(`${month}-28`, 4).slice(0, 7)}-01`;

type Change = Record<'week' | 'month' | 'view' | 'day', string | null>;

const change = (part: Partial<Change>): Change => ({
  week: null,
  month: null,
  view: null,
  day: null,
  ...part,
});

/** An agenda stays one. */
const toWeek = (day: string, view: View) =>
  change({ week: mondayOf(day), view: view === 'agenda' ? 'agenda' : null });

export function neighbours(shown: Shown): Record<'previous' | 'next', Change> {
  const { from, month, view } = shown;
  if (month === null)
    return {
      previous: toWeek(addDays(from, -7), view),
      next: toWeek(addDays(from, 7), view),
    };
  return {
    previous: change({ month: addDays(`${month}-01`, -1).slice(0, 7) }),
    next: change({ month: nextMonth(month).slice(0, 7) }),
  };
}

/** The same time in another view: today's where today is shown. */
export function inView(shown: Shown, view: View, today: string): Change {
  const kept = shown.days.includes(today) ? today : (shown.day ?? shown.days[6] ?? today);
  return view === 'month' ? change({ month: kept.slice(0, 7) }) : toWeek(kept, view);
}

export const atToday = ({ month, view }: Shown, today: string) =>
  month === null ? toWeek(today, view) : change({ month: today.slice(0, 7) });

export const onDay = ({ month }: Shown, day: string) => change({ month, day });

export const atDay = ({ month, view }: Shown, day: string) =>
  month === null ? toWeek(day, view) : change({ month: day.slice(0, 7), day });

export function addressWith(path: string, search: URLSearchParams, change: Partial<Change>) {
  let next = search;
  for (const [name, value] of Object.entries(change)) next = searchWith(next, name, value);
  return addressOf(path, next);
}
