// Until when a seat is kept, as people say it.
import { todayIn, clockOf, dayAt } from '../../platform/ui/dates.ts';
import { nearName } from '../../platform/ui/Line.tsx';

/** 'tomorrow 18:00', 'Fri 27 Nov 18:00' */
export function untilInWords(until: string): string {
  const day = nearName(dayAt(new Date(until)), todayIn());
  return `${day === 'Today' || day === 'Tomorrow' ? day.toLowerCase() : day} ${clockOf(until)}`;
}
