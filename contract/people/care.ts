// Care facts of a participant: allergies, health, whom to call, who may pick up. The server stores
// them sealed.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, changed } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { id, instant, paragraphs, text } from '../platform/rules.ts';

const phone = z
  .string()
  .check(
    z.trim(),
    z.regex(/^[+()\d ./-]{5,30}$/, 'must be a phone number such as +351 912 345 678'),
  );

const Person = z.strictObject({
  name: text(limits.name, 1),
  relation: text(limits.care.relation),
  phone,
});

const list = (max: number) =>
  z.array(Person).check(z.maxLength(max, `must have at most ${max} people`));

const { allergies, health, medicine, note, contacts, pickup } = limits.care;

/** The whole document, always read and written together. */
const fields = {
  allergies: paragraphs(allergies),
  health: paragraphs(health),
  medicine: paragraphs(medicine),
  note: paragraphs(note),
  /** In the order in which they are called. */
  contacts: list(contacts),
  /** Who may pick the child up, besides the guardians. */
  pickup: list(pickup),
  mayGoAlone: z.boolean(),
};

export const Care = z.strictObject(fields);
export type Care = z.infer<typeof Care>;
export type CarePerson = z.infer<typeof Person>;

export const noCare: Care = {
  allergies: '',
  health: '',
  medicine: '',
  note: '',
  contacts: [],
  pickup: [],
  mayGoAlone: false,
};

/**
 * `old`: confirmed more than 12 months ago, to be confirmed again. `unreadable`: the stored document
 * cannot be opened, so it must be entered again.
 */
export const careStates = ['none', 'filled', 'old', 'unreadable'] as const;
export type CareState = (typeof careStates)[number];

const person = z.object({ name: z.string(), relation: z.string(), phone: z.string() });

/** Care facts as they are read. All fields are empty while the state is none or unreadable. */
export const CareFacts = z.object({
  allergies: z.string(),
  health: z.string(),
  medicine: z.string(),
  note: z.string(),
  contacts: z.array(person),
  pickup: z.array(person),
  mayGoAlone: z.boolean(),
  state: z.enum(careStates),
  confirmedAt: z.nullable(answer.time),
});
export type CareFacts = z.infer<typeof CareFacts>;

export const readCare = call('GET /participants/care/:id', {
  does: 'The allergies and contacts of yourself or of a child in your care. Reads by an admin are written to the audit log.',
  access: 'signed-in',
  example: { id: 'child' },
  input: z.strictObject({ id }),
  response: CareFacts,
  proven: true,
  errors: ['NOT_FOUND'],
});

export const writeCare = call('PATCH /participants/care/:id', {
  does: 'Replaces the allergies and contacts of yourself or of a child in your care. The same facts again confirm that they are still right.',
  access: 'signed-in',
  example: { id: 'child', ...noCare },
  input: z.strictObject({
    id,
    ...fields,
    /** The confirmedAt that was read. Another guardian's facts of a later time are not replaced. */
    seen: z.optional(z.nullable(instant)),
  }),
  response: changed,
  proven: true,
  errors: ['NOT_FOUND', 'CARE_CHANGED'],
});
