// Writes the demo academy (academy.ts) into an empty database, once. Sold seats have their holds,
// payments and enrolments, so that the books balance. Never called in production.
import { agesFromWords } from '../../contract/people/ages.ts';
import type { Care } from '../../contract/people/care.ts';
import { type Database, type Db, execute, query, sql } from '../platform/db/connection.ts';
import {
  classes,
  type DemoClass,
  demoPassword,
  people,
  pictureOf,
  writeSettings,
} from './academy.ts';
import { addDates } from './dates.ts';

const parentsEmail = 'parent@rally.test';
/** Their seats are among the sold ones of the class. */
const children = [
  { name: 'Mia Parent', age: 7, takes: 'Run, Jump, Throw' },
  {
    name: 'Leo Parent',
    age: 10,
    takes: 'Soccer Goalkeepers',
    care: {
      allergies: 'Peanuts. Carries an adrenaline pen in the front pocket of his bag.',
      health: 'Mild asthma when it is cold.',
      medicine: 'Inhaler (blue), two puffs before long runs.',
      note: '',
      contacts: [
        { name: 'Pat Parent', relation: 'Mother', phone: '+351 910 000 101' },
        { name: 'Rui Parent', relation: 'Father', phone: '+351 910 000 102' },
      ],
      pickup: [{ name: 'Rosa Parent', relation: 'Grandmother', phone: '+351 910 000 103' }],
      mayGoAlone: false,
    },
  },
];

type Seal = (participantId: string, facts: Care) => { sealed: Buffer; key: number };

/** True if it was written now; false if there are users already. */
export async function seed(
  { db, system }: Pick<Database, 'db' | 'system'>,
  hash: (password: string) => Promise<string>,
  seal: Seal,
): Promise<boolean> {
  // Checked before hashing and locking: every start except the first returns here, without a wait.
  if (await isInhabited(db)) return false;
  const password = await hash(demoPassword);
  return system([], async (db) => {
    // If two processes start at once, the second waits here and then finds users. On a slow machine
    // the first takes longer than the limits of a request.
    await execute(db)`set local lock_timeout = '1min'`;
    await execute(db)`set local statement_timeout = '1min'`;
    await execute(db)`set local idle_in_transaction_session_timeout = '1min'`;
    await execute(db)`lock table "user" in share row exclusive mode`;
    if (await isInhabited(db)) return false;
    const ids = await addPeople(db, password);
    const students = people
      .filter((person) => person.role === 'student' && !person.signsIn)
      .map((person) => person.email);
    const kids = await addChildren(db, idOf(ids, parentsEmail), seal);
    const sales: Sale[] = [];
    const added = [];
    for (const [place, demo] of classes.entries()) {
      const classId = await addClass(db, demo, ids, place);
      added.push({ id: classId, demo });
      const theirs = kids.filter(({ takes }) => takes === demo.name);
      const buyers = [
        ...students.slice(0, demo.sold - theirs.length).map((email) => ({ email, child: null })),
        ...theirs.map(({ id }) => ({ email: parentsEmail, child: id })),
      ];
      for (const [turn, { email, child }] of buyers.entries()) {
        const student = idOf(ids, email);
        const days = (turn * 5 + place * 3) % 53;
        sales.push({ student, participant: child ?? student, class: classId, days });
      }
    }
    await addDates(db, added);
    await setTerms(db);
    await sell(db, sales);
    await wait(
      db,
      students.slice(-3).map((email) => idOf(ids, email)),
    );
    await writeSettings(db);
    return true;
  });
}

const isInhabited = async (db: Db) => (await query(db)`select from "user" limit 1`).length > 0;

const signingIn = people.filter(({ signsIn }) => signsIn).map(({ email }) => email);

export async function hasDemoAccounts(db: Db): Promise<boolean> {
  const found = await query(db)`select from "user" where email = any (${signingIn})`;
  return found.length === signingIn.length;
}

type Ids = Map<string, string>;

function idOf(ids: Ids, email: string): string {
  const id = ids.get(email);
  if (!id) throw new Error(`The demo academy has no ${email}`);
  return id;
}

async function addPeople(db: Db, password: string): Promise<Ids> {
  const now = sql<Date>`now()`;
  const rows = people.map(({ signsIn: _later, ...person }) =>
    Object.assign(person, { provenAt: now, registeredAt: now }),
  );
  const added = await db.insertInto('user').values(rows).returning(['id', 'email']).execute();
  const ids: Ids = new Map(added.map(({ id, email }) => [email ?? '', id]));
  await execute(db)`insert into login (user_id, password_hash)
    select id, ${password} from "user" where email = any (${signingIn})`;
  // They have said that they are adults, so Select does not ask them who a class is for.
  const adults = ['admin@rally.test', 'coach@rally.test', 'student@rally.test'];
  await execute(db)`
    update participant set born = '1995-05-04'
    where id = any (${adults.map((email) => idOf(ids, email))}::uuid[])`;
  return ids;
}

