// A weekly class keeps its wall-clock time over every change of the clocks, as Intl knows them.
import { expect, it } from 'vitest';
import { testApp } from '../testing/app.ts';
import { aClass } from '../testing/factories.ts';

const app = await testApp();
const klass = await aClass(app, { status: 'pending' });

/** Half an hour, at midnight, backwards, in the south, without changes, far from UTC. */
const zones = `Europe/Lisbon Australia/Lord_Howe Asia/Beirut Europe/Dublin America/Santiago
  Asia/Kolkata Pacific/Chatham America/New_York Africa/Cairo America/Havana Pacific/Kiritimati
  Antarctica/Troll`.split(/\s+/);

/** 'YYYY-MM-DD HH:MM' in the zone, by Intl. */
function shownIn(timeZone: string) {
  const styles = { dateStyle: 'short', timeStyle: 'short' } as const;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, ...styles });
  return (instant: number) => format.format(instant);
}

/** On every Sunday of 2027, at hours over which no clock jumps. */
async function sundaysIn(zone: string) {
  await app.pool.query('delete from meeting');
  await app.pool.query('update academy set time_zone = $1', [zone]);
  const { rows } = await app.pool.query<{ wall: string; begins: number; minutes: number }>(
    `with weekly as (
       insert into meeting (class_id, instructor_id, day, starts, minutes)
       select $1, $2, date '2027-01-03' + 7 * week, starts, 90
       from generate_series(0, 51) week, unnest(array['04:00', '16:00', '23:30']::time[]) starts
       returning day, starts, during)
     select concat_ws(' ', day, to_char(starts, 'HH24:MI')) as wall,
       extract(epoch from lower(during))::float8 * 1000 as begins,
       extract(epoch from upper(during) - lower(during))::float8 / 60 as minutes
     from weekly order by starts, day`,
    [klass.id, klass.instructorId],
  );
  return rows;
}

it.each(zones)('a weekly class keeps its hour in %s', async (zone) => {
  const shown = shownIn(zone);
  const meetings = await sundaysIn(zone);
  expect(meetings).toHaveLength(3 * 52);
  expect(meetings.map(({ begins }) => shown(begins))).toEqual(meetings.map(({ wall }) => wall));
  expect([...new Set(meetings.map(({ minutes }) => minutes))]).toEqual([90]);
});

it('control: every 168 hours is another hour in summer', async () => {
  const shown = shownIn('Europe/Lisbon');
  const [first, ...later] = (await sundaysIn('Europe/Lisbon')).slice(0, 52);
  const moved = later.filter(
    ({ wall }, week) => shown((first?.begins ?? 0) + (week + 1) * 604_800_000) !== wall,
  );
  expect(moved).toHaveLength(31);
});
