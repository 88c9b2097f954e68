// Migration 0026 on holds, payments and refunds in every state of the version before.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createDatabase, dropDatabase } from '../testing/postgres.ts';

const folder = join(import.meta.dirname, 'migrations');
const server = inject('postgres');
const name = `rally_t_${process.ppid}_${process.pid}_baskets`;

const client = new Client({ connectionString: await createDatabase(server, name) });
await client.connect();
afterAll(async () => {
  await client.end();
  await dropDatabase(server, name);
});

const run = async (from: string, to: string) => {
  const files = (await readdir(folder)).toSorted();
  for (const file of files.filter((file) => file >= from && file < to))
    await client.query(await readFile(join(folder, file), 'utf8'));
};
const all = async (text: string) => (await client.query(text)).rows;
const found = async (word: string) =>
  (await all(`select from payment where words @@ to_tsquery('simple', '${word}')`)).length;

/** Status of a payment, state of its refund, whether it was ever enrolled, dispute. */
const payments = [
  ['pending', null, 'active', null],
  ['succeeded', null, 'active', null],
  ['refund_due', 'due', 'cancelled', null],
  ['refund_due', 'sent', null, null],
  ['refunded', 'succeeded', 'cancelled', null],
  ['refunded', 'succeeded', null, null],
  ['refund_failed', 'failed', 'cancelled', null],
  ['disputed', null, 'active', 'open'],
  ['refunded', null, 'cancelled', 'lost'],
] as const;

beforeAll(async () => {
  await run('0001', '0026');
  await client.query(`
    insert into "user" (name, email, role) values ('Coach', 'coach@example.com', 'instructor'), ('Sam', 'sam@example.com', 'student');
    insert into class (instructor_id, instructor, name, img, price_cents, capacity, status)
      select id, 'Coach', 'Class ' || n, '/x', 1000, 5, 'approved' from "user", generate_series(1, 20) n where "user".name = 'Coach'`);
  const { rows } = await client.query(
    `select (select id from "user" where name = 'Sam') as student, array_agg(id order by name) as classes from class`,
  );
  const { student, classes } = rows[0];
  for (const [place, state] of ['held', 'releasing', 'released'].entries())
    await client.query(
      `insert into hold (student_id, participant_id, class_id, amount_cents, slot, state, intent_id, attempt, reason)
       values ($1, $1, $2, 1000, $3, $4, 'pi_' || $4, 2, 'why')`,
      [student, classes[place], place + 1, state],
    );
  for (const [place, [status, refund, enrolled, dispute]] of payments.entries()) {
    const classId = classes[place + 5];
    const { rows: paid } = await client.query(
      `with bought as (
         insert into hold (student_id, participant_id, class_id, amount_cents, slot, state, intent_id)
         values ($1, $1, $2, 1000, 1, 'consumed', 'pi_' || $3) returning *)
       insert into payment (hold_id, intent_id, student_id, class_id, email, customer, item_name, amount_cents, currency, status, dispute)
       select id, intent_id, student_id, class_id, 'sam@example.com', 'Sam', 'Class', 1000, 'usd', $4, $5 from bought returning id`,
      [student, classId, String(place), status, dispute],
    );
    if (enrolled)
      await client.query(
        `insert into enrolment (payment_id, student_id, participant_id, class_id, state) values ($1, $2, $2, $3, $4)`,
        [paid[0].id, student, classId, enrolled],
      );
    if (refund)
      await client.query(
        `insert into refund (payment_id, amount_cents, reason, state) values ($1, 1000, 'x', $2)`,
        [paid[0].id, refund],
      );
  }
  await run('0026', '0027');
});

