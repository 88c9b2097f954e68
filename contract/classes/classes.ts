// Classes, with the wire names of sections 3 and 7 of the specification.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer, changed, described } from '../platform/described.ts';
import { age, findingFilters, type Level, levels } from './finding.ts';
import { limits } from '../platform/limits.ts';
import { ClassMeeting, meetingInputs, version } from './meetings.ts';
import {
  email,
  id,
  instant,
  paging,
  paragraphs,
  picture,
  price,
  search,
  seats,
  text,
  wholeNumber,
} from '../platform/rules.ts';
import { type Sport, sports } from '../platform/sports.ts';

export const statuses = ['pending', 'approved', 'denied', 'cancelled'] as const;
export type ClassStatus = (typeof statuses)[number];

export { levels, sports, type Level, type Sport };

export const factFields = {
  name: z.string(),
  img: z.string(),
  sport: z.string(),
  description: z.string(),
  ages: z.string(),
  schedule: z.string(),
  place: z.string(),
  level: z.enum(levels),
  bring: z.string(),
};
export type Fact = keyof typeof factFields;
export const facts = Object.keys(factFields) as Fact[];

/** In answers about classes, carts and enrolments. `seat` is how many are free now. */
export const classFields = {
  _id: answer.id,
  ...factFields,
  instructor: z.string(),
  instructorId: answer.id,
  email: answer.email,
  price: answer.dollars,
  seat: answer.count,
  status: z.enum(statuses),
};

const { description, bring, ...listed } = classFields;

/** Absent when there are none. `left` meetings, today's included, `of` a class that has begun. */
const planned = {
  minAge: z.optional(answer.count),
  maxAge: z.optional(answer.count),
  firstDay: z.optional(answer.day),
  lastDay: z.optional(answer.day),
  ended: z.optional(z.literal(true)),
  left: z.optional(answer.count),
  of: z.optional(answer.count),
};

export const Class = z.object({ ...listed, ...planned });
export type Class = z.infer<typeof Class>;

export const ClassDetail = z.extend(Class, {
  description,
  bring,
  /** Absent while it has none. */
  meetings: z.optional(z.array(ClassMeeting)),
  /** Rises with every change of a meeting; absent while there was none. */
  dates: z.optional(answer.count),
  capacity: answer.count,
  enrolled: answer.count,
  instructorImg: z.string(),
});
export type ClassDetail = z.infer<typeof ClassDetail>;

/** What a class would become by the change that waits for it. `seat` is the number of all seats. */
export const Proposal = z.partial(
  z.object({
    ...factFields,
    minAge: z.nullable(answer.count),
    maxAge: z.nullable(answer.count),
    price: answer.dollars,
    seat: answer.count,
  }),
);
export type Proposal = z.infer<typeof Proposal>;

export type Changeable = Fact | 'price' | 'seat';
const changeable: Changeable[] = [...facts, 'price', 'seat'];

export const Changed = z.optional(z.array(z.enum(changeable)));

/** `version` rises with every change of what is reviewed: texts and photo, not price and seats. */
export const ManagedClass = z.extend(ClassDetail, {
  feedback: z.string(),
  version: answer.count,
  changed: Changed,
  /** Of an approved class for which a change, or proposed dates, wait for the office since then. */
  proposedAt: z.optional(answer.time),
  /** Absent without a change. */
  proposal: z.optional(Proposal),
});
export type ManagedClass = z.infer<typeof ManagedClass>;

/** Of one class; the lists do not have it. */
const alone = {
  /** The whole price, of a class that has begun and costs what is left of it. */
  fullCents: z.optional(answer.count),
  /** It costs the whole price to its end. */
  partPrice: z.optional(z.literal(false)),
  /** Why the office has cancelled it. */
  cancelNote: z.optional(z.string()),
  /** The line of the instructor about themselves; absent without one. */
  instructorAbout: z.optional(z.string()),
};
export const WholeClass = z.extend(ClassDetail, alone);
export type WholeClass = z.infer<typeof WholeClass>;
export const WholeManagedClass = z.extend(ManagedClass, alone);
export type WholeManagedClass = z.infer<typeof WholeManagedClass>;

