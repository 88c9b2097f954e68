// What each feature forgets of participants who are erased, or whom an account no longer looks after.
// A feature that keeps something about participants adds its function here, and what it keeps to the
// export (export.ts).
import { dropFromCarts } from '../checkout/cart.ts';
import { forgetObjections } from '../checkout/objections.ts';
import { forgetOnReceipts } from '../checkout/payments/rows.ts';
import { endFeedsOf } from '../classes/feeds.ts';
import type { NoLonger } from '../people/participants.ts';

export const noLonger: readonly NoLonger[] = [
  endFeedsOf,
  dropFromCarts,
  forgetObjections,
  forgetOnReceipts,
];
