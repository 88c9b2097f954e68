// The period of the sales in the URL of Admin Home: ?days=7, ?days=month, ?days=custom&from=&to=.
import { addDays, isDay } from '../../../contract/platform/days.ts';
import type { Input } from '../../../contract/platform/call.ts';
import { type adminFigures, periods } from '../../../contract/academy/figures.ts';

export const options = [
  ...periods.map((days) => [days, `${days} days`] as const),
  ['month', 'This month'],
  ['last-month', 'Last month'],
  ['custom', 'Custom'],
] as const;
type Option = (typeof options)[number][0];

export type Chosen = Partial<Record<'days' | 'from' | 'to', string>>;

export const optionOf = (params: URLSearchParams): Option =>
  options.find(([option]) => option === params.get('days'))?.[0] ?? '30';

const firstOf = (day: string) => `${day.slice(0, 7)}-01`;
const yearOfDays = 365;

/** Both ends, when the period is not a number of days up to today. */
export function periodIn(params: URLSearchParams, today: string): { from?: string; to?: string } {
  const option = optionOf(params);
  if (option === 'month') return { from: firstOf(today), to: today };
  if (option === 'last-month') {
    const to = addDays(firstOf(today), -1);
    return { from: firstOf(to), to };
  }
  if (option !== 'custom') return {};
  const day = (name: string, otherwise: string) => {
    const value = params.get(name) ?? '';
    return isDay(value) ? value : otherwise;
  };
  const to = day('to', today);
  const from = day('from', addDays(to, -29));
  // The server takes a year at most.
  return {
    from: from > to ? to : from < addDays(to, -yearOfDays) ? addDays(to, -yearOfDays) : from,
    to,
  };
}

export function figuresOf(params: URLSearchParams, today: string): Input<typeof adminFigures> {
  const { from, to } = periodIn(params, today);
  if (from && to) return { from, to };
  const days = periods.find((known) => known === optionOf(params));
  return days && days !== '30' ? { days } : {};
}

export function customDays(option: string, today: string): Chosen {
  if (option === '30') return {};
  return option === 'custom'
    ? { days: option, from: addDays(today, -29), to: today }
    : { days: option };
}
