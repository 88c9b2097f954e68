// Dates and times as people read them, in the time zone of the reader: `Tue 16 Nov, 17:00`. The
// year is written when it is not the present one.
import { partsOf } from './locale.ts';

/** `always` writes the year in every case, as a receipt needs it. */
interface Wanted {
  time?: boolean;
  year?: 'always';
}

function format(timestamp: string, { time, year }: Wanted): string {
  const of = partsOf(new Date(timestamp));
  const thisYear = of.year === String(new Date().getFullYear());
  const day = `${of.weekday} ${of.day} ${of.month}`;
  return [
    year === 'always' || !thisYear ? `${day} ${of.year}` : day,
    ...(time ? [`${of.hour}:${of.minute}`] : []),
  ].join(', ');
}

export const dateOf = (timestamp: string, year?: 'always') =>
  format(timestamp, { ...(year && { year }) });
export const momentOf = (timestamp: string, year?: 'always') =>
  format(timestamp, { time: true, ...(year && { year }) });

/**
 * As the specification shows the day of an enrolment and the moment of a payment: the first 10
 * characters of the stored timestamp, and characters 11 to 16.
 */
export const storedDate = (timestamp: string) => timestamp.slice(0, 10);
export const storedMoment = (timestamp: string) =>
  `${storedDate(timestamp)} ${timestamp.slice(11, 16)}`;

/** `5 Jan`, and `5 Jan 2025` of another year. */
export const dayInYear = (day: string) => dayName(day).replace(/^\S+ /, '');

/** A day has no time zone: `2026-11-16` is that day for every reader. */
export const dayName = (day: string) => dateOf(`${day}T12:00:00`);

/** 'Europe/Lisbon' is a name for computers: 'Lisbon time'. */
export const zoneInWords = (timeZone: string) =>
  `${timeZone.replace(/^.*\//, '').replaceAll('_', ' ')} time`;

/** The day at the academy, by the clock of its time zone. */
export const todayIn = (timeZone: string, now = new Date()) =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(now);
