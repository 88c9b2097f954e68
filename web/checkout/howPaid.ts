import type { Payment } from '../../contract/checkout/payments.ts';
import { price } from '../platform/ui/money.ts';

/** 'By card', or how much by what. */
export function howPaid({ cents, cardCents, creditCents }: Payment): string {
  if (cents === 0) return 'Nothing to pay';
  if (cardCents === cents) return 'By card';
  const swap = cents - cardCents - creditCents;
  return [
    cardCents > 0 && `${price(cardCents)} by card`,
    creditCents > 0 && `${price(creditCents)} by credit`,
    swap > 0 && `${price(swap)} by the class before`,
  ]
    .filter(Boolean)
    .join(' · ');
}
