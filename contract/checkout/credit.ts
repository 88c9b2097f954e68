// Credit: what the academy owes a family, to be spent or paid out.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, changed, described } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { centsUpTo, id, paging, paragraphs } from '../platform/rules.ts';

/** What of a credit can pay a total: the card pays nothing, or no less than the provider takes. */
export function creditFor(totalCents: number, creditCents: number): number {
  const used = Math.min(totalCents, creditCents);
  const rest = totalCents - used;
  const least = limits.price.minCents;
  return rest === 0 || rest >= least ? used : Math.max(0, totalCents - least);
}

const signed = described(z.number(), {
  type: 'integer',
  description: 'Less than 0: it went away.',
});

/** `paymentId` is the receipt it belongs to, where there is one of the account. */
export const CreditEntry = z.object({
  at: answer.time,
  cents: signed,
  afterCents: answer.count,
  why: z.string(),
  paymentId: z.nullable(answer.id),
});
export type CreditEntry = z.infer<typeof CreditEntry>;

export const getCredit = call('GET /credit', {
  does: 'Your credit: what there is to spend, what is reserved by payments under way, and its entries, newest first.',
  access: 'signed-in',
  input: z.strictObject(paging),
  response: z.object({
    cents: answer.count,
    reservedCents: answer.count,
    total: answer.count,
    entries: z.array(CreditEntry),
  }),
});

const amount = centsUpTo(limits.credit.maxCents, 1);

export const payOutCredit = call('POST /credit/payout', {
  does: 'Pays credit out to the cards you have paid with, the newest payment first, to each at most what it paid and has not got back. deskCents: what no card can take stays credit; ask the academy.',
  access: 'signed-in',
  example: { cents: 'my credit' },
  input: z.strictObject({ cents: amount }),
  response: z.object({ cardCents: answer.count, deskCents: answer.count }),
  errors: ['TOO_LITTLE_CREDIT'],
  perMinute: 10,
});

export const giveCredit = call('POST /credit/give', {
  does: 'Gives credit to an account, or takes it back (less than 0). Asked again with the same key, nothing changes.',
  access: 'admin',
  example: { studentId: 'user', cents: 1_200, reason: 'Rain', key: 'new id' },
  input: z.strictObject({
    studentId: id,
    cents: centsUpTo(limits.credit.maxCents, -limits.credit.maxCents).check(
      z.refine((cents) => cents !== 0, 'must not be 0'),
    ),
    reason: paragraphs(500, 1),
    // Made by the page: a second tap gives nothing more.
    key: id,
  }),
  response: z.object({ cents: answer.count }),
  errors: ['NOT_FOUND', 'TOO_LITTLE_CREDIT'],
});

export const chooseRefund = call('POST /refunds/:id/choose', {
  does: 'Takes a refund of yours as credit, or sends it to the card at once, while there is a choice.',
  access: 'signed-in',
  example: { id: 'refund to choose', to: 'credit' },
  input: z.strictObject({ id, to: z.enum(['credit', 'card']) }),
  response: changed,
  errors: ['NOT_FOUND', 'TOO_LATE'],
});