const written = {
  name: text(limits.name, 1),
  img: picture,
  price,
  seat: seats,
};
/** One of the academy's list, which the server checks. */
const sport = text(limits.academy.sport, 1);
const details = {
  sport: z.optional(sport),
  description: z.optional(paragraphs(limits.text)),
  ages: z.optional(text(60)),
  schedule: z.optional(text(120)),
  place: z.optional(text(120)),
  minAge: z.optional(z.nullable(age)),
  maxAge: z.optional(z.nullable(age)),
  level: z.optional(z.enum(levels)),
  bring: z.optional(paragraphs(500)),
};

/** The input of the forms. The server enforces the same rules. */
export const ClassForm = z.object({
  ...written,
  ...details,
  partPrice: z.optional(z.boolean()),
});

export const classSorts = [
  'popular',
  'new',
  'name',
  '-name',
  'price',
  '-price',
  'seat',
  '-seat',
  'status',
] as const;
const amountFilter = z.optional(
  described(z.string().check(z.regex(/^\d{1,6}(\.\d{1,2})?$/, 'must be an amount such as 19.99')), {
    type: 'number',
    minimum: 0,
    maximum: 999_999.99,
    description: "In the academy's currency, with at most two decimal places.",
  }),
);

const filters = {
  search,
  sport: z.optional(sport),
  instructor: z.optional(id),
  minPrice: amountFilter,
  maxPrice: amountFilter,
  free: z.optional(z.enum(['true', 'false'])),
  sort: z.optional(z.enum(classSorts)),
  ...findingFilters,
};

export const listClasses = call('GET /classes', {
  does: 'The approved classes that have not ended; for an admin without ?status=approved, all of them in outQueryResult (?status=over: those that have ended). A search that finds no approved class answers classes with a similar name and says so (alike).',
  access: 'public',
  // Other values of status are not an error: callers who are not admins get the approved classes.
  input: z.strictObject({
    status: z.optional(z.string().check(z.maxLength(20))),
    ...paging,
    ...filters,
  }),
  response: z.object({
    result: z.array(Class),
    outQueryResult: z.array(z.union([ManagedClass, Class])),
    total: answer.count,
    /** Nothing matched the search: these are classes with a similar name. Absent otherwise. */
    alike: z.optional(z.literal(true)),
  }),
});

export const getClass = call('GET /classes/:id', {
  does: 'One class: public if approved, otherwise for its instructor, the admin, and those who look after somebody enrolled.',
  access: 'public',
  example: { id: 'class' },
  input: z.strictObject({ id }),
  response: z.union([WholeManagedClass, WholeClass]),
  errors: ['NOT_FOUND'],
});

export const exportClasses = call('GET /classes.csv', {
  does: 'Every class as a spreadsheet.',
  access: 'admin',
  input: z.strictObject({ search, status: z.optional(z.enum(statuses)) }),
  response: z.string(),
  media: 'text/csv',
});

export const listInstructorClasses = call('GET /classes/instructor', {
  does: "An instructor's own classes, whatever their status.",
  access: ['self', 'admin'],
  example: { email: 'my address' },
  input: z.strictObject({ email, ...paging, search, sort: z.optional(z.enum(classSorts)) }),
  response: z.array(ManagedClass),
  paged: true,
});

const soccer = { name: 'Soccer', img: 'https://example.com/a.png', price: 19.99, seat: 5 };
export const addClass = call('POST /classes', {
  does: 'Adds a class in your own name, or, by an admin, in that of the instructor `instructorId`. It waits for approval, whatever status is sent; the one that an admin adds is approved. With an Idempotency-Key header (a UUID) a repeated request answers 200 with the id of the first, also when other fields differ.',
  access: ['instructor', 'admin'],
  example: { ...soccer, email: 'my address' },
  input: z.strictObject({
    ...written,
    ...details,
    meetings: z.optional(meetingInputs),
    instructorId: z.optional(id),
    instructor: z.optional(text(limits.name)),
    email: z.optional(email),
    status: z.optional(text(20)),
  }),
  response: z.object({ insertedId: answer.id }),
  errors: ['EMAIL_MISMATCH', 'NOT_AN_INSTRUCTOR', 'NOT_FOUND', 'PLACE_TAKEN', 'INSTRUCTOR_BUSY'],
  status: 201,
  repeatable: true,
  idempotent: true,
});

