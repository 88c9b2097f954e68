// Places in which classes meet, and the days on which the academy is closed.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { addDays, isDay } from '../platform/days.ts';
import { answer, changed } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { day } from '../platform/period.ts';
import { id, seats, text } from '../platform/rules.ts';

export const Place = z.object({
  _id: answer.id,
  name: z.string(),
  address: z.string(),
  capacity: answer.count,
  /** No longer offered for new meetings. */
  closed: z.boolean(),
});
export type Place = z.infer<typeof Place>;

export const Closure = z.object({
  _id: answer.id,
  name: z.string(),
  firstDay: answer.day,
  lastDay: answer.day,
});
export type Closure = z.infer<typeof Closure>;

const place = { name: text(limits.name, 1), address: text(200), capacity: seats };

export const listPlaces = call('GET /places', {
  does: 'The places of the academy, by name.',
  access: 'public',
  input: z.strictObject({}),
  response: z.array(Place),
});

export const addPlace = call('POST /places', {
  does: 'Adds a place. capacity is how many people it takes.',
  access: 'admin',
  example: { name: 'new name', capacity: 20 },
  input: z.strictObject({ ...place, address: z.optional(place.address) }),
  response: z.object({ insertedId: answer.id }),
  errors: ['NAME_TAKEN'],
  status: 201,
});

export const changePlace = call('PATCH /places/:id', {
  does: 'Changes a place. A closed one is no longer offered; it cannot be closed while meetings are planned there.',
  access: 'admin',
  example: { id: 'place', capacity: 30, closed: true },
  input: z.strictObject({
    id,
    name: z.optional(place.name),
    address: z.optional(place.address),
    capacity: z.optional(place.capacity),
    closed: z.optional(z.boolean()),
  }),
  response: changed,
  errors: ['NOT_FOUND', 'NAME_TAKEN', 'PLACE_IN_USE'],
});

export const listClosures = call('GET /closures', {
  does: 'The holidays of the academy, by their first day.',
  access: 'public',
  input: z.strictObject({}),
  response: z.array(Closure),
});

const atMostAYear = z.refine<{ firstDay: string; lastDay: string }>(
  // What is no day is refused at its own field; this rule is asked all the same.
  ({ firstDay, lastDay }) =>
    !isDay(firstDay) || (firstDay <= lastDay && lastDay <= addDays(firstDay, 366)),
  { path: ['lastDay'], error: 'must be the first day or later, at most a year later' },
);

export const addClosure = call('POST /closures', {
  does: 'Adds a holiday. Meetings that are planned on these days stay; their classes change them.',
  access: 'admin',
  example: { name: 'Carnival', firstDay: '2027-02-08', lastDay: '2027-02-10' },
  input: z
    .strictObject({ name: text(limits.name, 1), firstDay: day, lastDay: day })
    .check(atMostAYear),
  response: z.object({ insertedId: answer.id }),
  status: 201,
});

export const removeClosure = call('DELETE /closures/:id', {
  does: 'Removes a holiday.',
  access: 'admin',
  example: { id: 'closure' },
  input: z.strictObject({ id }),
  response: z.object({ deletedCount: answer.count }),
  errors: ['NOT_FOUND'],
});
