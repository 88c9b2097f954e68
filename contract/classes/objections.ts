// New dates that do not suit a family, and what the academy answers.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { changed } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { id, paragraphs } from '../platform/rules.ts';

export const objectToDates = call('POST /enrolments/object/:id', {
  does: 'Says that the new dates of a class do not suit you, within 14 days of the change. An admin reads it and decides about a refund.',
  access: 'signed-in',
  example: { id: 'enrolment', words: 'We have school then.' },
  input: z.strictObject({ id, words: z.optional(paragraphs(limits.objection)) }),
  response: changed,
  errors: ['NOT_FOUND', 'TOO_LATE'],
});

export const answerObjection = call('POST /enrolments/answer/:id', {
  does: 'Settles that new dates do not suit a family, which keeps the seat, with words that are mailed to it.',
  access: 'admin',
  example: { id: 'enrolment', words: 'Come on Thursdays' },
  input: z.strictObject({ id, words: paragraphs(500, 1) }),
  response: changed,
  errors: ['NOT_FOUND'],
});
