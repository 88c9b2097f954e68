// Calendars: the meetings of a range of days, for visitors, for a person and for the admin.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { Clash } from '../platform/clash.ts';
import { statuses } from './classes.ts';
import { addDays, isDay } from '../platform/days.ts';
import { answer } from '../platform/described.ts';
import { findingFilters } from './finding.ts';
import { limits } from '../platform/limits.ts';
import { Meeting } from './meetings.ts';
import { day } from '../platform/period.ts';
import { id, text } from '../platform/rules.ts';

/** A month with the weeks in which it begins and ends. */
export const calendarDays = 42;

const range = { from: day, to: day };
const inOrder = z.refine<{ from: string; to: string }>(({ from, to }) => from <= to, {
  path: ['to'],
  error: 'must not be before the first day',
});
const short = z.refine<{ from: string; to: string }>(
  ({ from, to }) => !isDay(from) || to < addDays(from, calendarDays),
  { path: ['to'], error: `must be less than ${calendarDays} days after from` },
);

const { age, place, level } = findingFilters;
export const calendarFilters = {
  sport: z.optional(text(limits.academy.sport, 1)),
  place,
  instructor: z.optional(id),
  age,
  level,
};

export const listCalendar = call('GET /calendar', {
  does: 'The meetings of approved classes on these days, cancelled ones included; at most 1,000.',
  access: 'public',
  example: { from: '2027-01-04', to: '2027-01-10', sport: 'Tennis', age: '7' },
  input: z.strictObject({ ...range, ...calendarFilters }).check(inOrder, short),
  response: z.array(Meeting),
});

export const nextMeeting = call('GET /calendar/next', {
  does: 'The first day after this one on which an approved class meets; null when there is none.',
  access: 'public',
  example: { after: '2027-01-04' },
  input: z.strictObject({ after: day, ...calendarFilters }),
  response: z.object({ day: z.nullable(answer.day) }),
});

/** To which the caller or a participant in their care goes (`for`), or which the caller teaches. */
export const OwnMeeting = z.extend(Meeting, {
  endsAt: answer.time,
  for: z.optional(z.array(z.object({ id: answer.id, name: z.string() }))),
  teaches: z.optional(z.literal(true)),
  clashes: z.optional(z.array(Clash)),
});
export type OwnMeeting = z.infer<typeof OwnMeeting>;

export const myCalendar = call('GET /calendar/mine', {
  does: 'The meetings of your classes on these days: those you or your children are enrolled in, and those you teach. With participant, only those of that person.',
  access: 'signed-in',
  example: { from: '2027-01-04', to: '2027-01-10', participant: 'child' },
  input: z.strictObject({ ...range, participant: z.optional(id) }).check(inOrder, short),
  response: z.array(OwnMeeting),
  errors: ['NOT_FOUND'],
});

export const listOverlaps = call('GET /calendar/overlaps', {
  does: 'The classes on sale that meet at the same time as a class in which somebody in your care is enrolled, with the name of that one.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: z.array(z.object({ classId: answer.id, participantId: answer.id, with: z.string() })),
});

/** `status` is that of the class. */
export const PlannedMeeting = z.extend(Meeting, {
  instructorId: answer.id,
  placeId: z.nullable(answer.id),
  status: z.enum(statuses),
});
export type PlannedMeeting = z.infer<typeof PlannedMeeting>;

export const allMeetings = call('GET /calendar/all', {
  does: 'Every meeting on these days, proposed ones too; at most 1,000.',
  access: 'admin',
  example: { from: '2027-01-04', to: '2027-01-10' },
  input: z
    .strictObject({ ...range, place: z.optional(id), instructor: z.optional(id) })
    .check(inOrder, short),
  response: z.array(PlannedMeeting),
});
