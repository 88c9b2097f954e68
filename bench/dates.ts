// Dates: approving and checking them among many stored meetings, the public calendar from memory,
// and what a student's calendar and feed cost against the list of their classes.
// BENCH_MEETINGS sets how many meetings the large database has.
import {
  alternate,
  figures,
  perCpuSecond,
  median,
  type Result,
  startDatabase,
  startRally,
  throughput,
  tokenOf,
} from './harness.ts';

const weeks = 50;
const small = 1_000;
const large = Number(process.env['BENCH_MEETINGS'] ?? 100_000);
const size = large.toLocaleString('en-US');

type Query = (text: string) => Promise<Record<string, unknown>[]>;

const id = (kind: string, n: string) =>
  `('${kind.repeat(8)}-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`;
const idOf = (kind: string, n: number) =>
  `${kind.repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`;
const dated = idOf('b', 900_001);
const undated = idOf('b', 900_002);
const shown = `'/media/class/first-touch-soccer.webp', 1000, 20, 'Yoga'`;
const columns = 'id, instructor_id, name, status, img, price_cents, capacity, sport';

/** Monday of the week after next: all dates are to come. */
const monday = new Date();
monday.setUTCDate(monday.getUTCDate() + 15 - (monday.getUTCDay() || 7));
const dayAfter = (count: number) =>
  new Date(monday.getTime() + count * 86_400_000).toISOString().slice(0, 10);

/**
 * Classes meet once a week for 50 weeks. An instructor has a place of their own and 40 classes: eight
 * in a day, from 08:00 on. The student is enrolled in four, which have 200 meetings. Two classes
 * wait for approval, one of them with 40 dates in the evenings.
 */
async function fill(query: Query, meetings: number): Promise<void> {
  const classes = meetings / weeks;
  await query(`
    set synchronous_commit = off;
    update academy set time_zone = 'Europe/Lisbon';
    insert into "user" (id, name, email, role)
      select ${id('a', 'n')}, 'Ana', 'i' || n || '@example.com', 'instructor' from generate_series(0, ${Math.ceil(classes / 40) - 1}) n;
    insert into "user" (name, email, role, proven_at)
      values ('Admin', 'admin@example.com', 'admin', now()), ('Sam', 'sam@example.com', 'student', now());
    insert into place (id, name, capacity) select ${id('e', 'n')}, 'Court ' || n, 20 from generate_series(0, ${Math.ceil(classes / 40) - 1}) n;
    insert into class (${columns})
      select ${id('b', 'n')}, ${id('a', 'n / 40')}, 'Class ' || n, 'approved', ${shown} from generate_series(0, ${classes - 1}) n
      union all select '${dated}'::uuid, ${id('a', '0')}, 'With dates', 'pending', ${shown}
      union all select '${undated}', ${id('a', '0')}, 'Without', 'pending', ${shown};
    insert into meeting (class_id, instructor_id, place_id, day, starts, minutes, state)
      select ${id('b', 'n')}, ${id('a', 'n / 40')}, ${id('e', 'n / 40')}, date '${dayAfter(0)}' + 7 * week + n % 40 / 8,
        make_time(8 + n % 8, 0, 0), 60, 'on'
      from generate_series(0, ${classes - 1}) n, generate_series(0, ${weeks - 1}) week
      union all select '${dated}', ${id('a', '0')}, ${id('e', '0')}, date '${dayAfter(0)}' + 7 * (n / 5) + n % 5, '18:00', 60, 'proposed'
      from generate_series(0, 39) n;
    with sam as (select id, name, email from "user" where email = 'sam@example.com'),
    chosen as (select class.id, class.name, n from generate_series(0, 3) n join class on class.id = ${id('b', 'n * 6')}),
    baskets as (
      insert into basket (id, student_id, total_cents, state, intent_id)
      select chosen.id, sam.id, 1000, 'paid', 'pi_' || n from sam, chosen returning id, student_id, intent_id),
    paid as (
      insert into hold (basket_id, student_id, participant_id, class_id, list_cents, slot, state)
      select id, student_id, student_id, id, 1000, 1, 'consumed' from baskets returning id, class_id),
    recorded as (
      insert into payment (basket_id, intent_id, student_id, email, customer, item_name, amount_cents, currency, status)
      select baskets.id, intent_id, sam.id, email, sam.name, chosen.name, 1000, 'usd', 'succeeded'
      from sam, baskets join chosen on chosen.id = baskets.id returning id, student_id, basket_id as class_id),
    lines as (
      insert into payment_line (payment_id, hold_id, student_id, participant_id, class_id, item_name, participant, list_cents, worth_cents, outcome)
      select recorded.id, paid.id, student_id, student_id, class_id, '', '', 1000, 1000, 'enrolled'
      from recorded join paid using (class_id) returning *)
    insert into enrolment (payment_id, line_id, student_id, participant_id, class_id)
    select payment_id, id, student_id, participant_id, class_id from lines`);
  await query('vacuum analyze');
}

/** Forty dates, five a week. Every tenth is at a time at which the instructor teaches already. */
const wanted = Array.from({ length: 40 }, (_, n) => ({
  day: dayAfter(7 * Math.floor(n / 5) + (n % 5)),
  starts: n % 10 === 0 ? '08:30' : '20:00',
  minutes: 60,
  placeId: idOf('e', 0),
}));

const month = `from=${dayAfter(0)}&to=${dayAfter(34)}`;
const open = `/api/calendar?${month}&instructor=${idOf('a', 0)}`;
const mine = `/api/calendar/mine?${month}`;

