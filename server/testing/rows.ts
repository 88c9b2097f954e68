// Rows of checkout for tests that start in the middle of a purchase. Rows that they refer to are
// created too. They count no seat: set held and sold of the class where the test needs it. Not for:
// tests that buy (checkout.ts does that through the API).
import { type InsertObject, sql } from 'kysely';
import type { DB } from '../db/schema.ts';
import { type TestApp, unique } from './app.ts';
import { aClass, aUser } from './factories.ts';

type Given<Table extends keyof DB> = Partial<InsertObject<DB, Table>>;
/** Given as values: other rows refer to them. */
type Ids = { holdId?: string; studentId?: string; classId?: string; intentId?: string };

const amountCents = 1_999;
const anIntentId = () => unique('pi').replace('-', '_');

/** By the clock of the database. */
export const secondsFromNow = (seconds: number) =>
  sql<Date>`now() + make_interval(secs => ${seconds})`;

/** A live hold, of a new student and a new class unless they are given. */
export async function aHoldRow(
  app: TestApp,
  given: Omit<Given<'hold'>, 'studentId'> & Pick<Ids, 'studentId'> = {},
) {
  const studentId = given.studentId ?? (await aUser(app)).id;
  return app.db
    .insertInto('hold')
    .values({
      studentId,
      participantId: studentId,
      classId: given.classId ?? (await aClass(app)).id,
      amountCents,
      slot: 1,
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Holds of one class, each of another student. */
export async function manyHoldRows(
  app: TestApp,
  count: number,
  given: Given<'hold'> & { classId: string },
) {
  const students = Array.from({ length: count }, () => ({
    name: 'Student',
    email: `${unique('student')}@example.com`,
  }));
  const made = await app.db.insertInto('user').values(students).returning('id').execute();
  const holds = made.map(({ id: studentId }) =>
    Object.assign(
      { studentId, participantId: studentId, amountCents, slot: 1, intentId: anIntentId() },
      given,
    ),
  );
  return app.db.insertInto('hold').values(holds).returningAll().execute();
}

/** A payment that is pending, of a consumed hold. */
export async function aPaymentRow(
  app: TestApp,
  given: Omit<Given<'payment'>, keyof Ids> & Ids = {},
) {
  const { studentId, classId, intentId = anIntentId() } = given;
  const wanted = {
    state: 'consumed',
    ...(studentId && { studentId }),
    ...(classId && { classId }),
  };
  const hold = given.holdId
    ? await app.db
        .selectFrom('hold')
        .selectAll()
        .where('id', '=', given.holdId)
        .executeTakeFirstOrThrow()
    : await aHoldRow(app, { ...wanted, intentId });
  const { name, email } = await app.db
    .selectFrom('user')
    .select(['name', 'email'])
    .where('id', '=', hold.studentId)
    .executeTakeFirstOrThrow();
  const klass = await app.db
    .selectFrom('class')
    .select('name')
    .where('id', '=', hold.classId)
    .executeTakeFirstOrThrow();
  return app.db
    .insertInto('payment')
    .values({
      holdId: hold.id,
      intentId: hold.intentId ?? intentId,
      studentId: hold.studentId,
      classId: hold.classId,
      email,
      customer: name,
      itemName: klass.name,
      amountCents: hold.amountCents,
      currency: hold.currency,
      status: 'pending',
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** An active enrolment, of a payment. The participant is that of its hold. */
export async function anEnrolmentRow(
  app: TestApp,
  { id, studentId, classId, holdId }: Awaited<ReturnType<typeof aPaymentRow>>,
) {
  const { participantId } = await app.db
    .selectFrom('hold')
    .select('participantId')
    .where('id', '=', holdId)
    .executeTakeFirstOrThrow();
  return app.db
    .insertInto('enrolment')
    .values({ paymentId: id, studentId, participantId, classId })
    .returningAll()
    .executeTakeFirstOrThrow();
}
