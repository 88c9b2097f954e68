// The words of the roll call: times, and what a badge says.
import type { CareFacts } from '../../../contract/people/care.ts';
import { addDays } from '../../../contract/platform/days.ts';
import { clockOf, dayAt, momentOf } from '../../platform/ui/dates.ts';

export function untilWords(timestamp: string, now = new Date()): string {
  const [day, today] = [dayAt(new Date(timestamp)), dayAt(now)];
  if (day === today) return `today ${clockOf(timestamp)}`;
  return day === addDays(today, 1) ? `tomorrow ${clockOf(timestamp)}` : momentOf(timestamp);
}

/** Asked before the first mark of a meeting that is hours away: it may be the wrong one. */
export function earlyWords(startsAt: string, now = Date.now()): string | null {
  const hours = Math.round((Date.parse(startsAt) - now) / 3_600_000);
  return hours < 2 ? null : `It starts in ${hours} hours: take it now?`;
}

/** What the badge says. An allergy is never cut: its last words may say where the medicine is. */
export function badgeOf(care: CareFacts | undefined): { text: string; severe: boolean } | null {
  if (!care) return null;
  if (care.state === 'unreadable')
    return { text: 'Allergies and contacts cannot be read', severe: true };
  if (care.allergies) return { text: care.allergies.trim(), severe: true };
  const other = care.health || care.medicine || care.note;
  return other ? { text: firstWords(other), severe: false } : null;
}

const firstWords = (text: string) => {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line;
};
