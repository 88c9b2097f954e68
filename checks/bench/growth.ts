// The lists, totals and figures of a large academy, asked one after the other without the response
// cache: the p95 of each question.
import { classSorts } from '../../contract/classes/classes.ts';
import { calls } from '../../contract/app/calls.ts';
import { userSorts } from '../../contract/people/users.ts';
import { median, type Result, startDatabase, startRally, tokenOf } from './harness.ts';

const classes = 2_000;
const users = 20_000;
const payments = 200_000;

/** What a list may take, in ms. */
const limit = 60;

/** A word in more than a tenth of the rows, or in many of the audit log: its matches are sorted. */
const isCommon = (path: string) =>
  /allpayments.*search=(class|baker|camp)|audit.*search=(changed|tenth|person7|baker)/.test(path);

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
 * The first user bought ten classes and the first instructor teaches a hundred; every hundredth user
 * is an instructor. Searchable: Riverside is the place of every fourth class,
 * Lakeside of every hundredth, Hillside of every thousandth; Beginners are in half of the classes,
 * those that sell worst. The oldest payments, one in a hundred, were for a camp.
 */
async function fill(query: Query): Promise<void> {
  const buyer = `case when n <= 10 then 1 else 2 + n % ${users - 1} end`;
  /** Nobody buys a class twice: a buyer comes again after `users - 1` rows. */
  const bought = `1 + (n + 3 * (n / ${users - 1})) % ${classes}`;
  /** Over two years, one every five minutes. */
  const sold = `now() - n * interval '5 minutes'`;
  const teacher = `case when n <= 100 then 100 else 200 + 100 * (n % ${users / 100 - 1}) end`;
  await query(`
    set session_replication_role = replica; -- rows of which we know that they fit together need not be looked up one by one
    set synchronous_commit = off;
    insert into "user" (id, name, email, role) select ${id('a', 'n')}, 'Person' || n || ' ' || ${family('n')}, 'p' || n || '@example.com',
      case when n % 100 = 0 then 'instructor' else 'student' end from generate_series(1, ${users}) n;
    insert into "user" (name, email, role) values ('Admin', 'admin@example.com', 'admin');
    insert into participant (id, self_of, name, made_by) select id, id, name, id from "user";
    insert into guardian (user_id, participant_id) select id, id from "user";
    insert into class (id, instructor_id, name, img, price_cents, capacity, sold, status, sport, place, created_at)
      select ${id('b', 'n')}, ${id('a', teacher)}, 'Class ' || lpad(n::text, 7, '0'),
        '/media/class/first-touch-soccer.webp', 500 + ${chance(1, 20_000)}, 120, sold,
        case when n % 10 < 8 then 'approved' when n % 10 = 8 then 'pending' else 'denied' end,
        (array['Soccer','Tennis','Yoga','Swimming'])[1 + ${chance(2, 4)}],
        concat_ws(' ', 'Court ' || ${chance(3, 300)}, case when sold < 50 then 'Beginners' end, case when ${chance(4, 4)} = 0 then 'Riverside' end,
          case when ${chance(5, 100)} = 0 then 'Lakeside' end, case when ${chance(6, 1_000)} = 0 then 'Hillside' end),
        now() - n * interval '1 second'
      from generate_series(1, ${classes}) n, lateral (select ${chance(7, 101)} as sold) seats;
    insert into basket (id, student_id, total_cents, state, intent_id)
      select ${id('c', 'n')}, ${id('a', buyer)}, 1999, 'paid', 'pi_' || n from generate_series(1, ${payments}) n;
    insert into hold (id, basket_id, student_id, participant_id, class_id, list_cents, state, slot)
      select ${id('c', 'n')}, ${id('c', 'n')}, ${id('a', buyer)}, ${id('a', buyer)}, ${id('b', bought)}, 1999, 'consumed', 1 from generate_series(1, ${payments}) n;
    insert into hold (id, student_id, participant_id, class_id, list_cents, state, slot, expires_at)
      select ${id('e', 'n')}, ${id('a', 'n + 1')}, ${id('a', 'n + 1')}, ${id('b', 'n * 3')}, 1999, 'held', 1, now() + interval '1 day' from generate_series(1, 300) n;
    update class set held = 1, sold = least(sold, 99) where id in (select class_id from hold where state = 'held');
    insert into payment (id, basket_id, intent_id, student_id, email, customer, item_name, amount_cents, back_cents, seats, currency, status, date, day)
      select ${id('d', 'n')}, ${id('c', 'n')}, 'pi_' || n, ${id('a', buyer)}, 'p' || ${buyer} || '@example.com',
        'Person' || ${buyer} || ' ' || ${family(buyer)}, case when n > 0.99 * ${payments} then 'Camp ' else 'Class ' end || lpad(n::text, 7, '0'), 1999, case when n % 50 = 0 then 1999 else 0 end, case when n % 50 = 0 then 0 else 1 end, 'usd',
        case when n % 50 = 0 then 'refunded' else 'succeeded' end, ${sold}, academy_day(${sold})
      from generate_series(1, ${payments}) n;
    insert into payment_line (id, payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents, worth_cents,
        back_cents, outcome)
      select ${id('d', 'n')}, ${id('d', 'n')}, ${id('c', 'n')}, ${id('a', buyer)}, ${id('a', buyer)}, ${id('b', bought)}, 'Class', 'Person', 1999, 1999,
        case when n % 50 = 0 then 1999 else 0 end, 'enrolled' from generate_series(1, ${payments}) n;
    insert into ledger (key, debit, credit, cents, student_id, payment_id, to_line)
      select 'sale:' || ${id('d', 'n')} || ':card', 'card', 'sales', 1999, ${id('a', buyer)}, ${id('d', 'n')}, ${id('d', 'n')}
      from generate_series(1, ${payments}) n;
    insert into enrolment (payment_id, line_id, student_id, participant_id, class_id, state, created_at)
      select ${id('d', 'n')}, ${id('d', 'n')}, ${id('a', buyer)}, ${id('a', buyer)}, ${id('b', bought)}, case when n % 50 = 0 then 'cancelled' else 'active' end, ${sold}
      from generate_series(1, ${payments}) n;
    insert into audit (actor_id, action, subject, detail)
      select ${id('a', 'n % 10 + 1')}, 'class changed', ${id('b', 'n')}::text, case when n % 10 = 0 then 'Tenth' else 'Class' end
      from generate_series(1, ${payments}) n`);
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
const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

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
  'other lists of the office': [
    'admin',
    [
      '/api/invitations?',
      '/api/discounts?',
      `/api/attendance?class=${'b'.repeat(8)}-0000-4000-8000-000000000001`,
      '/api/attendance/meetings?',
    ],
  ],
  announcements: ['student', ['/api/announcements?']],
  'what needs a human': ['admin', ['/api/attention?']],
  "figures of the admin's home page": [
    'admin',
    ['/api/figures/admin?', `/api/figures/admin?from=${daysAgo(90)}&to=${daysAgo(1)}`],
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

const askersOf = async (database: { query: Query }): Promise<Record<Asker, string>> => ({
  admin: await tokenOf(database, 'admin@example.com'),
  student: await tokenOf(database, 'p1@example.com'),
});

export async function growth({ rounds = 20 } = {}): Promise<Result[]> {
  complain();
  const server = await startDatabase();
  const database = await server.database('large');
  console.log(`  filling ${users} families and ${payments} payments …`);
  await fill(database.query);
  const running = await startRally({ DATABASE_URL: database.url, DATA_DIR: server.dataDir });
  const tokens = await askersOf(database);
  const ask = async (asker: Asker, path: string) => {
    // A changed class empties the response cache, so the database must answer.
    await database.query('notify classes; notify people');
    const started = performance.now();
    const answer = await fetch(running.url + path, {
      headers: { authorization: `Bearer ${tokens[asker]}` },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return performance.now() - started;
  };
  const p95 = async (asker: Asker, path: string) => {
    const times: number[] = [];
    for (let warm = 0; warm < 5; warm++) await ask(asker, path);
    for (let round = 0; round < rounds; round++) times.push(await ask(asker, path));
    return times.toSorted((one, other) => one - other)[Math.ceil(0.95 * rounds) - 1] ?? 0;
  };
  try {
    const results: Result[] = [];
    for (const [name, [asker, paths]] of Object.entries(questions)) {
      const times: { path: string; ms: number }[] = [];
      for (const path of paths) times.push({ path, ms: await p95(asker, path) });
      const judged = times.filter(({ path }) => !isCommon(path));
      const shown = times.filter(({ path, ms }) => isCommon(path) || ms > limit);
      const result: Result = {
        what: `${name}, slowest question in ms`,
        ratio: Math.max(...judged.map(({ ms }) => ms)),
        target: { atMost: limit },
        detail: [
          `median of ${judged.length} questions ${median(judged.map(({ ms }) => ms)).toFixed(1)} ms`,
          ...shown.map(({ path, ms }) => `${path.replace('/api', '')} ${ms.toFixed(0)} ms`),
        ].join('; '),
      };
      console.log(`  ${result.what}: ${result.ratio.toFixed(1)}; ${result.detail}`);
      results.push(result);
    }
    return results;
  } finally {
    await running.stop();
    await server.stop();
  }
}
