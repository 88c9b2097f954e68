// The filters by which a class is found: weekday, time of day, age, place, level.
import * as z from 'zod/mini';
import { oldest } from '../people/ages.ts';
import { described } from '../platform/described.ts';
import { id, wholeNumber } from '../platform/rules.ts';

/** In the order of the bits of `class.slots`: Monday first. */
export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof days)[number];

/** By the start of a meeting: before 12:00, before 17:00, later. */
export const times = ['morning', 'afternoon', 'evening'] as const;
export type Time = (typeof times)[number];

export const levels = ['all', 'beginner', 'intermediate', 'advanced'] as const;
export type Level = (typeof levels)[number];

const noAge = 'must be a whole number of years';
export const age = z
  .int(noAge)
  .check(z.minimum(0, 'must be at least 0'), z.maximum(oldest, `must be at most ${oldest}`));

const ageTyped = described(wholeNumber(oldest, noAge, 0), {
  type: 'integer',
  minimum: 0,
  maximum: oldest,
  description: 'In years. A class that gives its ages in words only is for every age.',
});

const choice = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  description: string,
) => described(z.enum(values), { type: 'string', enum: [...values], description });

/** All that are given must hold. */
export const findingFilters = {
  day: z.optional(
    choice(
      days,
      'Meets on this weekday. A class without dates meets on none. With time: on this weekday at this time of day.',
    ),
  ),
  time: z.optional(
    choice(times, 'Meets at this time of day: starts before 12:00, before 17:00, or later.'),
  ),
  age: z.optional(ageTyped),
  place: z.optional(id),
  level: z.optional(choice(levels, 'A class for all levels suits every level.')),
};
