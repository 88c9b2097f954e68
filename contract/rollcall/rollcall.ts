// Roster and roll call: who is expected at a meeting, who came, and the lists of attendance.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { CareFacts } from '../people/care.ts';
import { answer } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { markRefusals, markStatuses, type MarkRefusal } from './marks.ts';
import { meetingStates } from '../classes/meetings.ts';
import { day } from '../platform/period.ts';
import { id, instant, paging, text } from '../platform/rules.ts';

const status = z.enum(markStatuses);

/** A mark as it is stored. `at` is by the phone's clock, never later than its arrival. */
export const Mark = z.object({
  _id: answer.id,
  status,
  note: z.string(),
  at: answer.time,
  /** Who marked; empty when the account is deleted. */
  by: z.string(),
  byId: z.nullable(answer.id),
});
export type Mark = z.infer<typeof Mark>;

const marked = {
  /** The mark that counts: the one with the greatest (at, _id). Null: not yet called. */
  mark: z.nullable(Mark),
  /** The last two marks when two people say different things; otherwise empty. */
  marks: z.array(Mark),
};

export const RosterPerson = z.object({
  participantId: answer.id,
  name: z.string(),
  /** On the day of the meeting; null: unknown. */
  age: z.nullable(answer.count),
  new: z.boolean(),
  attended: answer.count,
  of: answer.count,
  ...marked,
  /** With care=true, in the window. */
  care: z.optional(CareFacts),
  /** With care=true, in the window: a guardian's email where no emergency contact is given. */
  reach: z.optional(answer.email),
});
export type RosterPerson = z.infer<typeof RosterPerson>;

/** A person who came without a seat. Known by their words within the meeting. */
export const RosterGuest = z.object({ guest: z.string(), ...marked });
export type RosterGuest = z.infer<typeof RosterGuest>;

const meetingFields = {
  day: answer.day,
  starts: answer.clock,
  ends: answer.clock,
  startsAt: answer.time,
  endsAt: answer.time,
  place: z.string(),
  instructor: z.string(),
  taken: z.boolean(),
};

export const RosterMeeting = z.object({
  _id: answer.id,
  ...meetingFields,
  instructorId: answer.id,
  state: z.enum(meetingStates),
});
export type RosterMeeting = z.infer<typeof RosterMeeting>;

export const Roster = z.object({
  classId: answer.id,
  name: z.string(),
  meetings: z.array(RosterMeeting),
  /** The meeting that people and guests are about; null: no dates, and no open roll call. */
  meetingId: z.nullable(answer.id),
  people: z.array(RosterPerson),
  guests: z.array(RosterGuest),
  /** When care facts are answered to an instructor; null: without a meeting they are not. */
  careWindow: z.nullable(z.object({ from: answer.time, until: answer.time })),
  /** The class has no dates and no open roll call: openRollCall makes one. */
  mayOpen: z.optional(z.literal(true)),
  asOf: answer.time,
  /** A phone deletes its copy then: 24 hours after the end of the meeting. */
  until: answer.time,
});
export type Roster = z.infer<typeof Roster>;

export const getRoster = call('GET /classes/roster/:id', {
  does: 'Who is expected at a meeting of a class, and who came: for its instructor, the substitute of that meeting, and admins. Without meeting: the one under way or the nearest in time. With care=true also allergies and contacts, from 24 hours before the meeting to 12 hours after it, without dates for 12 hours from the opening of a roll call, which is written to the audit log.',
  access: ['instructor', 'admin'],
  example: { id: 'class', care: 'true' },
  input: z.strictObject({
    id,
    meeting: z.optional(id),
    care: z.optional(z.enum(['true', 'false'])),
  }),
  response: Roster,
  errors: ['NOT_FOUND'],
});

export const openRollCall = call('POST /classes/roster/:id', {
  does: 'Opens a roll call for today in a class without dates, and its allergies and contacts for 12 hours; modifiedCount 0: one is open.',
  access: ['instructor', 'admin'],
  example: { id: 'class' },
  input: z.strictObject({ id }),
  response: z.object({ modifiedCount: answer.count }),
  errors: ['NOT_FOUND', 'CLASS_CLOSED', 'DATES_CHANGED'],
});

/** Of a participant or of a guest, never of both. `_id` is made by the phone. */
export const NewMark = z
  .strictObject({
    _id: id,
    meetingId: id,
    participantId: z.optional(id),
    guest: z.optional(text(limits.mark.guest, 1)),
    status,
    note: z.optional(text(limits.mark.note)),
    at: instant,
  })
  .check(
    z.refine(
      ({ participantId, guest }) => (participantId === undefined) !== (guest === undefined),
      {
        path: ['participantId'],
        error: 'is required, or guest, and not both',
      },
    ),
  );
