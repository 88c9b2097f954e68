import { expect, it } from 'vitest';
import { sql } from '../platform/db/connection.ts';
import { testApp } from '../testing/app.ts';
import { mayObject } from '../checkout/objections.ts';
import { open, seal } from '../people/care.ts';
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
  const rows = await app.db.selectFrom('class').selectAll().execute();
  const approved = rows.filter((row) => row.status === 'approved');
  expect(approved.length).toBeGreaterThanOrEqual(14);
  expect(new Set(approved.map((row) => row.sport)).size).toBeGreaterThan(8);
  expect(approved.filter((row) => row.sold === row.capacity)).toHaveLength(1);
  expect(approved.filter((row) => row.capacity - row.sold === 1).length).toBeGreaterThanOrEqual(1);
  expect(rows.filter((row) => row.status === 'pending')).toHaveLength(2);
  expect(
    rows.filter((row) => row.status === 'denied').map((row) => row.feedback.length > 20),
  ).toEqual([true]);
});

it('leaves balanced books: a sold seat is an enrolment', async () => {
  const sold = await app.db
    .selectFrom('class')
    .select((all) => all.fn.sum<string>('sold').as('n'))
    .executeTakeFirstOrThrow();
  const enrolled = await app.db
    .selectFrom('enrolment')
    .select((all) => all.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  expect(Number(sold.n)).toBe(enrolled.n);
  expect(enrolled.n).toBeGreaterThan(50);
});

it('has eight weeks of dates, and a holiday without meetings', async () => {
  const { rows } = await sql<{ name: string; status: string; dates: boolean; weeks: number }>`
    select name, status, ends_at is not null as dates, (last_day - first_day) / 7 as weeks
    from class order by name`.execute(app.db);
  const offered = rows.filter(({ status }) => status === 'approved');
  expect(offered.filter(({ dates }) => dates).length / offered.length).toBeGreaterThan(0.6);
  expect(offered.some(({ dates }) => !dates)).toBe(true);
  expect(rows.find(({ name }) => name === 'First Touch Soccer')?.weeks).toBe(7);
  const closed = await sql`select from meeting join closure on day between first_day and last_day
    where state = 'on'`.execute(app.db);
  expect(closed.rows).toHaveLength(0);
});

it('has a parent with two children, one with a class today', async () => {
  const { rows } = await sql<{ name: string; fits: boolean; today: boolean }>`
    select child.name, date_part('year', age(class.first_day, child.born)) between class.min_age and class.max_age as fits,
      exists (select from meeting where class_id = class.id and day = (now() at time zone coalesce(time_zone, 'UTC'))::date) as today
    from "user" join guardian on user_id = "user".id join participant child on child.id = guardian.participant_id and self_of is null
      join enrolment on enrolment.participant_id = child.id join class on class.id = enrolment.class_id cross join academy
    where "user".email = 'parent@rally.test' order by child.name`.execute(app.db);
  expect(rows).toMatchObject([
    { name: 'Leo Parent', fits: true, today: true },
    { name: 'Mia Parent', fits: true },
  ]);
});

it('has no date that changed after a family paid', async () => {
  const { rows } = await sql`select from enrolment where ${mayObject}`.execute(app.db);
  expect(rows).toHaveLength(0);
});

it('has care facts of one child, sealed', async () => {
  const rows = await app.db.selectFrom('care').selectAll().execute();
  const facts = rows.map((row) => open(app.config.careKeys, row));
  expect(facts).toMatchObject([{ allergies: expect.stringContaining('Peanuts') }]);
});
