// The places, the holiday and the dates of the demo academy: eight weeks from next Monday.
import { addDays, weekdayOf } from '../../contract/platform/days.ts';
import { weekly } from '../../contract/classes/slots.ts';
import { type Db, execute, query, sql } from '../platform/db/connection.ts';
import { today as academyToday } from '../platform/db/zone.ts';
import type { DemoClass } from './academy.ts';

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
  classes: readonly { id: string; demo: DemoClass }[],
): Promise<void> {
  const [academy] = await query<{ today: string }>(db)`select ${academyToday}::text as today`;
  const today = academy?.today ?? '';
  const from = addDays(today, 8 - weekdayOf(today));
  const holiday = addDays(from, 23); // Wednesday of the fourth week
  await execute(db)`insert into closure (name, first_day, last_day)
    values ('Founders’ Day', ${holiday}, ${holiday})`;
  const added = Object.entries(places).map(([name, capacity]) => ({
    name,
    capacity,
    address: addressOf(name),
  }));
  await db.insertInto('place').values(added).execute();
  for (const { id, demo } of classes) {
    if (!demo.meets) continue;
    const { starts, minutes } = demo.meets;
    const except = [{ firstDay: holiday, lastDay: holiday }];
    const slots = weekly({ ...demo.meets, from, until: addDays(from, 55), except });
    if (demo.name === meetsToday) slots.unshift({ day: today, starts, minutes });
    const state = demo.status === 'pending' ? 'proposed' : 'on';
    await execute(db)`
      insert into meeting (class_id, instructor_id, place_id, day, starts, minutes, state, changed_at)
      select class.id, class.instructor_id, place.id, w.day, w.starts, w.minutes, ${state}, ${plannedAt}
      from class join place on place.name = ${demo.place}
      cross join jsonb_to_recordset(${JSON.stringify(slots)}::jsonb) as w (day date, starts time, minutes integer)
      where class.id = ${id}`;
  }
}

/** The sales of the demo are of the last 53 days (seed.ts). No date has changed since any of them. */
const plannedAt = sql`now() - interval '60 days'`;
