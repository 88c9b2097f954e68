// The places, the holiday and the dates of the demo academy: eight weeks from next Monday.
import { addDays, weekdayOf } from '../../contract/platform/days.ts';
import { type Slot, weekly } from '../../contract/classes/slots.ts';
import { type Database, type Db, execute, query, sql } from '../platform/db/connection.ts';
import { today as academyToday } from '../platform/db/zone.ts';
import { lockPlan } from '../classes/meetings.ts';
import { classes, type DemoClass } from './academy.ts';

const weeks = 8;

const places: Record<string, number> = {
  'North field': 40,
  'North field, small goals': 12,
  'Hall 1': 30,
  'Hall 2': 24,
  'Outdoor court': 24,
  'Teaching pool': 10,
  '25 m pool': 24,
  'Courts 1–3': 18,
  Terrace: 30,
  'Sand court': 16,
  'Range behind hall 2': 10,
  Track: 60,
};
/** The pools are in a house of their own. No such streets exist. */
const addressOf = (place: string) =>
  `${place.includes('pool') ? '3 Rua do Poço Novo' : '12 Alameda dos Plátanos'}, Lisbon`;

/** The class of coach@rally.test that also meets on the day of the first start. */
const meetsToday = 'Soccer Goalkeepers';

/** Adds places, one holiday, and the meetings of the classes: by their names. */
export async function addDates(
  db: Db,
  added: readonly { id: string; demo: DemoClass }[],
): Promise<void> {
  const [academy] = await query<{ today: string }>(db)`select ${academyToday}::text as today`;
  const today = academy?.today ?? '';
  const from = addDays(today, 8 - weekdayOf(today));
  const holiday = addDays(from, 23); // Wednesday of the fourth week
  await execute(db)`insert into closure (name, first_day, last_day)
    values ('Founders’ Day', ${holiday}, ${holiday})`;
  const known = Object.entries(places).map(([name, capacity]) => ({
    name,
    capacity,
    address: addressOf(name),
  }));
  await db.insertInto('place').values(known).execute();
  for (const { id, demo } of added) {
    if (!demo.meets) continue;
    const { starts, minutes } = demo.meets;
    const except = [{ firstDay: holiday, lastDay: holiday }];
    const slots = weekly({ ...demo.meets, from, until: addDays(from, weeks * 7 - 1), except });
    if (demo.name === meetsToday) slots.unshift({ day: today, starts, minutes });
    await addMeetings(db, id, demo, slots);
  }
}

/** What an admin of the demo has planned meanwhile has its place. */
const addMeetings = (db: Db, id: string, demo: DemoClass, slots: readonly Slot[]) =>
  execute(db)`
    insert into meeting (class_id, instructor_id, place_id, day, starts, minutes, state, changed_at)
    select class.id, class.instructor_id, place.id, w.day, w.starts, w.minutes,
      ${demo.status === 'pending' ? 'proposed' : 'on'}, ${plannedAt}
    from class join place on place.name = ${demo.place}
    cross join jsonb_to_recordset(${JSON.stringify(slots)}::jsonb) as w (day date, starts time, minutes integer)
    where class.id = ${id} and (class.status = 'pending' or not exists (select from meeting other
      where other.day = w.day and (other.place_id = place.id or other.instructor_id = class.instructor_id)
        and (other.starts, other.minutes * interval '1 minute') overlaps (w.starts, w.minutes * interval '1 minute')))`;

/** Every day the demo has eight weeks to come: what is missing is added. Nothing is sold or mailed. */
export async function keepDates({ system }: Pick<Database, 'system'>): Promise<void> {
  await system([], async (db) => {
    await lockPlan(db);
    const dated = await query<{ id: string; name: string; last: string; today: string }>(db)`
      select class.id, class.name, max(meeting.day)::text as last, ${academyToday}::text as today
      from class join "user" coach on coach.id = class.instructor_id and coach.email like '%@rally.test'
        join meeting on meeting.class_id = class.id
      where class.status = 'approved' group by class.id`;
    const except = await query<{ firstDay: string; lastDay: string }>(db)`
      select first_day::text as "firstDay", last_day::text as "lastDay" from closure`;
    for (const { id, name, last, today } of dated) {
      const demo = classes.find((one) => one.name === name);
      const from = [addDays(last, 1), today].toSorted().at(-1) ?? today;
      const until = addDays(today, weeks * 7);
      if (demo?.meets && from <= until)
        await addMeetings(db, id, demo, weekly({ ...demo.meets, from, until, except }));
    }
  });
}

/** The sales of the demo are of the last 53 days (seed.ts). No date has changed since any of them. */
const plannedAt = sql`now() - interval '60 days'`;
