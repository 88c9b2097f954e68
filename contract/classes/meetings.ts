// The dates of a class: a meeting is a day and a time on the academy's clock, and minutes.
import { day } from '../platform/period.ts';
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { Clash } from '../platform/clash.ts';
import { answer, described } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { id, paragraphs, seats } from '../platform/rules.ts';

export const meetingStates = ['proposed', 'on', 'cancelled'] as const;

export const clockTime = described(
  z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 16:30')),
  { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
);

const { minutes: length } = limits.meeting;
const minutes = z
  .int('must be a whole number of minutes')
  .check(
    z.minimum(length.min, `must be at least ${length.min}`),
    z.maximum(length.max, `must be at most ${length.max}`),
  );

// A meeting as it should be. With `_id` it is one that exists. Without `placeId` its place is not
// decided. Only an admin chooses `instructorId`; without it a meeting keeps its instructor.
export const MeetingInput = z.strictObject({
  _id: z.optional(id),
  day,
  starts: clockTime,
  minutes,
  placeId: z.optional(id),
  instructorId: z.optional(id),
  cancelled: z.optional(z.boolean()),
});
export type MeetingInput = z.infer<typeof MeetingInput>;

export const meetingInputs = z
  .array(MeetingInput)
  .check(z.maxLength(limits.meeting.count, `must have at most ${limits.meeting.count} meetings`));

const meeting = {
  _id: answer.id,
  /** The place's name; empty while it is not decided. */
  place: z.string(),
  /** Who teaches this one: the class's instructor, or the substitute of that day. */
  instructor: z.string(),
  day: answer.day,
  starts: answer.clock,
  ends: answer.clock,
  /** Of the academy. */
  zone: z.string(),
  startsAt: answer.time,
  state: z.enum(meetingStates),
  /** What families were told about the last change; empty when nothing was. */
  told: z.string(),
};

/** A meeting in calendars, with what is shown of its class. `seat` is how many are free now. */
export const Meeting = z.object({
  ...meeting,
  classId: answer.id,
  name: z.string(),
  sport: z.string(),
  seat: answer.count,
});
export type Meeting = z.infer<typeof Meeting>;

export const ClassMeeting = z.object({
  ...meeting,
  minutes: answer.count,
  placeId: z.optional(answer.id),
  address: z.optional(z.string()),
  instructorId: answer.id,
  endsAt: answer.time,
});
export type ClassMeeting = z.infer<typeof ClassMeeting>;

/** A number that rises with every change of a meeting, as it was read. */
export const version = described(
  z.int('must be a whole number').check(z.minimum(0, 'must be at least 0')),
  { type: 'integer', minimum: 0 },
);

export const checkDates = call('POST /meetings/check', {
  does: 'Which of these dates clash with other classes, fall on holidays or are in a place that is too small for seat. Without meetings, those of the class as stored.',
  access: ['instructor', 'admin'],
  example: { classId: 'class', meetings: [{ day: 'in a month', starts: '16:00', minutes: 60 }] },
  input: z.strictObject({
    classId: z.optional(id),
    seat: z.optional(seats),
    meetings: z.optional(meetingInputs),
  }),
  response: z.object({
    clashes: z.array(Clash),
    closures: z.array(z.object({ day: answer.day, name: z.string() })),
    tooSmall: z.array(z.object({ place: z.string(), capacity: answer.count })),
  }),
  errors: ['NOT_FOUND'],
  perMinute: 120,
});

export const setDates = call('POST /classes/dates/:id', {
  does: 'Sets all dates of a class. version is dates as it was read. A meeting that is left out is removed; when families have booked, it can only be moved or cancelled, and tell is mailed to them. giveBack, of an admin: who paid gets credit for the dates that are cancelled now.',
  access: ['instructor', 'admin'],
  example: {
    id: 'class',
    version: 0,
    meetings: [{ day: 'in a month', starts: '16:00', minutes: 60 }],
  },
  input: z.strictObject({
    id,
    version,
    meetings: meetingInputs,
    tell: z.optional(paragraphs(limits.meeting.tell, 1)),
    giveBack: z.optional(z.literal(true)),
  }),
  response: z.object({ modifiedCount: answer.count, told: answer.count }),
  errors: [
    'NOT_FOUND',
    'CLASS_CLOSED',
    'DATES_CHANGED',
    'FAMILIES_BOOKED',
    'PLACE_TAKEN',
    'INSTRUCTOR_BUSY',
  ],
});
