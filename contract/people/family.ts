// Families: the participants in the caller's care, their guardians, and invitations of further
// guardians. Care facts: care.ts.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, changed } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { day } from '../platform/period.ts';
import { email, id, personName } from '../platform/rules.ts';

const { children, guardians } = limits.family;

/**
 * `self` is the caller's own participant: its name is the account's, and `born` may be null. `care`
 * says whether care facts were entered, and `old` that they were confirmed more than 12 months ago
 * (`careAt`). `invited` are the addresses of open invitations. `mayRemove`: the caller added this
 * child, and may remove it and its other guardians. `enrolled`: in a class still to come.
 */
export const Participant = z.object({
  _id: answer.id,
  self: z.boolean(),
  name: z.string(),
  born: z.nullable(answer.day),
  age: z.nullable(answer.count),
  care: z.enum(['none', 'filled', 'old']),
  careAt: z.optional(answer.time),
  guardians: z.array(z.object({ id: answer.id, name: z.string(), you: z.boolean() })),
  invited: z.array(answer.email),
  mayRemove: z.boolean(),
  enrolled: z.boolean(),
});
export type Participant = z.infer<typeof Participant>;

export const listParticipants = call('GET /participants', {
  does: 'You and the children in your care, yourself first.',
  access: 'signed-in',
  input: z.strictObject({}),
  response: z.array(Participant),
});

/** The server also refuses a day to come, by the academy's clock. */
export const born = day.check(z.refine((value) => value > '1900-01-01', 'must be after 1900'));
export const childName = personName();

export const addParticipant = call('POST /participants', {
  does: `Adds a child in your care, at most ${children}. shareWith names people who look after another child together with you.`,
  access: 'signed-in',
  example: { name: 'Mia', born: '2018-05-04' },
  input: z.strictObject({
    name: childName,
    born,
    shareWith: z.optional(
      z.array(id).check(z.maxLength(guardians, `must have at most ${guardians} people`)),
    ),
  }),
  response: z.object({ insertedId: answer.id }),
  errors: ['NOT_FOUND', 'FAMILY_FULL'],
  status: 201,
});

export const changeParticipant = call('PATCH /participants/:id', {
  does: 'Changes the name or the birth date of a child in your care, or your own birth date. A birth date that a booked class does not fit is refused without sure.',
  access: 'signed-in',
  example: { id: 'child', name: 'Leo' },
  input: z.strictObject({
    id,
    name: z.optional(childName),
    born: z.optional(born),
    sure: z.optional(z.literal(true)),
  }),
  response: changed,
  errors: ['NOT_FOUND', 'NO_LONGER_FITS'],
});

export const removeParticipant = call('DELETE /participants/:id', {
  does: 'Removes a child that you added: name, birth date, allergies and contacts are erased. Refused while a seat is being paid for, or while the child is enrolled in a class still to come.',
  access: 'signed-in',
  example: { id: 'child' },
  input: z.strictObject({ id }),
  response: z.object({ deletedCount: answer.count }),
  errors: ['NOT_FOUND', 'CHILD_ENROLLED', 'PAYMENT_IN_PROGRESS'],
});

export const inviteGuardian = call('POST /guardians/invite', {
  does: 'Mails an invitation to look after these children together with you. It is valid for 7 days. The answer is the same for known and unknown addresses.',
  access: 'signed-in',
  example: { email: 'aunt@example.com', participantIds: ['child'] },
  input: z.strictObject({
    email,
    participantIds: z
      .array(id)
      .check(
        z.minLength(1, 'must name a child'),
        z.maxLength(children, `must have at most ${children} children`),
      ),
  }),
  response: z.object({ invited: answer.count }),
  proven: true,
  errors: ['NOT_FOUND'],
});

// Any text: what is not a secret is answered like an unknown one.
const ofInvitation = z.strictObject({ secret: z.string().check(z.maxLength(100)) });

export const readInvitation = call('POST /guardians/invitation', {
  // Not GET: the secret must not be in an address.
  does: 'Who invites you to look after which children. The invitation was mailed to your address.',
  access: 'signed-in',
  example: { secret: 'invitation' },
  input: ofInvitation,
  /** From: null when the account was deleted. */
  response: z.object({ from: z.nullable(z.string()), children: z.array(z.string()) }),
  errors: ['BAD_LINK', 'EMAIL_MISMATCH'],
  status: 200,
});

export const acceptInvitation = call('POST /guardians/accept', {
  does: 'Accepts an invitation that was mailed to your address, which confirms the address. You look after its children from then on.',
  access: 'signed-in',
  example: { secret: 'invitation' },
  input: ofInvitation,
  response: z.object({ children: z.array(z.string()) }),
  errors: ['BAD_LINK', 'EMAIL_MISMATCH', 'FAMILY_FULL'],
});

export const addGuardian = call('POST /participants/guardians/:id', {
  does: 'Gives a child one more guardian: the confirmed account with this address. All guardians are told.',
  access: 'admin',
  example: { id: 'child', email: 'my address' },
  input: z.strictObject({ id, email }),
  response: changed,
  errors: ['NOT_FOUND', 'FAMILY_FULL'],
});

export const removeGuardian = call('DELETE /participants/:id/guardians/:who', {
  does: 'Ends the care of a guardian for a child: your own, or that of others if you added the child or are an admin. Who paid for a seat still to come is removed by an admin only. With an invited address it withdraws the invitation.',
  access: 'signed-in',
  example: { id: 'shared child', who: 'me' },
  input: z.strictObject({ id, who: z.union([id, email], 'must be an id or an email address') }),
  response: z.object({ deletedCount: answer.count }),
  errors: ['NOT_FOUND', 'LAST_GUARDIAN', 'PAID_SEAT_AHEAD'],
});
