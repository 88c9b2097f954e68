// A day, and a period of whole days at the academy, as lists and figures take it. Either end may be
// left out.
import * as z from 'zod/mini';
import { isDay } from './days.ts';
import { described } from './described.ts';

export const day = described(
  z.string().check(z.refine(isDay, 'must be a day such as 2027-01-31')),
  { type: 'string', format: 'date' },
);

export const period = { from: z.optional(day), to: z.optional(day) };
