// The public list of instructors.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer } from '../platform/described.ts';
import { paging, search } from '../platform/rules.ts';

export const Instructor = z.object({
  id: answer.id,
  name: z.string(),
  email: answer.email,
  img: z.string(),
  /** Their own line about themselves. Absent without one. */
  about: z.optional(z.string()),
  classes: answer.count,
  sports: z.array(z.string()),
});
export type Instructor = z.infer<typeof Instructor>;

export const listInstructors = call('GET /instructors', {
  does: 'All instructors; search matches the beginnings of words.',
  access: 'public',
  input: z.strictObject({ ...paging, search, sort: z.optional(z.enum(['popular', 'name'])) }),
  response: z.array(Instructor),
  paged: true,
});