async function addChildren(db: Db, parentId: string, seal: Seal) {
  const added = [];
  for (const { name, age, takes, care } of children) {
    const id = crypto.randomUUID();
    await execute(db)`insert into participant (id, name, born, made_by)
      values (${id}, ${name}, now() - make_interval(years => ${age}, days => 100), ${parentId})`;
    await execute(db)`insert into guardian (user_id, participant_id) values (${parentId}, ${id})`;
    const facts = care && { participantId: id, ...seal(id, care), confirmedBy: parentId };
    if (facts) await db.insertInto('care').values(facts).execute();
    added.push({ id, takes });
  }
  return added;
}

async function addClass(db: Db, demo: DemoClass, ids: Ids, place: number): Promise<string> {
  const { coach, cents, sold: _counted, meets: _dates, status = 'approved', ...written } = demo;
  const addedAt = sql<Date>`now() - ${35 - place} * interval '1 day'`;
  const { id } = await db
    .insertInto('class')
    .values({
      ...written,
      ...agesFromWords(demo.ages),
      img: pictureOf(demo.name),
      status,
      priceCents: cents,
      instructorId: idOf(ids, coach),
      createdAt: addedAt,
      proposedAt: status === 'pending' ? addedAt : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** These wait for the class that is full. */
const wait = (db: Db, students: readonly string[]) =>
  execute(db)`
    with full_class as (
      update class set queued = true where status = 'approved' and seats_left = 0 returning id
    ), waits as (
      insert into wait (student_id, seats) select unnest(${students}::uuid[]), 1 returning id, student_id
    ), wishes as (
      insert into wish (wait_id, class_id) select waits.id, full_class.id from waits, full_class returning wait_id, class_id
    )
    insert into waiter (wait_id, class_id, participant_id)
    select wait_id, class_id, student_id from wishes join waits on waits.id = wait_id`;

/** `participant`: whose seat it is; the student paid. */
interface Sale {
  student: string;
  participant: string;
  class: string;
  days: number;
}

/** Everything back early, a part late, more as credit. */
const termsOfLeaving = {
  withdraw: 0,
  steps: [
    { days: 14, card: 100, credit: 100 },
    { days: 3, card: 50, credit: 70 },
  ],
  begun: { card: 30, credit: 50 },
  resold: 100,
};
const setTerms = (db: Db) =>
  execute(db)`
    with made as (
      insert into leaving (terms) values (${JSON.stringify(termsOfLeaving)}::jsonb) returning id)
    update academy set leaving_id = made.id from made`;

/** All in one statement. In order of time, as receipts are numbered. */
async function sell(db: Db, sales: readonly Sale[]) {
  await execute(db)`
    with sale as materialized (
      select s.*, now() - days * interval '1 day' - interval '2 hours' as at, u.email, u.name as customer, class.name as item,
        price_cents as cents, 'pi_demo_' || left(s.class::text, 8) || '_' || left(s.student::text, 8) as intent,
        gen_random_uuid() as basket, gen_random_uuid() as hold, gen_random_uuid() as payment, gen_random_uuid() as line
      from jsonb_to_recordset(${JSON.stringify(sales)}::jsonb) as s (student uuid, participant uuid, class uuid, days int)
        join "user" u on u.id = s.student join class on class.id = s.class
    ), baskets as (
      insert into basket (id, student_id, total_cents, intent_id, state, created_at)
      select basket, student, cents, intent, 'paid', at from sale
    ), holds as (
      insert into hold (id, basket_id, student_id, participant_id, class_id, list_cents, state, slot, created_at)
      select hold, basket, student, participant, class, cents, 'consumed', 1, at from sale
    ), payments as (
      insert into payment (id, basket_id, intent_id, student_id, email, customer, item_name, amount_cents, currency, status, date, day)
      select payment, basket, intent, student, email, customer, item, cents, 'usd', 'succeeded', at, academy_day(at) from sale order by at, payment
    ), lines as (
      insert into payment_line (id, payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents,
        worth_cents, outcome, meetings, leaving_id)
      select line, payment, hold, student, sale.participant, class, item, participant.name, cents, cents, 'enrolled',
        (select count(*) from meeting where meeting.class_id = class and meeting.state = 'on' and lower(during) > sale.at),
        (select leaving_id from academy)
      from sale join participant on participant.id = sale.participant
    ), earned as (
      insert into ledger (at, key, debit, credit, cents, student_id, payment_id, to_line)
      select at, 'sale:' || line || ':card', 'card', 'sales', cents, student, payment, line from sale order by at, payment
    ), enrolled as (
      insert into enrolment (payment_id, line_id, student_id, participant_id, class_id, created_at)
      select payment, line, student, participant, class, at from sale
    )
    update class set sold = sold + counted.n
    from (select class, count(*)::int as n from sale group by class) counted where class.id = counted.class`;
}
