// What the admin does in the office besides the specified screens: sums of payments, and another try
// for what gave up. The list of Needs Attention: payments.ts.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, changed } from '../platform/described.ts';
import { paymentFilters } from './payments.ts';
import { id } from '../platform/rules.ts';

export const sumPayments = call('GET /allpayments/sum', {
  does: 'How many payments match, what was paid, and what went back or is owed.',
  access: 'admin',
  example: { from: '2027-01-04', to: '2027-01-10' },
  input: z.strictObject(paymentFilters),
  response: z.object({
    count: answer.count,
    paidCents: answer.count,
    backCents: answer.count,
  }),
});

export const retryEvent = call('POST /attention/event/:id/again', {
  does: 'Handles an event of the card provider that failed once more. When it did not fail, nothing changes: modifiedCount is 0.',
  access: 'admin',
  example: { id: 'failed event' },
  input: z.strictObject({
    id: z.string().check(z.regex(/^evt_\w{1,250}$/, 'must be the id of an event')),
  }),
  response: changed,
  errors: ['NOT_FOUND'],
});

export const retryJob = call('POST /attention/job/:id/again', {
  does: 'Starts a job that gave up once more.',
  access: 'admin',
  example: { id: 'dead job' },
  input: z.strictObject({ id }),
  response: changed,
  errors: ['NOT_FOUND'],
});

export const sendRefundAgain = call('POST /payments/refund/:id/again', {
  does: 'Sends a refund that failed once more. When it is on its way already, nothing changes: modifiedCount is 0.',
  access: 'admin',
  example: { id: 'failed refund' },
  input: z.strictObject({ id }),
  response: changed,
  errors: ['NOT_FOUND'],
});
