// A weekly class keeps its wall-clock time over every change of the clocks, and lasts its real
// minutes: what PostgreSQL computes is compared with Intl, which has its own rules of the zones.
// `npm run proofs -- zones` asks about every zone that Intl knows, 2026–2036.
import { expect, it } from 'vitest';
import { addDays } from '../contract/days.ts';
import { sql } from '../server/db/connection.ts';
import { asRows, during } from '../server/features/classes/conflicts.ts';
import { testApp } from '../server/testing/app.ts';
import { aClass } from '../server/testing/factories.ts';
import { lengthOf } from '../server/testing/length.ts';

const app = await testApp();
const klass = await aClass(app, { status: 'pending' });

/** Half an hour, at midnight, backwards, in the south, without changes, far from UTC. */
const strange = `Europe/Lisbon Australia/Lord_Howe Asia/Beirut Europe/Dublin America/Santiago
  Asia/Kolkata Pacific/Chatham America/New_York Africa/Cairo America/Havana Pacific/Kiritimati
  Antarctica/Troll`.split(/\s+/);
const all = Intl.supportedValuesOf('timeZone');
const zones = [...strange, ...all.filter((zone) => !strange.includes(zone))].slice(0, lengthOf(12));
const starts = ['00:00', '00:30', '01:30', '02:00', '02:15', '02:45', '03:30', '09:00', '23:30'];
const minutes = 90;

type Wall = (instant: number) => string;

/** 'YYYY-MM-DD HH:MM' in the zone, by Intl. */
function wallOf(timeZone: string): Wall {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (instant) => format.format(instant);
}

const asUtc = (wall: string) => Date.parse(`${wall.replace(' ', 'T')}:00Z`);
const dayMs = 86_400_000;

/** The days around every change of the clocks, and one in each quarter. */
function daysOf(wall: Wall): string[] {
  const days = new Set<string>();
  const offsetAt = (instant: number) => asUtc(wall(instant)) - instant;
  for (let at = Date.UTC(2026, 0, 1, 12); at < Date.UTC(2037, 0, 1); at += dayMs) {
    const day = new Date(at).toJSON().slice(0, 10);
    const isQuarter = /-(01|04|07|10)-15$/.test(day);
    if (isQuarter) days.add(day);
    if (offsetAt(at) === offsetAt(at + dayMs)) continue;
    for (const near of [-7, -1, 0, 1, 2, 7]) days.add(addDays(day, near));
  }
  return [...days];
}

/** Whether no instant is shown as this wall-clock time: the clocks jump over it. */
function isSkipped(wall: Wall, shown: string): boolean {
  const near = asUtc(shown);
  const offsets = [-dayMs, 0, dayMs].map((by) => asUtc(wall(near + by)) - (near + by));
  return offsets.every((offset) => wall(near - offset) !== shown);
}

interface Found {
  day: string;
  starts: string;
  from: number;
  until: number;
  same: boolean;
  inGap: boolean;
}

/** As PostgreSQL stores them: what the trigger of `meeting` writes. */
async function stored(zone: string, days: string[]): Promise<Found[]> {
  const rows = days.flatMap((day) => starts.map((time) => ({ day, starts: time, minutes })));
  const undo = new Error('undo');
  let found: Found[] = [];
  await app
    .transaction(async (db) => {
      await sql`set local statement_timeout = '1min'`.execute(db);
      await sql`update academy set time_zone = ${zone}`.execute(db);
      await sql`insert into meeting (class_id, instructor_id, day, starts, minutes)
        select ${klass.id}, ${klass.instructorId}, w.day, w.starts, w.minutes
        from ${asRows(rows)}`.execute(db);
      const read = await sql<Found>`
        select w.day::text as day, to_char(w.starts, 'HH24:MI') as starts, w.during = ${during} as same,
          extract(epoch from lower(w.during))::float8 * 1000 as "from",
          extract(epoch from upper(w.during))::float8 * 1000 as until,
          (w.day + w.starts) at time zone ${zone}::text at time zone ${zone}::text <> w.day + w.starts as "inGap"
        from meeting w where class_id = ${klass.id}`.execute(db);
      found = read.rows;
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return found;
}

/** Where PostgreSQL and Intl do not say the same, in words. */
function differences(wall: Wall, found: Found[]): string[] {
  return found.flatMap(({ day, starts: time, from, until, same, inGap }) => {
    const shown = `${day} ${time}`;
    if (!same) return [`${shown}: the question of clashes computes another instant`];
    if (until - from !== minutes * 60_000) return [`${shown}: lasts ${until - from} ms`];
    if (inGap !== isSkipped(wall, shown)) return [`${shown}: in the gap for one of them only`];
    return inGap || wall(from) === shown ? [] : [`${shown}: is shown as ${wall(from)}`];
  });
}

it(
  `keeps the wall clock and the real minutes in ${zones.length} zones, 2026–2036`,
  { timeout: 1_800_000 },
  async () => {
    const wrong = new Map<string, string[]>();
    let meetings = 0;
    let gaps = 0;
    for (const zone of zones) {
      const wall = wallOf(zone);
      const found = await stored(zone, daysOf(wall));
      meetings += found.length;
      gaps += found.filter(({ inGap }) => inGap).length;
      const told = differences(wall, found);
      if (told.length > 0) wrong.set(zone, told);
    }
    process.stdout.write(
      `${meetings} meetings in ${zones.length} zones, ${gaps} in a gap; left out: ${
        [...wrong].map(([zone, [first]]) => `${zone} (${first})`).join(', ') || 'none'
      }\n`,
    );
    expect(gaps).toBeGreaterThan(0);
    // The two may know different versions of the rules of a few zones.
    expect(wrong.size).toBeLessThanOrEqual(zones.length * 0.05);
    expect([...wrong.values()].flat().filter((words) => /lasts|question/.test(words))).toEqual([]);
  },
);

it('notices a class that repeats every 168 hours instead: the control', () => {
  const wall = wallOf('Europe/Lisbon');
  const first = Date.UTC(2027, 2, 22, 16); // Monday 16:00, a week before the change
  const found = [0, 1].map((week) => {
    const from = first + week * 7 * dayMs;
    const day = addDays('2027-03-22', week * 7);
    return { day, starts: '16:00', from, until: from + 5_400_000, same: true, inGap: false };
  });
  expect(differences(wall, found)).toEqual(['2027-03-29 16:00: is shown as 2027-03-29 17:00']);
});
