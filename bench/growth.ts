// Lists as the academy grows: the same questions to a small database and to one with a million classes, asked in turn.
// Every question is asked past the memory (another page each time), so that the database is what is measured.
import { adminToken, alternate, median, type Result, startDatabase, startRally } from './harness.ts';

const small = { classes: 1_000, users: 1_000 };
const large = { classes: 1_000_000, users: 100_000 };

type Query = (text: string) => Promise<Record<string, unknown>[]>;

async function fill(query: Query, { classes, users }: typeof small): Promise<void> {
  await query(`insert into "user" (name, email, role) select 'Person ' || n, 'p' || n || '@example.com',
    case when n % 100 = 0 then 'instructor' else 'student' end from generate_series(1, ${users}) n`);
  await query(`insert into class (instructor_id, instructor, name, img, price_cents, capacity, sold, status, sport, created_at)
    select ids[1 + n % ${users / 100}], names[1 + n % ${users / 100}], 'Class ' || n, '/media/class/soccer.webp', 500 + n % 20000, 20, n % 20,
      case when n % 10 < 8 then 'approved' when n % 10 = 8 then 'pending' else 'denied' end,
      (array['Soccer','Tennis','Yoga','Swimming'])[1 + n % 4], now() - n * interval '1 second'
    from generate_series(1, ${classes}) n,
      (select array_agg(id order by id) as ids, array_agg(name order by id) as names from "user" where role = 'instructor') teachers`);
  await query('vacuum analyze');
}

const questions: Record<string, (turn: number) => string> = {
  'catalogue page': (turn) => `/api/classes?status=approved&limit=24&page=${1 + (turn % 30)}`,
  'catalogue by price': (turn) => `/api/classes?status=approved&limit=24&sort=price&page=${1 + (turn % 30)}`,
  'catalogue search': (turn) => `/api/classes?status=approved&limit=24&search=class%20${1 + turn}`,
  instructors: () => '/api/instructors?limit=10',
  'admin classes': (turn) => `/api/classes?limit=25&page=${1 + (turn % 30)}`,
  'admin users': (turn) => `/api/allusers?limit=25&page=${1 + (turn % 30)}`,
};

export async function growth({ rounds = 5, asks = 40 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const sizes = { small: await server.database('small'), large: await server.database('large') };
  console.log('  filling a million classes …');
  await fill(sizes.small.query, small);
  await fill(sizes.large.query, large);
  const running = {
    small: await startRally({
      DATABASE_URL: sizes.small.url,
      DATA_DIR: server.dataDir,
      PUBLIC_URL: 'http://localhost:3000',
    }),
    large: await startRally({
      DATABASE_URL: sizes.large.url,
      DATA_DIR: server.dataDir,
      PUBLIC_URL: 'http://localhost:3000',
    }),
  };
  const tokens = {
    small: await adminToken(sizes.small, 'http://localhost:3000'),
    large: await adminToken(sizes.large, 'http://localhost:3000'),
  };
  let turn = 0;
  const latency = async (size: 'small' | 'large', question: (turn: number) => string) => {
    const times: number[] = [];
    for (let ask = 0; ask < asks; ask++) {
      // A class changed: nothing is remembered, the database must answer.
      await sizes[size].query('notify classes; notify people');
      const url = running[size].url + question(turn++);
      const started = performance.now();
      const answer = await fetch(url, { headers: { authorization: `Bearer ${tokens[size]}` } });
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
      results.push({ what: `${name}: 1,000,000 / 1,000 classes`, ratio, target: { atMost: 1.5 }, detail });
    }
    return results;
  } finally {
    await Promise.all([running.small.stop(), running.large.stop()]);
    await server.stop();
  }
}
