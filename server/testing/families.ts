// Children, and seats of participants, as rows for tests.
import type { TestApp } from './app.ts';
import { aPaymentRow, anEnrolmentRow } from './rows.ts';

/** A child in the care of these accounts. */
export async function aChild(app: TestApp, name: string, ...guardians: { id: string }[]) {
  const child = await app.db
    .insertInto('participant')
    .values({ name, born: '2018-05-01' })
    .returningAll()
    .executeTakeFirstOrThrow();
  const rows = guardians.map(({ id }) => ({ userId: id, participantId: child.id }));
  if (rows.length > 0) await app.db.insertInto('guardian').values(rows).execute();
  return child;
}

/** Enrols somebody: the account itself unless a participant is given. */
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
