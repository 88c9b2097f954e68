import { expect, it } from 'vitest';
import { execute, query, queryOne } from '../platform/db/connection.ts';
import { testApp } from '../testing/app.ts';
import { mayObject } from '../checkout/objections.ts';
import { open, seal } from '../people/care.ts';
import { keepDates } from './dates.ts';
import { hasDemoAccounts, seed } from './seed.ts';

const app = await testApp();
const plain = (password: string) => Promise.resolve(`$argon2id$ of ${password}`);

it('fills an empty database once, also when called at once', async () => {
  const sealed = seal.bind(null, app.config.careKeys);
  const once = () => seed(app, plain, sealed);
  expect(await hasDemoAccounts(app.db)).toBe(false);
  const written = await Promise.all([once(), once(), once()]);
  expect(written.filter(Boolean)).toHaveLength(1);
  expect(await hasDemoAccounts(app.db)).toBe(true);
});

it('has classes in every state', async () => {
  const counts = await query(app.db)`
    select status, count(*) filter (where free = 0)::int as full, bool_or(free = 1) as nearly, bool_and(feedback <> '') as why
    from class group by status order by status`;
  expect(counts).toEqual([
    { status: 'approved', full: 1, nearly: true, why: false },
    { status: 'denied', full: 0, nearly: false, why: true },
    { status: 'pending', full: 0, nearly: false, why: false },
  ]);
});

it('leaves balanced books: a sold seat is an enrolment', async () => {
  const sums = await queryOne(
    app.db,
  )`select n > 50 as many, n = (select sum(sold) from class) as same
    from (select count(*) as n from enrolment) enrolled`;
  expect(sums).toEqual({ many: true, same: true });
});

it('has eight weeks of dates, and a holiday without meetings', async () => {
  const [dated, undated] = await query<{ n: number; weeks: number | null }>(app.db)`
    select count(*)::int as n, min((last_day - first_day) / 7) as weeks
    from class where status = 'approved' group by ends_at is null order by ends_at is null`;
  expect(dated?.weeks).toBe(7);
  expect(dated?.n).toBeGreaterThan(undated?.n ?? Infinity);
  const closed = await query(app.db)`
    select from meeting join closure on day between first_day and last_day where state = 'on'`;
  expect(closed).toEqual([]);
});

it('adds the weeks that have passed, and sells nothing', async () => {
  const read = () =>
    queryOne<{ weeks: number; sold: number; jobs: number }>(app.db)`
      select (max(last_day) - (now() at time zone 'UTC')::date) / 7 as weeks, sum(sold)::int as sold,
        (select count(*)::int from pgboss.job) as jobs
      from class where status = 'approved'`;
  const before = await read();
  await execute(app.db)`delete from meeting where day > now() + interval '20 days'`;
  expect((await read())?.weeks).toBe(2);
  await keepDates(app);
  expect(await read()).toEqual({ ...before, weeks: 8 });
});

it('has a parent with two children, one with a class today', async () => {
  const rows = await query(app.db)`
    select child.name, date_part('year', age(class.first_day, child.born)) between class.min_age and class.max_age as fits,
      exists (select from meeting where class_id = class.id and day = (now() at time zone coalesce(time_zone, 'UTC'))::date) as today
    from "user" join guardian on user_id = "user".id join participant child on child.id = guardian.participant_id and self_of is null
      join enrolment on enrolment.participant_id = child.id join class on class.id = enrolment.class_id cross join academy
    where "user".email = 'parent@rally.test' order by child.name`;
  expect(rows).toMatchObject([
    { name: 'Leo Parent', fits: true, today: true },
    { name: 'Mia Parent', fits: true },
  ]);
});

it('has no date that changed after a family paid', async () => {
  expect(await query(app.db)`select from enrolment where ${mayObject}`).toEqual([]);
});

it('has care facts of one child, sealed', async () => {
  const rows = await app.db.selectFrom('care').selectAll().execute();
  const facts = rows.map((row) => open(app.config.careKeys, row));
  expect(facts).toMatchObject([{ allergies: expect.stringContaining('Peanuts') }]);
});
