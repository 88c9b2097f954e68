// A whole purchase through HTTP (claim, intent, record; the card provider answers at once) against
// the same three transactions in pgbench, 10 clients each: of 30 classes and of one. And pgbench
// with and without the notes that a commit sends.
import autocannon from 'autocannon';
import {
  alternate,
  emptied,
  environment,
  figures,
  type Result,
  startDatabase,
  startProcess,
  tokensOf,
  userOf,
} from './harness.ts';
import { fill, findPgbench, idOf, pgbench, uuidOf, withoutPgbench } from './pgbench.ts';

const students = 4_000;
const classes = 30;
const purchases = 1_000;
const what = 'purchase through HTTP / its transactions in pgbench';

const script = (spread: number) => `
\\set n :n + 1
\\set student ${classes} + :client_id * ${purchases / 10} + :n
\\set class random(1, ${spread})
begin;
update class set held = held + 1 where id = ${uuidOf('b', 'class')} and status = 'approved' and held + sold < capacity;
insert into hold (student_id, participant_id, class_id, list_cents, slot) values (${uuidOf('a', 'student')}, ${uuidOf('a', 'student')}, ${uuidOf('b', 'class')}, 1000, 1) returning id as hold \\gset
commit;
begin;
insert into basket (student_id, total_cents) values (${uuidOf('a', 'student')}, 1000) returning id as basket \\gset
update hold set basket_id = :basket::uuid where id = :hold::uuid;
commit;
update basket set intent_id = 'pi_' || id, checked_at = now() where id = :basket::uuid;
begin;
select from basket where id = :basket::uuid for update;
select from hold where id = :hold::uuid for update;
select free from class where id = ${uuidOf('b', 'class')} for no key update;
update class set held = held - 1, sold = sold + 1 where id = ${uuidOf('b', 'class')};
insert into payment (basket_id, intent_id, student_id, email, customer, item_name, amount_cents, currency, status)
  values (:basket::uuid, 'pi_' || :basket, ${uuidOf('a', 'student')}, 'e', 'c', 'i', 1000, 'usd', 'pending') returning id as payment \\gset
insert into payment_line (payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents, worth_cents, outcome)
  values (:payment::uuid, :hold::uuid, ${uuidOf('a', 'student')}, ${uuidOf('a', 'student')}, ${uuidOf('b', 'class')}, 'i', 'p', 1000, 1000, 'enrolled') returning id as line \\gset
insert into ledger (key, debit, credit, cents, student_id, payment_id, to_line)
  values ('sale:' || :line::text || ':' || 'card', 'card', 'sales', 1000, ${uuidOf('a', 'student')}, :payment::uuid, :line::uuid);
insert into enrolment (payment_id, line_id, student_id, participant_id, class_id) values (:payment::uuid, :line::uuid, ${uuidOf('a', 'student')}, ${uuidOf('a', 'student')}, ${uuidOf('b', 'class')});
delete from cart_item where student_id = ${uuidOf('a', 'student')} and class_id = ${uuidOf('b', 'class')};
insert into pgboss.job (name, data) values ('send-mail', '{}');
update hold set state = 'consumed' where id = :hold::uuid;
update basket set state = 'paid' where id = :basket::uuid;
insert into audit (actor_id, action, subject, detail) values (${uuidOf('a', 'student')}, 'payment recorded', :payment, 'C');
commit;
`;

