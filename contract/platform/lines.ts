// The lines of a basket as they travel: what is to be paid, and what cannot be had.
import * as z from 'zod/mini';
import { Clash } from './clash.ts';
import { answer } from './described.ts';

/**
 * One seat. `cents` is what is paid of `listCents`, and `why` explains the difference. `participant`
 * is null for oneself. `unfit`: not for this person, or nobody knows. `undated`: no dates yet.
 */
export const BasketLine = z.object({
  cartItemId: answer.id,
  classId: answer.id,
  name: z.string(),
  participantId: answer.id,
  participant: z.nullable(z.string()),
  listCents: answer.count,
  cents: answer.count,
  why: z.array(z.object({ text: z.string(), cents: answer.count })),
  state: z.enum(['ok', 'sold-out', 'closed']),
  minAge: z.nullable(answer.count),
  maxAge: z.nullable(answer.count),
  unfit: z.boolean(),
  undated: z.boolean(),
  clashes: z.array(Clash),
});
export type BasketLine = z.infer<typeof BasketLine>;

export const lineRefusals = [
  'SOLD_OUT',
  'CLOSED',
  'CLASS_IN_REVIEW',
  'CLASS_OVER',
  'WRONG_AGE',
  'ALREADY_ENROLLED',
  'BEING_PAID',
  'OFFER_OVER',
] as const;

export interface RefusedLine {
  cartItemId: string;
  code: (typeof lineRefusals)[number];
}
