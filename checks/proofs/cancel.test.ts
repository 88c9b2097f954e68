// A class of 500 is cancelled, and the process is killed twice meanwhile (docs/invariants.md, L12): every
// seat ends once, all that was paid is owed once, and every family is told once.
import { expect, it } from 'vitest';
import {
  aPostgres,
  folder,
  openClasses,
  people,
  type Person,
  query,
  soon,
  startRally,
  tellFigures,
} from '../../server/testing/processes.ts';

const seats = 500;
const postgres = await aPostgres();
const home = folder('cancel');
const start = () => startRally({ DATABASE_URL: postgres.url, DATA_DIR: home });

/** A seat for each of them, as a sale leaves it. */
const sell = (students: readonly Person[], classId: string) =>
  query(
    postgres.url,
    `with seat as (select id as student, gen_random_uuid() as id from unnest($1::uuid[]) id),
      baskets as (insert into basket (id, student_id, total_cents, state, intent_id)
        select id, student, 1999, 'paid', 'pi_' || id from seat),
      holds as (insert into hold (id, basket_id, student_id, participant_id, class_id, list_cents, state, slot)
        select id, id, student, student, $2, 1999, 'consumed', 1 from seat),
      payments as (insert into payment (id, basket_id, intent_id, student_id, email, customer, item_name, amount_cents, currency, status)
        select id, id, 'pi_' || id, student, student || '@example.com', 'Pia', 'Judo', 1999, 'usd', 'succeeded' from seat),
      lines as (insert into payment_line (id, payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents, worth_cents, outcome)
        select id, id, id, student, student, $2, 'Judo', 'Pia', 1999, 1999, 'enrolled' from seat),
      sales as (insert into ledger (key, debit, credit, cents, student_id, payment_id, to_line)
        select 'sale:' || id || ':card', 'card', 'sales', 1999, student, id, id from seat),
      sold as (update class set sold = (select count(*) from seat) where id = $2)
    insert into enrolment (payment_id, line_id, student_id, participant_id, class_id)
    select id, id, student, student, $2 from seat`,
    [students.map(({ id }) => id), classId],
  );

/** Whom a mail was written to: jobs of mails are deleted once it is sent. */
const noteMails = () =>
  query(
    postgres.url,
    `create table told (person text);
     create function note_mail() returns trigger language plpgsql as $$
     begin insert into public.told values (new.data -> 'ids' ->> 'to'); return null; end $$;
     create trigger note_mail after insert on pgboss.job for each row
       when (new.name = 'send-mail' and new.data ->> 'kind' = 'class-cancelled') execute function note_mail();
     grant all on told to public`,
  );

async function count(sql: string): Promise<number> {
  const [row] = await query<{ n: number }>(postgres.url, `select (${sql})::int as n`);
  return row?.n ?? 0;
}
const ended = () => count(`select count(*) from enrolment where state = 'cancelled'`);

it('killed twice, each seat ends and each family is told once', async () => {
  let rally = await start();
  await noteMails();
  const students = await people(postgres.url, 'student', seats);
  const [teacher] = (await people(postgres.url, 'instructor', 1)) as [Person];
  const [admin] = (await people(postgres.url, 'admin', 1)) as [Person];
  const [id = ''] = await openClasses(postgres.url, teacher, 1, seats);
  await sell(students, id);

  const ask = async (path: string, body: object) =>
    fetch(`${rally.origin}/api/classes/${path}/${id}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await admin.token()}`,
      },
      body: JSON.stringify(body),
    });
  await ask('impact', { cancel: true });
  const before = performance.now();
  const impact = (await (await ask('impact', { cancel: true })).json()) as { card: number };
  const impactMs = Math.round(performance.now() - before);
  expect(impact.card).toBe(seats * 1_999);
  const asked = await ask('cancel', { reason: 'The hall is closed.', families: seats });
  expect(asked.status).toBe(200);
  const began = Date.now();
  const killedAt: number[] = [];
  for (const after of [seats / 5, seats / 2]) {
    expect(await soon(async () => (await ended()) >= after)).toBe(true);
    await rally.end('SIGKILL');
    killedAt.push(await ended());
    rally = await start();
  }
  // Killed before it was done: the control of this proof.
  for (const at of killedAt) expect(at).toBeLessThan(seats);
  expect(await soon(async () => (await ended()) === seats, 120_000)).toBe(true);
  const took = Date.now() - began;

  const owed = `select count(*) from refund where state = 'due' and choice_until > now() and amount_cents = 1999`;
  expect(await count(owed)).toBe(seats);
  expect(await count('select count(distinct line_id) from refund')).toBe(seats);
  expect(await count(`select sum(cents) from ledger where credit = 'owed'`)).toBe(seats * 1_999);
  expect(await count('select count(distinct person) from told')).toBe(seats);
  expect(await count('select count(*) from told')).toBe(seats);
  expect(await count(`select sold from class where id = '${id}'`)).toBe(0);
  expect(took).toBeLessThan(120_000);
  expect(await rally.end('SIGTERM')).toBe(0);
  tellFigures('cancel', {
    seats,
    'killed at': killedAt.join(' and '),
    'all posted ms': took,
    'impact ms': impactMs,
  });
}, 600_000);