export async function purchase({ rounds = 5 } = {}): Promise<Result[]> {
  const program = await findPgbench();
  if (!program) return [withoutPgbench(what, { atLeast: 0.6 })];
  const server = await startDatabase();
  const database = await server.database('purchase');
  const { url, query } = database;
  await query(fill(students, classes));
  const rally = await startProcess('bench/purchaseserver.ts', {
    ...environment,
    DATABASE_URL: url,
  });
  const tokens = await tokensOf(database, `role = 'student'`);
  const reset = () =>
    query(`${emptied('cart_item', 'hold', 'payment', 'enrolment')}; delete from pgboss.job;
      update class set held = 0, sold = 0`);

  const throughHttp = async (spread: number) => {
    await reset();
    await query(`insert into cart_item (student_id, participant_id, class_id, seen_price_cents)
      select u.id, u.id, ${idOf('b', `1 + right(u.id::text, 12)::int % ${spread}`)}, 1000
      from "user" u where role = 'student'`);
    const items = new Map(
      (await query('select student_id, class_id from cart_item')).map((row) => [
        String(row['student_id']),
        String(row['class_id']),
      ]),
    );
    let next = 0;
    let failed = '';
    const started = performance.now();
    const result = await autocannon({
      url: rally.url,
      connections: 10,
      amount: 2 * purchases,
      headers: { 'content-type': 'application/json' },
      requests: [
        {
          method: 'POST',
          path: '/api/create-payment-intent',
          setupRequest: (request, context) => {
            const token = tokens[next++] ?? '';
            const itemId = items.get(userOf(token)) ?? '';
            Object.assign(context, { token });
            const headers = { ...request.headers, authorization: `Bearer ${token}` };
            return { ...request, headers, body: JSON.stringify({ price: 10, itemId }) };
          },
          onResponse: (status, body, context) => {
            if (status !== 200) failed = body;
            else Object.assign(context, JSON.parse(body) as object);
          },
        },
        {
          method: 'POST',
          path: '/api/payments',
          setupRequest: (request, context) => {
            // Without a secret the first request has failed, and the run with it.
            const { token, clientSecret = '' } = context as {
              token: string;
              clientSecret?: string;
            };
            const headers = { ...request.headers, authorization: `Bearer ${token}` };
            const transactionId = clientSecret.replace(/_secret$/, '');
            return { ...request, headers, body: JSON.stringify({ transactionId }) };
          },
          onResponse: (status, body) => {
            if (status !== 201) failed = body;
          },
        },
      ],
    });
    if (failed || result.errors > 0) throw new Error(`A purchase failed: ${failed}`);
    return purchases / ((performance.now() - started) / 1_000);
  };

  const byPgbench = async (spread: number) => {
    await reset();
    const how = ['-c', '10', '-D', 'n=0', '-t', String(purchases / 10)];
    const work = { url, folder: server.dataDir, script: script(spread) };
    return pgbench(program, work, how);
  };

  try {
    const results: Result[] = [];
    for (const spread of [classes, 1]) {
      await throughHttp(spread);
      const run = await alternate(
        rounds,
        () => throughHttp(spread),
        () => byPgbench(spread),
      );
      results.push({
        what: `${what}, ${spread === 1 ? 'one class' : `${spread} classes`}, 10 clients each`,
        ratio: run.ratio,
        target: { atLeast: 0.6 },
        detail: figures(run, 'purchases/s'),
      });
    }
    const hot = await alternate(
      rounds,
      () => throughHttp(classes),
      () => throughHttp(1),
    );
    results.push({
      what: `purchase through HTTP of ${classes} classes / of one (below 1: a row that all sales share is hot)`,
      ratio: hot.ratio,
      target: { atLeast: 1 },
      detail: figures(hot, 'purchases/s'),
    });
    return [...results, await notes()];
  } finally {
    await rally.stop();
    await server.stop();
  }

  /** What the notes cost: pgbench with the triggers that notify, and without them. */
  async function notes(): Promise<Result> {
    const run = await alternate(
      rounds,
      () => byPgbench(classes),
      async () => {
        await query('alter table class disable trigger note_seats');
        try {
          return await byPgbench(classes);
        } finally {
          await query('alter table class enable trigger note_seats');
        }
      },
    );
    return {
      what: 'purchase in pgbench with NOTIFY at commit / without',
      ratio: run.ratio,
      target: { atLeast: 0.5 },
      detail: figures(run, 'purchases/s'),
    };
  }
}
