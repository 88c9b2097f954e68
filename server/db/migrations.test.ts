// Migrations that fill columns of existing rows, run on rows of the schema before them.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, inject, it } from 'vitest';
import { createDatabase, dropDatabase } from '../testing/postgres.ts';

const folder = join(import.meta.dirname, 'migrations');
const server = inject('postgres');
const name = `rally_t_${process.ppid}_${process.pid}_migrations`;

const client = new Client({ connectionString: await createDatabase(server, name) });
await client.connect();
afterAll(async () => {
  await client.end();
  await dropDatabase(server, name);
});

it('0009 keeps what students of a class see, and dates its review from the day it was added', async () => {
  const files = (await readdir(folder)).toSorted();
  for (const file of files.filter((file) => file < '0009'))
    await client.query(await readFile(join(folder, file), 'utf8'));
  await client.query(`
    with coach as (insert into "user" (name, email, role) values ('Coach', 'coach@example.com', 'instructor') returning id)
    insert into class (instructor_id, instructor, name, img, schedule, place, price_cents, capacity, sold, status, created_at)
    select coach.id, 'Coach', row.name, '/x.webp', 'Mon 16:00', 'Court 1', 1000, 5, row.sold, row.status, '2026-01-02T03:04:05Z'
    from coach, (values ('a', 'approved', 0), ('b', 'pending', 0), ('c', 'pending', 2), ('d', 'denied', 0)) row (name, status, sold)`);
  const ninth = files.find((file) => file.startsWith('0009')) ?? '';
  await client.query(await readFile(join(folder, ninth), 'utf8'));
  const { rows } = await client.query(`
    select name, version, handed_in_at = '2026-01-02T03:04:05Z' as since, changed, approved ->> 'schedule' as schedule, approved ->> 'name' as approved
    from class order by name`);
  const old = { version: 1, since: true, changed: [] };
  expect(rows).toEqual([
    { name: 'a', ...old, schedule: 'Mon 16:00', approved: 'a' },
    { name: 'b', ...old, schedule: null, approved: null },
    { name: 'c', ...old, schedule: 'Mon 16:00', approved: 'c' },
    { name: 'd', ...old, schedule: null, approved: null },
  ]);
});

it('0010 turns two-step sign-in off where no factor is stored, and leaves it on elsewhere', async () => {
  await client.query(`
    insert into "user" (name, email, two_factor_enabled) values ('Out', 'out@example.com', true), ('In', 'in@example.com', true);
    insert into two_factor (user_id, secret, backup_codes) select id, 'x', 'x' from "user" where name = 'In'`);
  const tenth = (await readdir(folder)).find((file) => file.startsWith('0010')) ?? '';
  await client.query(await readFile(join(folder, tenth), 'utf8'));
  const { rows } = await client.query(
    `select name, two_factor_enabled as on from "user" where name in ('In', 'Out') order by name`,
  );
  expect(rows).toEqual([
    { name: 'In', on: true },
    { name: 'Out', on: false },
  ]);
});

it('0011 computes the free seats of existing classes, keeps them current, and sells only approved classes', async () => {
  await client.query(`update class set held = 1, sold = 2 where name in ('a', 'c')`);
  const eleventh = (await readdir(folder)).find((file) => file.startsWith('0011')) ?? '';
  await client.query(await readFile(join(folder, eleventh), 'utf8'));
  const seats = async () =>
    (await client.query('select name, free, on_sale(class) from class order by name')).rows;
  expect(await seats()).toEqual([
    { name: 'a', free: 2, on_sale: true },
    { name: 'b', free: 5, on_sale: false },
    { name: 'c', free: 2, on_sale: false },
    { name: 'd', free: 5, on_sale: false },
  ]);
  await client.query(`update class set held = 0, sold = 3, capacity = 7 where name = 'a'`);
  expect((await seats())[0]).toEqual({ name: 'a', free: 4, on_sale: true });
});

