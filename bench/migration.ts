// The one migration that needs a stop (docs/operations.md): baskets, lines and the ledger for a
// million payments, a million enrolments and 1.3 million holds of 50,000 classes.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbedded } from '../server/embedded/embedded.ts';
import { type Result, root } from './harness.ts';

const payments = Number(process.env['BENCH_PAYMENTS'] ?? 1_000_000);
const students = payments / 10;
const classes = payments / 20;
const folder = join(root, 'server/db/migrations');

const id = (kind: 'a' | 'b' | 'c' | 'd', n: string) =>
  `('${kind.repeat(8)}-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
const student = id('a', `1 + n % ${students}`);
// Another class for each payment of a student.
const klass = id('b', `1 + (n + n / ${students}) % ${classes}`);

const rows = `
  insert into "user" (id, name, email, role)
    select ${id('a', 'n')}, 'Person ' || n, 'p' || n || '@example.com', case when n % 100 = 0 then 'instructor' else 'student' end
    from generate_series(1, ${students}) n;
  insert into participant (id, self_of, name, made_by) select id, id, name, id from "user";
  insert into guardian (user_id, participant_id) select id, id from "user";
  insert into class (id, instructor_id, instructor, name, img, price_cents, capacity, sold, status)
    select ${id('b', 'n')}, ${id('a', `100 + 100 * (n % ${students / 100})`)}, 'Person', 'Class ' || n, '/x.webp', 1999, 40, 20, 'approved'
    from generate_series(1, ${classes}) n;
  insert into hold (id, student_id, participant_id, class_id, amount_cents, state, slot, intent_id)
    select ${id('c', 'n')}, ${student}, ${student}, ${klass}, 1999, case when n <= ${payments} then 'consumed' else 'released' end, 1, 'pi_' || n
    from generate_series(1, ${payments * 1.3}) n;
  insert into payment (id, hold_id, intent_id, student_id, class_id, email, customer, item_name, amount_cents, currency, status, date)
    select ${id('d', 'n')}, ${id('c', 'n')}, 'pi_' || n, ${student}, ${klass}, 'p' || n || '@example.com', 'Person ' || n, 'Class ' || n, 1999, 'usd',
      case when n % 50 = 0 then 'refunded' else 'succeeded' end, now() - n * interval '20 seconds'
    from generate_series(1, ${payments}) n;
  insert into refund (payment_id, amount_cents, state, reason, ended_at)
    select ${id('d', 'n')}, 1999, 'succeeded', 'asked for', now() from generate_series(50, ${payments}, 50) n;
  insert into enrolment (payment_id, student_id, participant_id, class_id, state)
    select ${id('d', 'n')}, ${student}, ${student}, ${klass}, case when n % 50 = 0 then 'cancelled' else 'active' end
    from generate_series(1, ${payments}) n`;

export async function migration(): Promise<Result[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rally-bench-'));
  const embedded = await startEmbedded({ dataDir });
  const client = new Client({ connectionString: embedded.url });
  await client.connect();
  try {
    const files = (await readdir(folder)).toSorted();
    const run = async (wanted: string[]) => {
      for (const file of wanted) {
        await client.query('begin');
        await client.query(await readFile(join(folder, file), 'utf8'));
        await client.query('commit');
      }
    };
    await run(files.filter((file) => file < '0026'));
    // Without triggers and foreign keys: these rows are only to be there.
    await client.query(`set session_replication_role = replica; set synchronous_commit = off; ${rows};
      reset session_replication_role; reset synchronous_commit`);
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    const started = performance.now();
    await run(files.filter((file) => file.startsWith('0026') || file.startsWith('0027')));
    const seconds = (performance.now() - started) / 1_000;
    const { rows: sums } = await client.query<{ lines: number; cents: string }>(
      `select (select count(*)::int from payment_line) as lines,
        (select sum(cents) from ledger where debit = 'card') as cents`,
    );
    if (sums[0]?.lines !== payments || Number(sums[0].cents) !== payments * 1999)
      throw new Error(`The lines and the ledger are not whole: ${JSON.stringify(sums)}`);
    return [
      {
        what: `baskets for ${payments} payments (0026, 0027): seconds / 60`,
        ratio: seconds / 60,
        target: { atMost: 1 },
        detail: `${seconds.toFixed(1)} s`,
      },
    ];
  } finally {
    await client.end();
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
