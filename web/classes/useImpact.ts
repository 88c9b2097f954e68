// What a change of price or seats would do to families, while it is typed and before it is saved.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { classImpact } from '../../contract/checkout/cancel.ts';
import { limits } from '../../contract/platform/limits.ts';
import { query } from '../platform/api/query.ts';
import { send } from '../platform/api/send.ts';
import { ask } from '../platform/ui/alert.ts';
import { decimal } from '../platform/ui/money.ts';
import { useSettled } from './dates/useSettled.ts';

interface Typed {
  price?: string | number | undefined;
  seat?: string | number | undefined;
}

const none: string[] = [];

const within = (n: number, { min, max }: { min: number; max: number }) =>
  Number.isInteger(n) && n >= min && n <= max;

/** What is no amount yet is not asked about. */
function changeOf({ price, seat }: Typed) {
  const cents = price === undefined ? NaN : Math.round(Number(decimal(price)) * 100);
  const { minCents: min, maxCents: max } = limits.price;
  return {
    ...(within(cents, { min, max }) && { cents }),
    ...(within(Number(seat ?? NaN), limits.seats) && { seat: Number(seat) }),
  };
}

/** Sentences; none while nobody would notice. */
export function useImpact(id: string, typed: Typed): readonly string[] {
  const change = useSettled(changeOf(typed), 300);
  const enabled = Object.keys(change).length > 0;
  const input = { id, ...change };
  const { data } = useQuery({
    ...query(classImpact, input),
    enabled,
    placeholderData: keepPreviousData,
  });
  return enabled ? (data?.lines ?? none) : none;
}

/** Asked once more when it is saved, and only if somebody would notice. */
export async function isMeant(id: string, typed: Typed): Promise<boolean> {
  const change = changeOf(typed);
  if (Object.keys(change).length === 0) return true;
  const { lines } = await send(classImpact, { id, ...change });
  return lines.length === 0 || ask({ title: 'Save?', text: lines.join(' '), yes: 'Save' });
}
