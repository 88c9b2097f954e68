// Calendar files: of a class, to download, and of a person, to subscribe to by a secret address.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, described } from '../platform/described.ts';
import { id } from '../platform/rules.ts';

const file = described(z.string(), {
  type: 'string',
  description: 'An iCalendar object (RFC 5545).',
});

export const classCalendar = call('GET /classes/calendar/:id', {
  does: 'The meetings of an approved class as a calendar file.',
  access: 'public',
  example: { id: 'planned class' },
  input: z.strictObject({ id }),
  response: file,
  errors: ['NOT_FOUND'],
  media: 'text/calendar',
});

/** `participantId` and `name` are null for the feed of everything of one's own. */
export const Feed = z.object({
  _id: answer.id,
  participantId: z.nullable(answer.id),
  name: z.nullable(z.string()),
  createdAt: answer.time,
  /** The last day on which a calendar program read it. */
  readOn: z.nullable(answer.day),
});
export type Feed = z.infer<typeof Feed>;

export const listFeeds = call('GET /feeds', {
  does: 'Your calendar feeds, without their addresses.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: z.array(Feed),
});

export const makeFeed = call('POST /feeds', {
  does: 'Makes a calendar feed: of one participant in your care, or without participantId of everything you have booked and teach. A feed of the same kind is replaced. Only this answer has its address.',
  access: 'signed-in',
  example: { participantId: 'child' },
  input: z.strictObject({ participantId: z.optional(id) }),
  response: z.object({ insertedId: answer.id, url: z.string(), webcal: z.string() }),
  proven: true,
  errors: ['NOT_FOUND'],
  status: 201,
});

export const removeFeed = call('DELETE /feeds/:id', {
  does: 'Turns a calendar feed off: its address is unknown from then on.',
  access: 'signed-in',
  example: { id: 'feed' },
  input: z.strictObject({ id }),
  response: z.object({ deletedCount: answer.count }),
  errors: ['NOT_FOUND'],
});

export const readFeed = call('GET /feeds/:secret/rally.ics', {
  does: 'A calendar feed, for calendar programs. Whoever has the address can read it.',
  access: 'public',
  example: { secret: 'feed secret' },
  // Any text: what is not a secret is answered like an unknown one.
  input: z.strictObject({ secret: z.string() }),
  response: file,
  errors: ['NOT_FOUND'],
  media: 'text/calendar',
});