export type NewMark = z.infer<typeof NewMark>;

const refusals = Object.keys(markRefusals) as [MarkRefusal, ...MarkRefusal[]];

export const MarkResult = z.object({
  _id: answer.id,
  result: z.enum(['saved', 'known', 'refused']),
  reason: z.optional(z.enum(refusals)),
});
export type MarkResult = z.infer<typeof MarkResult>;

export const sendMarks = call('POST /marks', {
  does: 'Adds marks to roll calls, each once: a mark that is stored already is answered known. A mark that cannot be stored is refused alone. A time in the future is stored as now.',
  access: ['instructor', 'admin'],
  example: {
    marks: [{ _id: 'new id', meetingId: 'meeting', guest: 'Tom', status: 'present', at: 'now' }],
  },
  input: z.strictObject({
    marks: z
      .array(NewMark)
      .check(
        z.minLength(1, 'must have at least 1 mark'),
        z.maxLength(limits.mark.count, `must have at most ${limits.mark.count} marks`),
      ),
  }),
  response: z.array(MarkResult),
  perMinute: 120,
});

const days = { from: z.optional(day), to: z.optional(day) };
const inOrder = z.refine<{ from?: string | undefined; to?: string | undefined }>(
  ({ from, to }) => !from || !to || from <= to,
  { path: ['to'], error: 'must not be before the first day' },
);

export const AttendanceRow = z.object({
  meetingId: answer.id,
  classId: answer.id,
  className: z.string(),
  day: answer.day,
  starts: answer.clock,
  startsAt: answer.time,
  participantId: z.nullable(answer.id),
  person: z.string(),
  status,
  note: z.string(),
  by: z.string(),
  at: answer.time,
});
export type AttendanceRow = z.infer<typeof AttendanceRow>;

export const listAttendance = call('GET /attendance', {
  does: 'Who came to the meetings of a class (its instructor, admins), or to which meetings a participant came (guardians, admins), newest first. class or participant is required.',
  access: 'signed-in',
  example: { participant: 'child' },
  input: z
    .strictObject({ class: z.optional(id), participant: z.optional(id), ...days, ...paging })
    .check(
      inOrder,
      z.refine((input) => Boolean(input.class ?? input.participant), {
        path: ['class'],
        error: 'is required, or participant',
      }),
    ),
  response: z.array(AttendanceRow),
  errors: ['NOT_FOUND'],
  paged: true,
});

export const RollCall = z.object({
  meetingId: answer.id,
  state: z.enum(['on', 'cancelled']),
  told: z.string(),
  classId: answer.id,
  className: z.string(),
  ...meetingFields,
  over: z.boolean(),
  /** Who is to take it is still a coach. */
  coached: z.boolean(),
  expected: answer.count,
  /** Of those: in no earlier meeting of the class. Not counted once the meeting is over. */
  firstTimers: answer.count,
  /** Those who left early included. */
  present: answer.count,
  late: answer.count,
  absent: answer.count,
  excused: answer.count,
  guests: answer.count,
  walkIns: z.optional(z.array(z.object({ guest: z.string(), note: z.string() }))),
  /** Who was absent for the third time in a row, or more often. */
  missedThree: z.optional(z.array(z.object({ participantId: answer.id, name: z.string() }))),
});
export type RollCall = z.infer<typeof RollCall>;

export const listRollCalls = call('GET /attendance/meetings', {
  does: 'The meetings with the counts of their roll calls, newest first: your own, for an admin all. Without to: until today. With missing=true those that ended without a roll call, with mine=true those that you teach yourself, with cancelled=true the cancelled ones, too.',
  access: ['instructor', 'admin'],
  input: z
    .strictObject({
      class: z.optional(id),
      missing: z.optional(z.enum(['true', 'false'])),
      mine: z.optional(z.enum(['true', 'false'])),
      cancelled: z.optional(z.enum(['true', 'false'])),
      ...days,
      ...paging,
    })
    .check(inOrder),
  response: z.array(RollCall),
  paged: true,
});

export const exportAttendance = call('GET /attendance.csv', {
  does: 'Who came, as a spreadsheet, newest first.',
  access: 'admin',
  input: z.strictObject({ class: z.optional(id), ...days }).check(inOrder),
  response: z.string(),
  media: 'text/csv',
});
