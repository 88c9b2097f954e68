// The weekdays and times of day by which a class is found: how they are written, without the rules of
// zod, which only forms load.

/** In the order of the bits of `class.slots`: Monday first. */
export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof days)[number];

export const dayGroups: Record<string, readonly Day[]> = {
  weekdays: days.slice(0, 5),
  weekend: days.slice(5),
};
const dayWord = `(${[...days, ...Object.keys(dayGroups)].join('|')})`;
export const severalDays = new RegExp(`^${dayWord}(,${dayWord})*$`);
export const isDays = (written: string) => severalDays.test(written);

/** The days of `sat`, `mon,wed` or `weekdays`, in the order of the week. */
export function daysOf(written: string): Day[] {
  const named = new Set(
    written.split(',').flatMap((word): readonly string[] => dayGroups[word] ?? [word]),
  );
  return days.filter((day) => named.has(day));
}

/** By the start of a meeting: before 12:00, before 17:00, later. */
export const times = ['morning', 'afternoon', 'evening'] as const;
export type Time = (typeof times)[number];
export const timeOrHour = new RegExp(`^(${times.join('|')}|1?\\d|2[0-3])$`);
export const isTime = (written: string) => timeOrHour.test(written);
