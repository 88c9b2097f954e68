// Dates and times as people read them, in English and in the academy's time zone: `Tue 16 Nov,
// 17:00`. The year is written when it is not the present one.
import { wallClock } from './locale.ts';

/** `always` writes the year in every case, as a receipt needs it. */
export const dateOf = (timestamp: string, year?: 'always') =>
  dayName(dayAt(new Date(timestamp)), year);

export const momentOf = (timestamp: string, year?: 'always') =>
  `${dateOf(timestamp, year)}, ${clockOf(timestamp)}`;

/** `16:01` */
export const clockOf = (timestamp: string) => wallClock(new Date(timestamp)).slice(11);

/** As the specification shows an enrolment and a payment: characters of the stored timestamp. */
export const storedDate = (timestamp: string) => timestamp.slice(0, 10);
export const storedMoment = (timestamp: string) =>
  `${storedDate(timestamp)} ${timestamp.slice(11, 16)}`;

/** `5 Jan`, and `5 Jan 2025` of another year. */
export const dayInYear = (day: string) => dayName(day).replace(/^\S+ /, '');

/** A day has no time zone: `2026-11-16` is that day for every reader. Without Intl (locale.ts). */
export function dayName(day: string, year?: 'always'): string {
  // The language says what this text is: `Mon, 16 Nov 2026 12:00:00 GMT`.
  const [weekday, date, month, its] = new Date(`${day}T12:00:00Z`).toUTCString().split(/,? /);
  const isThisYear = its === String(new Date().getUTCFullYear());
  return `${weekday} ${Number(date)} ${month}${isThisYear && !year ? '' : ` ${its}`}`;
}

/** 'Europe/Lisbon' is a name for computers: 'Lisbon time'. */
export const zoneInWords = (timeZone: string) =>
  `${timeZone.replace(/^.*\//, '').replaceAll('_', ' ')} time`;

export const dayAt = (at: Date, timeZone?: string) => wallClock(at, timeZone).slice(0, 10);
export const todayIn = (timeZone?: string, now = new Date()) => dayAt(now, timeZone);
