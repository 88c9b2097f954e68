// The places, the holiday and the dates of the demo academy: eight weeks from next Monday.
import { agesFromWords } from '../../contract/people/ages.ts';
import type { Level } from '../../contract/classes/classes.ts';
import { addDays, weekdayOf } from '../../contract/platform/days.ts';
import { type Slot, weekly } from '../../contract/classes/slots.ts';
import { type Db, sql } from '../platform/db/connection.ts';
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

interface Dates {
  weekdays: number[];
  starts: string;
  minutes: number;
  level?: Level;
  bring?: string;
}

const everyDay = [1, 2, 3, 4, 5, 6, 7];

/** By the name of the class. The others have words only. */
const dates: Record<string, Dates> = {
  'First Touch Soccer': {
    weekdays: [1, 3, 5],
    starts: '09:00',
    minutes: 90,
    level: 'beginner',
    bring: 'Shin guards, a water bottle and shoes for grass.',
  },
  'Soccer Goalkeepers': { weekdays: [2, 4], starts: '16:00', minutes: 90, level: 'intermediate' },
  'Hoops for Beginners': {
    weekdays: [1, 2, 3, 4],
    starts: '10:45',
    minutes: 75,
    level: 'beginner',
  },
  'Three-on-Three League': { weekdays: [6], starts: '14:00', minutes: 180 },
  'Learn to Swim': {
    weekdays: everyDay,
    starts: '08:30',
    minutes: 45,
    level: 'beginner',
    bring: 'Swimwear, a towel and a cap. Goggles if you like them.',
  },
  'Stroke Clinic': { weekdays: [1, 3, 5], starts: '17:00', minutes: 60, level: 'advanced' },
  'Red Ball Tennis': { weekdays: [2, 4], starts: '09:00', minutes: 60, level: 'beginner' },
  'Table Tennis Club': { weekdays: [3], starts: '16:30', minutes: 120 },
  'Sunrise Yoga': { weekdays: everyDay, starts: '07:00', minutes: 45, bring: 'A warm layer.' },
  'Beach Volleyball': { weekdays: [2, 4], starts: '17:00', minutes: 90 },
  'Archery Basics': { weekdays: [6], starts: '10:00', minutes: 120, level: 'beginner' },
  'Run, Jump, Throw': { weekdays: [2, 4, 6], starts: '09:00', minutes: 60 },
  // Waits for approval, with its dates.
  'Futsal by Night': { weekdays: [5], starts: '20:00', minutes: 120, level: 'advanced' },
};

export const planned = ({ name, ages }: DemoClass) => {
  const { level = 'all', bring = '' } = dates[name] ?? {};
  return { level, bring, ...agesFromWords(ages) };
};

/** The class of coach@rally.test that also meets on the day of the first start. */
const meetsToday = 'Soccer Goalkeepers';

/** Adds places, one holiday, and the meetings of the classes: by their names. */
export async function addDates(
  db: Db,
  classes: readonly { id: string; demo: DemoClass }[],
): Promise<void> {
  const { rows } = await sql<{ today: string }>`
    select (now() at time zone coalesce(time_zone, 'UTC'))::date::text as today from academy`.execute(
    db,
  );
  const today = rows[0]?.today ?? '';
  const from = addDays(today, 8 - weekdayOf(today));
  const holiday = addDays(from, 23); // Wednesday of the fourth week
  await db
    .insertInto('closure')
    .values({ name: 'Founders’ Day', firstDay: holiday, lastDay: holiday })
    .execute();
  await db
    .insertInto('place')
    .values(
      Object.entries(places).map(([name, capacity]) => ({
        name,
        capacity,
        address: addressOf(name),
      })),
    )
    .execute();
  for (const { id, demo } of classes) {
    const plan = dates[demo.name];
    if (!plan) continue;
    const except = [{ firstDay: holiday, lastDay: holiday }];
    const slots = weekly({ ...plan, from, until: addDays(from, 55), except });
    if (demo.name === meetsToday)
      slots.unshift({ day: today, starts: plan.starts, minutes: plan.minutes });
    await addMeetings(db, { id, demo, slots });
  }
}

/** The sales of the demo are of the last 53 days (seed.ts). No date has changed since any of them. */
const plannedAt = sql`now() - interval '60 days'`;

async function addMeetings(
  db: Db,
  { id, demo, slots }: { id: string; demo: DemoClass; slots: Slot[] },
): Promise<void> {
  const state = demo.status === 'pending' ? 'proposed' : 'on';
  await sql`insert into meeting (class_id, instructor_id, place_id, day, starts, minutes, state, changed_at)
    select class.id, class.instructor_id, place.id, w.day, w.starts, w.minutes, ${state}, ${plannedAt}
    from class join place on place.name = ${demo.place}
    cross join jsonb_to_recordset(${JSON.stringify(slots)}::jsonb) as w (day date, starts time, minutes integer)
    where class.id = ${id}`.execute(db);
}
