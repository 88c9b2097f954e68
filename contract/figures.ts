// The figures that the home pages of the dashboard show.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { Changed } from './classes.ts';

const perDay = z.array(z.object({ day: z.string(), enrolments: z.number(), revenue: z.number() }));

export const AdminFigures = z.object({
  users: z.object({ student: z.number(), instructor: z.number(), admin: z.number() }),
  classes: z.object({ pending: z.number(), approved: z.number(), denied: z.number() }),
  seats: z.object({ sold: z.number(), free: z.number() }),
  revenue: z.number(),
  enrolments: z.number(),
  /** The last 30 days, every day present. */
  days: perDay,
  /** The longest wait first. `since` is when it was handed in; feedback and changed are absent when there is nothing to tell. */
  waiting: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      instructor: z.string(),
      since: z.string(),
      version: z.number(),
      feedback: z.optional(z.string()),
      changed: Changed,
    }),
  ),
  attention: z.number(),
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
  cart: z.number(),
  enrolled: z.number(),
  /** What was kept: without payments that were or will be refunded. */
  paid: z.number(),
  /** All of them; `refunded` of them were or will be refunded. */
  payments: z.number(),
  refunded: z.optional(z.number()),
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
