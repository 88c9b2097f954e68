// The lines of a basket as they travel: what is to be paid, and what cannot be had.
import * as z from 'zod/mini';
import { Clash } from './clash.ts';
import { answer } from './described.ts';

/**
 * One seat. `item` is the cart item, `itemId` the class. `price` is the list price, `amount` what is
 * paid; `why` explains the difference. `participantId` and `participant` are absent for oneself.
 * `minAge` and `maxAge` are the ages that the class is for. `unfit`: not for this person, or nobody
 * knows. `undated`: the class has no dates yet.
 */
export const BasketLine = z.object({
  item: answer.id,
  itemId: answer.id,
  name: z.string(),
  participantId: z.optional(answer.id),
  participant: z.optional(z.string()),
  price: answer.dollars,
  discount: answer.dollars,
  amount: answer.dollars,
  why: z.array(z.object({ text: z.string(), amount: answer.dollars })),
  state: z.enum(['ok', 'price-changed', 'sold-out', 'closed']),
  minAge: z.optional(answer.count),
  maxAge: z.optional(answer.count),
  unfit: z.optional(z.literal(true)),
  undated: z.optional(z.literal(true)),
  clashes: z.optional(z.array(Clash)),
});
export type BasketLine = z.infer<typeof BasketLine>;

/** Why a line cannot be had. */
export const lineRefusals = [
  'SOLD_OUT',
  'PRICE_CHANGED',
  'CLOSED',
  'CLASS_IN_REVIEW',
  'CLASS_OVER',
  'WRONG_AGE',
  'ALREADY_ENROLLED',
  'BEING_PAID',
] as const;

/** `price` is the current one, when it has changed. */
export interface RefusedLine {
  item: string;
  code: (typeof lineRefusals)[number];
  price?: number;
}
