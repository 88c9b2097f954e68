// The access token, and the settings that a browser needs before sign-in. /jwt (specification,
// section 7) turns the session of the identity provider into the access token. Not for: sign-up and
// sign-in (auth.ts).
import * as z from 'zod/mini';
import { call } from './call.ts';
import { email } from './rules.ts';

export type { AuthUser } from './auth.ts';

export const jwt = call({
  method: 'POST',
  path: '/jwt',
  does: 'Turns a live session into an access token of 15 minutes. An email alone never gives one.',
  access: 'session',
  input: z.strictObject({ email }),
  response: z.object({ token: z.string() }),
  errors: ['UNAUTHENTICATED'],
  perMinute: 30,
});

export const settings = call({
  method: 'GET',
  path: '/settings',
  does: 'The settings that a browser needs before sign-in.',
  access: 'public',
  input: z.strictObject({}),
  response: z.object({
    brand: z.string(),
    publicUrl: z.string(),
    google: z.boolean(),
    demo: z.boolean(),
    strictPasswords: z.boolean(),
    cards: z.object({ publishableKey: z.string(), sandbox: z.boolean() }),
    /** Where customers write to. Absent when the academy has named no address. */
    contact: z.optional(z.string()),
    /** IANA name. Every time of day is the wall clock there. */
    timeZone: z.string(),
  }),
  errors: [],
});
