// What the family planner reads: classes that can be booked, each with its meetings.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { classFields } from './classes.ts';
import { answer } from '../platform/described.ts';

/** At most so many classes are answered, the best sold first. */
export const mostPlanned = 500;

/** `meetings` are those still to come, `week` those of an ordinary week (Monday is 1). */
export const PlannedClass = z.object({
  _id: classFields._id,
  name: classFields.name,
  sport: classFields.sport,
  level: classFields.level,
  price: classFields.price,
  seat: classFields.seat,
  schedule: classFields.schedule,
  minAge: z.nullable(answer.count),
  maxAge: z.nullable(answer.count),
  firstDay: answer.day,
  week: z.array(z.object({ weekday: answer.count, starts: answer.clock, minutes: answer.count })),
  meetings: z.array(z.object({ startsAt: answer.time, minutes: answer.count, place: z.string() })),
});
export type PlannedClass = z.infer<typeof PlannedClass>;

export const listPlans = call('GET /classes/plans', {
  does: `The classes with dates that are on sale, with their meetings still to come, for planning a week; at most ${mostPlanned}.`,
  access: 'public',
  input: z.strictObject({}),
  response: z.array(PlannedClass),
});
