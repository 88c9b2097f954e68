// The filters of the catalogue: what a URL asks for, and its words.
import type { Input } from '../../contract/platform/call.ts';
import { type Level, levels, type listClasses } from '../../contract/classes/classes.ts';
import { type Day, daysOf, isDays, isTime, type Time } from '../../contract/classes/weekdays.ts';
import type { Instructor } from '../../contract/classes/instructors.ts';
import type { Place } from '../../contract/classes/places.ts';
import { isId, paths } from '../platform/paths.ts';
import { isSport } from '../platform/api/sports.ts';
import { decimal, shortMoney } from '../platform/ui/money.ts';
import { addressOf, searchWith } from './search.ts';
import { understood, unsaid } from './understood.ts';

export const sorts = [
  ['popular', 'Most popular'],
  ['new', 'Newest'],
  ['price', 'Price, low to high'],
  ['-price', 'Price, high to low'],
  ['-seat', 'Most free seats'],
  ['name', 'Name, A to Z'],
] as const;

export const dayWords: Record<Day, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

export const timeWords: Record<Time, string> = {
  morning: 'Morning',
  afternoon: 'Afternoon',
  evening: 'Evening',
};

export const levelWords: Record<Level, string> = {
  all: 'All levels',
  beginner: 'Beginner',
  intermediate: 'Intermediate',
  advanced: 'Advanced',
};

export type Asked = Input<typeof listClasses>;

export const sheetTitles = { sport: 'Sport', day: 'Day', time: 'Time', age: 'Age', more: 'More' };
export type SheetName = keyof typeof sheetTitles;

/** What a page has to choose from. */
export interface Offered {
  asked: Asked;
  total?: number | undefined;
  instructors: readonly Instructor[];
  teacher: string | undefined;
  places: readonly Place[];
  /** Without the day and the price. */
  inCalendar?: boolean;
}

const isAmount = (value: string) => /^\d{1,6}(\.\d{1,2})?$/.test(value);
const isOneOf = (values: readonly string[]) => (value: string) => values.includes(value);

const rules: Record<string, (value: string) => boolean> = {
  search: (value) => value.length <= 100,
  sport: isSport,
  day: isDays,
  time: isTime,
  age: (value) => /^\d{1,3}$/.test(value) && Number(value) <= 120,
  place: isId,
  level: isOneOf(levels),
  instructor: isId,
  maxPrice: isAmount,
  free: (value) => value === 'true',
  sort: isOneOf(sorts.map(([sort]) => sort)),
};

export const inCalendar = ['sport', 'place', 'instructor', 'age', 'level'];

/** What makes no sense is left out, not refused: a mistyped link still shows classes. */
export function filtersIn(search: URLSearchParams, names = Object.keys(rules)): Asked {
  const { rest, words: _words, ...told } = understood(search.get('search') ?? '');
  const given = names.flatMap((name) => {
    const typed = search.getAll(name).join(',').trim();
    const value = rules[name] === isAmount ? decimal(typed) : name === 'search' ? rest : typed;
    return value !== '' && rules[name]?.(value) ? [[name, value]] : [];
  });
  // Without the words there is no understanding them: a calendar has no search.
  return { ...(names.includes('search') && told), ...Object.fromEntries(given) } as Asked;
}

/** The address with another value of one filter, from the first page on. */
export function withFilter(search: URLSearchParams, name: string, value = ''): string {
  return addressOf(paths.classes, changed(search, name, value));
}

/** What the words of the search said of it goes, too. */
export function changed(search: URLSearchParams, name: string, value: string) {
  const typed = search.get('search') ?? '';
  const said = searchWith(search, 'search', name === 'search' ? typed : unsaid(typed, name));
  return searchWith(searchWith(said, name, value), 'page');
}

/** The search, the sport and the order stay, and what a calendar shows. */
const stays = new Set(['search', 'sport', 'sort', 'week', 'month', 'view']);
export function withoutFilters(search: URLSearchParams) {
  const { rest } = understood(search.get('search') ?? '');
  const kept = [...search].filter(([name]) => stays.has(name));
  return searchWith(new URLSearchParams(kept), 'search', rest);
}

export interface Names {
  teacher?: string | undefined;
  place?: string | undefined;
}

export interface Chip {
  name: keyof Asked;
  words: string;
}

/** The filters in use, in words. The search and the sport are seen in their own fields. */
export function chipsOf(asked: Asked, { teacher, place }: Names): Chip[] {
  const { day, time, age, level, maxPrice, free } = asked;
  const chips: [keyof Asked, string | false | undefined][] = [
    ['day', day && daysInWords(day)],
    ['time', time && timeInWords(time)],
    ['age', age !== undefined && `Age ${age}`],
    ['place', asked.place && (place ?? 'This place')],
    ['level', level && levelWords[level]],
    ['instructor', asked.instructor && (teacher ?? 'This instructor')],
    ['maxPrice', maxPrice && `Up to ${shortMoney(Number(maxPrice))}`],
    ['free', free === 'true' && 'Free seats only'],
  ];
  return chips.flatMap(([name, words]) => (words ? [{ name, words }] : []));
}

/** 'Saturdays', 'Weekdays', 'Mon, Wed' */
export function daysInWords(day: string): string {
  if (day === 'weekdays') return 'Weekdays';
  if (day === 'weekend') return 'Weekends';
  const named = daysOf(day).map((each) => dayWords[each]);
  return named.length === 1 ? `${named[0]}s` : named.map((name) => name.slice(0, 3)).join(', ');
}

/** 'Morning', 'After 16:00' */
export const timeInWords = (time: string) => timeWords[time as Time] ?? `After ${time}:00`;

const inSentence = (days: string) => days.replace('Week', 'week');

/** "No Tennis class on Saturday mornings for age 7 at Court 1" */
export function nothingFound(asked: Asked, { teacher, place }: Names): string {
  const { sport, day, time, age, level, maxPrice, free } = asked;
  const dayName = day && dayWords[day as Day];
  const part = time && time in timeWords && time;
  const parts = [
    'No',
    sport,
    level && level !== 'all' && levelWords[level].toLowerCase(),
    'class',
    level === 'all' && 'for all levels',
    day && (dayName && part ? `on ${dayName} ${part}s` : `on ${inSentence(daysInWords(day))}`),
    part && !dayName && `in the ${part}`,
    time && !part && `after ${time}:00`,
    age !== undefined && `for age ${age}`,
    asked.place && `at ${place ?? 'this place'}`,
    asked.instructor && `with ${teacher ?? 'this instructor'}`,
    maxPrice && `up to ${shortMoney(Number(maxPrice))}`,
    free === 'true' && 'with free seats',
  ];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}

const otherWords: Partial<Record<keyof Asked, string>> = {
  day: 'another day',
  time: 'another time of day',
  age: 'another age',
  place: 'another place',
  level: 'another level',
  sport: 'another sport',
  instructor: 'another instructor',
};

/** What is narrowest first: the day is easier to change than the age. */
export function adviceFor(asked: Asked): string {
  const other = Object.entries(otherWords).find(([name]) => name in asked)?.[1];
  return `Try ${other ?? 'other filters'}.`;
}

/** The same question without each of its filters, to find which one stands in the way. */
export function looser(asked: Asked): { name: keyof Asked; input: Asked }[] {
  const names = ['search', 'sport', ...chipsOf(asked, {}).map(({ name }) => name)] as const;
  const given = names.filter((name) => asked[name] !== undefined);
  if (given.length < 2) return [];
  return given.map((name) => {
    const { [name]: _dropped, page: _page, ...rest } = asked;
    return { name, input: { ...rest, limit: 1 } };
  });
}
