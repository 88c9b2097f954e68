// Lists as the academy grows: the same questions to a small database and to one with a million classes and payments, asked in turn.
// Every question is asked past the memory (another page each time), so that the database is what is measured.
import { calls } from '../contract/index.ts';
import { alternate, median, type Result, startDatabase, startRally, tokenOf } from './harness.ts';

const small = { classes: 1_000, users: 1_000, payments: 1_000 };
const large = { classes: 1_000_000, users: 100_000, payments: 1_000_000 };

type Query = (text: string) => Promise<Record<string, unknown>[]>;

const id = (kind: string, n: string) => `('${kind.repeat(8)}-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

/** The first user bought ten classes, whatever the size; every hundredth is an instructor. */
async function fill(query: Query, { classes, users, payments }: typeof small): Promise<void> {
  const buyer = `case when n <= 10 then 1 else 2 + n % ${users - 1} end`;
  await query(`
    set session_replication_role = replica; -- rows of which we know that they fit together need not be looked up one by one
    set synchronous_commit = off;
    insert into "user" (id, name, email, role) select ${id('a', 'n')}, 'Person ' || n, 'p' || n || '@example.com',
      case when n % 100 = 0 then 'instructor' else 'student' end from generate_series(1, ${users}) n;
    insert into "user" (name, email, role) values ('Admin', 'admin@example.com', 'admin');
    insert into class (id, instructor_id, instructor, name, img, price_cents, capacity, sold, status, sport, created_at)
      select ${id('b', 'n')}, ${id('a', `100 + 100 * (n % ${users / 100})`)}, 'Person ' || 100 + 100 * (n % ${users / 100}), 'Class ' || lpad(n::text, 7, '0'),
        '/media/class/soccer.webp', 500 + n % 20000, 20, n % 20,
        case when n % 10 < 8 then 'approved' when n % 10 = 8 then 'pending' else 'denied' end,
        (array['Soccer','Tennis','Yoga','Swimming'])[1 + n % 4], now() - n * interval '1 second'
      from generate_series(1, ${classes}) n;
    insert into hold (id, student_id, class_id, amount_cents, state, slot, intent_id)
      select ${id('c', 'n')}, ${id('a', buyer)}, ${id('b', 'n')}, 1999, 'consumed', 1, 'pi_' || n from generate_series(1, ${payments}) n;
    insert into payment (id, hold_id, intent_id, student_id, class_id, email, customer, item_name, amount_cents, currency, status, date)
      select ${id('d', 'n')}, ${id('c', 'n')}, 'pi_' || n, ${id('a', buyer)}, ${id('b', 'n')}, 'p' || ${buyer} || '@example.com', 'Person ' || ${buyer},
        'Class ' || lpad(n::text, 7, '0'), 1999, 'usd', case when n % 50 = 0 then 'refunded' else 'succeeded' end, now() - n * interval '1 second'
      from generate_series(1, ${payments}) n;
    insert into enrolment (payment_id, student_id, class_id, state, created_at)
      select ${id('d', 'n')}, ${id('a', buyer)}, ${id('b', 'n')}, case when n % 50 = 0 then 'cancelled' else 'active' end, now() - n * interval '1 second'
      from generate_series(1, ${payments}) n;
    insert into audit (actor_id, action, subject, detail) select ${id('a', '1')}, 'class changed', ${id('b', 'n')}::text, case when n % 10 = 0 then 'Tenth' else 'Class' end from generate_series(1, ${payments}) n;
    update tally set n = case kind
      when 'user' then (select count(*) from "user" where role = key)
      when 'class' then (select count(*) from class where status = key)
      else (select count(*) from payment where status = key) end`);
  await query('vacuum analyze');
}

type Asker = 'admin' | 'student';
const number = (turn: number) => String(1 + (turn % 900)).padStart(7, '0');

const questions: Record<string, (turn: number) => [Asker, string]> = {
  'catalogue page': (turn) => ['admin', `/api/classes?status=approved&limit=24&page=${1 + (turn % 30)}`],
  'catalogue by price': (turn) => ['admin', `/api/classes?status=approved&limit=24&sort=price&page=${1 + (turn % 30)}`],
  'catalogue of a sport': (turn) => [
    'admin',
    `/api/classes?status=approved&limit=24&sport=Yoga&page=${1 + (turn % 8)}`,
  ],
  'catalogue search, a word of one class': (turn) => [
    'admin',
    `/api/classes?status=approved&limit=24&search=${number(turn)}`,
  ],
  'catalogue search, a word of every class': (turn) => [
    'admin',
    `/api/classes?status=approved&limit=24&search=class&page=${1 + (turn % 30)}`,
  ],
  'catalogue search, a word of every fourth class': (turn) => [
    'admin',
    `/api/classes?status=approved&limit=24&search=yoga&page=${1 + (turn % 8)}`,
  ],
  instructors: () => ['admin', '/api/instructors?limit=10'],
  'classes of an instructor': (turn) => [
    'admin',
    `/api/classes/instructor?email=p${100 * (1 + (turn % 10))}@example.com&limit=25`,
  ],
  'admin classes': (turn) => ['admin', `/api/classes?limit=25&page=${1 + (turn % 30)}`],
  'admin users': (turn) => ['admin', `/api/allusers?limit=25&page=${1 + (turn % 30)}`],
  'admin users, search': (turn) => ['admin', `/api/allusers?limit=25&search=p${1 + (turn % 900)}@`],
  'admin payments': (turn) => ['admin', `/api/allpayments?limit=25&page=${1 + (turn % 30)}`],
  'admin payments of a status': () => ['admin', '/api/allpayments?limit=20&status=refunded'],
  'admin payments, search': (turn) => ['admin', `/api/allpayments?limit=25&search=${number(turn)}`],
  'audit log': (turn) => ['admin', `/api/audit?limit=25&page=${1 + (turn % 30)}`],
  'audit log, search, a word of every tenth line': (turn) => [
    'admin',
    `/api/audit?limit=25&search=tenth&page=${1 + (turn % 3)}`,
  ],
  'audit log, search': (turn) => ['admin', `/api/audit?limit=25&search=changed&page=${1 + (turn % 30)}`],
  'what needs a human': () => ['admin', '/api/attention'],
  'payments of a student': () => ['student', '/api/payments?email=p1@example.com'],
  'cart of a student': () => ['student', '/api/bookeds?email=p1@example.com'],
  'enrolments of a student': () => ['student', '/api/enrolments?email=p1@example.com'],
};

/** A list that is added later must be asked for here, too. */
function complain(): void {
  const asked = new Set(Object.values(questions).map((question) => question(0)[1].split('?')[0]));
  const missing = calls.filter(({ paged, path }) => paged && !asked.has(`/api${path}`)).map(({ id }) => id);
  if (missing.length > 0) throw new Error(`Nobody asks for ${missing.join(', ')}`);
}

const askers = async (database: { query: Query }): Promise<Record<Asker, string>> => ({
  admin: await tokenOf(database, 'admin@example.com'),
  student: await tokenOf(database, 'p1@example.com'),
});

export async function growth({ rounds = 5, asks = 20 } = {}): Promise<Result[]> {
  complain();
  const server = await startDatabase();
  const sizes = { small: await server.database('small'), large: await server.database('large') };
  console.log('  filling a million classes and payments …');
  await fill(sizes.small.query, small);
  await fill(sizes.large.query, large);
  const start = ({ url }: { url: string }) => startRally({ DATABASE_URL: url, DATA_DIR: server.dataDir });
  const running = { small: await start(sizes.small), large: await start(sizes.large) };
  const tokens = { small: await askers(sizes.small), large: await askers(sizes.large) };
  let turn = 0;
  const latency = async (size: 'small' | 'large', question: (turn: number) => [Asker, string]) => {
    const times: number[] = [];
    for (let ask = 0; ask < asks; ask++) {
      // A class changed: nothing is remembered, the database must answer.
      await sizes[size].query('notify classes; notify people');
      const [asker, path] = question(turn++);
      const url = running[size].url + path;
      const started = performance.now();
      const answer = await fetch(url, { headers: { authorization: `Bearer ${tokens[size][asker]}` } });
      await answer.arrayBuffer();
      times.push(performance.now() - started);
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    }
    return median(times);
  };
  try {
    const results: Result[] = [];
    for (const [name, question] of Object.entries(questions)) {
      const { ratio, one, other } = await alternate(
        rounds,
        () => latency('large', question),
        () => latency('small', question),
      );
      const detail = `p50 ${one.toFixed(1)} ms against ${other.toFixed(1)} ms`;
      results.push({ what: `${name}: 1,000,000 / 1,000`, ratio, target: { atMost: 1.5 }, detail });
    }
    return results;
  } finally {
    await Promise.all([running.small.stop(), running.large.stop()]);
    await server.stop();
  }
}