export const updateClass = call('PATCH /classes/:id', {
  does: "Changes a class. seat is the number of all seats, sold ones included. An instructor's change of an approved class waits for approval, while the class stays on sale as it is; any change of a denied class hands it in again. partPrice, of an admin: whether a class that has begun costs what is left of it.",
  access: ['instructor', 'admin'],
  example: { id: 'class', price: 30, seat: '20' },
  input: z.strictObject({
    id,
    ...z.partial(z.object(written)).shape,
    ...details,
    partPrice: z.optional(z.boolean()),
  }),
  response: changed,
  errors: ['NOT_FOUND', 'SEATS_BELOW_SOLD'],
});

const proposedAt = z.optional(instant);

export const approveClass = call('PATCH /classes/approve/:id', {
  does: 'Shows a class to the public, or makes the change that waits for it. With the version, the dates or the time of the proposal that were looked at, a class that was changed since is refused. Its dates must not clash with those of others, and its instructor must not have left.',
  access: 'admin',
  example: { id: 'class to review' },
  input: z.strictObject({
    id,
    version: z.optional(wholeNumber(2_147_483_647)),
    dates: z.optional(version),
    proposedAt,
  }),
  response: changed,
  errors: [
    'NOT_FOUND',
    'NOT_AN_INSTRUCTOR',
    'CLASS_CHANGED',
    'SEATS_BELOW_SOLD',
    'DATES_CHANGED',
    'PLACE_TAKEN',
    'INSTRUCTOR_BUSY',
  ],
});

export const denyClass = call('PATCH /classes/deny/:id', {
  does: 'Closes the sale of a class. Those already enrolled stay. A reason is mailed to the instructor.',
  access: 'admin',
  example: { id: 'class to review' },
  input: z.strictObject({ id, reason: z.optional(paragraphs(limits.text, 1)) }),
  response: changed,
  errors: ['NOT_FOUND'],
});

export const refuseChange = call('PATCH /classes/refuse/:id', {
  does: 'Drops the change that waits for an approved class, which stays as it is: its instructor withdraws it; the reason of an admin, who must give one, is mailed to the instructor.',
  access: ['instructor', 'admin'],
  example: { id: 'class', reason: 'No' },
  input: z.strictObject({ id, reason: z.optional(paragraphs(limits.text)), proposedAt }),
  response: changed,
  errors: ['NOT_FOUND', 'CLASS_CHANGED'],
});

export const endClass = call('PATCH /classes/over/:id', {
  does: 'Says that a class without dates is over: it is sold no more, and nobody is in it any longer. With dates it ends with the last one.',
  access: 'admin',
  example: { id: 'class to review' },
  input: z.strictObject({ id }),
  response: changed,
  errors: ['NOT_FOUND'],
});

export const giveFeedback = call('PATCH /classes/feedback/:id', {
  does: "Stores the admin's words on a class for its instructor.",
  access: 'admin',
  example: { id: 'class to review', feedback: 'Well done' },
  input: z.strictObject({ id, feedback: paragraphs(limits.text, 1) }),
  response: changed,
  errors: ['NOT_FOUND'],
});

export const handOverClass = call('PATCH /classes/handover/:id', {
  does: 'Gives a class to another instructor. Students, payments and status stay as they are.',
  access: 'admin',
  example: { id: 'class to review', to: 'another instructor' },
  input: z.strictObject({ id, to: id }),
  response: changed,
  errors: ['NOT_FOUND', 'NOT_AN_INSTRUCTOR', 'INSTRUCTOR_BUSY'],
});
