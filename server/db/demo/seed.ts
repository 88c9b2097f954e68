// Writes the demo academy (academy.ts) into an empty database, once. Sold seats have their holds,
// payments and enrolments, so that the books balance. Never called in production.
import type { Care } from '../../../contract/care.ts';
import type { Database, Db } from '../connection.ts';
import { sql } from '../connection.ts';
import { classes, type DemoClass, demoPassword, people } from './academy.ts';
import { addDates, planned } from './dates.ts';
import { care, family } from './family.ts';

/** Seals the care facts of a participant. */
type Seal = (participantId: string, facts: Care) => { sealed: Buffer; key: number };

/** True if it was written now; false if there are users already. */
export async function seed(
  { db, transaction }: Pick<Database, 'db' | 'transaction'>,
  hash: (password: string) => Promise<string>,
  seal: Seal,
): Promise<boolean> {
  // Checked before hashing and locking: every start except the first returns here, without a wait.
  if (await isInhabited(db)) return false;
  const password = await hash(demoPassword);
  return transaction(async (db) => {
    // If two processes start at once, the second waits here and then finds users. On a slow machine
    // the first takes longer than the limits of a request.
    await sql`set local lock_timeout = '1min'`.execute(db);
    await sql`set local statement_timeout = '1min'`.execute(db);
    await sql`set local idle_in_transaction_session_timeout = '1min'`.execute(db);
    await sql`lock table "user" in share row exclusive mode`.execute(db);
    if (await isInhabited(db)) return false;
    const ids = await addPeople(db, password);
    const students = people
      .filter((person) => person.role === 'student' && !person.signsIn)
      .map((person) => person.email);
    const children = await addChildren(db, idOf(ids, family.email), seal);
    const sales = [];
    const added = [];
    for (const [place, demo] of classes.entries()) {
      const classId = await addClass(db, demo, ids, place);
      added.push({ id: classId, demo });
      const theirs = children.filter(({ takes }) => takes === demo.name);
      const buyers = [
        ...students.slice(0, demo.sold - theirs.length).map((email) => ({ email, child: null })),
        ...theirs.map(({ id }) => ({ email: family.email, child: id })),
      ];
      for (const [turn, { email, child }] of buyers.entries()) {
        const buyer = { email, id: idOf(ids, email), child };
        sales.push({ demo, classId, buyer, daysAgo: (turn * 5 + place * 3) % 53 });
      }
    }
    await addDates(db, added);
    // In order of time, as receipts are numbered.
    for (const sale of sales.toSorted((a, b) => b.daysAgo - a.daysAgo)) await sell(db, sale);
    return true;
  });
}

const isInhabited = async (db: Db) =>
  (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined;

type Ids = Map<string, string>;

function idOf(ids: Ids, email: string): string {
  const id = ids.get(email);
  if (!id) throw new Error(`The demo academy has no ${email}`);
  return id;
}

async function addPeople(db: Db, password: string): Promise<Ids> {
  const ids: Ids = new Map();
  for (const { name, email, role, image, signsIn } of people) {
    const { id } = await db
      .insertInto('user')
      .values({ name, email, role, image, emailVerified: true, registeredAt: sql`now()` })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(email, id);
    if (signsIn) {
      await db
        .insertInto('account')
        .values({ userId: id, accountId: id, providerId: 'credential', password })
        .execute();
    }
  }
  return ids;
}

async function addChildren(db: Db, parentId: string, seal: Seal) {
  const added = [];
  for (const { name, age, takes } of family.children) {
    const { id } = await db
      .insertInto('participant')
      .values({
        name,
        born: sql<string>`(now() - make_interval(years => ${age}, days => 100))::date`,
        madeBy: parentId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('guardian').values({ userId: parentId, participantId: id }).execute();
    const facts = care[name];
    if (facts)
      await db
        .insertInto('care')
        .values({ participantId: id, ...seal(id, facts), confirmedBy: parentId })
        .execute();
    added.push({ id, takes });
  }
  return added;
}

async function addClass(db: Db, demo: DemoClass, ids: Ids, place: number): Promise<string> {
  const {
    coach,
    cents,
    capacity,
    sold: _counted,
    status = 'approved',
    feedback = '',
    ...written
  } = demo;
  const { level, bring, ...ages } = planned(demo);
  const texts = { ...written, level, bring };
  const { id } = await db
    .insertInto('class')
    .values({
      ...texts,
      ...ages,
      status,
      approved: status === 'approved' ? JSON.stringify(texts) : null,
      feedback,
      priceCents: cents,
      capacity,
      instructorId: idOf(ids, coach),
      instructor: people.find((person) => person.email === coach)?.name ?? '',
      createdAt: sql<Date>`now() - ${35 - place} * interval '1 day'`,
      handedInAt: sql<Date>`now() - ${35 - place} * interval '1 day'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

interface Sale {
  demo: DemoClass;
  classId: string;
  /** `child`: whose seat it is, when it is not the buyer's own. */
  buyer: { id: string; email: string; child: string | null };
  daysAgo: number;
}

async function sell(db: Db, { demo, classId, buyer, daysAgo }: Sale) {
  const when = sql<Date>`now() - ${daysAgo} * interval '1 day' - interval '2 hours'`;
  const customer = people.find((person) => person.email === buyer.email)?.name ?? '';
  const participantId = buyer.child ?? buyer.id;
  const intentId = `pi_demo_${classId.slice(0, 8)}_${buyer.id.slice(0, 8)}`;
  const bought = {
    studentId: buyer.id,
    classId,
    intentId,
    amountCents: demo.cents,
    currency: 'usd',
  };
  const hold = await db
    .insertInto('hold')
    .values({
      ...bought,
      participantId,
      state: 'consumed',
      slot: 1,
      createdAt: when,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const payment = await db
    .insertInto('payment')
    .values({
      ...bought,
      holdId: hold.id,
      email: buyer.email,
      customer,
      itemName: demo.name,
      status: 'succeeded',
      date: when,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('enrolment')
    .values({
      paymentId: payment.id,
      studentId: buyer.id,
      participantId,
      classId,
      createdAt: when,
    })
    .execute();
  await db
    .updateTable('class')
    .set((row) => ({ sold: row('sold', '+', 1) }))
    .where('id', '=', classId)
    .execute();
}
