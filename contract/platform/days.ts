// Days as text: 'YYYY-MM-DD'. Pure: no clock, no time zone.

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

export const asDate = (day: string) => new Date(`${day}T00:00:00Z`);

export const isDay = (day: string) =>
  /^(19|20|21)\d\d-\d\d-\d\d$/.test(day) && asDate(day).toJSON()?.slice(0, 10) === day;

export function addDays(day: string, count: number): string {
  const date = asDate(day);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toJSON().slice(0, 10);
}

/** Monday is 1, Sunday 7. */
export const weekdayOf = (day: string) => asDate(day).getUTCDay() || 7;

/** Intl also takes offsets such as +01:00, which have no rules. */
export function isTimeZone(value: string): boolean {
  try {
    return /^[A-Z]/.test(Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone);
  } catch {
    return false;
  }
}
