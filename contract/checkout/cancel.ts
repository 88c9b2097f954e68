// Before a class is changed or cancelled: whom it reaches and what it costs. And cancelling it.
import * as z from 'zod/mini';
import { limits } from '../platform/limits.ts';
import { call } from '../platform/call.ts';
import { answer, changed } from '../platform/described.ts';
import { meetingInputs } from '../classes/meetings.ts';
import { centsUpTo, id, paragraphs, seats } from '../platform/rules.ts';

/**
 * In cents: what goes back to cards, and as credit. `clashing`: families for whose participant another
 * class meets at one of the new times. `perMeetingCents`: what one seat gets for one cancelled date at
 * most; `meetingsCents`: what all get for those cancelled.
 */
export const Impact = z.object({
  enrolled: answer.count,
  families: answer.count,
  held: answer.count,
  offered: answer.count,
  waiting: answer.count,
  card: answer.count,
  credit: answer.count,
  clashing: answer.count,
  perMeetingCents: answer.count,
  meetingsCents: answer.count,
  lines: z.array(z.string()),
});
export type Impact = z.infer<typeof Impact>;

const families = z.int('must be a whole number').check(z.minimum(0, 'must be at least 0'));

export const classImpact = call('POST /classes/impact/:id', {
  does: 'What a change of a class would do, in sentences, before it is saved. Nothing is stored. Without a change it says what the class has.',
  access: ['instructor', 'admin'],
  example: { id: 'class', cents: 3_000 },
  input: z.strictObject({
    id,
    cents: z.optional(centsUpTo(limits.price.maxCents, limits.price.minCents)),
    seat: z.optional(seats),
    status: z.optional(z.literal('denied')),
    cancel: z.optional(z.literal(true)),
    meetings: z.optional(meetingInputs),
  }),
  response: Impact,
  errors: ['NOT_FOUND'],
  perMinute: 120,
});

export const cancelClass = call('POST /classes/cancel/:id', {
  does: 'Cancels a class, or what is left of it, for good: its seats end, each family gets back all that it paid for the meetings to come, and one mail. families is the number that was seen.',
  access: 'admin',
  example: { id: 'class to review', reason: 'The coach is ill', families: 0 },
  input: z.strictObject({ id, reason: paragraphs(limits.cancelNote, 1), families }),
  response: changed,
  errors: ['NOT_FOUND', 'QUOTE_CHANGED', 'CLASS_OVER'],
});
