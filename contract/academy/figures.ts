// The figures that the home pages of the dashboard show.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { Changed, classFields } from '../classes/classes.ts';
import { addDays, isDay } from '../platform/days.ts';
import { answer } from '../platform/described.ts';
import { period } from '../platform/period.ts';

const perDay = z.array(
  z.object({ day: z.string(), enrolments: answer.count, revenue: answer.dollars }),
);

const Fill = z.object({
  _id: classFields._id,
  name: classFields.name,
  sold: answer.count,
  capacity: answer.count,
});
export type Fill = z.infer<typeof Fill>;

export const AdminFigures = z.object({
  users: z.object({ student: answer.count, instructor: answer.count, admin: answer.count }),
  classes: z.object({ pending: answer.count, approved: answer.count, denied: answer.count }),
  seats: z.object({ sold: answer.count, free: answer.count }),
  revenue: answer.dollars,
  enrolments: answer.count,
  /** Every day of the period at the academy, by default of the last 30. Today is not over. */
  days: perDay,
  before: z.object({ enrolments: answer.count, revenue: answer.dollars }),
  /** The longest wait first. `since` is when the class or the change was submitted. */
  waiting: z.array(
    z.object({
      _id: answer.id,
      name: z.string(),
      instructor: z.string(),
      since: answer.time,
      /** Of an approved class a change waits, or dates. */
      status: classFields.status,
      version: answer.count,
      /** Absent without dates. */
      firstDay: z.optional(answer.day),
      feedback: z.optional(z.string()),
      changed: Changed,
    }),
  ),
  /** Entries of Needs Attention; failed refunds are among them. */
  attention: answer.count,
  /** Those of them that are families who wait for an answer about new dates. */
  families: answer.count,
  failedRefunds: answer.count,
  /** Approved classes by the share of their seats that is sold: the fullest ten from half on. */
  fullest: z.array(Fill),
  /** The emptiest ten with less than 30 % sold, and how many there are, counted up to 10,001. */
  emptiest: z.array(Fill),
  underThirty: answer.count,
});
export type AdminFigures = z.infer<typeof AdminFigures>;

const mostDays = 366;

export const adminFigures = call('GET /figures/admin', {
  does: 'Users by role, classes by status and by how full they are, seats, enrolments and revenue of the last 30 days (or from a day to a day) and of as many days before, and what waits for a decision.',
  access: 'admin',
  input: z.strictObject(period).check(
    z.refine(({ from, to }) => (from === undefined) === (to === undefined), {
      path: ['to'],
      error: 'must come together with the first day',
    }),
    z.refine(
      ({ from = '', to = '' }) =>
        // What is no day was refused before, and by its own field.
        !isDay(from) || !isDay(to) || (from <= to && to < addDays(from, mostDays)),
      { path: ['to'], error: `must be at most ${mostDays} days after the first day` },
    ),
  ),
  response: AdminFigures,
});

export const StudentFigures = z.object({
  cart: answer.count,
  enrolled: answer.count,
  /** Without payments that were or will be refunded. */
  paid: answer.dollars,
  /** All of them; `refunded` of them were or will be refunded. */
  payments: answer.count,
  refunded: z.optional(answer.count),
});
export type StudentFigures = z.infer<typeof StudentFigures>;

export const studentFigures = call('GET /figures/student', {
  does: 'What is in your cart, what you are enrolled in, what you paid.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: StudentFigures,
});
