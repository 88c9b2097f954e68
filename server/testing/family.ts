// Children, and meetings of classes, for tests. They are rows: no call adds a child yet.
import { sql } from 'kysely';
import { academyZone } from '../platform/db/zone.ts';
import { type TestApp, unique } from './app.ts';
import { aPaymentRow, anEnrolmentRow } from './rows.ts';

/** A child of these guardians. */
export async function aChild(
  app: TestApp,
  guardians: { id: string }[],
  { name = unique('child'), born = '2018-05-04' } = {},
) {
  const child = await app.db
    .insertInto('participant')
    .values({ name, born, madeBy: guardians[0]?.id ?? null })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow();
  const rows = guardians.map(({ id }) => ({ userId: id, participantId: child.id }));
  await app.db.insertInto('guardian').values(rows).execute();
  return child;
}

/** What erasing leaves of a participant. */
export const eraseRow = (app: TestApp, { id }: { id: string }) =>
  app.pool.query(
    `with gone as (delete from guardian where participant_id = $1)
     update participant set name = 'Removed child', born = null, erased_at = now() where id = $1`,
    [id],
  );

/** A meeting of a class that starts so many minutes from now. */
export async function aMeetingRow(
  app: TestApp,
  klass: { id: string; instructorId: string },
  { inMinutes = 24 * 60, minutes = 60, state = 'on' } = {},
) {
  const at = sql`date_trunc('minute', now() at time zone ${academyZone}) + make_interval(mins => ${inMinutes})`;
  return app.db
    .insertInto('meeting')
    .values({
      classId: klass.id,
      instructorId: klass.instructorId,
      day: sql<string>`(${at})::date`,
      starts: sql<string>`(${at})::time`,
      minutes,
      state,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** An active enrolment: of the account itself, or of the participant. */
export async function enrol(
  app: TestApp,
  classId: string,
  student: { id: string },
  participant: { id: string } = student,
) {
  const payment = await aPaymentRow(app, { studentId: student.id, classId, status: 'succeeded' });
  await app.db
    .updateTable('hold')
    .set({ participantId: participant.id })
    .where('id', '=', payment.holdId)
    .execute();
  return anEnrolmentRow(app, payment);
}
