// Which items of the cart are paid for together, and the box of each.
import { useState } from 'react';
import type { CartItem } from '../../contract/checkout/cart.ts';
import { limits } from '../../contract/platform/limits.ts';
import { nameFor } from '../platform/ui/ForWhom.tsx';

/** What can be paid for now, and its sum. */
export function totalOf(items: readonly CartItem[]): {
  payable: readonly CartItem[];
  cents: number;
} {
  const payable = items.filter(({ state }) => state === 'ok' || state === 'price-changed');
  return { payable, cents: payable.reduce((sum, { cents }) => sum + cents, 0) };
}

/** What the payment page receives (specification, section 2): the item, with its price. */
export const carrying = (item: CartItem) => ({
  item: { ...item, _id: item.cartItemId, price: item.cents / 100 },
});

export type Choice = ReturnType<typeof useChoice>;

/** All that can be, up to the limit, until some are unchecked. */
export function useChoice(items: readonly CartItem[]) {
  const [changed, setChanged] = useState<Readonly<Record<string, boolean>>>({});
  const { payable } = totalOf(items);
  const chosen = payable
    .filter(({ cartItemId }, index) => changed[cartItemId] ?? index < limits.basketLines)
    .slice(0, limits.basketLines);
  return {
    payable,
    chosen,
    set: (item: CartItem, on: boolean) => setChanged({ ...changed, [item.cartItemId]: on }),
  };
}

/** The target is as large as a thumb; what is seen is the box. */
export function Check({ item, choice }: { item: CartItem; choice: Choice }) {
  const { payable, chosen, set } = choice;
  const canBe = payable.includes(item);
  const on = chosen.includes(item);
  return (
    <label className="-my-2.5 -mr-2 -ml-3 flex size-11 shrink-0 cursor-pointer items-center justify-center">
      <input
        type="checkbox"
        className="checkbox checkbox-primary rounded-md"
        aria-label={`Pay for: ${nameFor(item.name, item.participant)}`}
        checked={on}
        disabled={!canBe || (!on && chosen.length >= limits.basketLines)}
        onChange={(event) => set(item, event.target.checked)}
      />
    </label>
  );
}
