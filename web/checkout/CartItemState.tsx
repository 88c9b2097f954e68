// What became of a class since it was selected: a new price, or why it cannot be paid for now.
import type { CartItem } from '../../contract/checkout/cart.ts';
import { classInReview } from '../../contract/platform/closed.ts';
import { price } from '../platform/ui/money.ts';

export function CartItemState({ item }: { item: CartItem }) {
  const words = {
    ok: null,
    'price-changed': `The price has changed: it was ${price(item.seenCents)}.`,
    'sold-out': 'No seat is left. It may become free again.',
    closed: item.inReview ? classInReview : 'This class is no longer offered.',
  }[item.state];
  return words && <p className="text-warning text-sm font-medium">{words}</p>;
}
