// Lists of a growing academy: the same requests to a small database and to one with a million
// classes and payments, in turn, without the response cache. The figure of a call is the p50 over
// every order, filter and kind of search it has; requests that miss the target on their own are
// listed.
import { classSorts } from '../contract/classes.ts';
import { calls } from '../contract/index.ts';
import { userSorts } from '../contract/users.ts';
import { alternate, median, type Result, startDatabase, startRally, tokenOf } from './harness.ts';

const small = { classes: 1_000, users: 1_000, payments: 1_000 };
const large = { classes: 1_000_000, users: 100_000, payments: 1_000_000 };

/** How many times as long a call may take in the large one. */
const limit = 1.5;

type Query = (text: string) => Promise<Record<string, unknown>[]>;

const id = (kind: string, n: string) =>
  `('${kind.repeat(8)}-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;

/**
 * A number below `below` that depends only on n and is independent of the other numbers of n: no
 * order of the list is that of another.
 */
const chance = (salt: number, below: number) => `abs(hashint4(n * 31 + ${salt}) % ${below})`;

const family = (n: string) =>
  `(array['Archer','Baker','Carver','Draper','Fletcher','Glover','Hunter'])[1 + (${n}) % 7]`;

/**
 * The first user bought ten classes and the first instructor teaches a hundred, whatever the size;
 * every hundredth user is an instructor. Searchable: Riverside is the place of every fourth class,
 * Lakeside of every hundredth, Hillside of every thousandth; Beginners are in half of the classes,
 * those that sell worst. The oldest payments, one in a hundred, were for a camp.
 */
async function fill(query: Query, { classes, users, payments }: typeof small): Promise<void> {
  const buyer = `case when n <= 10 then 1 else 2 + n % ${users - 1} end`;
  const teacher = `case when n <= 100 then 100 else 200 + 100 * (n % ${users / 100 - 1}) end`;
  await query(`
    set session_replication_role = replica; -- rows of which we know that they fit together need not be looked up one by one
    set synchronous_commit = off;
    insert into "user" (id, name, email, role) select ${id('a', 'n')}, 'Person' || n || ' ' || ${family('n')}, 'p' || n || '@example.com',
      case when n % 100 = 0 then 'instructor' else 'student' end from generate_series(1, ${users}) n;
    insert into "user" (name, email, role) values ('Admin', 'admin@example.com', 'admin');
    insert into participant (id, self_of, name, made_by) select id, id, name, id from "user";
    insert into guardian (user_id, participant_id) select id, id from "user";
    insert into class (id, instructor_id, instructor, name, img, price_cents, capacity, sold, status, sport, place, created_at)
      select ${id('b', 'n')}, ${id('a', teacher)}, 'Person' || ${teacher} || ' ' || ${family(teacher)}, 'Class ' || lpad(n::text, 7, '0'),
        '/media/class/first-touch-soccer.webp', 500 + ${chance(1, 20_000)}, 20, sold,
        case when n % 10 < 8 then 'approved' when n % 10 = 8 then 'pending' else 'denied' end,
        (array['Soccer','Tennis','Yoga','Swimming'])[1 + ${chance(2, 4)}],
        concat_ws(' ', 'Court ' || ${chance(3, 300)}, case when sold < 10 then 'Beginners' end, case when ${chance(4, 4)} = 0 then 'Riverside' end,
          case when ${chance(5, 100)} = 0 then 'Lakeside' end, case when ${chance(6, 1_000)} = 0 then 'Hillside' end),
        now() - n * interval '1 second'
      from generate_series(1, ${classes}) n, lateral (select ${chance(7, 21)} as sold) seats;
    insert into basket (id, student_id, total_cents, state, intent_id)
      select ${id('c', 'n')}, ${id('a', buyer)}, 1999, 'paid', 'pi_' || n from generate_series(1, ${payments}) n;
    insert into hold (id, basket_id, student_id, participant_id, class_id, list_cents, state, slot)
      select ${id('c', 'n')}, ${id('c', 'n')}, ${id('a', buyer)}, ${id('a', buyer)}, ${id('b', 'n')}, 1999, 'consumed', 1 from generate_series(1, ${payments}) n;
    insert into hold (id, student_id, participant_id, class_id, list_cents, state, slot, expires_at)
      select ${id('e', 'n')}, ${id('a', 'n + 1')}, ${id('a', 'n + 1')}, ${id('b', 'n * 3')}, 1999, 'held', 1, now() + interval '1 day' from generate_series(1, 300) n;
    update class set held = 1, sold = least(sold, 19) where id in (select class_id from hold where state = 'held');
    insert into payment (id, basket_id, intent_id, student_id, email, customer, item_name, amount_cents, back_cents, seats, currency, status, date)
      select ${id('d', 'n')}, ${id('c', 'n')}, 'pi_' || n, ${id('a', buyer)}, 'p' || ${buyer} || '@example.com',
        'Person' || ${buyer} || ' ' || ${family(buyer)}, case when n > 0.99 * ${payments} then 'Camp ' else 'Class ' end || lpad(n::text, 7, '0'), 1999, case when n % 50 = 0 then 1999 else 0 end, case when n % 50 = 0 then 0 else 1 end, 'usd',
        case when n % 50 = 0 then 'refunded' else 'succeeded' end, now() - n * interval '1 second'
      from generate_series(1, ${payments}) n;
    insert into payment_line (id, payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents, worth_cents,
        back_cents, outcome)
      select ${id('d', 'n')}, ${id('d', 'n')}, ${id('c', 'n')}, ${id('a', buyer)}, ${id('a', buyer)}, ${id('b', 'n')}, 'Class', 'Person', 1999, 1999,
        case when n % 50 = 0 then 1999 else 0 end, 'enrolled' from generate_series(1, ${payments}) n;
    insert into ledger (key, debit, credit, cents, student_id, payment_id, to_line)
      select 'sale:' || ${id('d', 'n')} || ':card', 'card', 'sales', 1999, ${id('a', buyer)}, ${id('d', 'n')}, ${id('d', 'n')}
      from generate_series(1, ${payments}) n;
    insert into enrolment (payment_id, line_id, student_id, participant_id, class_id, state, created_at)
      select ${id('d', 'n')}, ${id('d', 'n')}, ${id('a', buyer)}, ${id('a', buyer)}, ${id('b', 'n')}, case when n % 50 = 0 then 'cancelled' else 'active' end, now() - n * interval '1 second'
      from generate_series(1, ${payments}) n;
    insert into audit (actor_id, action, subject, detail)
      select ${id('a', 'n % 10 + 1')}, 'class changed', ${id('b', 'n')}::text, case when n % 10 = 0 then 'Tenth' else 'Class' end
      from generate_series(1, ${payments}) n;
    update tally set n = case kind
      when 'user' then (select count(*) from "user" where role = key)
      when 'class' then (select count(*) from class where status = key)
      else (select count(*) from payment where status = key) end;
    insert into takings select academy_day(date), shard(id), sum(seats), sum(amount_cents - back_cents) from payment group by 1, 2;
    update seat_sum set sold = found.sold, unsold = found.unsold from (
      select shard(id) as n, sum(sold) as sold, sum(capacity - sold) filter (where shelf = 'approved') as unsold
      from class group by 1) found where shard = n`);
  await query('vacuum analyze');
}

type Asker = 'admin' | 'student';

const one = '0000123';
const everyPage = (path: string, pages: number[]) => pages.map((page) => `${path}&page=${page}`);
const inEveryOrder = (path: string, sorts: readonly string[]) =>
  sorts.map((sort) => `${path}&sort=${sort}`);
const searched = (path: string, words: string[]) => words.map((word) => `${path}&search=${word}`);

const catalogue = '/api/classes?status=approved&limit=24';
const people = '/api/allusers?limit=25';
const taught = '/api/classes/instructor?email=p100@example.com&limit=25';
const paid = '/api/payments?email=p1@example.com';
const taken = '/api/enrolments?email=p1@example.com';
const places = [
  'class',
  'riverside',
  'lakeside',
  'hillside',
  one,
  'nowhere',
  'class+riverside',
  'lakeside+yoga',
];

/** All requests for each list. */
const questions: Record<string, [Asker, string[]]> = {
  catalogue: [
    'admin',
    [
      ...everyPage(catalogue, [1, 2, 10, 30]),
      ...inEveryOrder(catalogue, classSorts),
      ...[
        `instructor=${'a'.repeat(8)}-0000-4000-8000-000000000100`,
        'sport=Yoga',
        'free=true',
        'minPrice=100',
        'minPrice=50&maxPrice=100',
        'sport=Yoga&sort=price',
      ].map((filter) => `${catalogue}&${filter}`),
    ],
  ],
  'catalogue, searched': [
    'admin',
    [
      ...searched(catalogue, [...places, 'beginners']),
      ...inEveryOrder(`${catalogue}&search=riverside`, classSorts),
      ...inEveryOrder(`${catalogue}&search=${one}`, classSorts),
      ...everyPage(`${catalogue}&search=riverside`, [2, 8]),
    ],
  ],
  'classes, for the admin': [
    'admin',
    [
      ...everyPage('/api/classes?limit=25', [1, 2, 30]),
      ...inEveryOrder('/api/classes?limit=25', classSorts),
      ...inEveryOrder('/api/classes?limit=25&status=pending', classSorts),
      '/api/classes?limit=25&status=denied',
      ...searched('/api/classes?limit=25', places),
    ],
  ],
  instructors: [
    'admin',
    [
      ...inEveryOrder('/api/instructors?limit=10', ['popular', 'name']),
      ...searched('/api/instructors?limit=10', ['baker', 'person100', 'nobody']),
    ],
  ],
  'classes of an instructor': [
    'admin',
    [...inEveryOrder(taught, classSorts), ...searched(taught, ['class', 'riverside', one])],
  ],
  users: [
    'admin',
    [
      ...everyPage(people, [1, 2, 30]),
      ...inEveryOrder(people, userSorts),
      ...inEveryOrder(`${people}&role=instructor`, userSorts),
    ],
  ],
  'users, searched': [
    'admin',
    searched(people, [
      'p123',
      'p123@example.com',
      'person123',
      'baker',
      'p1',
      'example',
      'nobody',
      'baker+p12',
    ]),
  ],
  payments: [
    'admin',
    [
      ...everyPage('/api/allpayments?limit=25', [1, 2, 30]),
      ...inEveryOrder('/api/allpayments?limit=25', ['asc', 'dsc']),
      ...inEveryOrder('/api/allpayments?limit=20&status=refunded', ['asc', 'dsc']),
    ],
  ],
  'payments, searched': [
    'admin',
    searched('/api/allpayments?limit=25', [
      one,
      'p123@example.com',
      'pi_77777',
      'class',
      'baker',
      'p17',
      'pi_77',
      'nobody',
      'camp',
    ]),
  ],
  'audit log': ['admin', everyPage('/api/audit?limit=25', [1, 2, 30])],
  'audit log, searched': [
    'admin',
    searched('/api/audit?limit=25', ['changed', 'tenth', 'nobody', 'person7', 'baker']),
  ],
  'what needs a human': ['admin', ['/api/attention?']],
  "figures of the admin's home page": [
    'admin',
    ['/api/figures/admin?', '/api/figures/admin?days=90'],
  ],
  'payments of a student': [
    'student',
    [...inEveryOrder(paid, ['asc', 'dsc']), ...searched(paid, ['class', '0000007'])],
  ],
  'cart of a student': ['student', ['/api/bookeds?email=p1@example.com']],
  'enrolments of a student': ['student', [taken, ...searched(taken, ['class', '0000007'])]],
};

/** A list that is added later must be requested here, too. */
function complain(): void {
  const asked = new Set(
    Object.values(questions).flatMap(([, paths]) => paths.map((path) => path.split('?')[0])),
  );
  const missing = calls
    .filter(({ paged, path }) => paged && !asked.has(`/api${path}`))
    .map(({ id }) => id);
  if (missing.length > 0) throw new Error(`No request for ${missing.join(', ')}`);
}

const askers = async (database: { query: Query }): Promise<Record<Asker, string>> => ({
  admin: await tokenOf(database, 'admin@example.com'),
  student: await tokenOf(database, 'p1@example.com'),
});

export async function growth({ rounds = 10 } = {}): Promise<Result[]> {
  complain();
  const server = await startDatabase();
  const sizes = { small: await server.database('small'), large: await server.database('large') };
  console.log('  filling a million classes and payments …');
  await fill(sizes.small.query, small);
  await fill(sizes.large.query, large);
  const start = ({ url }: { url: string }) =>
    startRally({ DATABASE_URL: url, DATA_DIR: server.dataDir });
  const running = { small: await start(sizes.small), large: await start(sizes.large) };
  const tokens = { small: await askers(sizes.small), large: await askers(sizes.large) };
  const ask = async (size: 'small' | 'large', asker: Asker, path: string) => {
    // A changed class empties the response cache, so the database must answer.
    await sizes[size].query('notify classes; notify people');
    const url = running[size].url + path;
    const started = performance.now();
    const answer = await fetch(url, {
      headers: { authorization: `Bearer ${tokens[size][asker]}` },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    return performance.now() - started;
  };
  try {
    const results: Result[] = [];
    for (const [name, [asker, paths]] of Object.entries(questions)) {
      const times = paths.map((path) => ({ path, small: [] as number[], large: [] as number[] }));
      const askAll = (size: 'small' | 'large') => async () => {
        const asked = Array.from({ length: Math.ceil(12 / times.length) }, () => times).flat();
        for (const time of asked) time[size].push(await ask(size, asker, time.path));
        return median(times.map((time) => median(time[size].slice(-asked.length / times.length))));
      };
      const { ratio, one, other } = await alternate(rounds, askAll('large'), askAll('small'));
      const grown = times.map(({ path, ...both }) => ({
        path,
        small: median(both.small),
        large: median(both.large),
      }));
      const above = grown
        .filter((each) => each.large > each.small * limit)
        .map(
          ({ path, ...each }) =>
            `${path.replace('/api', '')} ${each.large.toFixed(1)} ms against ${each.small.toFixed(1)} ms`,
        );
      const figures = `p50 ${one.toFixed(1)} ms against ${other.toFixed(1)} ms; above ${limit} ${above.length} of ${grown.length} questions`;
      results.push({
        what: `${name}: 1,000,000 / 1,000`,
        ratio,
        target: { atMost: limit },
        detail: [figures, ...above].join('; '),
      });
    }
    return results;
  } finally {
    await Promise.all([running.small.stop(), running.large.stop()]);
    await server.stop();
  }
}
