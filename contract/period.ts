// A period of whole days at the academy, as lists and figures take it. Either end may be left out.
import * as z from 'zod/mini';
import { day } from './meetings.ts';

export const period = { from: z.optional(day), to: z.optional(day) };
