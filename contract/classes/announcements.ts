// What an instructor or an admin writes to the families of a class.
import * as z from 'zod/mini';
import { call } from '../platform/call.ts';
import { answer } from '../platform/described.ts';
import { limits } from '../platform/limits.ts';
import { id, paging, paragraphs, text } from '../platform/rules.ts';

export const Announcement = z.object({
  _id: answer.id,
  classId: answer.id,
  className: z.string(),
  subject: z.string(),
  words: z.string(),
  from: z.string(),
  at: answer.time,
  families: z.optional(answer.count),
});
export type Announcement = z.infer<typeof Announcement>;

const classIds = z
  .array(id)
  .check(
    z.minLength(1, 'must have a class'),
    z.maxLength(limits.announcement.classes, `must have at most ${limits.announcement.classes}`),
  );

/** Without `classIds` all classes that have not ended: for admins only. */
const recipients = { classIds: z.optional(classIds) };

/** The answer is the same for a class that one does not teach and for one that does not exist. */
export const countFamilies = call('POST /announcements/families', {
  does: 'How many families an announcement would reach. Nothing is sent.',
  access: ['instructor', 'admin'],
  example: { classIds: ['class'] },
  input: z.strictObject(recipients),
  response: z.object({ families: answer.count }),
  errors: ['NOT_FOUND'],
});

export const announce = call('POST /announcements', {
  does: 'Writes to the families of your classes; an admin writes to one, several or all. Each family gets one mail, and its answer goes to you.',
  access: ['instructor', 'admin'],
  example: { classIds: ['class'], subject: 'Rain', words: 'We play in the hall.' },
  input: z.strictObject({
    ...recipients,
    subject: text(limits.announcement.subject, 1),
    words: paragraphs(limits.text, 1),
  }),
  response: z.object({ families: answer.count }),
  proven: true,
  errors: ['NOT_FOUND', 'ANNOUNCED_ENOUGH'],
  status: 201,
});

export const listAnnouncements = call('GET /announcements', {
  does: 'Announcements of one class, for its staff and its families; without a class those of your own enrolments and children, newest first.',
  access: 'signed-in',
  example: { classId: 'class' },
  input: z.strictObject({ ...paging, classId: z.optional(id) }),
  response: z.array(Announcement),
  errors: ['NOT_FOUND'],
  paged: true,
});
