// The first steps of a new academy, on Admin Home until they are done or dismissed.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';

export const stepNames = [
  'name',
  'photos',
  'contact',
  'money',
  'place',
  'instructor',
  'class',
  'cards',
  'mail',
  'backup',
] as const;
export type StepName = (typeof stepNames)[number];

export const readSteps = call('GET /steps', {
  does: 'Which first steps of the academy are done, and whether an admin has dismissed the list.',
  access: 'admin',
  input: z.strictObject({}),
  response: z.object({
    hidden: z.boolean(),
    done: z.array(z.enum(stepNames)),
    /** While the step `cards` is not done: what it waits for. */
    cards: z.optional(z.enum(['keys', 'answer', 'other keys', 'event'])),
  }),
});

const yes = z.optional(z.literal(true, 'must be true'));

export const changeSteps = call('PATCH /steps', {
  does: 'Dismisses the first steps, or says that a backup is made by tools of your own.',
  access: 'admin',
  example: { hidden: true },
  input: z.strictObject({ hidden: yes, backup: yes }),
  response: z.object({ modifiedCount: z.number() }),
});

export const sendTestMail = call('POST /steps/mail', {
  does: 'Sends a mail to your own address, to see that mails arrive.',
  access: 'admin',
  input: z.strictObject({}),
  response: z.object({ to: z.string() }),
  errors: ['MAIL_DOWN'],
  perMinute: 3,
});
