// The figures that the home pages of the dashboard show.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { Changed } from './classes.ts';
import { answer } from './described.ts';

const perDay = z.array(
  z.object({ day: z.string(), enrolments: answer.count, revenue: answer.dollars }),
);

export const AdminFigures = z.object({
  users: z.object({ student: answer.count, instructor: answer.count, admin: answer.count }),
  classes: z.object({ pending: answer.count, approved: answer.count, denied: answer.count }),
  seats: z.object({ sold: answer.count, free: answer.count }),
  revenue: answer.dollars,
  enrolments: answer.count,
  /** The last 30 days, every day present. */
  days: perDay,
  /**
   * The longest wait first. `since` is when the class was submitted. feedback and changed are
   * absent when empty.
   */
  waiting: z.array(
    z.object({
      _id: answer.id,
      name: z.string(),
      instructor: z.string(),
      since: answer.time,
      version: answer.count,
      feedback: z.optional(z.string()),
      changed: Changed,
    }),
  ),
  attention: answer.count,
});
export type AdminFigures = z.infer<typeof AdminFigures>;

export const adminFigures = call({
  method: 'GET',
  path: '/figures/admin',
  does: 'Users by role, classes by status, seats, enrolments and revenue of the last 30 days, and what waits for a decision.',
  access: 'admin',
  input: z.strictObject({}),
  response: AdminFigures,
  errors: [],
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

export const studentFigures = call({
  method: 'GET',
  path: '/figures/student',
  does: 'What is in your cart, what you are enrolled in, what you paid.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: StudentFigures,
  errors: [],
});
