// Two meetings at the same time that need the same place, instructor or participant.
import * as z from 'zod/mini';
import { answer } from './described.ts';

/**
 * `day` and `starts` are those of the meeting that was asked about; `with` is the name of the other
 * class. A class that the caller may not see is "another class", without an id.
 */
export const Clash = z.object({
  day: answer.day,
  starts: answer.clock,
  kind: z.enum(['place', 'instructor', 'participant']),
  with: z.string(),
  classId: z.optional(answer.id),
});
export type Clash = z.infer<typeof Clash>;