it('0013 keeps the one proven factor of an account, and turns two-step sign-in off where none is', async () => {
  await client.query(`
    insert into "user" (name, email) select n, md5(n) || '@example.com'
      from unnest(array['One', 'Mixed', 'Unproven', 'Twice', 'Begun', 'Begun twice']) n;
    insert into session (user_id, token, expires_at) select id, name, now() + interval '1 day' from "user"
      where name in ('One', 'Mixed', 'Unproven', 'Twice', 'Begun', 'Begun twice');
    insert into two_factor (user_id, secret, backup_codes, verified) select id, f.secret, 'x', f.verified
      from "user" join (values ('One', 'a', true), ('Mixed', 'b', true), ('Mixed', 'c', false), ('Unproven', 'd', false),
        ('Twice', 'e', true), ('Twice', 'f', null), ('Begun', 'g', false), ('Begun twice', 'h', false), ('Begun twice', 'i', false)
      ) f (name, secret, verified) using (name);
    update "user" set two_factor_enabled = true where name in ('One', 'Mixed', 'Unproven', 'Twice')`);
  const thirteenth = (await readdir(folder)).find((file) => file.startsWith('0013')) ?? '';
  await client.query(await readFile(join(folder, thirteenth), 'utf8'));
  const { rows } = await client.query(`
    select u.name, u.two_factor_enabled as on, array_remove(array_agg(f.secret), null) as factors,
      exists (select from session where user_id = u.id) as session
    from "user" u left join two_factor f on f.user_id = u.id
    where u.name in ('One', 'Mixed', 'Unproven', 'Twice', 'Begun', 'Begun twice') group by u.id order by u.name`);
  expect(rows).toEqual([
    { name: 'Begun', on: false, factors: ['g'], session: true },
    { name: 'Begun twice', on: false, factors: [], session: false },
    { name: 'Mixed', on: true, factors: ['b'], session: false },
    { name: 'One', on: true, factors: ['a'], session: true },
    { name: 'Twice', on: false, factors: [], session: false },
    { name: 'Unproven', on: false, factors: [], session: true },
  ]);
});

it('0014 numbers existing payments in order of time, and new ones after them', async () => {
  const pay = (intent: string, date: string) =>
    client.query(
      `with student as (select id from "user" where name = 'One'),
        bought as (insert into hold (student_id, class_id, amount_cents, slot, state)
          select student.id, class.id, 1000, 1, 'consumed' from student, class where class.name = 'a' returning *)
      insert into payment (hold_id, intent_id, student_id, class_id, email, customer, item_name, amount_cents, currency, status, date)
      select id, $1, student_id, class_id, 'one@example.com', 'One', 'a', 1000, 'usd', 'succeeded', $2 from bought`,
      [intent, date],
    );
  await pay('pi_late', '2026-03-01T12:00:00Z');
  await pay('pi_early', '2025-12-31T23:30:00Z');
  const fourteenth = (await readdir(folder)).find((file) => file.startsWith('0014')) ?? '';
  await client.query(await readFile(join(folder, fourteenth), 'utf8'));
  await pay('pi_new', '2026-04-01T12:00:00Z');
  const { rows } = await client.query(
    'select intent_id, receipt_number from payment order by number',
  );
  expect(rows).toEqual([
    { intent_id: 'pi_early', receipt_number: 'R-2025-000001' },
    { intent_id: 'pi_late', receipt_number: 'R-2026-000002' },
    { intent_id: 'pi_new', receipt_number: 'R-2026-000003' },
  ]);
});

it('0015 adds up the payments and the seats that are there', async () => {
  await client.query(`
    with held as (
      insert into hold (student_id, class_id, amount_cents, state, slot, intent_id)
      select "user".id, class.id, 1000, 'consumed', 1, 'pi_' || class.name from "user", class where "user".name = 'In' returning *)
    insert into payment (hold_id, intent_id, student_id, class_id, email, customer, item_name, amount_cents, currency, status, date)
    select id, intent_id, student_id, class_id, '', '', '', 1000, 'usd',
      case intent_id when 'pi_a' then 'refunded' else 'succeeded' end, '2026-01-02T23:30:00Z' from held`);
  const fifteenth = (await readdir(folder)).find((file) => file.startsWith('0015')) ?? '';
  await client.query(await readFile(join(folder, fifteenth), 'utf8'));
  const { rows } = await client.query(`
    select (select json_agg(t) from (select day, sum(n) as n, sum(cents) as cents from takings where day = '2026-01-02' group by day) t) as takings,
      sum(sold)::int = (select sum(sold) from class) as sold,
      sum(unsold)::int = (select sum(capacity - sold) from class where status = 'approved') as unsold
    from seat_sum`);
  expect(rows).toEqual([
    {
      takings: [{ day: '2026-01-02', n: 3, cents: 3000 }],
      sold: true,
      unsold: true,
    },
  ]);
});

