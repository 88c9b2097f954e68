// What open pages are told while seats change.
import * as z from 'zod/mini';
import { call } from './call.ts';

export const liveSeats = call('GET /live/seats', {
  does: 'A stream of server-sent events. `seats` has the classes whose free seats or dates changed: {"<id>": [free, dates]}, as of now. `again` says that changes may have been missed: read the lists again.',
  access: 'public',
  input: z.strictObject({}),
  response: z.string(),
  media: 'text/event-stream',
});
