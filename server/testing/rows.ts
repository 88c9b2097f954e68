// Rows of checkout for tests that start in the middle of a purchase. Rows that they refer to are
// created too. They count no seat: set held and sold of the class where the test needs it.
import { type InsertObject, sql } from 'kysely';
import type { DB } from '../platform/db/schema.ts';
import { type TestApp, unique } from './app.ts';
import { aClass, aUser } from './factories.ts';

type Given<Table extends keyof DB> = Partial<InsertObject<DB, Table>>;
/** Given as values: other rows refer to them. */
type Ids = { holdId?: string; studentId?: string; classId?: string; intentId?: string };
type Time = ReturnType<typeof secondsFromNow> | null;
/** Columns of the basket of a hold. */
interface Money {
  intentId?: string | null;
  attempt?: number;
  checkedAt?: Time;
}
type HoldGiven = Omit<Given<'hold'>, 'studentId' | 'classId' | 'state' | 'nextTry'> &
  Pick<Ids, 'studentId' | 'classId'> & { state?: keyof typeof stateOf; nextTry?: Time } & Money;

const listCents = 1_999;
const anIntentId = () => unique('pi').replace('-', '_');

/** The state of the basket of a hold. */
const stateOf = { held: 'open', releasing: 'closing', released: 'closed', consumed: 'paid' };

/** By the clock of the database. */
export const secondsFromNow = (seconds: number) =>
  sql<Date>`now() + make_interval(secs => ${seconds})`;

/**
 * A live hold in a basket of its own with the same id, of a new student and a new class unless they
 * are given.
 */
export async function aHoldRow(app: TestApp, given: HoldGiven = {}) {
  const { intentId = null, attempt = 1, checkedAt = null, ...columns } = given;
  const { state = 'held', nextTry = null } = given;
  const studentId = given.studentId ?? (await aUser(app)).id;
  const classId = given.classId ?? (await aClass(app)).id;
  const id = crypto.randomUUID();
  const totalCents = typeof given.listCents === 'number' ? given.listCents : listCents;
  const money = { intentId, attempt, checkedAt, totalCents, nextTry };
  await app.db
    .insertInto('basket')
    .values({ id, studentId, state: stateOf[state], ...money })
    .execute();
  const basketId = state === 'released' ? null : id;
  const row = { participantId: studentId, listCents, slot: 1, ...columns, studentId, classId };
  const hold = await app.db
    .insertInto('hold')
    .values({ ...row, id, basketId })
    .returningAll()
    .executeTakeFirstOrThrow();
  return Object.assign(hold, { intentId, attempt: 1 });
}

/** A payment that is pending, of a basket with one consumed hold. */
export async function aPaymentRow(
  app: TestApp,
  given: Omit<Given<'payment'>, keyof Ids> & Ids = {},
) {
  const { studentId, classId, holdId, intentId = anIntentId(), ...columns } = given;
  const wanted = {
    state: 'consumed' as const,
    ...(studentId && { studentId }),
    ...(classId && { classId }),
  };
  const hold = holdId
    ? await app.db
        .selectFrom('hold')
        .innerJoin('basket', 'basket.id', 'hold.basketId')
        .selectAll('hold')
        .select('basket.intentId')
        .where('hold.id', '=', holdId)
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
  const paid = hold.intentId ?? intentId;
  const payment = await app.db
    .insertInto('payment')
    .values({
      basketId: hold.basketId ?? hold.id,
      intentId: paid,
      studentId: hold.studentId,
      email,
      customer: name,
      itemName: klass.name,
      amountCents: hold.listCents,
      currency: 'usd',
      status: 'pending',
      ...(typeof columns.status === 'string' &&
        columns.status.startsWith('refund') && {
          backCents: columns.amountCents ?? hold.listCents,
          seats: 0,
        }),
      ...columns,
      ...(columns.date && { day: sql<string>`academy_day(${columns.date})` }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const worthCents = payment.amountCents;
  const line = await app.db
    .insertInto('paymentLine')
    .values({
      paymentId: payment.id,
      holdId: hold.id,
      studentId: hold.studentId,
      participantId: hold.participantId,
      classId: hold.classId,
      itemName: payment.itemName,
      participant: name,
      listCents: worthCents,
      worthCents,
      backCents: payment.backCents,
      outcome: 'enrolled',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { classId: bought } = hold;
  return { ...payment, intentId: paid, classId: bought, holdId: hold.id, lineId: line.id };
}

/** An active enrolment, of a payment. The participant is that of its hold. */
export async function anEnrolmentRow(
  app: TestApp,
  { id, studentId, classId, holdId, lineId }: Awaited<ReturnType<typeof aPaymentRow>>,
) {
  const { participantId } = await app.db
    .selectFrom('hold')
    .select('participantId')
    .where('id', '=', holdId)
    .executeTakeFirstOrThrow();
  await app.db.updateTable('paymentLine').set({ participantId }).where('id', '=', lineId).execute();
  return app.db
    .insertInto('enrolment')
    .values({ paymentId: id, lineId, studentId, participantId, classId })
    .returningAll()
    .executeTakeFirstOrThrow();
}