export async function dates({ seconds = 4, rounds = 10 } = {}): Promise<Result[]> {
  const server = await startDatabase();
  const sizes = { small: await server.database('small'), large: await server.database('large') };
  console.log(`  filling ${size} meetings …`);
  await fill(sizes.small.query, small);
  await fill(sizes.large.query, large);
  const start = ({ url }: { url: string }) =>
    startRally({ DATABASE_URL: url, DATA_DIR: server.dataDir });
  const running = { small: await start(sizes.small), large: await start(sizes.large) };
  const { url } = running.large;
  const signIn = async (which: 'small' | 'large', email: string) => ({
    authorization: `Bearer ${await tokenOf(sizes[which], email)}`,
  });
  const approve = (klass: string, headers: Record<string, string>) => async () => {
    await sizes.large.query(`
      update meeting set state = 'proposed' where class_id = '${klass}';
      update class set status = 'pending' where id = '${klass}'`);
    const asked = { method: 'PATCH', headers, body: '{}' };
    const { ms, body } = await ask(`${url}/api/classes/approve/${klass}`, asked);
    if (!body.includes('"modifiedCount":1')) throw new Error(`Not approved: ${body}`);
    return ms;
  };
  const check = (which: 'small' | 'large', headers: Record<string, string>) => async () => {
    const asked = { method: 'POST', headers, body: JSON.stringify({ meetings: wanted, seat: 20 }) };
    const { ms, body } = await ask(`${running[which].url}/api/meetings/check`, asked);
    const { clashes } = JSON.parse(body) as { clashes: unknown[] };
    // Each of the four has two classes in its way, each by place and by instructor.
    if (clashes.length !== 16) throw new Error(`${clashes.length} clashes were found`);
    return ms;
  };
  const compareTimes = async (
    what: string,
    atMost: number,
    [one, other]: (() => Promise<number>)[],
  ): Promise<Result> => {
    if (!one || !other) throw new Error('Two are compared.');
    await one();
    await other();
    const run = await alternate(rounds, one, other);
    const detail = `p50 ${run.one.toFixed(1)} against ${run.other.toFixed(1)} ms`;
    return { what, ratio: run.ratio, target: { atMost }, detail };
  };

  try {
    const admin = await signIn('large', 'admin@example.com');
    const sam = await signIn('large', 'sam@example.com');
    const checks = [
      check('large', await signIn('large', 'i0@example.com')),
      check('small', await signIn('small', 'i0@example.com')),
    ];
    const made = await ask(`${url}/api/feeds`, { method: 'POST', headers: sam, body: '{}' });
    const feed = new URL((JSON.parse(made.body) as { url: string }).url).pathname;
    const list = await listAsLong(url, (await ask(url + open)).body.length);
    const events = (await ask(url + feed)).body.split('BEGIN:VEVENT').length - 1;
    if (events !== 200) throw new Error(`The feed has ${events} meetings`);

    const perSecond = (path: string) => async () =>
      throughput(url + path, seconds, { connections: 10 });
    const thrift =
      (path: string, headers: Record<string, string> = {}) =>
      async () =>
        perCpuSecond([running.large.pid, server.pid], url + path, seconds, {
          connections: 10,
          headers,
        });
    /** Its cost as a multiple of the cost of the list of enrolments. */
    const againstEnrolments = async (what: string, atMost: number, one: () => Promise<number>) => {
      const run = await alternate(rounds, thrift('/api/enrolments', sam), one);
      return {
        what: `${what} / list of enrolments, CPU time of Rally and of PostgreSQL`,
        ratio: run.ratio,
        target: { atMost },
        detail: figures({ one: run.other, other: run.one }, 'requests for a second of CPU time'),
      };
    };
    const calendar = await alternate(rounds, perSecond(open), perSecond(list.path));
    return [
      await compareTimes(`approve a class with 40 dates / without, among ${size} meetings`, 5, [
        often(approve(dated, admin)),
        often(approve(undated, admin)),
      ]),
      await compareTimes(`check 40 dates: ${size} / 1,000 meetings`, 1.5, checks.map(often)),
      {
        what: 'month of the calendar from memory / catalogue of as many bytes',
        ratio: calendar.ratio,
        target: { atLeast: 0.95 },
        detail: `${figures(calendar)}; ${list.bytes}`,
      },
      await againstEnrolments('own calendar of a month, 20 meetings', 2, thrift(mine, sam)),
      await againstEnrolments('feed of 200 meetings', 3, thrift(feed)),
    ];
  } finally {
    await Promise.all([running.small.stop(), running.large.stop()]);
    await server.stop();
  }
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

async function ask(url: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  const started = performance.now();
  const json = body ? { 'content-type': 'application/json' } : undefined;
  const answer = await fetch(url, { method, headers: { ...headers, ...json }, body: body ?? null });
  const answered = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${answered}`);
  return { ms: performance.now() - started, body: answered };
}

/** The p50 of several in a row. */
const often = (once: () => Promise<number>) => async () => {
  const times: number[] = [];
  for (let n = 0; n < 15; n++) times.push(await once());
  return median(times);
};

/** The page of the catalogue whose answer is nearest to this length. */
async function listAsLong(url: string, length: number) {
  const lengthOf = async (limit: number) =>
    (await (await fetch(`${url}/api/classes?status=approved&limit=${limit}`)).text()).length;
  const [ten, twenty] = [await lengthOf(10), await lengthOf(20)];
  const limit = Math.round(10 + (length - ten) / ((twenty - ten) / 10));
  const bytes = `${length} against ${await lengthOf(limit)} bytes`;
  return { path: `/api/classes?status=approved&limit=${limit}`, bytes };
}