it('gives every hold a basket with its id, and keeps what its intent needs', async () => {
  expect(
    await all(`select hold.state, basket.state as basket, hold.basket_id = basket.id as inside, intent_id, attempt
      from hold join basket on basket.id = hold.id where hold.state <> 'consumed' order by hold.slot`),
  ).toEqual([
    { state: 'held', basket: 'open', inside: true, intent_id: 'pi_held', attempt: 2 },
    { state: 'releasing', basket: 'closing', inside: true, intent_id: 'pi_releasing', attempt: 2 },
    { state: 'released', basket: 'closed', inside: null, intent_id: 'pi_released', attempt: 2 },
  ]);
  expect(
    await all(`select count(*)::int as n from payment join basket on basket.id = basket_id
      where basket.state = 'paid' and basket.intent_id = payment.intent_id`),
  ).toEqual([{ n: payments.length }]);
});

it('gives every payment a line that adds up, to which its enrolment and its refund belong', async () => {
  expect(
    await all(`select payment.status, line.outcome, line.worth_cents as worth, line.back_cents as back,
        payment.back_cents as paid_back, enrolment.state, refund.state as refund
      from payment join payment_line line on line.payment_id = payment.id
      left join enrolment on enrolment.line_id = line.id left join refund on refund.line_id = line.id order by payment.number`),
  ).toEqual(
    payments.map(([status, refund, enrolled, dispute]) => {
      const back = refund || dispute === 'lost' ? 1_000 : 0;
      const outcome = enrolled ? 'enrolled' : 'refused';
      const state = enrolled ?? null;
      return { status, outcome, worth: 1_000, back, paid_back: back, state, refund };
    }),
  );
});

it('fills the ledger: what came and went by card, what was earned and what is owed', async () => {
  const sums = await all(`
    select account, sum(cents)::int as cents from (
      select debit as account, cents from ledger union all select credit, -cents from ledger) moved
    group by account order by account`);
  // Nine came, two were sent back and one was lost; three refunds are owed.
  expect(sums).toEqual([
    { account: 'card', cents: 6_000 },
    { account: 'owed', cents: -3_000 },
    { account: 'sales', cents: -3_000 },
  ]);
  expect(await all(`select sum(cents)::int as kept, sum(n)::int as n from takings`)).toEqual([
    { kept: 3_000, n: 3 },
  ]);
  expect(
    await all(
      `select count(*)::int as n from ledger where key like 'refused:%' and refund_id is null`,
    ),
  ).toEqual([{ n: 0 }]);
});

it('keeps the words of payments, follows their changes, and finds one without an intent', async () => {
  expect(await found('sam')).toBe(payments.length);
  const { rows } = await client.query(`
    with bought as (
      insert into basket (student_id, total_cents, state) select id, 0, 'paid' from "user" where name = 'Sam' returning *)
    insert into payment (basket_id, student_id, email, customer, item_name, amount_cents, currency, status)
    select id, student_id, 'free@example.com', 'Sam', 'Gift', 0, 'usd', 'succeeded' from bought returning id, number, date`);
  expect(await found('gift')).toBe(1);
  const { id, number, date } = rows[0];
  expect(
    await found(`${new Date(date).getUTCFullYear()} & ${String(number).padStart(6, '0')}`),
  ).toBe(1);
  await client.query(`update payment set customer = 'Deleted user', words = null where id = $1`, [
    id,
  ]);
  expect(await found('gift & deleted')).toBe(1);
  expect(await found('sam')).toBe(payments.length);
});

it('makes `free` anew, and refuses to change the ledger', async () => {
  await client.query(`update class set held = 1, offered = 1 where name = 'Class 1'`);
  expect(await all(`select free from class where name = 'Class 1'`)).toEqual([{ free: 3 }]);
  await client.query(`update class set waiting = 1 where name = 'Class 1'`);
  expect(await all(`select free from class where name = 'Class 1'`)).toEqual([{ free: 0 }]);
  for (const change of ['update ledger set cents = 1', 'delete from ledger', 'truncate ledger'])
    await expect(client.query(change)).rejects.toThrow('ledger is append-only');
});
