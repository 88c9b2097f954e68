// What the academy wrote for its visitors: the home page and the pages of the footer.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { pageNames } from '../platform/pages.ts';
import { Banner, Question } from './academy.ts';

export const readHome = call('GET /home', {
  does: 'What the academy wrote for its home page. A banner that is null is the picture that Rally brings.',
  access: 'public',
  input: z.strictObject({}),
  response: z.object({
    headline: z.optional(z.string()),
    welcome: z.optional(z.string()),
    banners: z.array(Banner),
    sponsors: z.array(
      z.object({ name: z.string(), picture: z.string(), link: z.optional(z.string()) }),
    ),
    /** `{contact}` in an answer stands for the contact address. */
    faq: z.array(Question),
  }),
});

export const readPage = call('GET /pages/:name', {
  does: 'A page that the academy wrote: its Markdown as HTML, without markup of its own.',
  access: 'public',
  example: { name: 'written page' },
  input: z.strictObject({ name: z.enum(pageNames, 'must be about, jobs, terms or privacy') }),
  response: z.object({ html: z.string() }),
  errors: ['NOT_FOUND'],
});
