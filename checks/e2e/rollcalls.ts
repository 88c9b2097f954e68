// A class that meets now, with children enrolled, for the tests of the roll call. The rows of the
// purchase are written: twelve of them through the card form would take minutes.
import { openDatabase } from './database.ts';
import { aClass, type MadeClass, type Person, someone } from './people.ts';

export interface Lesson {
  klass: MadeClass;
  instructor: Person;
  parent: Person;
  meetingId: string;
  /** In the order of the roster. */
  children: { id: string; name: string }[];
}

const firstNames =
  'Ada Bea Carla Dora Emil Finn Greta Hugo Iris Jonas Kira Leo Mia Nils Olga Pia'.split(' ');

export async function aLesson(count: number): Promise<Lesson> {
  const [instructor, parent] = await Promise.all([someone('instructor'), someone()]);
  const klass = await aClass({ instructor, seat: count + 3 });
  const names = Array.from(
    { length: count },
    (_, nth) => `${firstNames[nth % firstNames.length]} ${nth < firstNames.length ? 'Novak' : nth}`,
  );
  const database = await openDatabase();
  try {
    await database.query('begin');
    // In the order of docs/locking.md: the class first, and payments by their ids.
    await database.query('update class set sold = sold + $2 where id = $1', [klass.id, count]);
    const { rows: children } = await database.query<{ id: string; name: string }>(
      `with child as (
         insert into participant (name, born, made_by)
         select name, date '2018-05-04', $1 from unnest($3::text[]) name returning id, name),
       guards as (insert into guardian (user_id, participant_id) select $1, id from child),
       baskets as (
         insert into basket (id, student_id, total_cents, state, intent_id)
         select id, $1, 4900, 'paid', 'pi_lesson_' || id from child returning *),
       held as (
         insert into hold (basket_id, student_id, participant_id, class_id, list_cents, slot, state)
         select id, $1, id, $2, 4900, 1, 'consumed' from baskets returning *),
       paid as (
         insert into payment (id, basket_id, intent_id, student_id, email, customer, item_name, amount_cents, currency, status)
         select gen_random_uuid() as payment_id, id, intent_id, student_id, $4, $5, $6, 4900, 'usd', 'succeeded' from baskets
         order by payment_id returning id, basket_id),
       line as (
         insert into payment_line (payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents, worth_cents, outcome)
         select paid.id, held.id, $1, held.participant_id, $2, $6, child.name, 4900, 4900, 'enrolled'
         from paid join held using (basket_id) join child on child.id = held.participant_id returning *),
       earned as (
         insert into ledger (key, debit, credit, cents, student_id, payment_id, to_line)
         select 'sale:' || id || ':card', 'card', 'sales', 4900, $1, payment_id, id from line),
       enrolled as (
         insert into enrolment (payment_id, line_id, student_id, participant_id, class_id, created_at)
         select payment_id, id, student_id, participant_id, class_id, now() - interval '1 day' from line)
       select id, name from child order by name`,
      [parent.id, klass.id, names, parent.email, parent.name, klass.name],
    );
    // Under way, and on the day that the academy calls today.
    const { rows: meetings } = await database.query<{ id: string }>(
      `with local as (select now() at time zone 'Europe/Lisbon' as now),
       begun as (select greatest(date_trunc('minute', now) - interval '10 minutes', date_trunc('day', now)) as at from local)
       insert into meeting (class_id, instructor_id, day, starts, minutes, state)
       select $1, $2, at::date, at::time, 60, 'on' from begun returning id`,
      [klass.id, instructor.id],
    );
    await database.query('commit');
    return { klass, instructor, parent, meetingId: meetings[0]?.id ?? '', children };
  } finally {
    await database.end();
  }
}

/** The marks that the server has of a meeting, in the order of time. */
export async function storedMarks(meetingId: string) {
  const database = await openDatabase();
  try {
    const { rows } = await database.query<{
      id: string;
      participant_id: string;
      status: string;
      note: string;
    }>('select id, participant_id, status, note from mark where meeting_id = $1 order by at, id', [
      meetingId,
    ]);
    return rows;
  } finally {
    await database.end();
  }
}
