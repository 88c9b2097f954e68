// The settings that a browser needs before sign-in.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { currencies } from './currencies.ts';
import { pageNames } from './pages.ts';
import { sportIcons } from './sporticons.ts';

export const settings = call('GET /settings', {
  does: 'The settings that a browser needs before sign-in.',
  access: 'public',
  input: z.strictObject({}),
  response: z.object({
    brand: z.string(),
    publicUrl: z.string(),
    google: z.boolean(),
    demo: z.boolean(),
    /** Whether the login page offers the accounts of the demo academy. */
    demoAccounts: z.boolean(),
    strictPasswords: z.boolean(),
    cards: z.object({ publishableKey: z.string(), sandbox: z.boolean() }),
    /** Where customers write to. Absent when the academy has named no address. */
    contact: z.optional(z.string()),
    /** IANA name. Every time of day is the wall clock there. */
    timeZone: z.string(),
    currency: z.enum(currencies),
    sports: z.array(z.object({ name: z.string(), icon: z.enum(sportIcons) })),
    pages: z.array(z.enum(pageNames)),
    // Absent when the academy has not set them.
    /** BCP 47. */
    locale: z.optional(z.string()),
    shortName: z.optional(z.string()),
    tagline: z.optional(z.string()),
    logo: z.optional(z.string()),
    icon: z.optional(z.string()),
    primary: z.optional(z.string()),
    accent: z.optional(z.string()),
    phone: z.optional(z.string()),
    street: z.optional(z.string()),
    city: z.optional(z.string()),
    country: z.optional(z.string()),
    mapLink: z.optional(z.string()),
  }),
});
