// What a cart costs: the items that can be paid for now, and their sum.
import type { CartItem } from '../../contract/checkout/cart.ts';

export function totalOf(items: readonly CartItem[]): {
  payable: readonly CartItem[];
  total: number;
} {
  const payable = items.filter(({ state }) => state === 'ok' || state === 'price-changed');
  // In cents: sums of decimal fractions are not exact.
  const cents = payable.reduce((sum, { price }) => sum + Math.round(price * 100), 0);
  return { payable, total: cents / 100 };
}
