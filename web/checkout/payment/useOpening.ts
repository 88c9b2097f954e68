// Prices the seats, stops where somebody must say who comes, and holds them. Asked when the page is
// opened and when the buyer asks again, never behind their back: it holds seats.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Answer } from '../../../contract/platform/call.ts';
import { openBasket, quoteBasket } from '../../../contract/checkout/checkout.ts';
import type { BasketLine } from '../../../contract/platform/lines.ts';
import { ApiError, send } from '../../platform/api/send.ts';

export type Basket = Answer<typeof openBasket>;

export interface Opening {
  lines: readonly BasketLine[];
  /** The total in cents that the buyer saw: of these seats, after the discounts, with the code. */
  seen: number;
  /** A seat of one's own where the ages do not fit, or nobody knows: nothing is held yet. */
  stop?: BasketLine;
  /** Of the family's credit, what could pay for these seats, in cents. */
  spendable: number;
  basket?: Basket;
  problem?: ApiError;
  /** How long the seats that were held before the problem are. */
  heldUntil?: string | undefined;
}

export interface Wanted {
  ids: readonly string[];
  coupon: string | undefined;
  /** A change of class: the enrolment that helps to pay. */
  instead: string | undefined;
  seen: number | undefined;
  /** Whether credit pays what it can. */
  spends: boolean;
  /** The seats that are really for oneself. */
  passed: readonly string[];
}

/** Opens the payment of the same seats anew. */
export type Go = (to: { coupon?: string | undefined; seen?: number }) => void;

export function useOpening({ ids, coupon, instead, seen, spends, passed }: Wanted) {
  const client = useQueryClient();
  const queryKey = [openBasket.id, ids, coupon, instead, seen, spends, passed];
  const code = { ...(coupon && { coupon }), ...(instead && { instead }) };
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Opening> => {
      const before = client.getQueryData<Opening>(queryKey);
      const heldUntil = before?.basket?.expiresAt ?? before?.heldUntil;
      let opening: Opening = { lines: [], seen: seen ?? 0, spendable: 0, heldUntil };
      try {
        const {
          lines,
          totalCents,
          creditCents: spendable,
          swap,
        } = await send(quoteBasket, { items: ids.join(','), ...code }, { signal });
        opening = { lines, seen: seen ?? totalCents, spendable, heldUntil };
        const stop = lines.find(
          ({ cartItemId, unfit, participant }) =>
            unfit && participant === null && !passed.includes(cartItemId),
        );
        if (stop) return { ...opening, stop };
        const credit = spends && spendable > 0 && { creditCents: spendable };
        const old = swap && { insteadCents: swap.cents + swap.backCents };
        const asked = { items: [...ids], totalCents: opening.seen, ...code, ...credit, ...old };
        return { ...opening, basket: await send(openBasket, asked, { signal }) };
      } catch (error) {
        if (error instanceof ApiError) return { ...opening, problem: error };
        throw error;
      }
    },
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // While a code is tried the card that was typed stays.
    placeholderData: keepPreviousData,
  });
}
