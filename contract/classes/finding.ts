// The filters by which a class is found: weekday, time of day, age, place, level.
import * as z from 'zod/mini';
import { oldest } from '../people/ages.ts';
import { described } from '../platform/described.ts';
import { id, wholeNumber } from '../platform/rules.ts';
import { days, severalDays, timeOrHour, times } from './weekdays.ts';

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
    described(z.string().check(z.regex(severalDays, 'must be days such as mon,wed')), {
      type: 'string',
      enum: [...days],
      description:
        'Meets on this weekday. Several are separated by commas: on any of them; also weekdays and weekend. A class without dates meets on none. With time: on this weekday at this time of day.',
    }),
  ),
  time: z.optional(
    described(z.string().check(z.regex(timeOrHour, 'must be a time of day or an hour')), {
      type: 'string',
      enum: [...times],
      description:
        'Meets at this time of day: starts before 12:00, before 17:00, or later. An hour such as 16: starts at 16:00 or later.',
    }),
  ),
  age: z.optional(ageTyped),
  place: z.optional(id),
  level: z.optional(choice(levels, 'A class for all levels suits every level.')),
};