it('0018 reads ages into ranges, keeps the lists, and lets a class be found by age and synonym', async () => {
  const files = (await readdir(folder)).toSorted();
  for (const file of files.filter((file) => file > '0016' && file < '0018'))
    await client.query(await readFile(join(folder, file), 'utf8'));
  await client.query(`
    insert into class (instructor_id, instructor, name, img, sport, ages, price_cents, capacity, status)
    select id, name, 'ages ' || row.ages, '/x.webp', 'Soccer', row.ages, 1000, 5, 'approved'
    from "user", (values ('6–8 years'), ('8 to 12'), ('16 years and older'), ('Everyone'), ('12–6')) row (ages) where name = 'Coach'`);
  await client.query(await readFile(join(folder, '0018_time.sql'), 'utf8'));
  const { rows } = await client.query(
    `select ages, min_age, max_age, shelf, words @@ '7' as seven, words @@ 'football' as football from class where sport = 'Soccer' order by name`,
  );
  const kept = { shelf: 'approved', football: true };
  expect(rows).toEqual([
    { ages: '12–6', min_age: null, max_age: null, seven: false, ...kept },
    { ages: '16 years and older', min_age: 16, max_age: null, seven: false, ...kept },
    { ages: '6–8 years', min_age: 6, max_age: 8, seven: true, ...kept },
    { ages: '8 to 12', min_age: 8, max_age: 12, seven: false, ...kept },
    { ages: 'Everyone', min_age: null, max_age: null, seven: false, ...kept },
  ]);
  const { rows: tallied } = await client.query(
    `select (select sum(n)::int from tally where kind = 'class') as tallied, (select count(*)::int from class) as counted`,
  );
  expect(tallied[0]).toEqual({ tallied: tallied[0].counted, counted: tallied[0].counted });
});

it('0019 makes everybody their own participant, for whom they bought what they have', async () => {
  await client.query(`
    insert into "user" (name, email) values ('Deleted user', 'deleted-1@deleted.invalid');
    insert into cart_item (student_id, class_id, seen_price_cents)
      select "user".id, class.id, 1000 from "user", class where "user".name = 'One' and class.name = 'b';
    insert into enrolment (payment_id, student_id, class_id)
      select id, student_id, class_id from payment where intent_id = 'pi_c'`);
  await client.query(await readFile(join(folder, '0019_participants.sql'), 'utf8'));
  const { rows } = await client.query(`
    select (select count(*)::int from "user" u where not exists (
        select from participant p where p.id = u.id and p.self_of = u.id and p.name = u.name)) as without,
      (select json_agg(name) from participant where id not in (select participant_id from guardian)) as unguarded,
      (select json_agg(name) from participant where erased_at is not null) as erased,
      (select count(*)::int from (
        select student_id, participant_id from cart_item union all select student_id, participant_id from hold
        union all select student_id, participant_id from enrolment) row
        where student_id = participant_id) as rows`);
  expect(rows[0]).toEqual({
    without: 0,
    unguarded: ['Deleted user'],
    erased: ['Deleted user'],
    rows: 1 + 7 + 1,
  });
});

it('0019 keeps the participant of an account: made with it, renamed with it, gone with it', async () => {
  const self = async () =>
    (
      await client.query(
        `select p.name, g.user_id = p.id as guarded from participant p left join guardian g on g.participant_id = p.id where p.name like 'New%'`,
      )
    ).rows;
  await client.query(`insert into "user" (name, email) values ('New', 'new@example.com')`);
  expect(await self()).toEqual([{ name: 'New', guarded: true }]);
  await client.query(`update "user" set name = 'Newer' where email = 'new@example.com'`);
  expect(await self()).toEqual([{ name: 'Newer', guarded: true }]);
  await client.query(`delete from "user" where email = 'new@example.com'`);
  expect(await self()).toEqual([]);
});
