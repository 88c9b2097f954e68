// The lists of classes that are full: joining, offers, who is next.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, changed } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { id, text } from '../platform/rules.ts';

const ids = (most: number) =>
  z.array(id).check(
    z.minLength(1, 'must name at least one'),
    z.maxLength(most, `must name at most ${most}`),
    z.refine((named) => new Set(named).size === named.length, 'must not name one twice'),
  );

/**
 * `gathering`: some seats of a group are kept for it. `passed`: a group whose seats were not free in
 * time; it is served when all are. `paused`: another class of the wait is offered.
 */
const wishState = z.enum(['waiting', 'gathering', 'offered', 'passed', 'paused', 'ended']);
const wishEnd = z.enum(['enrolled', 'left', 'declined', 'expired', 'elsewhere', 'closed']);

/** Of the last so many families at this place of a sport, how many were offered a seat. */
const odds = z.nullable(z.object({ offered: answer.count, of: answer.count }));

const Wish = z.object({
  classId: answer.id,
  name: z.string(),
  schedule: z.string(),
  state: wishState,
  ended: z.nullable(wishEnd),
  /** 1: next. Null: it is offered, or over. */
  place: z.nullable(answer.count),
  odds,
  /** The end of an offer, or of the time in which seats are gathered. */
  until: z.nullable(answer.time),
  /** What the seats that are offered cost, before discounts. */
  cents: z.nullable(answer.count),
  /** The seats that are kept, of those whom one looks after: what is paid for at POST /checkout. */
  holds: z.array(answer.id),
  kept: answer.count,
});
export type Wish = z.infer<typeof Wish>;

export const Wait = z.object({
  id: answer.id,
  seats: answer.count,
  open: z.boolean(),
  /** Of a change of class: the own enrolment that ends when a seat is paid for. */
  instead: z.nullable(answer.id),
  /** Those whom one looks after. `name` is null for oneself. */
  participants: z.array(z.object({ participantId: answer.id, name: z.nullable(z.string()) })),
  classes: z.array(Wish),
  history: z.array(z.object({ at: answer.time, text: z.string() })),
});
export type Wait = z.infer<typeof Wait>;

export const joinList = call('POST /waits', {
  does: 'Puts people of your family on the list of classes that are full: all together, or each alone. In several classes, one of them is wanted.',
  access: 'signed-in',
  example: { classIds: ['full class'], participantIds: ['child'], together: false },
  input: z.strictObject({
    classIds: ids(limits.wait.classes),
    participantIds: ids(8),
    together: z.boolean(),
    instead: z.optional(id),
  }),
  response: z.object({
    waits: z.array(
      z.object({
        id: answer.id,
        places: z.array(z.object({ classId: answer.id, place: answer.count, odds })),
      }),
    ),
  }),
  errors: [
    'NOT_FOUND',
    'SEATS_FREE',
    'ALREADY_WAITING',
    'ALREADY_ENROLLED',
    'BEING_PAID',
    'WRONG_AGE',
    'TOO_MANY_WAITS',
    'CLASS_CLOSED',
    'ENDED',
  ],
  status: 201,
  perHour: limits.wait.perHour,
});

export const listWaits = call('GET /waits', {
  does: 'Where people of your family wait, with what is offered to them; and what ended in the last fourteen days.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: z.array(Wait),
});

export const endWait = call('POST /waits/:id/end', {
  does: 'Leaves a list, or says no to an offer; with `classId` in that class alone.',
  access: 'signed-in',
  example: { id: 'wait' },
  input: z.strictObject({ id, classId: z.optional(id) }),
  response: changed,
  errors: ['NOT_FOUND', 'ALREADY_PAID', 'PAYMENT_IN_PROGRESS', 'PAYMENT_RETURNED', 'PROVIDER_DOWN'],
});

export const classWaiting = call('GET /classes/waiting/:id', {
  does: 'How many seats are waited for in a class that is full, and in others like it that are.',
  access: 'public',
  example: { id: 'class on sale' },
  input: z.strictObject({ id }),
  response: z.object({
    waiting: answer.count,
    others: z.array(
      z.object({
        classId: answer.id,
        name: z.string(),
        schedule: z.string(),
        waiting: answer.count,
      }),
    ),
  }),
  errors: ['NOT_FOUND'],
});

/** `who` and `putFirst` are null for who teaches the class: they are the office's. */
const InLine = z.object({
  waitId: answer.id,
  place: z.nullable(answer.count),
  seats: answer.count,
  state: wishState,
  since: answer.time,
  until: z.nullable(answer.time),
  who: z.nullable(z.object({ userId: answer.id, name: z.string(), children: z.array(z.string()) })),
  putFirst: z.nullable(z.string()),
});
export type InLine = z.infer<typeof InLine>;

export const classLine = call('GET /classes/line/:id', {
  does: 'The list of a class in its order, with the offers that are open. Names are for the office.',
  access: ['instructor', 'admin'],
  example: { id: 'class' },
  input: z.strictObject({ id }),
  response: z.array(InLine),
  errors: ['NOT_FOUND'],
});

export const putFirst = call('POST /classes/first/:id', {
  does: 'Puts a family first on the list of a class, with a reason. The others are told that, without a name.',
  access: 'admin',
  example: { id: 'class with a list', waitId: 'its wait', reason: 'Their seat was sold twice' },
  input: z.strictObject({ id, waitId: id, reason: text(500, 1) }),
  response: changed,
  errors: ['NOT_FOUND'],
});
