// The access token. /jwt (specification, section 7) turns the session into it.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { email } from '../platform/rules.ts';

export type { AuthUser } from './signin.ts';

export const jwt = call({
  method: 'POST',
  path: '/jwt',
  does: 'Turns a live session into an access token of 15 minutes. An email alone never gives one.',
  access: 'session',
  input: z.strictObject({ email }),
  response: z.object({ token: z.string() }),
  errors: ['UNAUTHENTICATED'],
});
