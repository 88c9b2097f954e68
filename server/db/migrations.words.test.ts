// Migration 0034 on classes of the schema before it: the words of their dates and places.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, inject, it } from 'vitest';
import { createDatabase, dropDatabase } from '../testing/postgres.ts';

const folder = join(import.meta.dirname, 'migrations');
const server = inject('postgres');
const name = `rally_t_${process.ppid}_${process.pid}_words`;

const client = new Client({ connectionString: await createDatabase(server, name) });
await client.connect();
afterAll(async () => {
  await client.end();
  await dropDatabase(server, name);
});

const run = async (file: string) => client.query(await readFile(join(folder, file), 'utf8'));
const classes = async () => (await client.query('select * from class order by name')).rows;

const range = ' · 17 Nov 2026 – 14 Jan 2027';
const weekly = `Tue, Thu · 16:00–17:30${range}`;
const asWeekly = `Tue, Thu · 16:00–17:30; Thu · 07:00–08:30${range}`;
const withDay = `Tue, Thu · 16:00–17:30; Thu 26 Nov · 07:00–08:30${range}`;

it('0034 names the single meetings of existing classes and changes nothing else', async () => {
  const files = (await readdir(folder)).toSorted();
  for (const file of files.filter((file) => file < '0034')) await run(file);
  await client.query(`
    insert into place (name, capacity) values ('North field', 20), ('North field, small goals', 20);
    insert into "user" (name, email, role) values ('Coach', 'coach@example.com', 'instructor');
    insert into class (instructor_id, instructor, name, img, price_cents, capacity, status, place)
      select id, 'Coach', unnest(array['moved', 'waiting', 'weekly', 'without dates']), '/x.webp', 1000, 5, 'approved', 'Here'
      from "user";
    insert into meeting (class_id, instructor_id, place_id, day, starts, minutes, zone)
      select class.id, instructor_id, place.id, day, '16:00', 90, 'UTC'
      from class, place, generate_series('2026-11-17'::date, '2027-01-14', '1 day') day
      where class.name <> 'without dates' and place.name = 'North field' and extract(isodow from day) in (2, 4);
    update meeting set starts = '07:00', place_id = (select id from place where name like '%goals')
      from class where class.id = class_id and class.name in ('moved', 'waiting') and day = '2026-11-26';
    update class set approved = jsonb_build_object('name', name, 'schedule', schedule, 'place', place);
    update class set approved = approved || '{"schedule": "Mondays", "place": "There"}', status = 'pending'
      where name = 'waiting'`);
  const before = await classes();
  expect(before.map(({ schedule }) => schedule)).toEqual([asWeekly, asWeekly, weekly, '']);

  await run('0034_single_meetings.sql');
  const after = await classes();
  const both = 'North field / North field, small goals';
  expect(after.map(({ schedule, place }) => [schedule, place])).toEqual([
    [withDay, both],
    [withDay, both],
    [weekly, 'North field'],
    ['', 'Here'],
  ]);
  expect(after.map(({ approved }) => approved)).toEqual([
    { name: 'moved', schedule: withDay, place: both },
    { name: 'waiting', schedule: 'Mondays', place: 'There' },
    { name: 'weekly', schedule: weekly, place: 'North field' },
    { name: 'without dates', schedule: '', place: 'Here' },
  ]);
  const others = (rows: typeof after) =>
    rows.map(({ schedule: _s, place: _p, approved: _a, words: _w, ...rest }) => rest);
  expect(others(after)).toEqual(others(before));
});

it('0034 keeps the words current: the meeting that moves back is weekly again', async () => {
  await client.query(`
    update meeting set starts = '16:00', place_id = (select id from place where name = 'North field')
    where starts = '07:00'`);
  const [moved] = await classes();
  expect([moved.schedule, moved.place]).toEqual([weekly, 'North field']);
  await client.query(`update meeting set state = 'cancelled'`);
  expect((await classes()).map(({ schedule }) => schedule)).toEqual([weekly, weekly, weekly, '']);
  await client.query('delete from meeting');
  expect((await classes()).map(({ schedule }) => schedule)).toEqual(['', '', '', '']);
});
