// The filters of the catalogue (day, time of day, age, level, place): the same requests to a small
// database and to one with a million classes, in turn, without the response cache. Each filter is
// met by one class in ten. In the large one also filtered against unfiltered pages.
// BENCH_CLASSES sets the size of the large one.
import { alternate, median, type Result, startDatabase, startRally } from './harness.ts';

const small = 1_000;
const large = Number(process.env['BENCH_CLASSES'] ?? 1_000_000);
const limit = 1.5;

type Query = (text: string) => Promise<Record<string, unknown>[]>;

/** A number below `below` that depends only on n. */
const chance = (salt: number, below: number) => `abs(hashint4(n * 31 + ${salt}) % ${below})`;
const place = (n: string) => `('eeeeeeee-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

/** What tell_class makes of meetings is written directly. */
async function fill(query: Query, classes: number): Promise<void> {
  await query(`
    set session_replication_role = replica;
    set synchronous_commit = off;
    insert into "user" (id, name, email, role)
      values ('aaaaaaaa-0000-4000-8000-000000000001', 'Ana', 'ana@example.com', 'instructor');
    insert into class (instructor_id, name, img, price_cents, capacity, sold, status, sport,
        slots, min_age, max_age, level, place_ids, first_day, last_day, ends_at)
      select 'aaaaaaaa-0000-4000-8000-000000000001', 'Class ' || lpad(n::text, 7, '0'),
        '/media/class/first-touch-soccer.webp', 500 + ${chance(1, 20_000)}, 20, ${chance(7, 21)}, 'approved', 'Yoga',
        1 << (case when ${chance(2, 10)} = 0 then 15 else ${chance(3, 15)} end),
        case when ${chance(4, 10)} = 0 then 6 else 20 end, case when ${chance(4, 10)} = 0 then 8 else 60 end,
        case when ${chance(5, 10)} = 0 then 'advanced' else 'beginner' end,
        array[${place(chance(6, 10))}], current_date + 7, current_date + 70, now() + interval '70 days'
      from generate_series(1, ${classes}) n`);
  await query('vacuum analyze');
}

const catalogue = '/api/classes?status=approved&limit=24';
const one = [
  'day=sat',
  'day=sat&time=morning',
  'age=7',
  'level=advanced',
  `place=eeeeeeee-0000-4000-8000-000000000003`,
];
const filtered = [
  ...one,
  ...one.map((filter) => `${filter}&page=3`),
  ...['price', 'new', 'name', '-seat'].map((sort) => `day=sat&sort=${sort}`),
].map((filter) => `${catalogue}&${filter}`);
const unfiltered = [1, 2, 3, 4].map((page) => `${catalogue}&page=${page}`);

export async function filters({ rounds = 10 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const sizes = { small: await server.database('small'), large: await server.database('large') };
  console.log(`  filling ${large.toLocaleString('en-US')} classes …`);
  await fill(sizes.small.query, small);
  await fill(sizes.large.query, large);
  const start = ({ url }: { url: string }) =>
    startRally({ DATABASE_URL: url, DATA_DIR: server.dataDir });
  const running = { small: await start(sizes.small), large: await start(sizes.large) };
  const ask = async (size: 'small' | 'large', path: string) => {
    // A changed class empties the response cache, so the database must answer.
    await sizes[size].query('notify classes');
    const started = performance.now();
    const answer = await fetch(running[size].url + path);
    const { result } = (await answer.json()) as { result: unknown[] };
    if (!answer.ok || result.length !== 24) throw new Error(`${path} found ${result.length}`);
    return performance.now() - started;
  };
  const all = (size: 'small' | 'large', paths: string[]) => async () => {
    const times: number[] = [];
    for (const path of paths) times.push(await ask(size, path));
    return median(times);
  };
  const compare = async (
    what: string,
    first: () => Promise<number>,
    second: () => Promise<number>,
  ): Promise<Result> => {
    const run = await alternate(rounds, first, second);
    const detail = `p50 ${run.one.toFixed(1)} ms against ${run.other.toFixed(1)} ms`;
    return { what, ratio: run.ratio, target: { atMost: limit }, detail };
  };
  try {
    const size = large.toLocaleString('en-US');
    return [
      await compare(
        `catalogue by day, time, age, level, place: ${size} / 1,000`,
        all('large', filtered),
        all('small', filtered),
      ),
      await compare(
        `catalogue with a filter / without, ${size} classes`,
        all('large', filtered),
        all('large', unfiltered),
      ),
    ];
  } finally {
    await Promise.all([running.small.stop(), running.large.stop()]);
    await server.stop();
  }
}
