// Places, holidays and meetings for tests.
import { addDays, weekdayOf, weekdays } from '../../contract/platform/days.ts';
import { shortDay } from '../../contract/classes/slots.ts';
import { sql } from '../platform/db/connection.ts';
import { type TestApp, unique } from './app.ts';
import { aClass, anInstructor, aUser, type TestUser } from './factories.ts';
import { aPaymentRow, anEnrolmentRow } from './rows.ts';

export const aPlace = (
  app: TestApp,
  given: { name?: string; address?: string; capacity?: number; closed?: boolean } = {},
) =>
  app.db
    .insertInto('place')
    .values({ name: unique('Court'), capacity: 20, ...given })
    .returningAll()
    .executeTakeFirstOrThrow();

export const aClosure = (
  app: TestApp,
  given: { name?: string; firstDay?: string; lastDay?: string } = {},
) =>
  app.db
    .insertInto('closure')
    .values({ name: 'Carnival', firstDay: '2027-02-08', lastDay: '2027-02-10', ...given })
    .returning('id')
    .executeTakeFirstOrThrow();

/** So many days from today, as 'YYYY-MM-DD'. */
export const inDays = (count: number) => addDays(new Date().toJSON().slice(0, 10), count);

/** As the subject of a mail has it. */
export const inSubject = (day: string) => `${weekdays[weekdayOf(day) - 1]} ${shortDay(day)}`;

interface MeetingGiven {
  day?: string;
  starts?: string;
  minutes?: number;
  placeId?: string | null;
  instructorId?: string;
  state?: 'proposed' | 'on' | 'cancelled';
  told?: string;
}

/** A meeting of this class, next week at 16:00 for an hour unless given. */
export async function aMeeting(
  app: TestApp,
  klass: { id: string; instructorId: string },
  given: MeetingGiven = {},
) {
  const { rows } = await sql<{ id: string; day: string }>`
    insert into meeting (class_id, instructor_id, place_id, day, starts, minutes, state, told)
    values (${klass.id}, ${given.instructorId ?? klass.instructorId}, ${given.placeId ?? null},
      ${given.day ?? inDays(7)}, ${given.starts ?? '16:00'}, ${given.minutes ?? 60},
      ${given.state ?? 'on'}, ${given.told ?? ''})
    returning id, day::text as day`.execute(app.db);
  return rows[0] as { id: string; day: string };
}

/** A student who is enrolled in this class: the rows and the counter. */
export async function anEnrolled(app: TestApp, classId: string, student?: TestUser) {
  const who = student ?? (await aUser(app));
  const payment = await aPaymentRow(app, { studentId: who.id, classId, status: 'succeeded' });
  await anEnrolmentRow(app, payment);
  await sql`update class set sold = sold + 1 where id = ${classId}`.execute(app.db);
  return who;
}

/** An approved class with two meetings and so many families. */
export async function aBookedClass(app: TestApp, families = 2) {
  const instructor = await anInstructor(app);
  const place = await aPlace(app);
  const klass = await aClass(app, { instructor, name: unique('Booked') });
  await aMeeting(app, klass, { day: inDays(7), placeId: place.id });
  await aMeeting(app, klass, { day: inDays(14), placeId: place.id });
  const students: TestUser[] = [];
  for (let n = 0; n < families; n++) students.push(await anEnrolled(app, klass.id));
  return { id: klass.id, name: klass.name, instructor, students, place };
}

/** The mails of these subjects, by recipient. */
export async function mailsAbout(app: TestApp, words: string) {
  await app.settled();
  return app.sent
    .filter(({ subject }) => subject.includes(words))
    .toSorted((one, other) => (one.to < other.to ? -1 : 1));
}
